/// The bounds of requests. Sizes are in bytes.
package struct RequestLimits: Sendable {
  /// The most that a request line or one header field may have. X's own search query has up to 4,096 characters, of which each
  /// may take nine bytes in a URL.
  package var requestLine = 64 << 10
  /// The most that all header fields may have together.
  package var fields = 16 << 10
  /// The bytes of a body that are kept. The rest is read and dropped, as it would be taken for the next request.
  package var body = Int.max
  /// The time from the first byte of a head to its last.
  package var headTime: Duration = .seconds(10)
  /// The time that a body may take, besides one second for each 16 KiB.
  package var bodyTime: Duration = .seconds(30)
  /// How long a connection may be open without a request.
  package var idleTime: Duration = .seconds(120)

  package init() {}

  /// Limits that keep bodies up to a size, and one byte more, by which a handler knows that a body is too large.
  package init(body size: Int) { body = size == .max ? size : max(0, size) + 1 }

  /// How often the times are checked.
  var precision: Duration { min(.seconds(1), min(headTime, bodyTime, idleTime) / 4) }
}
