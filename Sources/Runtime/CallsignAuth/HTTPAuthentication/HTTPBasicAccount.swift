import Callsign
import CallsignHTTP
import CallsignSupport
import HTTPTypes

/// HTTP Basic (RFC 7617) with a username and password from a ``TokenStore``.
///
/// It asks for them if there are none, and deletes them if the server refuses them.
///
/// ```swift
/// let account = HTTPBasicAccount(service: "api.example.com", store: .default) { prompt in
///   print(prompt.wasRefused ? "Wrong password. Try again for" : "Log in to", prompt.server)
///   return (readLine() ?? "", Secret(readLine() ?? ""))
/// }
/// let client = Client(auth: account)
/// ```
///
/// However many calls wait for them, the person is asked only once. They are sent in the same way as by ``HTTPBasic``:
/// over TLS or to this machine, and not again to a server that has refused them.
public final class HTTPBasicAccount: Authenticator {
  /// A request for a username and password.
  public struct Prompt: Sendable, Hashable {
    /// The server that they are for, such as `https://api.example.com`.
    public let server: String
    /// The account's name in the store.
    public let account: String
    /// The last username, to be offered again; `nil` if there was none.
    public let username: String?
    /// Whether the previous ones were refused.
    public let wasRefused: Bool
  }

  /// Asks the person; `nil` if they give up, which makes the call fail.
  public typealias Ask = @Sendable (Prompt) async -> (username: String, password: Secret)?

  private struct Known: Sendable {
    var token: VersionedToken
    var credentials: HTTPBasic
  }

  /// The key in the store.
  public let key: TokenKey
  /// The hosts that username and password are for.
  public let hosts: AllowedHosts

  private let store: any TokenStore
  private let realm: String?
  private let sending: HTTPBasic.Sending?
  private let ask: Ask?
  /// The stored ones, and the known servers that refused them.
  private let known = Locked<Known?>(nil)
  private let questions = SingleFlight<Result<HTTPBasic, CallError>>()

  /// Names an account.
  ///
  /// - Parameters:
  ///   - service: The service that they are for, such as the API's host.
  ///   - account: The name of the account, in the app's own words.
  ///   - store: Keeps them.
  ///   - realm: The protection realm that they are for; they are then sent only if a server has named it. `nil`, the
  ///     default, is for all realms.
  ///   - sending: When to send them. Default: always, or on challenge if there is a realm.
  ///   - hosts: The hosts that they are for.
  ///   - ask: Asks for them if the store has none, or none that the server accepts. Without it, such calls fail.
  public init(
    service: String, account: String = "default", store: some TokenStore, realm: String? = nil,
    sending: HTTPBasic.Sending? = nil, hosts: AllowedHosts = .catalogue, ask: Ask? = nil
  ) {
    key = TokenKey(service: service, scheme: .basic, clientID: realm ?? "", account: account)
    self.store = store
    self.realm = realm
    self.sending = sending
    self.hosts = hosts
    self.ask = ask
  }

  /// The store's place, the key, and a mark of when they were saved, which changes with them.
  public var identity: CredentialIdentity {
    CredentialIdentity("basic", key, in: store.place, login: known.withLock { $0?.token.token.login })
  }

  /// Reads the store, so that ``identity`` is that of the stored account.
  public func prepare() async {
    // An error of the store is reported when they are needed.
    _ = try? await saved()
  }

  /// Only `basic`.
  public func satisfies(_ requirement: AuthRequirement) -> Bool { requirement.scheme == "basic" }

  /// Sets `Authorization: Basic …`, with the stored credentials or those that the person enters.
  ///
  /// - Throws: ``CallError/authorization(_:)`` if there are none and nobody enters any, if the store cannot be read, or
  ///   if the request would travel unencrypted to another machine.
  public func authenticate(_ request: inout TransportRequest, context: AuthenticationContext) async throws(CallError) {
    try await credentials(for: request.url.origin, context).authenticate(&request, context: context)
  }

  /// Notes a server that refuses or accepts them.
  public func received(
    _ head: HTTPResponse, to request: TransportRequest, context: AuthenticationContext
  ) throws(CallError) {
    try known.withLock { $0?.credentials }?.received(head, to: request, context: context)
  }

  /// Deletes the refused ones, and asks for others.
  public func rejected(
    _ rejection: Rejection, context: AuthenticationContext
  ) async throws(CallError) -> RejectionRecovery {
    guard rejection.rawResponse.status == .unauthorized else { return .giveUp }
    let origin = rejection.request.url.origin
    if let used = known.withLock({ $0?.credentials }) {
      if try await used.rejected(rejection, context: context) == .tryAgain { return .tryAgain }
      // They have changed since the request was sent.
      guard used.hasSent(rejection.request) else { return .tryAgain }
      // A single refusal by a server that accepted them before counts as the server's mistake.
      guard used.isRefused(by: origin, context.time.now()) else { return .giveUp }
      if ask == nil { try await forget(used) }
    }
    // If there are none, another call has deleted them for the same reason, and the person is being asked.
    guard ask != nil, rejection.request.headerFields[.authorization] != nil else { return .giveUp }
    _ = try await credentials(for: origin, context)
    return .tryAgain
  }

