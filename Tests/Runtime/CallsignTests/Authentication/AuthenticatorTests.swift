import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignJSON
import CallsignSupport
import CallsignTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing
import XCore

/// An authenticator whose token is replaced when it is refused, once for all who wait.
private actor Refreshing {
  private(set) var refreshes = 0
  private var token = "stale"
  private var refresh: Task<Void, Never>?

  func current() -> String { token }

  func renew(_ refused: String) async {
    guard refused == token else { return }
    if let refresh { return await refresh.value }
    let task = Task {
      try? await Task.sleep(for: .milliseconds(20))
      refreshes += 1
      token = "fresh"
    }
    refresh = task
    await task.value
  }
}

private struct RefreshingAuthenticator: Authenticator {
  let hosts = AllowedHosts.catalogue
  let identity = CredentialIdentity("test", account: "")
  let state = Refreshing()
  let renews: Bool

  func satisfies(_ requirement: AuthRequirement) -> Bool { requirement.scheme == "oauth2" }

  func authenticate(_ request: inout TransportRequest, context: AuthenticationContext) async throws(CallError) {
    request.head.headerFields[.authorization] = "Bearer \(await state.current())"
  }

  func rejected(
    _ rejection: Rejection, context: AuthenticationContext
  ) async throws(CallError) -> RejectionRecovery {
    guard renews else { return .tryAgain }
    await state.renew(String(rejection.request.authorization?.dropFirst(7) ?? ""))
    return .tryAgain
  }
}

@Suite struct AuthenticatorTests {
  private let oauth1 = OAuth1(consumerKey: "k", consumerSecret: "s")
  private let app = Bearer("app")
  private let user = Bearer("user", scopes: ["tweet.read", "users.read"])

  private func scheme(_ accepted: String, _ auth: [any Authenticator]) async throws -> String? {
    try await sent(Call(endpoint(auth: accepted)), auth: auth).authorization.map { field in
      field.hasPrefix("OAuth ") ? "OAuth" : field
    }
  }

  /// The credentials that a client has, in their order.
  enum Credentials: Sendable { case oauth1, app, user, none }

  @Test(
    "The first accepted one is taken",
    arguments: [
      ("oauth1 | bearer", [.oauth1, .app], "OAuth"), ("oauth1 | bearer", [.app, .oauth1], "Bearer app"),
      ("oauth1", [.app, .user, .oauth1], "OAuth"), ("oauth2(tweet.read)", [.oauth1, .app, .user], "Bearer user"),
      ("oauth2(tweet.read users.read) | oauth1", [.user, .oauth1], "Bearer user"),
      ("oauth2(tweet.write) | oauth1", [.user, .oauth1], "OAuth"), ("", [.app], "Bearer app"), ("", [], nil),
      ("none", [.app], nil), ("none | bearer", [.app], "Bearer app"), ("none | oauth1", [.app], nil),
      ("none", [.none], nil),
    ] as [(String, [Credentials], String?)])
  func theFirstAcceptedOneIsTaken(accepted: String, credentials: [Credentials], expected: String?) async throws {
    let authenticators = credentials.map { credentials -> any Authenticator in
      switch credentials {
      case .oauth1: oauth1
      case .app: app
      case .user: user
      case .none: .none
      }
    }
    #expect(try await scheme(accepted, authenticators) == expected)
  }

  @Test("An endpoint that wants only the client's signature gets one, with a token or without")
  func consumerAlone() async throws {
    let withToken = OAuth1(consumerKey: "k", consumerSecret: "s", token: "t", tokenSecret: "ts")
    for authenticator in [oauth1, withToken] {
      let sent = try await sent(Call(endpoint(auth: "oauth1_consumer")), auth: [app, authenticator])
      let field = try #require(sent.authorization)
      #expect(field.contains("oauth_consumer_key=\"k\""))
      #expect(!field.contains("oauth_token="))
      let signature = try OAuth1Signer(consumerKey: "k", consumerSecret: "s").sign(
        method: sent.head.method.rawValue,
        url: "https://\(sent.head.authority ?? "")\(sent.head.path ?? "")",
        nonce: try #require(field.parameter("oauth_nonce")), timestamp: try #require(field.parameter("oauth_timestamp"))
      )
      #expect(signature.authorization == field)
    }
    let user = try await sent(Call(endpoint(auth: "oauth1")), auth: [withToken])
    #expect(user.authorization?.contains("oauth_token=\"t\"") == true)
  }

  @Test("That no credentials are accepted is said before anything is sent")
  func noneAcceptedIsSaidBeforeSending() async {
    let (error, requests) = await failure(
      Call(endpoint(auth: "oauth2(tweet.write users.read) | oauth1")), auth: [app])
    #expect(requests.isEmpty)
    guard case .authorization(let problem) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(problem.reason == .noneAccepted(accepted: "oauth2(tweet.write users.read) or oauth1"))
    #expect(problem.advice.contains("oauth2(tweet.write users.read) or oauth1"))
  }

