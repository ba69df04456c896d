import CallsignCore
import CallsignHTTP
import Foundation
import Logging
import Testing

@testable import CallsignAuth
@testable import CallsignTokenStores

/// A grant during whose look at the stored token somebody else does something.
private struct WatchedGrant: TokenGrant {
  let meanwhile: @Sendable () -> Void
  let isRepeatable = false

  func issues(_ token: StoredToken) -> Bool { true }
  func check(_ token: StoredToken?) throws(CallError) { meanwhile() }
  func issue(
    after current: StoredToken?, isUrgent: Bool, _ environment: TokenRequestEnvironment
  ) async throws(TokenEndpointError) -> IssuedToken {
    IssuedToken(token: StoredToken(kind: .oauth2, accessToken: "third"), lifetime: nil)
  }
  func callError(_ error: TokenEndpointError) -> CallError { error.asCallError }
  func isSpent(_ error: TokenEndpointError) -> Bool { false }
  func isDoubtful(_ error: TokenEndpointError) -> Bool { false }
  func noteSpent(_ token: StoredToken) {}
  func noteAccepted(_ token: StoredToken) {}
  func canReplace(_ token: StoredToken) -> Bool { true }
  func refusal(of token: StoredToken) -> CallError? { nil }
}

@Suite("The renewal of a stored token") struct TokenRenewalTests {
  @Test("A call that looked at an expired token takes the next one, where another task has renewed it meanwhile")
  func overtaken() async throws {
    let key = TokenKey(service: "api.test", scheme: .oauth2, clientID: "app")
    let store = MemoryTokenStore()
    let expired = StoredToken(kind: .oauth2, accessToken: "first", expires: Date(timeIntervalSinceNow: -60))
    try await store.save(expired, for: key)
    let tokens = Locked<StoredTokenSource?>(nil)
    let source = StoredTokenSource(
      store, key,
      WatchedGrant {
        let next = StoredToken(kind: .oauth2, accessToken: "second", expires: Date(timeIntervalSinceNow: 3600))
        tokens.withLock { $0 }?.cache.withLock { $0.cached = CachedToken(next, lifetime: 3600) }
      })
    tokens.withLock { $0 = source }
    defer { tokens.withLock { $0 = nil } }
    let environment = TokenRequestEnvironment(ClientConfiguration())
    #expect(try await source.token(environment).accessToken.reveal() == "second")
  }

  @Test("A call that was refused takes the token that another task's renewal brings while it looks")
  func refusedTogether() async throws {
    let key = TokenKey(service: "api.test", scheme: .oauth2, clientID: "app")
    let store = MemoryTokenStore()
    try await store.save(StoredToken(kind: .oauth2, accessToken: "first"), for: key)
    let tokens = Locked<StoredTokenSource?>(nil)
    let source = StoredTokenSource(
      store, key,
      WatchedGrant {
        let next = CachedToken(StoredToken(kind: .oauth2, accessToken: "second"), lifetime: nil)
        tokens.withLock { $0 }?.cache.withLock { cache in
          cache.noteRejection(Date(), inVain: false)
          cache.cached = next
        }
      })
    tokens.withLock { $0 = source }
    defer { tokens.withLock { $0 = nil } }
    let environment = TokenRequestEnvironment(ClientConfiguration())
    #expect(try await source.token(after: "first", environment)?.accessToken == "second")
  }
}
