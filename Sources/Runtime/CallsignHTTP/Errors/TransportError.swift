import CallsignSupport

/// The failure of a transfer that did not complete.
public struct TransportError: Error, Sendable, Hashable {
  /// A kind of failure.
  public enum Kind: Sendable, Hashable {
    /// The request is invalid and could not be sent; the text says why.
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
    /// The connection ended before the response was complete.
    case connectionLost
    /// The response was not HTTP.
    case protocolViolation
    /// The response was larger than the caller accepts.
    case bodyTooLarge
    /// Reading the request's body failed.
    case bodySource
    /// The task was cancelled, or the body dropped.
    case cancelled
    /// Anything else; the detail says what.
    case other
  }

  /// The point that the request reached, which decides whether a write may be repeated.
  public enum Delivery: Sendable, Hashable {
    /// Nothing of it left this machine.
    case notSent
    /// It may have arrived.
    case unknown
    /// The server has begun to respond.
    case delivered
  }

  /// The kind of the failure.
  public var kind: Kind
  /// The point that the request reached.
  public var delivery: Delivery
  /// The network library's own words, without path, query, header or body; they may name the host, and a content coding that
  /// cannot be undone.
  public var detail: String?
  /// The number of requests that were sent before the call was given up; 1 unless it was repeated.
  public package(set) var attempts = 1
  /// Whether the call may have been carried out though it may be repeated, as `CallError.mayHaveBeenCarriedOut` tells.
  package var mayBeDone = false

  /// - Parameters:
  ///   - kind: The kind of the failure.
  ///   - delivery: How far the request got.
  ///   - detail: More words, without secrets.
  public init(_ kind: Kind, delivery: Delivery, detail: String? = nil) {
    self.kind = kind
    self.delivery = delivery
    self.detail = detail
  }

  /// Whether both are of the same kind, with the same delivery, words and number of requests.
  public static func == (left: TransportError, right: TransportError) -> Bool {
    left.kind == right.kind && left.delivery == right.delivery && left.detail == right.detail
      && left.attempts == right.attempts
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    hasher.combine(delivery)
    hasher.combine(detail)
    hasher.combine(attempts)
  }
}

extension TransportError {
  package static func invalidRequest(_ reason: String) -> TransportError {
    TransportError(.invalidRequest(reason), delivery: .notSent)
  }

  /// A proxy's refusal of a request that it can read (RFC 9110 §15.5.8): it has not passed it on.
  static let proxyRefusal = TransportError(
    .proxy, delivery: .notSent, detail: "it wants a user name and password, or others")
}

extension TransportError: CallsignError {
  /// The cause, in one line.
  public var description: String { summary }
  /// The same as ``description``.
  public var errorDescription: String? { description }
  /// The same as ``advice``.
  public var recoverySuggestion: String? { advice }

  /// The cause, in one line.
  package var summary: String {
    let what =
      switch kind {
      case .invalidRequest(let why): "the request cannot be sent: \(why)"
      case .cannotResolveHost: "the host's name cannot be resolved"
      case .cannotConnect: "the host cannot be reached"
      case .tls: "no trusted TLS connection could be made"
      case .proxy: "the proxy refused the connection"
      case .timedOut: "the time allowed has passed"
      case .connectionLost: "the connection was lost before the response was complete"
      case .protocolViolation: "the response is not correct HTTP"
      case .bodyTooLarge: "the response is larger than the client accepts"
      case .bodySource: "the request's body could not be read"
      case .cancelled: "the transfer was cancelled"
      case .other: "the transfer failed"
      }
    return (detail.map { "\(what) (\($0))" } ?? what).printable + Self.note(ofAttempts: attempts)
  }

  /// A note on the retries of a call; empty if there were none.
  package static func note(ofAttempts count: Int) -> String { count > 1 ? ", after \(count) requests" : "" }

  /// Advice for the reader, in one sentence.
  public var advice: String? {
    switch kind {
    case .cannotResolveHost: "check the host's name and the network"
    case .cannotConnect: "check that the host is up and the network lets this machine reach it"
    case .tls: "check the clock, the certificate authorities, and that nothing stands between this machine and the host"
    case .proxy: "check the proxy's address, its user name and password, and what it permits"
    case .timedOut: "try again, or allow more time"
    case .connectionLost: "try again"
    case .bodyTooLarge: "raise ClientConfiguration.responseLimit, or read the response as it comes"
    case .bodySource: "check that the file or stream can be read"
    case .invalidRequest, .protocolViolation, .cancelled, .other: nil
    }
  }
}
