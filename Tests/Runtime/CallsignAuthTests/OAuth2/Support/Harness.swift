import Callsign
import CallsignAuth
import CallsignHTTP
import Foundation
import HTTPTypes
import TestSupport
import Testing
import XCore

/// A value that one thread at a time may touch.
///
/// `@unchecked Sendable`: every access to `value` is made while `lock` is held.
final class Guarded<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  init(_ value: Value) { self.value = value }

  func with<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    try lock.withLock { try body(&value) }
  }
}

/// A store whose leases exclude nobody. It can be made to fail, and records the order of events.
final class WitnessedStore: ListableTokenStore {
  private let tokens = Guarded<[TokenKey: (token: StoredToken, number: Int)]>([:])
  let place = "witnessed \(UUID().uuidString)"
  let events: Guarded<[String]>
  let savingFails = Guarded(false)
  let loadingFails = Guarded(false)
  /// How many saves from now on find that another process has taken the lease.
  let lostLeases = Guarded(0)

  init(_ events: Guarded<[String]> = Guarded([])) { self.events = events }

  func load(_ key: TokenKey) async throws(TokenStoreError) -> VersionedToken? {
    if loadingFails.with({ $0 }) { throw TokenStoreError(.damaged, advice: "the file is damaged; delete it") }
    return tokens.with { $0[key].map { VersionedToken($0.token, version: TokenVersion(rawValue: "\($0.number)")) } }
  }

  func lease(_ key: TokenKey, lasting duration: Duration) async throws(TokenStoreError) -> TokenLease {
    TokenLease(
      key, id: "", end: Date() + 60, renew: { (_) throws(TokenStoreError) in Date() + 60 }, release: {})
  }

  func save(
    _ token: StoredToken, replacing expected: TokenPrecondition, under lease: TokenLease
  ) async throws(TokenStoreError) -> TokenVersion {
    if savingFails.with({ $0 }) { throw TokenStoreError(.system, advice: "the disk is full; make room") }
    let isLost = lostLeases.with { count in
      defer { count = max(0, count - 1) }
      return count > 0
    }
    if isLost { throw .leaseLost(lease.key) }
    let current = try await load(lease.key)
    guard expected.isMet(by: current?.version) else { throw .conflict(lease.key) }
    let number = tokens.with { tokens in
      let number = (tokens[lease.key]?.number ?? 0) + 1
      tokens[lease.key] = (token, number)
      return number
    }
    events.with { $0.append("saved \(token.accessToken.reveal())") }
    return TokenVersion(rawValue: "\(number)")
  }

  func delete(_ expected: TokenPrecondition, under lease: TokenLease) async throws(TokenStoreError) {
    tokens.with { $0[lease.key] = nil }
  }

  func keys(service: String?) async throws(TokenStoreError) -> [TokenKey] { tokens.with { $0.keys.sorted() } }
}

/// A provider and its API in memory. A closure responds for the token endpoint. The API responds by whether the access token is in
/// `good`; `/closed` is refused with any token.
final class MemoryProvider: Sendable {
  struct API: APIClient {
    let client: Client
    static let baseURLs: [StaticString] = ["https://api.test"]
  }

  let time = TestTime(.skips, at: Date())
  let events: Guarded<[String]>
  let good = Guarded<Set<String>>([])
  /// The token endpoint's response to the nth request, counted from 1.
  let tokenResponse: @Sendable (Int, String) async throws(TransportError) -> TransportResponse
  private let asked = Guarded(0)

  init(
    events: Guarded<[String]> = Guarded([]),
    respond: @escaping @Sendable (Int, String) async throws(TransportError) -> TransportResponse
  ) {
    self.events = events
    self.tokenResponse = respond
  }

  /// How many requests the token endpoint got.
  var tokenRequests: Int { asked.with { $0 } }

  var configuration: ClientConfiguration {
    let transport = InMemoryTransport { [self] (request) async throws(TransportError) in try await respond(request) }
    return ClientConfiguration(transport: transport, time: time)
  }

  private func respond(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    if request.head.path == "/closed" { return .json("{}", status: .unauthorized) }
    guard request.head.path == "/me" else {
      let body: String
      if case .data(let data) = request.body { body = String(decoding: data, as: UTF8.self) } else { body = "" }
      let number = asked.with { asked in
        asked += 1
        return asked
      }
      return try await tokenResponse(number, body)
    }
    let token = String(request.head.headerFields[.authorization]?.dropFirst(7) ?? "")
    events.with { $0.append("used \(token)") }
    return good.with { $0.contains(token) } ? .json(#"{"user":"alice"}"#) : .json("{}", status: .unauthorized)
  }

  func api(_ auth: any Authenticator) -> API { API(client: Client(auth: [auth], configuration: configuration)) }

  /// A client whose store has `access` and `refresh`, valid for the given number of seconds.
  func oauth2(
    store: some TokenStore, access: String = "a0", refresh: String? = "r0", expiresIn: TimeInterval? = 7200,
    scopes: Set<String>? = ["tweet.read"], hosts: AllowedHosts = .catalogue
  ) async throws -> OAuth2 {
    let oauth2 = OAuth2(clientID: "public", store: store, provider: AuthorizationServer.provider, hosts: hosts)
    try await store.save(
      StoredToken(
        kind: .oauth2, accessToken: Secret(access), refreshToken: refresh.map { Secret($0) },
        expires: expiresIn.map { time.now() + $0 }, scopes: scopes, clientID: "public"),
      for: oauth2.key)
    return oauth2
  }
}

/// A token endpoint's response.
func tokens(_ access: String, _ refresh: String? = nil, expiresIn: Int? = 7200) -> TransportResponse {
  var members: [String: JSONValue] = ["access_token": .string(access), "token_type": "bearer"]
  members["refresh_token"] = refresh.map { .string($0) }
  members["expires_in"] = expiresIn.map { .integer($0) }
  return .json((try? JSONValue.object(members).jsonString()) ?? "")
}

/// An error of OAuth.
func refusal(
  _ code: String, _ description: String? = nil, status: HTTPResponse.Status = .badRequest
) -> TransportResponse {
  var members: [String: JSONValue] = ["error": .string(code)]
  members["error_description"] = description.map { .string($0) }
  return .json((try? JSONValue.object(members).jsonString()) ?? "", status: status)
}

/// The error of a call that must not succeed.
func failure(_ body: () async throws(CallError) -> some Any) async -> CallError? {
  do throws(CallError) {
    _ = try await body()
    return nil
  } catch { return error }
}

/// The error of a login that must not succeed.
func loginFailure(_ body: () async throws(LoginError) -> some Any) async -> LoginError? {
  do throws(LoginError) {
    _ = try await body()
    return nil
  } catch { return error }
}

extension CallError {
  /// The reason why permission was missing.
  var authorization: AuthorizationError? { if case .authorization(let problem) = self { problem } else { nil } }
}

extension APIClient {
  /// The user whom the API considers logged in.
  func me() async throws(CallError) -> String? {
    try await call(.get, "me", auth: .accepting("oauth2 | bearer")).value["user"]?.string
  }
}
