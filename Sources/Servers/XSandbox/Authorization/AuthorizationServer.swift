import CallsignSupport
import Foundation

/// Authenticates requests, and issues and revokes credentials. It contains all state of authentication and authorization.
struct AuthorizationServer: Sendable {
  var registry = CredentialRegistry()
  var nonces = NonceCache()
  var generator: CredentialGenerator
  var counts = SandboxAuthorizationCounts()
  /// The refreshes of each user's logins.
  var refreshes: [Identifier: SandboxRefreshes] = [:]
  let configuration: SandboxConfiguration

  init(configuration: SandboxConfiguration) {
    self.configuration = configuration
    registry.publicURLs = configuration.publicURLs
    generator = CredentialGenerator(seed: configuration.credentialSeed)
  }

  var now: Date { configuration.clock.now() }

  mutating func makeApp(_ configuration: SandboxAppConfiguration) -> SandboxApp {
    let kind = configuration.isConfidential ? "ci" : "na"
    let app = SandboxApp(
      consumerKey: generator.text(length: 25), consumerSecret: generator.secret(length: 50),
      bearerToken: makeBearerToken(),
      // X's client IDs contain the kind of client in this format.
      clientID: Data("\(generator.text(length: 21)):1:\(kind)".utf8).base64EncodedString()
        .replacingOccurrences(of: "=", with: ""),
      clientSecret: configuration.isConfidential ? generator.secret(length: 50) : nil)
    registry.apps[app.consumerKey] = .init(app: app, configuration: configuration)
    registry.bearerTokens[app.bearerToken] = .init(consumerKey: app.consumerKey)
    return app
  }

  mutating func addAccount(_ record: UserRecord) -> CredentialRegistry.Account {
    let account = CredentialRegistry.Account(
      id: record.id, username: record.username, password: generator.secret(length: 16))
    registry.accounts[record.username.lowercased()] = account
    return account
  }

  mutating func makeBearerToken() -> String { "AAAAAAAAAAAAAAAAAAAAA" + generator.secret(length: 80) }

  /// Issues an access token. As on X, an app gets the same token for a user until it is revoked.
  mutating func accessToken(
    for user: Identifier, consumerKey: String, permission: SandboxPermission
  ) -> SandboxAccessToken {
    let existing = registry.accessTokens.first {
      $0.value.user == user && $0.value.consumerKey == consumerKey && $0.value.permission == permission
        && !$0.value.isRevoked
    }
    if let existing { return .init(token: existing.key, secret: existing.value.secret) }
    let token = SandboxAccessToken(
      token: "\(user)-\(generator.secret(length: 40))", secret: generator.secret(length: 45))
    registry.accessTokens[token.token] = .init(
      secret: token.secret, consumerKey: consumerKey, user: user, permission: permission)
    return token
  }

  mutating func oauth2Token(
    for user: Identifier, consumerKey: String, scopes: Set<String>, expiry: Date?, login: Int?
  ) -> String {
    let token = generator.secret(length: 91)
    registry.bearerTokens[token] = .init(
      consumerKey: consumerKey, user: user, scopes: scopes, expiry: expiry, login: login)
    return token
  }

  /// Returns the account with the user name and password.
  func account(username: String, password: String) -> CredentialRegistry.Account? {
    let name = username.trimmingCharacters(in: .whitespaces).lowercased()
    guard let account = registry.accounts[name.hasPrefix("@") ? String(name.dropFirst()) : name],
      ConstantTime.equal(account.password, password)
    else { return nil }
    return account
  }
}

extension AuthorizationServer {
  /// Authenticates a request through its bearer token or its OAuth 1.0a signature.
  /// - Throws: A refusal with the reason in its `sandbox` member.
  mutating func authenticate(_ request: IncomingRequest) throws(Problem) -> Principal {
    if case .bearer(let token) = try header(of: request) { return try authenticate(bearer: token) }
    let verified = try verify(request, signedBy: .accessToken)
    guard let grant = registry.accessTokens[verified.token] else { throw .unauthorized }
    return Principal(
      kind: .oauth1, consumerKey: verified.consumerKey, user: grant.user,
      mayWrite: grant.permission == .readWrite
        && registry.apps[verified.consumerKey]?.configuration.permission == .readWrite)
  }

