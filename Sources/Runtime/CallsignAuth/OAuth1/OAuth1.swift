import Callsign
import CallsignHTTP
import CallsignSupport
import HTTPTypes

/// OAuth 1.0a with an existing token (RFC 5849).
///
/// Every attempt is signed with a new nonce and timestamp.
///
/// If the provider refuses the timestamp, the response's `Date` shows the difference to its clock. The request is then
/// signed and sent once more, and every later one is signed with the provider's time. Copies of the value share what
/// one of them has learned.
public struct OAuth1: Authenticator {
  private let signer: OAuth1Signer
  /// Signs only for the client, for endpoints that need no token.
  private let consumerSigner: OAuth1Signer

  /// The hosts that the credentials are for.
  public let hosts: AllowedHosts
  /// A hash of the client's and the token's identifiers.
  public let identity: CredentialIdentity
  /// A hash of the client's identifier.
  public let appIdentity: CredentialIdentity?
  /// The part of the request that carries the protocol parameters. Default: in the `Authorization` field.
  public var placement: OAuth1Placement
  /// Whether bodies other than forms are covered by `oauth_body_hash` (extension "OAuth Request Body Hash 1.0"), which
  /// RFC 5849 leaves unsigned. Default: no, because providers that do not know the parameter may refuse it.
  public var includesBodyHash: Bool
  /// Makes `oauth_nonce`; by default 128 bits of the system's secure random source.
  public var makeNonce: @Sendable () throws -> String = { try SecureRandom.nonce() }

  /// The offset of the provider's clock; shared by copies.
  var clock = OAuth1Clock()
  /// The provider's own error codes; only the one for refused timestamps is used here.
  var errorCodes = LoginErrorCodes()
  /// The advice on credentials that were not copied cleanly; `nil` for clean ones.
  private let copyingProblem: String?
  /// Further protocol parameters that a login needs.
  var protocolParameters: [(name: String, value: String)] = []

  /// Keeps the credentials.
  ///
  /// - Parameters:
  ///   - consumerKey: The client's identifier, which some providers call API key.
  ///   - consumerSecret: The client's secret.
  ///   - token: The token's identifier, which some providers call access token. `nil` signs only for the client.
  ///   - tokenSecret: The token's secret.
  ///   - signatureMethod: How to sign; HMAC-SHA1 unless the provider requires another method.
  ///   - realm: The protection realm to name, if the provider wants one. It appears only in the `Authorization` field.
  ///   - placement: Where the protocol parameters travel.
  ///   - includesBodyHash: Whether bodies other than forms are covered by `oauth_body_hash`.
  ///   - hosts: The hosts that the credentials are for.
  public init(
    consumerKey: String, consumerSecret: any SecretConvertible, token: String? = nil,
    tokenSecret: (any SecretConvertible)? = nil,
    signatureMethod: OAuth1SignatureMethod = .hmacSHA1, realm: String? = nil, placement: OAuth1Placement = .header,
    includesBodyHash: Bool = false, hosts: AllowedHosts = .catalogue
  ) {
    let (consumerSecret, tokenSecret) = (Secret(consumerSecret), tokenSecret.map { Secret($0) })
    signer = OAuth1Signer(
      consumerKey: consumerKey, consumerSecret: consumerSecret, token: token, tokenSecret: tokenSecret,
      signatureMethod: signatureMethod, realm: realm)
    consumerSigner =
      token == nil && tokenSecret == nil
      ? signer
      : OAuth1Signer(
        consumerKey: consumerKey, consumerSecret: consumerSecret, signatureMethod: signatureMethod, realm: realm)
    copyingProblem = CopiedText.problem([
      "consumer key": consumerKey, "consumer secret": consumerSecret.reveal(), "access token": token,
      "access token's secret": tokenSecret?.reveal(),
    ])
    self.placement = placement
    self.includesBodyHash = includesBodyHash
    self.hosts = hosts
    identity = CredentialIdentity("oauth1", hashing: [consumerKey, token ?? ""])
    appIdentity = .app(consumerKey)
  }

  /// `oauth1`, and `oauth1_consumer`. A catalogue uses the latter for endpoints that want only the client's signature;
  /// the token is then left out.
  public func satisfies(_ requirement: AuthRequirement) -> Bool {
    requirement.scheme == "oauth1" || requirement.scheme == Self.consumerScheme
  }

  private static let consumerScheme = "oauth1_consumer"

  /// Signs the request. A form body is signed with the query; bodies of other types are not (RFC 5849 §3.4.1.3.1),
  /// except by ``includesBodyHash``.
  ///
  /// - Throws: ``CallError/authorization(_:)`` if the request cannot be signed, would travel unencrypted to another
  ///   machine, or cannot carry the parameters at the ``placement``; ``CallError/invalidCall(_:)`` if a form body is
  ///   not in memory.
  public func authenticate(_ request: inout TransportRequest, context: AuthenticationContext) async throws(CallError) {
    if let copyingProblem { throw .authorization(AuthorizationError(.unavailable, advice: copyingProblem)) }
    if case .plaintext = signer.signatureMethod {
      try request.refuseUnencryptedCredentials("a PLAINTEXT signature, which is the secrets themselves,")
    }
    try request.refuseUnencryptedCredentials("a signed request, whose response anyone could read and change,")
    if placement == .body, let obstacle = OAuth1Placement.obstacle(toBodyOf: request) {
      throw .authorization(
        AuthorizationError(
          .unavailable,
          advice: "OAuth parameters travel in a form body only, and \(obstacle); place them in the header"))
    }
    let signer = context.requirement?.scheme == Self.consumerScheme ? consumerSigner : signer
    let form = try request.formBody(endpoint: context.endpoint)
    do {
      var extra = protocolParameters
      if includesBodyHash, placement != .body,
        let hash = try await OAuth1BodyHash.parameter(of: request, method: signer.signatureMethod)
      {
        extra.append(hash)
      }
      if placement == .query {
        // A redirect may repeat the parameters of the previous request, and each may appear only once (RFC 5849 §3.1).
        for name in signer.protocolNames.union(extra.map(\.name)) { request.url.removeQueryParameter(name) }
      }
      let signed = try signer.sign(
        method: request.method.rawValue, url: request.url,
        formBody: form, extra: extra, nonce: try makeNonce(), timestamp: clock.timestamp(context.time))
      placement.apply(signed, to: &request, form: form)
    } catch let error as TransportError {
      throw .transport(error)
    } catch {
      throw .authorization(AuthorizationError(.unavailable, advice: "the request could not be signed: \(error)"))
    }
  }

  /// Tries again if the clock was at fault; see ``OAuth1``.
  public func rejected(
    _ rejection: Rejection, context: AuthenticationContext
  ) async throws(CallError) -> RejectionRecovery {
    clock.learn(from: rejection, errorCodes, context.time) ? .tryAgain : .giveUp
  }
}

extension OAuth1: RedactedStringConvertible {}

extension Authenticator where Self == OAuth1 {
  /// OAuth 1.0a with an existing token.
  public static func oauth1(_ credentials: OAuth1) -> OAuth1 { credentials }
}
