import Callsign
import CallsignTesting
import CallsignX
import Foundation
import TestSupport
import Testing
import XSandbox

/// Users get helpful advice, over sockets: on refusals that the sandbox is told to make, and on those that it makes by itself.
@Suite("What to do about refusals") struct AdviceTests {
  private func expect(
    _ error: CallError?, _ words: [String], status: Int = 403, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let advice = error?.advice?.lowercased() ?? ""
    for word in words { #expect(advice.contains(word), "\(String(describing: error))", sourceLocation: sourceLocation) }
    #expect(error?.rawResponse?.status.code == status, sourceLocation: sourceLocation)
    // The log line also says it.
    #expect(error?.description.contains(error?.advice ?? "?") == true, sourceLocation: sourceLocation)
  }

  @Test(
    "Refusals of v2",
    arguments: [
      (Sandbox.Fault.Refusal.wrongPermissions, "permissions", "new token"), (.clientNotEnrolled, "project", "portal"),
      (.unsupportedAuthentication, "another kind", "credentials"), (.missingScope, "scope", "log in again"),
      (.suspendedAccount, "suspended", "owner"), (.lockedAccount, "locked", "x.com"),
      (.duplicatePost, "duplicate", "first post succeeded"),
    ])
  func version2(refusal: Sandbox.Fault.Refusal, word: String, other: String) async throws {
    try await refused(refusal, "POST /2/tweets", [word, other]) { (x) async throws(CallError) in
      _ = try await x.createPosts(text: "hello")
    }
  }

  @Test(
    "Refusals of v1.1",
    arguments: [
      (Sandbox.Fault.Refusal.wrongPermissions, "permissions", "new token"), (.clientNotEnrolled, "app", "portal"),
      (.missingScope, "credentials", "another kind"), (.suspendedAccount, "suspended", "owner"),
      (.lockedAccount, "locked", "x.com"), (.duplicatePost, "duplicate", "first post succeeded"),
    ])
  func version1(refusal: Sandbox.Fault.Refusal, word: String, other: String) async throws {
    try await refused(refusal, "POST /1.1/statuses/update.json", [word, other]) { (x) async throws(CallError) in
      _ = try await x.call(.post, "1.1/statuses/update.json", body: .form(["status": "hello"]))
    }
  }

  private func refused(
    _ refusal: Sandbox.Fault.Refusal, _ operation: String, _ words: [String],
    _ call: (XAPI) async throws(CallError) -> Void
  ) async throws {
    try await withSession { (session) async throws in
      await session.sandbox.inject(.refused(refusal), for: operation)
      expect(await failure { () throws(CallError) in try await call(session.x) }, words)
      // Only the fault caused it.
      #expect(await failure { () throws(CallError) in try await call(session.x) } == nil)
    }
  }

  @Test(
    "No policy waits for a used-up allowance, and other calls are not delayed",
    arguments: [
      (Sandbox.Fault.Refusal.usageCapped, 429, "next period", "larger plan"),
      (.creditsDepleted, 402, "buy credits", "auto-recharge"),
      (.spendCapReached, 403, "which begins on 2030-01-01", "spend cap"),
    ])
  func usedUp(refusal: Sandbox.Fault.Refusal, status: Int, word: String, other: String) async throws {
    try await withSession { (session) async throws in
      let time = TestTime(.moves, at: Date())
      let x = XAPI(
        auth: .alice(of: session.sandbox),
        configuration: ClientConfiguration(
          hosts: .all(to: session.sandbox.url.absoluteString), rateLimitPolicy: .wait(upTo: .seconds(3600)), time: time)
      )
      await session.sandbox.inject(.refused(refusal), for: "GET /2/users/me")
      let error = await failure { () throws(CallError) in try await x.getUsersMe() }
      expect(error, [word, other], status: status)
      guard case .api? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(await session.requests() == ["GET /2/users/me"])
      #expect(await failure { () throws(CallError) in try await x.getUsersMe() } == nil)
      #expect(time.sleeps.isEmpty)
    }
  }

  @Test("Billing has no codes in v1.1, and the same advice", arguments: [true, false])
  func billing(isCapped: Bool) async throws {
    try await withSession { (session) async throws in
      let path = "1.1/account/verify_credentials.json"
      await session.sandbox.inject(.refused(isCapped ? .spendCapReached : .creditsDepleted), for: "GET /\(path)")
      expect(
        await failure { () throws(CallError) in try await session.x.call(.get, path) },
        [isCapped ? "spend cap" : "buy credits"], status: isCapped ? 403 : 402)
    }
  }

  @Test("The sandbox's own: a token that may only read, a scope that is missing")
  func permission() async throws {
    try await withSession { (session) async throws in
      let token = try await session.sandbox.makeOAuth2Token(for: session.alice, scopes: ["tweet.read", "users.read"])
      // The client does not know the token's scopes, so it asks X.
      let lacking = session.api(Bearer(Secret(token), scopes: ["tweet.read", "tweet.write", "users.read"]))
      expect(
        await failure { () throws(CallError) in try await lacking.createPosts(text: "hello") },
        ["scope", "log in again"])
      await session.sandbox.setPermission(.read, of: session.alice)
      expect(
        await failure { () throws(CallError) in try await session.x.createPosts(text: "hello") },
        ["permissions", "new token"])
    }
  }

  @Test("The sandbox's own: the same text again, a text that is too long, media without a category")
  func content() async throws {
    try await withSession { (session) async throws in
      let x = session.x
      try await x.createPosts(text: "hello")
      expect(await failure { () throws(CallError) in try await x.createPosts(text: "hello") }, ["duplicate"])
      let long = String(repeating: "a", count: 281)
      expect(
        await failure { () throws(CallError) in try await x.createPosts(text: long) }, ["too long", "shorten"],
        status: 400)
      let picture = MultipartBody(parts: [.file(name: "media", FilePart(MediaFiles.png, fileName: "a.png"))])
      expect(
        await failure { () throws(CallError) in try await x.call(.post, "2/media/upload", body: .multipart(picture)) },
        ["category", "tweet_video"], status: 400)
    }
  }

  @Test("A clock that is off, and a callback that is not approved")
  func login() async throws {
    try await withSession { (session) async throws in
      let settings = "1.1/account/verify_credentials.json"
      // On a slow machine, the client first blames its clock and tries again.
      await session.sandbox.inject(.timestampRefused, for: "GET /\(settings)", times: 2)
      expect(await failure { () throws(CallError) in try await session.x.call(.get, settings) }, ["clock"], status: 401)
      let error = await failure { () throws(CallError) in
        try await session.x.call(
          .post, "oauth/request_token", query: ["oauth_callback": "https://elsewhere.example/"],
          auth: .accepting("oauth1_consumer"))
      }
      expect(error, ["callback", "not approved", "portal"])
    }
  }
}
