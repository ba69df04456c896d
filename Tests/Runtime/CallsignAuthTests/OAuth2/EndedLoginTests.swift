import Callsign
import CallsignAuth
import CallsignHTTP
import Foundation
import HTTPTypes
import TestSupport
import Testing
import XCore

@Suite("A login that is over") struct EndedLoginTests {
  /// The next process, on the same store.
  private func next(_ store: any TokenStore) -> OAuth2 {
    func open(_ store: some TokenStore) -> OAuth2 {
      OAuth2(clientID: "public", store: store, provider: AuthorizationServer.provider)
    }
    return open(store)
  }

  private func isLost(_ oauth2: OAuth2) async -> Bool {
    var states = oauth2.states.makeAsyncIterator()
    if case .lost? = await states.next() { return true }
    return false
  }

  @Test("The next process knows that the refresh token was refused, until somebody logs in again")
  func refusedRefreshToken() async throws {
    let folder = try TemporaryFolder()
    let stores: [any TokenStore] = [
      MemoryTokenStore(), FileTokenStore(folder: folder.url.appendingPathComponent("tokens")),
    ]
    for store in stores {
      let provider = MemoryProvider { (_, _) in refusal("invalid_grant") }
      func logIn(_ store: some TokenStore) async throws -> OAuth2 {
        try await provider.oauth2(store: store, expiresIn: -5)
      }
      let oauth2 = try await logIn(store)
      #expect(try await next(store).isAuthorized)
      #expect(await failure { () throws(CallError) in try await provider.api(oauth2).me() } != nil)
      #expect(try await !oauth2.isAuthorized)
      #expect(try await !next(store).isAuthorized)
      #expect(await isLost(next(store)))
      _ = try await logIn(store)
      #expect(try await next(store).isAuthorized)
      #expect(await !isLost(next(store)))
    }
  }

  @Test("A provider that takes the refresh token after all, when the next process asks, is believed")
  func takenAfterAll() async throws {
    let provider = MemoryProvider { (number, _) in number == 1 ? refusal("invalid_grant") : tokens("a1", "r1") }
    provider.good.with { $0 = ["a1"] }
    let store = MemoryTokenStore()
    let oauth2 = try await provider.oauth2(store: store, expiresIn: -5)
    #expect(await failure { () throws(CallError) in try await provider.api(oauth2).me() } != nil)
    #expect(try await !next(store).isAuthorized)
    #expect(try await provider.api(next(store)).me() == "alice")
    #expect(try await next(store).isAuthorized)
    // The new token leaves no trace of the refusal.
    let kept = try #require(try await store.token(for: oauth2.key))
    #expect(try !String(decoding: kept.encoded(), as: UTF8.self).contains("r0"))
  }

  @Test("A refusal that may be about the request itself is not kept")
  func invalidRequest() async throws {
    let provider = MemoryProvider { (_, _) in refusal("invalid_request") }
    let store = MemoryTokenStore()
    let oauth2 = try await provider.oauth2(store: store, expiresIn: -5)
    #expect(await failure { () throws(CallError) in try await provider.api(oauth2).me() } != nil)
    #expect(try await !oauth2.isAuthorized)
    #expect(try await next(store).isAuthorized)
  }

  @Test("Without a refresh token, a token that the API refuses ends the login, here and in the next process")
  func revoked() async throws {
    for expiresIn in [7200, nil] as [TimeInterval?] {
      let provider = MemoryProvider { (_, _) in tokens("never") }
      let store = MemoryTokenStore()
      let oauth2 = try await provider.oauth2(store: store, refresh: nil, expiresIn: expiresIn)
      for _ in 0..<2 {
        let error = await failure { () throws(CallError) in try await provider.api(oauth2).me() }
        #expect(error?.authorization?.reason == .refused)
      }
      #expect(try await !oauth2.isAuthorized)
      #expect(try await !next(store).isAuthorized)
      #expect(provider.tokenRequests == 0)
    }
  }

  @Test("But not if the API accepts it elsewhere: some endpoints refuse every token", arguments: [true, false])
  func closedEndpoint(_ isNextProcess: Bool) async throws {
    let provider = MemoryProvider { (_, _) in tokens("never") }
    provider.good.with { $0 = ["a0"] }
    let store = MemoryTokenStore()
    let oauth2 = try await provider.oauth2(store: store, refresh: nil, expiresIn: nil)
    let error = await failure { () throws(CallError) in
      try await provider.api(oauth2).call(.get, "closed", auth: .accepting("oauth2"))
    }
    #expect(error?.authorization?.reason == .refused)
    let caller = isNextProcess ? next(store) : oauth2
    #expect(try await provider.api(caller).me() == "alice")
    try await eventually { try await caller.isAuthorized }
    #expect(try await next(store).isAuthorized)
  }

  @Test("A process that stores its new token late keeps the login, though another process was refused in the meantime")
  func slowWinner() async throws {
    let (asked, isAsked) = AsyncStream.makeStream(of: Void.self)
    let (goOn, letGoOn) = AsyncStream.makeStream(of: Void.self)
    let provider = MemoryProvider { (number, _) in
      guard number == 1 else { return refusal("invalid_grant") }
      isAsked.yield()
      for await _ in goOn { break }
      return tokens("a1", "r1")
    }
    provider.good.with { $0 = ["a1"] }
    // Its leases keep nobody out.
    let store = WitnessedStore()
    let winner = try await provider.oauth2(store: store, expiresIn: -5)
    let call = Task { try await provider.api(winner).me() }
    for await _ in asked { break }
    let loser = next(store)
    #expect(await failure { () throws(CallError) in try await provider.api(loser).me() } != nil)
    letGoOn.finish()
    #expect(try await call.value == "alice")
    #expect(try await store.token(for: winner.key)?.refreshToken == "r1")
    #expect(try await next(store).isAuthorized)
    #expect(try await provider.api(loser).me() == "alice")
    #expect(provider.tokenRequests == 2)
  }
}