  @Test("If credentials must come together, the missing ones are named")
  func incompletePair() async {
    let key = APIKey("k", in: .query("app_id"), scheme: "app_id")
    let (error, requests) = await failure(Call(endpoint(auth: "app_id + app_key | oauth1")), auth: [key])
    #expect(requests.isEmpty)
    guard case .authorization(let problem) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(problem.reason == .noneAccepted(accepted: "app_id + app_key or oauth1"))
    #expect(problem.advice.hasSuffix("of what must come together the client lacks app_key"), "\(problem.advice)")
  }

  @Test("Credentials of the right kind that permit too little: the scopes are named, and nothing is sent")
  func missingScopesAreSaidBeforeSending() async {
    let (error, requests) = await failure(
      Call(endpoint(auth: "oauth2(tweet.write users.read list.write) | oauth1")), auth: [app, user])
    #expect(requests.isEmpty)
    guard case .authorization(let problem) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(problem.reason == .missingScopes(["tweet.write", "list.write"]))
    #expect(problem.advice.contains("lack the scopes tweet.write, list.write"))
    #expect(problem.advice.contains("or oauth1"))
  }

  @Test("Switching accounts is a new client on the same transport")
  func switchingAccounts() async throws {
    let transport = InMemoryTransport { _ in .json("{}") }
    let alice = client([Bearer("alice")], transport)
    let bob = alice.with(auth: .bearer("bob"))
    for client in [alice, bob, alice] {
      let _: Response<NoContent> = try await client.send(Call(endpoint(auth: "bearer")))
    }
    #expect(transport.requests.map(\.authorization) == ["Bearer alice", "Bearer bob", "Bearer alice"])
  }

  @Test("Credentials stay with their hosts") func credentialsStayWithTheirHosts() async throws {
    let scoped = Bearer("x-token", hosts: ["api.x.com", "*.upload.example", "other.example:8443"])
    for base in ["https://api.x.com", "https://API.X.com", "https://a.upload.example", "https://other.example:8443"]
      as [String]
    {
      #expect(try await sent(Call(endpoint(base: base, auth: "bearer")), auth: [scoped]).authorization != nil)
    }
    for base in [
      "https://api.x.com.evil.example", "https://evil.example", "https://x.com", "https://upload.example",
      "https://other.example", "https://api.x.com:8443", "https://notupload.example",
    ] as [String] {
      let (error, requests) = await failure(Call(endpoint(base: base, auth: "bearer")), auth: [scoped])
      #expect(requests.isEmpty)
      guard case .authorization(let problem) = error, case .outOfScope = problem.reason else {
        Issue.record("\(base): \(String(describing: error))")
        return
      }
    }
  }

  @Test("Bearer tokens never travel unencrypted") func bearerTokensNeverTravelUnencrypted() async throws {
    let (error, requests) = await failure(Call(endpoint(base: "http://api.example", auth: "bearer")), auth: [app])
    #expect(requests.isEmpty)
    guard case .authorization(let problem) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(problem.reason == .insecure(host: "api.example"))
    for base in ["http://127.0.0.1:81", "http://localhost", "http://[::1]:9"] as [String] {
      #expect(try await sent(Call(endpoint(base: base, auth: "bearer")), auth: [app]).authorization == "Bearer app")
    }
    let other = await failure(Call(endpoint(base: "http://127.0.0.1.evil.example", auth: "bearer")), auth: [app])
    #expect(other.requests.isEmpty)
  }