  /// Verifies an OAuth 1.0a signature and checks that its nonce is new.
  mutating func verify(
    _ request: IncomingRequest, signedBy role: OAuth1Verification.TokenRole
  ) throws(Problem) -> OAuth1Verification.VerifiedRequest {
    let seconds = Int(now.timeIntervalSince1970)
    let verification = OAuth1Verification(
      request: request, scheme: "http", registry: registry, date: now, role: role)
    let verified: OAuth1Verification.VerifiedRequest
    switch try header(of: request) {
    case .oauth(let parameters): verified = try verification.verify(parameters, in: .header)
    case .bearer:
      throw .unauthorized.explained(
        "unsupported_scheme", ["detail": "This endpoint wants an OAuth 1.0a signature, not a bearer token."])
    case .other(let scheme):
      throw .unauthorized.explained(
        "unsupported_scheme", ["detail": "The scheme `\(scheme)` is neither OAuth nor Bearer."])
    case nil:
      guard let (parameters, place) = verification.parametersOutsideHeader else {
        throw .unauthorized.explained(
          "missing_credentials", ["detail": "The request has no Authorization header and no OAuth parameters."])
      }
      verified = try verification.verify(parameters, in: place)
    }
    let isNew = nonces.insert(
      consumerKey: verified.consumerKey, token: verified.token, timestamp: verified.timestamp, nonce: verified.nonce,
      now: seconds, window: OAuth1Verification.timestampWindow)
    guard isNew else {
      throw .unauthorized.explained(
        "nonce_used", ["detail": "This nonce was already used with this timestamp and token."])
    }
    return verified
  }

  private func header(of request: IncomingRequest) throws(Problem) -> AuthorizationHeader? {
    guard let text = request.header("Authorization") else { return nil }
    do {
      return try AuthorizationHeader(text)
    } catch {
      throw .unauthorized.explained("malformed_authorization", ["detail": .string(error.reason)])
    }
  }

  private func authenticate(bearer token: String) throws(Problem) -> Principal {
    guard let grant = registry.bearerTokens[token.removingPercentEncoding ?? token] ?? registry.bearerTokens[token]
    else {
      throw .unauthorized.explained("unknown_token", ["detail": "No app or user has this bearer token."])
    }
    if grant.isRevoked { throw .unauthorized.explained("revoked_token") }
    if let expiry = grant.expiry, expiry <= now { throw .unauthorized.explained("expired_token") }
    return Principal(
      kind: grant.user == nil ? .appOnly : .oauth2User, consumerKey: grant.consumerKey, user: grant.user,
      scopes: grant.scopes)
  }
}

/// The authorization server of a sandbox. Only one request at a time reads or changes its credentials.
actor AuthorizationService {
  private var server: AuthorizationServer

  init(configuration: SandboxConfiguration) { server = AuthorizationServer(configuration: configuration) }

  func perform<Result: Sendable, Failure: Error>(
    _ body: @Sendable (inout AuthorizationServer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(&server)
  }

  /// - Throws: A refusal with the reason in its `sandbox` member.
  func authenticate(_ request: IncomingRequest) throws(Problem) -> Principal { try server.authenticate(request) }
}

/// How many tokens a sandbox has issued and refused since it started.
public struct SandboxAuthorizationCounts: Sendable, Hashable {
  /// Authorization codes exchanged for tokens.
  public internal(set) var codesExchanged = 0
  /// OAuth 1.0a access tokens exchanged for OAuth 2.0 tokens.
  public internal(set) var tokensExchanged = 0
  /// Refresh tokens exchanged for new ones.
  public internal(set) var refreshes = 0
  /// Refused refreshes.
  public internal(set) var refusedRefreshes = 0
  /// Issued app-only bearer tokens.
  public internal(set) var bearerTokens = 0
}

/// The OAuth 2.0 refreshes of one user's logins since the sandbox started.
public struct SandboxRefreshes: Sendable, Hashable {
  /// A granted refresh.
  public struct Grant: Sendable, Hashable {
    /// The time of the grant, on the sandbox's clock.
    public let date: Date
    /// The `User-Agent` of the client.
    public let userAgent: String?
  }

  /// A refresh that was refused because its refresh token had already been used.
  public struct Reuse: Sendable, Hashable {
    /// The time of the refusal, on the sandbox's clock.
    public let date: Date
    /// The `User-Agent` of the client.
    public let userAgent: String?
    /// The refresh that used the token.
    public let use: Grant
  }

  /// The number of granted refreshes.
  public private(set) var granted = 0
  /// The number of refreshes refused because the refresh token had already been used.
  public private(set) var reused = 0
  /// The last hundred of those, oldest first.
  public private(set) var reuses: [Reuse] = []
  /// The last granted refresh.
  public private(set) var last: Grant?

  mutating func note(_ grant: Grant) {
    granted += 1
    last = grant
  }

  mutating func note(_ reuse: Reuse) {
    reused += 1
    if reuses.count == 100 { reuses.removeFirst() }
    reuses.append(reuse)
  }
}
