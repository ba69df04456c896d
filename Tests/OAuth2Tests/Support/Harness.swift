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

/// A store without a lock that can be made to fail, and tells in which order things happen.
final class WitnessedStore: TokenStore {
  private let memory = MemoryTokenStore()
  let events: Guarded<[String]>
  let savingFails = Guarded(false)
  let loadingFails = Guarded(false)

  init(_ events: Guarded<[String]> = Guarded([])) { self.events = events }

  func load(_ key: TokenKey) async throws(TokenStoreError) -> StoredToken? {
    if loadingFails.with({ $0 }) { throw TokenStoreError(.damaged, advice: "the file is damaged; delete it") }
    return try await memory.load(key)
  }

  func save(_ token: StoredToken, for key: TokenKey) async throws(TokenStoreError) {
    if savingFails.with({ $0 }) { throw TokenStoreError(.system, advice: "the disk is full; make room") }
    try await memory.save(token, for: key)
    events.with { $0.append("saved \(token.accessToken.reveal())") }
  }

  func delete(_ key: TokenKey) async throws(TokenStoreError) { try await memory.delete(key) }
  func keys(service: String?) async throws(TokenStoreError) -> [TokenKey] { try await memory.keys(service: service) }
}

/// A provider and its API in memory: answers the token endpoint from a closure, and the API by whether the access token
/// is in `good`.
final class MemoryProvider: Sendable {
  struct API: APIClient {
    let client: Client
    static let baseURLs: [StaticString] = ["https://api.test"]
  }

  let time = TestTime(.skips, at: Date())
  let events: Guarded<[String]>
  let good = Guarded<Set<String>>([])
  /// The token endpoint's answer to the nth request, counted from 1.
  let answer: @Sendable (Int, String) async throws(TransportError) -> TransportResponse
  private let asked = Guarded(0)

  init(
    events: Guarded<[String]> = Guarded([]),
    answer: @escaping @Sendable (Int, String) async throws(TransportError) -> TransportResponse
  ) {
    self.events = events
    self.answer = answer
  }

  /// How many requests the token endpoint got.
  var tokenRequests: Int { asked.with { $0 } }

  var configuration: ClientConfiguration {
    let transport = InMemoryTransport { [self] (request) async throws(TransportError) in try await respond(request) }
    return ClientConfiguration(transport: transport, time: time)
  }

  private func respond(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    guard request.head.path == "/me" else {
      let body: String
      if case .data(let data) = request.body { body = String(decoding: data, as: UTF8.self) } else { body = "" }
      let number = asked.with { asked in
        asked += 1
        return asked
      }
      return try await answer(number, body)
    }
    let token = String(request.head.headerFields[.authorization]?.dropFirst(7) ?? "")
    events.with { $0.append("used \(token)") }
    return good.with { $0.contains(token) } ? .json(#"{"user":"alice"}"#) : .json("{}", status: .unauthorized)
  }

  func api(_ auth: any Authenticator) -> API { API(client: Client(auth: [auth], configuration: configuration)) }

  /// A client whose store has `access` and `refresh`, good for so many seconds.
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

/// A token endpoint's answer.
func tokens(_ access: String, _ refresh: String? = nil, expiresIn: Int? = 7200) -> TransportResponse {
  var members: [String: JSONValue] = ["access_token": .string(access), "token_type": "bearer"]
  members["refresh_token"] = refresh.map { .string($0) }
  members["expires_in"] = expiresIn.map { .integer($0) }
  return .json((try? JSONValue.object(members).jsonString()) ?? "")
}

/// An error of OAuth.
func refusal(_ code: String, _ description: String? = nil) -> TransportResponse {
  var members: [String: JSONValue] = ["error": .string(code)]
  members["error_description"] = description.map { .string($0) }
  return .json((try? JSONValue.object(members).jsonString()) ?? "", status: .badRequest)
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
  /// Why there was no permission.
  var authorization: AuthorizationError? { if case .authorization(let problem) = self { problem } else { nil } }
}

extension APIClient {
  /// Who is logged in, as the API sees it.
  func me() async throws(CallError) -> String? {
    try await call(.get, "me", auth: .accepting("oauth2 | bearer")).value["user"]?.string
  }
}
