import Callsign
import CallsignHTTP
import CallsignSupport
import Foundation
import Logging
import Testing

@testable import CallsignAuth

/// A grant that issues one token.
private struct FixedGrant: TokenGrant {
  let isRepeatable = false

  func issues(_ token: StoredToken) -> Bool { true }
  func issue(
    after current: StoredToken?, isUrgent: Bool, _ environment: TokenRequestEnvironment
  ) async throws(TokenEndpointError) -> IssuedToken {
    IssuedToken(token: StoredToken(kind: .oauth2, accessToken: "third"), lifetime: nil)
  }
  func callError(_ error: TokenEndpointError) -> CallError { error.asCallError }
}

/// A clock during whose reading somebody else does something: a call reads it when it has looked at the stored token.
private struct WatchedTime: TimeSource {
  let meanwhile: @Sendable () -> Void

  func now() -> Date {
    meanwhile()
    return Date()
  }

  func sleep(for duration: Duration) async throws(CancellationError) {}
}

@Suite("The renewal of a stored token") struct TokenRenewalTests {
  @Test("A call with an expired token takes the next one if another task has renewed it in the meantime")
  func overtaken() async throws {
    let key = TokenKey(service: "api.test", scheme: .oauth2, clientID: "app")
    let store = MemoryTokenStore()
    let expired = StoredToken(kind: .oauth2, accessToken: "first", expires: Date(timeIntervalSinceNow: -60))
    try await store.save(expired, for: key)
    let tokens = Locked<StoredTokenSource?>(nil)
    let source = StoredTokenSource(store, key, FixedGrant())
    let time = WatchedTime {
      let next = StoredToken(kind: .oauth2, accessToken: "second", expires: Date(timeIntervalSinceNow: 3600))
      tokens.withLock { $0 }?.cache.withLock { cache in
        _ = cache.apply(.issued(CachedToken(next, lifetime: 3600), over: nil), since: cache.look)
      }
    }
    tokens.withLock { $0 = source }
    defer { tokens.withLock { $0 = nil } }
    let environment = TokenRequestEnvironment(ClientConfiguration(time: time))
    #expect(try await source.token(environment).accessToken.reveal() == "second")
  }

  @Test("A call that was refused takes the token that another task's renewal brings while it looks")
  func refusedTogether() async throws {
    let key = TokenKey(service: "api.test", scheme: .oauth2, clientID: "app")
    let store = MemoryTokenStore()
    try await store.save(StoredToken(kind: .oauth2, accessToken: "first"), for: key)
    let tokens = Locked<StoredTokenSource?>(nil)
    let source = StoredTokenSource(store, key, FixedGrant())
    let time = WatchedTime {
      let next = CachedToken(StoredToken(kind: .oauth2, accessToken: "second"), lifetime: nil)
      tokens.withLock { $0 }?.cache.withLock { cache in
        cache.rejections.noteRenewal(Date(), inVain: false)
        _ = cache.apply(.issued(next, over: nil), since: cache.look)
      }
    }
    tokens.withLock { $0 = source }
    defer { tokens.withLock { $0 = nil } }
    let environment = TokenRequestEnvironment(ClientConfiguration(time: time))
    #expect(try await source.token(after: "first", environment)?.accessToken == "second")
  }
}
