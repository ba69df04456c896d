/// Why a transfer did not complete.
public struct TransportError: Error, Sendable, Hashable {
  /// What went wrong.
  public enum Kind: Sendable, Hashable {
    /// The request could not be sent as it stands; the text says why.
    case invalidRequest(String)
    /// The host's name has no address.
    case cannotResolveHost
    /// Nobody listens there, or the network is down.
    case cannotConnect
    /// The handshake failed or the server's certificate is not trusted.
    case tls
    /// The proxy cannot be found, or refuses.
    case proxy
    /// One of the request's ``Timeouts`` has passed.
    case timedOut
    /// The connection ended before the answer was complete.
    case connectionLost
    /// The answer was not HTTP.
    case protocolViolation
    /// The answer was larger than the caller accepts.
    case bodyTooLarge
    /// Reading the request's body failed.
    case bodySource
    /// The task was cancelled, or the body dropped.
    case cancelled
    /// Anything else; the detail says what.
    case other
  }

  /// How far the request got, which decides whether a write may be repeated.
  public enum Delivery: Sendable, Hashable {
    /// Nothing of it left this machine.
    case notSent
    /// It may have arrived.
    case unknown
    /// The server has begun to answer.
    case delivered
  }

  /// What went wrong.
  public var kind: Kind
  /// How far the request got.
  public var delivery: Delivery
  /// What the network library said, without path, query, header or body; it may name the host.
  public var detail: String?
  /// How many requests were sent before the call was given up; 1 unless it was repeated.
  public package(set) var attempts = 1

  /// - Parameters:
  ///   - kind: What went wrong.
  ///   - delivery: How far the request got.
  ///   - detail: More words, without secrets.
  public init(_ kind: Kind, delivery: Delivery, detail: String? = nil) {
    self.kind = kind
    self.delivery = delivery
    self.detail = detail
  }
}
