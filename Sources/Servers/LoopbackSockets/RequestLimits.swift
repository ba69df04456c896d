/// The limits for requests. Sizes are in bytes.
package struct RequestLimits: Sendable {
  /// The maximum size of the request line or of one header field. X's search query can have up to 4,096 characters, each of which
  /// may take nine bytes in a URL.
  package var requestLine = 64 << 10
  /// The maximum total size of all header fields.
  package var fields = 16 << 10
  /// The number of bytes of a body to keep. The rest is read and dropped, because otherwise it would be read as the next request.
  package var body = Int.max
  /// The time allowed from the first byte of the header section to its last.
  package var headTime: Duration = .seconds(10)
  /// The time allowed for a body, plus one second for each 16 KiB.
  package var bodyTime: Duration = .seconds(30)
  /// How long a connection can stay open without a request.
  package var idleTime: Duration = .seconds(120)

  package init() {}

  /// Creates limits that keep bodies up to a size plus one byte, so that a handler can detect a body that is too large.
  package init(body size: Int) { body = size == .max ? size : max(0, size) + 1 }

  /// The interval between checks of the times.
  var precision: Duration { min(.seconds(1), min(headTime, bodyTime, idleTime) / 4) }
}
