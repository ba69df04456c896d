import Foundation
import HTTPTypes

/// OAuth 1.0a with a token that is already there (RFC 5849): every attempt is signed with a nonce and timestamp of
/// its own.
public struct OAuth1: Authenticator {
  private let signer: OAuth1Signer
  /// Signs for the client alone, for endpoints that take no token.
  private let consumerSigner: OAuth1Signer

  /// The hosts that the credentials are for.
  public let hosts: HostScope
  /// A hash of the client's and the token's identifiers.
  public let identity: CredentialIdentity
  /// Tells the time for `oauth_timestamp`; by default the system's.
  public var now: @Sendable () -> Date = { Date() }
  /// Makes `oauth_nonce`; by default 128 bits of the system's secure random source.
  public var makeNonce: @Sendable () throws -> String = { try SecureRandom.nonce() }

  /// Keeps the credentials.
  ///
  /// - Parameters:
  ///   - consumerKey: The client's identifier; X calls it API key.
  ///   - consumerSecret: The client's secret.
  ///   - token: The token's identifier; X calls it access token. `nil` signs for the client alone.
  ///   - tokenSecret: The token's secret.
  ///   - signatureMethod: How to sign; HMAC-SHA1 unless the provider wants another.
  ///   - realm: The protection realm to name, where the provider wants one.
  ///   - hosts: The hosts that the credentials are for.
  public init(
    consumerKey: String, consumerSecret: Secret, token: String? = nil, tokenSecret: Secret? = nil,
    signatureMethod: OAuth1SignatureMethod = .hmacSHA1, realm: String? = nil, hosts: HostScope = .catalogue
  ) {
    signer = OAuth1Signer(
      consumerKey: consumerKey, consumerSecret: consumerSecret, token: token, tokenSecret: tokenSecret,
      signatureMethod: signatureMethod, realm: realm)
    consumerSigner =
      token == nil && tokenSecret == nil
      ? signer
      : OAuth1Signer(
        consumerKey: consumerKey, consumerSecret: consumerSecret, signatureMethod: signatureMethod, realm: realm)
    self.hosts = hosts
    identity = CredentialIdentity("oauth1", hashing: [consumerKey, token ?? ""])
  }

  /// `oauth1`, and `oauth1_consumer`, by which a catalogue says that an endpoint wants a signature of the client alone;
  /// for it the token is left out.
  public func satisfies(_ requirement: AuthRequirement) -> Bool {
    requirement.scheme == "oauth1" || requirement.scheme == Self.consumerScheme
  }

  private static let consumerScheme = "oauth1_consumer"

  /// Sets `Authorization: OAuth …`. A form body is signed with the query; bodies of other types are not
  /// (RFC 5849 §3.4.1.3.1).
  ///
  /// - Throws: ``CallError/authorization(_:)`` when the request cannot be signed, or ``CallError/invalidCall(_:)`` when
  ///   a form body is not in memory.
  public func authenticate(_ request: inout TransportRequest, context: AuthenticationContext) async throws(CallError) {
    if case .plaintext = signer.signatureMethod {
      try request.refuseUnencryptedCredentials("a PLAINTEXT signature, which is the secrets themselves,")
    }
    let signer = context.requirement?.scheme == Self.consumerScheme ? consumerSigner : signer
    let head = request.head
    let url = "\(head.scheme ?? "")://\(head.authority ?? "")\(head.path ?? "")"
    do {
      let signature = try signer.sign(
        method: head.method.rawValue, url: url, formBody: try request.formBody(endpoint: context.endpoint),
        nonce: try makeNonce(), timestamp: String(Int(now().timeIntervalSince1970)))
      request.head.headerFields[.authorization] = signature.authorization
    } catch let error as CallError {
      throw error
    } catch {
      throw .authorization(AuthorizationError(.unavailable, advice: "the request could not be signed: \(error)"))
    }
  }
}

extension OAuth1: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The type's name alone.
  public var description: String { "OAuth1(\(Secret.redacted))" }
  /// The type's name alone.
  public var debugDescription: String { description }
  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

extension Authenticator where Self == OAuth1 {
  /// OAuth 1.0a with a token that is already there.
  public static func oauth1(_ credentials: OAuth1) -> OAuth1 { credentials }
}

extension TransportRequest {
  /// The body's bytes if it is a form, which is signed; otherwise nothing.
  fileprivate func formBody(endpoint: String) throws(CallError) -> Data {
    let type = head.headerFields[.contentType]?.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
    guard type == "application/x-www-form-urlencoded" else { return Data() }
    switch body {
    case .none: return Data()
    case .data(let data): return data
    case .stream:
      throw .invalidCall(
        InvalidCall(
          endpoint: endpoint, reason: .body("a form body takes part in the signature; give it as data, not as a stream")
        ))
    }
  }
}
