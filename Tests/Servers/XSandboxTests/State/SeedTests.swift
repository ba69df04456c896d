import Foundation
import Testing

@testable import XSandbox

@Suite("Seeds, snapshots and time") struct SeedTests {
  private static let text = """
    users:
      alice: {about: Writes here., follows: [ada], pinned: second}
      ada: {name: Ada, id: "42", followers: 3, mutes: [bob]}
    posts:
      - {id: first, by: ada, text: "Hello: #world", likes: [alice, bob], reposts: [carol], bookmarks: [alice]}
      - {id: second, by: alice, text: "Hi!", replies_to: first, at: 2026-02-01T09:00:00Z, lang: en}
    lists:
      - {name: Birds, owner: ada, members: [alice], private: true}
    messages:
      - {from: ada, to: alice, text: psst}
    """

  @Test("A seeded sandbox has users, posts, lists and messages, and tokens for everybody")
  func seed() async throws {
    let sandbox = try await Sandbox.start(seed: SandboxSeed(yaml: Self.text))
    let user = try #require(await sandbox.user(named: "ada"))
    #expect(user.id == "42")
    let ada = TestClient(sandbox, .bearer(user.oauth2AccessToken))
    let me = try await ada.get("/2/users/me?user.fields=public_metrics")
    #expect(me.data?["name"] == "Ada")
    #expect(me.data?["public_metrics"]?["followers_count"] == 4)
    #expect(try await TestClient(sandbox, .oauth1(user)).getV1("statuses/user_timeline").array.count == 1)
    let posts = try await ada.get("/2/users/42/tweets?post.fields=public_metrics")
    #expect(posts.elements.map { $0["text"] } == ["Hello: #world"])
    #expect(posts.elements.first?["public_metrics"]?["like_count"] == 2)
    let pinned = try await ada.get("/2/users/\(sandbox.users.alice.id)?expansions=pinned_post_id")
    #expect(pinned.json["includes"]?["posts"]?.elements.first?["text"] == "Hi!")
    #expect(try await ada.get("/2/users/42/owned_lists").elements.map { $0["name"] } == ["Birds"])
    #expect(try await TestClient.alice(sandbox).get("/2/dm_events").elements.map { $0["text"] } == ["psst"])
    await sandbox.stop()
  }

  @Test(
    "A mistake in a seed is named with its line",
    arguments: [
      ("users:\n  ada: {nam: x}", "`nam` is none of", 2),
      ("posts:\n  - {by: nobody, text: x}", "unknown user `nobody`", 2),
      ("posts:\n  - {by: bob}", "`text` is missing", 2), ("users: 7", "names with values", 1),
      ("posts:\n  - {by: bob, text: x, replies_to: y}", "no post before this one has the label `y`", 2),
      ("users: {a b: }", "not a user name", 1),
      ("lists:\n  - {name: x, owner: bob, private: maybe}", "true or false", 2), ("users: [", "", 1),
      ("users: {ada: {}, ada: {}}", "two of `ada`", 1),
    ])
  func mistakes(text: String, reason: String, line: Int) async throws {
    do {
      let sandbox = try await Sandbox.start(seed: SandboxSeed(yaml: text))
      await sandbox.stop()
      Issue.record("it was taken")
    } catch SandboxError.invalidSeed(let found, let place) {
      #expect((reason.isEmpty || found.contains(reason)) && place >= line, "\(found) \(place)")
    }
  }

  @Test("Saved state is restored with the same ids")
  func saving() async throws {
    let sandbox = try await Sandbox.start(seed: SandboxSeed(yaml: Self.text))
    try await sandbox.addPost("new\nline \"quoted\"", by: sandbox.users.bob)
    let saved = await sandbox.saved()
    await sandbox.stop()
    let again = try await Sandbox.start(seed: SandboxSeed(yaml: saved))
    #expect(await again.saved() == saved)
    let post = try await again.addPost("newer", by: again.users.bob)
    #expect(!saved.contains(post))
    #expect(try await TestClient.bob(again).get("/2/users/me").data?["id"]?.string == sandbox.users.bob.id)
    await again.stop()
  }

