/// Why a transfer did not complete.
public struct TransportError: Error, Sendable, Hashable {
  public enum Kind: Sendable, Hashable {
    /// The request could not be sent as it stands; the text says why.
    case invalidRequest(String)
    case cannotResolveHost
    case cannotConnect
    /// The handshake failed or the server's certificate is not trusted.
    case tls
    case proxy
    case timedOut
    /// The connection ended before the answer was complete.
    case connectionLost
    /// The answer was not HTTP.
    case protocolViolation
    /// The answer was larger than the caller accepts.
    case bodyTooLarge
    /// Reading the request's body failed.
    case bodySource
    case cancelled
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

  public var kind: Kind
  public var delivery: Delivery
  /// What the network library said, without URL, header or body. Fit for a log.
  public var detail: String?

  public init(_ kind: Kind, delivery: Delivery, detail: String? = nil) {
    self.kind = kind
    self.delivery = delivery
    self.detail = detail
  }
}