  /// Credentials that a server has not refused, requested from the person if necessary.
  private func credentials(for origin: String, _ context: AuthenticationContext) async throws(CallError) -> HTTPBasic {
    let now = context.time.now()
    if let saved = try await savedForCall(), !saved.isRefused(by: origin, now) { return saved }
    let result: Result<HTTPBasic, CallError>
    do throws(CancellationError) {
      result = try await questions.value { [self] in
        do throws(CallError) { return .success(try await asked(for: origin, now)) } catch { return .failure(error) }
      }
    } catch { throw .cancelled }
    return try result.get()
  }

  private func asked(for origin: String, _ now: Date) async throws(CallError) -> HTTPBasic {
    // Another call may have received a response since this one checked.
    let former = try await savedForCall()
    if let former, !former.isRefused(by: origin, now) { return former }
    let username = known.withLock { $0?.token.token.username }
    if let former {
      try await forget(former)
      // Others may have been saved since, and the person's answer would replace them.
      if let saved = try await savedForCall(), !saved.isRefused(by: origin, now) { return saved }
    }
    guard let ask else {
      throw Self.missing("the store has no username and password under \(key); save some, or give a closure that asks")
    }
    let prompt = Prompt(server: origin, account: key.account, username: username, wasRefused: former != nil)
    guard let response = await ask(prompt) else {
      throw Self.missing("no username and password were given for \(origin.printable); ask for them again")
    }
    do throws(TokenStoreError) { return try await keep(response.username, response.password) } catch {
      throw CallError(error)
    }
  }

  private static func missing(_ advice: String) -> CallError {
    .authorization(AuthorizationError(.unavailable, advice: advice))
  }

  /// The stored ones; an entry that cannot be read counts as missing.
  private func savedForCall() async throws(CallError) -> HTTPBasic? {
    do throws(TokenStoreError) { return try await saved() } catch {
      if error.isAboutUnreadableToken { return nil }
      // The known ones are used until the store can be read again.
      if let known = known.withLock({ $0?.credentials }), error.reason != .cancelled { return known }
      throw CallError(error)
    }
  }

  private func saved() async throws(TokenStoreError) -> HTTPBasic? {
    guard let token = try await store.load(key), token.token.kind == .basic else {
      known.withLock { $0 = nil }
      return nil
    }
    return remember(token)
  }

  private func remember(_ token: VersionedToken) -> HTTPBasic {
    known.withLock { known in
      if let known, known.token == token { return known.credentials }
      // By code points: the colon is one even if the password begins with an accent.
      let parts = token.token.accessToken.reveal().unicodeScalars
        .split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
      let credentials = HTTPBasic(
        username: parts.first ?? "", password: Secret(parts.dropFirst().first ?? ""), realm: realm, sending: sending,
        hosts: hosts)
      known = Known(token: token, credentials: credentials)
      return credentials
    }
  }

  private func keep(_ username: String, _ password: Secret) async throws(TokenStoreError) -> HTTPBasic {
    guard !username.utf8.contains(UInt8(ascii: ":")) else {
      throw TokenStoreError(
        .system, advice: "HTTP Basic has no way to send a username with a colon; use another name or HTTP Digest")
    }
    var token = StoredToken(kind: .basic, accessToken: Secret("\(username):\(password.reveal())"), username: username)
    do throws(CryptographyError) { token.login = try SecureRandom.nonce() } catch {
      throw TokenStoreError(.system, advice: "\(error); check the system's random source")
    }
    let new = token
    let version = try await store.withLease(key) { (lease) throws(TokenStoreError) in
      try await store.save(new, replacing: .any, under: lease)
    }
    return remember(VersionedToken(new, version: version))
  }

  /// Deletes the refused ones, unless they have changed since.
  private func forget(_ refused: HTTPBasic) async throws(CallError) {
    guard let version = known.withLock({ $0?.credentials === refused ? $0?.token.version : nil }) else { return }
    do throws(TokenStoreError) {
      try await store.withLease(key) { (lease) throws(TokenStoreError) in
        try await store.delete(.version(version), under: lease)
      }
    } catch {
      if error.reason != .conflict { throw CallError(error) }
    }
    known.withLock { if $0?.credentials === refused { $0 = nil } }
  }
}

extension HTTPBasicAccount {
  /// Whether there are a username and password. Only a call can find out whether the server accepts them.
  public var isSaved: Bool {
    get async throws(TokenStoreError) { try await saved() != nil }
  }

  /// Saves a username and password in place of any existing ones.
  ///
  /// - Parameters:
  ///   - username: The username, which must not contain a colon.
  ///   - password: The password; it may be empty.
  /// - Throws: ``TokenStoreError``.
  public func save(username: String, password: any SecretConvertible) async throws(TokenStoreError) {
    _ = try await keep(username, Secret(password))
  }

  /// Deletes username and password, even if they cannot be read. Nothing happens if there are none.
  ///
  /// - Throws: ``TokenStoreError``.
  public func forget() async throws(TokenStoreError) {
    try await store.delete(key)
    known.withLock { $0 = nil }
  }
}

extension HTTPBasicAccount: RedactedStringConvertible {
  /// The type's name and the key.
  public var description: String { "HTTPBasicAccount(\(key))" }
}