  @Test("A reset returns to the start, and a snapshot to its moment, tokens and limits included")
  func reset() async throws {
    var configuration = Sandbox.Configuration()
    configuration.limits["GET /2/users/me"] = 1
    try await withSandbox(configuration) { (sandbox) async throws in
      let alice = TestClient.alice(sandbox)
      let path = "/2/users/\(sandbox.users.alice.id)/tweets"
      try await sandbox.addPost("kept", by: sandbox.users.alice)
      let snapshot = await sandbox.snapshot()
      try await sandbox.addPost("lost", by: sandbox.users.alice)
      await sandbox.revoke(token: sandbox.users.alice.oauth2AccessToken)
      #expect(try await alice.get(path).status == 401)
      await sandbox.restore(snapshot)
      #expect(try await alice.get(path).elements.map { $0["text"] } == ["kept"])
      #expect(try await alice.get("/2/users/me").status == 200)
      #expect(try await alice.get("/2/users/me").status == 429)
      await sandbox.inject(.status(503), for: "*", times: 9)
      await sandbox.reset()
      #expect(try await alice.get(path).elements.isEmpty)
      #expect(try await alice.get("/2/users/me").status == 200)
    }
  }

  @Test("Time moves on command: rate windows start again and tokens expire")
  func time() async throws {
    var configuration = Sandbox.Configuration()
    configuration.limits["GET /2/users/me"] = 1
    try await withSandbox(configuration) { (sandbox) async throws in
      let expiry = Date().addingTimeInterval(1000)
      let token = try await sandbox.makeOAuth2Token(
        for: sandbox.users.alice, scopes: ["tweet.read", "users.read"], expiry: expiry)
      let client = TestClient(sandbox, .bearer(token))
      #expect(try await client.get("/2/users/me").status == 200)
      #expect(try await client.get("/2/users/me").status == 429)
      sandbox.advanceTime(by: 901)
      #expect(try await client.get("/2/users/me").status == 200)
      sandbox.advanceTime(by: 901)
      #expect(try await client.get("/2/users/me").status == 401)
    }
  }

  @Test("Commands over HTTP need their header field, and a host on loopback")
  func commands() async throws {
    try await withSandbox { (sandbox) async throws in
      let client = TestClient(sandbox, .none)
      let control = ["x-sandbox-control": "1"]
      try await sandbox.addPost("hello", by: sandbox.users.alice)
      #expect(try await client.get("/sandbox/state").status == 403)
      let rebound = try await RawConnection.exchange(
        "POST /sandbox/reset HTTP/1.1\r\nHost: evil.example\r\nx-sandbox-control: 1\r\nConnection: close\r\n\r\n",
        with: sandbox)
      #expect(rebound.hasPrefix("HTTP/1.1 403"))
      let state = try await client.send("GET", "/sandbox/state", headers: control)
      #expect(String(decoding: state.body, as: UTF8.self).contains("text: \"hello\""))
      #expect(try await client.send("POST", "/sandbox/clock?advance=60", headers: control).status == 200)
      #expect(try await client.send("POST", "/sandbox/clock?advance=soon", headers: control).status == 400)
      #expect(try await client.send("POST", "/sandbox/reset", headers: control).status == 204)
      #expect(try await TestClient.alice(sandbox).get("/2/users/\(sandbox.users.alice.id)/tweets").elements.isEmpty)
    }
  }

  @Test("Ten sandboxes of a process do not meet")
  func many() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<10 {
        group.addTask {
          let sandbox = try await Sandbox.start(seed: SandboxSeed(yaml: "posts:\n  - {by: alice, text: n\(number)}"))
          let posts = try await TestClient.alice(sandbox).get("/2/users/\(sandbox.users.alice.id)/tweets")
          #expect(posts.elements.map { $0["text"] } == [.string("n\(number)")])
          await sandbox.stop()
        }
      }
      try await group.waitForAll()
    }
  }
}
