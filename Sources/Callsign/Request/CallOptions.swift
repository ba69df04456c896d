/// What one call does differently from its client.
public struct CallOptions: Sendable {
  /// How long the transfer may take; `nil` leaves it to ``ClientConfiguration/timeouts``.
  public var timeouts: Timeouts?
  /// Header fields to add, or to send in place of the client's own.
  ///
  /// A name or value that HTTP does not allow, and the fields that belong to the transfer itself (`Host`,
  /// `Content-Length`, `Transfer-Encoding`, `Connection`), make the call fail with ``CallError/invalidCall(_:)``. An
  /// `Authorization` field is replaced by the authenticator's.
  public var headers: [String: String]
  /// Whether a redirect of a call that reads is followed, within its origin. Default: yes. If not, every redirect is
  /// ``CallError/unexpectedContent(_:)``, with its `Location` among the header fields.
  public var followsRedirects: Bool

  /// Describes the exceptions.
  ///
  /// - Parameters:
  ///   - timeouts: How long the transfer may take; by default as the client is configured.
  ///   - headers: Header fields to add.
  ///   - followsRedirects: Whether a redirect within the origin is followed.
  public init(timeouts: Timeouts? = nil, headers: [String: String] = [:], followsRedirects: Bool = true) {
    self.timeouts = timeouts
    self.headers = headers
    self.followsRedirects = followsRedirects
  }

  /// A bound on the whole transfer, otherwise as the transport's defaults have it.
  public static func timeout(_ total: Duration) -> CallOptions {
    CallOptions(timeouts: Timeouts(idle: total, total: total))
  }
}