  @Test("A value that is not a token is not sent", arguments: ["", "a b", "a\r\nX: y", "tök"])
  func tokensThatAreNone(token: String) async {
    let (error, requests) = await failure(Call(endpoint(auth: "bearer")), auth: [.bearer(token)])
    #expect(requests.isEmpty)
    guard case .authorization = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test(
    "White space around a token or key is said, and nothing is sent", arguments: [" key", "key\n", "key\r\n", "\tkey"])
  func copiedKeys(key: String) async {
    let places: [APIKey.Place] = [.header("X-API-Key"), .query("key"), .cookie("key")]
    let all: [any Authenticator] = places.map { APIKey(Secret(key), in: $0, scheme: "bearer") } + [Bearer(Secret(key))]
    for auth in all {
      let (error, requests) = await failure(Call(endpoint(auth: "bearer")), auth: [auth])
      #expect(requests.isEmpty)
      #expect(error?.advice?.contains("white space or a line break around it") == true, "\(auth)")
    }
  }

  @Test("An empty key is not sent") func emptyKeys() async {
    for place in [APIKey.Place.header("X-API-Key"), .query("key"), .cookie("key")] {
      let (error, requests) = await failure(
        Call(endpoint(auth: "bearer")), auth: [APIKey("", in: place, scheme: "bearer")])
      #expect(requests.isEmpty)
      #expect(error?.advice?.contains("the API key is empty") == true)
    }
  }

  @Test("A redirected base URL counts as the original") func aRedirectedBaseURLCountsAsTheOriginal() async throws {
    let scoped = Bearer("t", hosts: ["api.x.com"])
    let request = try await sent(Call(endpoint(base: "https://api.x.com", auth: "bearer")), auth: [scoped]) {
      $0.hosts = .all(to: "http://127.0.0.1:8080/sandbox/")
    }
    #expect(request.head.authority == "127.0.0.1:8080")
    #expect(request.head.scheme == "http")
    #expect(request.head.path == "/sandbox/2/things")
    #expect(request.authorization == "Bearer t")
    let single = try await sent(Call(endpoint(base: "https://api.x.com"))) {
      $0.hosts = ["https://API.x.com:443": "http://localhost:1", "https://other.example": "http://localhost:2"]
    }
    #expect(single.head.authority == "localhost:1")
  }

  @Test("A rejected call is tried once more, signed again") func aRejectionIsTriedAgainOnceAndSignedAnew() async throws
  {
    let auth = RefreshingAuthenticator(renews: true)
    let transport = InMemoryTransport { request in
      request.authorization == "Bearer fresh" ? .json("{}") : .json("{}", status: .unauthorized)
    }
    let client = client([auth], transport)
    var call = Call(endpoint("POST", auth: "oauth2", repeatable: false, body: .json))
    call.json("text", "hi")
    let _: Response<NoContent> = try await client.send(call)
    #expect(transport.requests.map(\.authorization) == ["Bearer stale", "Bearer fresh"])
    #expect(try await transport.requests.last?.bodyText() == #"{"text":"hi"}"#)
  }

  @Test("A call that is retried for another reason may renew its credentials once more")
  func eachTryMayRenew() async throws {
    let statuses = [401, 503, 401, 200]
    let auth = RefreshingAuthenticator(renews: true)
    let count = Locked(0)
    let transport = InMemoryTransport { _ in
      let number = count.withLock { count in
        defer { count += 1 }
        return count
      }
      return .json("{}", status: HTTPResponse.Status(code: statuses[min(number, statuses.count - 1)]))
    }
    var call = Call(endpoint(auth: "oauth2"))
    call.options.retry = RetryPolicy(baseDelay: .milliseconds(1))
    let _: Response<NoContent> = try await client([auth], transport).send(call)
    #expect(transport.requests.count == statuses.count)
  }

  @Test("Another rejection is the error") func anotherRejectionIsTheError() async {
    let auth = RefreshingAuthenticator(renews: false)
    let (error, requests) = await failure(Call(endpoint(auth: "oauth2")), auth: [auth]) { _ in
      .json("{}", status: .unauthorized)
    }
    #expect(requests.count == 2)
    guard case .authorization(let problem) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(problem.reason == .refused)
    #expect(problem.response?.status == .unauthorized)
  }

  @Test("One refresh for many waiting calls") func oneRefreshForManyWaitingCalls() async throws {
    let auth = RefreshingAuthenticator(renews: true)
    let transport = InMemoryTransport { request in
      request.authorization == "Bearer fresh" ? .json("{}") : .json("{}", status: .unauthorized)
    }
    let client = client([auth], transport)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<100 {
        group.addTask { let _: Response<NoContent> = try await client.send(Call(endpoint(auth: "oauth2"))) }
      }
      try await group.waitForAll()
    }
    #expect(await auth.state.refreshes == 1)
  }

  @Test("Retries of OAuth 1 have new nonces") func retriesOfOAuth1HaveNewNonces() async throws {
    struct Stubborn: Authenticator {
      let signer = OAuth1(consumerKey: "k", consumerSecret: "s")
      let hosts = AllowedHosts.catalogue
      let identity = CredentialIdentity("test", account: "")
      func satisfies(_ requirement: AuthRequirement) -> Bool { true }
      func authenticate(_ request: inout TransportRequest, context: AuthenticationContext) async throws(CallError) {
        try await signer.authenticate(&request, context: context)
      }
      func rejected(
        _ rejection: Rejection, context: AuthenticationContext
      ) async throws(CallError) -> RejectionRecovery { .tryAgain }
    }
    let (_, requests) = await failure(Call(endpoint(auth: "oauth1")), auth: [Stubborn()]) { _ in
      .json("{}", status: .unauthorized)
    }
    #expect(requests.count == 2)
    #expect(Set(requests.map(\.authorization)).count == 2)
  }
}

extension String {
  /// A parameter of an `Authorization: OAuth` field, whose value needs no decoding.
  fileprivate func parameter(_ name: String) -> String? {
    guard let start = range(of: "\(name)=\"")?.upperBound else { return nil }
    return String(self[start...].prefix { $0 != "\"" })
  }
}
