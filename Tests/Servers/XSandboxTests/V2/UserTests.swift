import Foundation
import Testing

@testable import XSandbox

@Suite("Users")
struct UserTests {
  @Test("A user has the default fields unless others are requested")
  func fields() async throws {
    try await withSandbox { (sandbox) async throws in
      let client = TestClient.alice(sandbox)
      let alice = sandbox.users.alice
      #expect(
        try await client.get("/2/users/me").data
          == ["id": .string(alice.id), "name": "Alice", "username": "alice"])
      let more = try await client.get("/2/users/me?user.fields=public_metrics,created_at,protected")
      #expect(more.data?["protected"] == false)
      #expect(more.data?["public_metrics"]?["followers_count"] == 0)
      #expect(more.data?["created_at"]?.string?.hasSuffix("Z") == true)
      #expect(more.data?["description"] == nil)
    }
  }

  @Test("Users are found by id, by name in any case, and several at once")
  func lookups() async throws {
    try await withSandbox { (sandbox) async throws in
      let client = TestClient.alice(sandbox)
      let (alice, bob) = (sandbox.users.alice, sandbox.users.bob)
      #expect(try await client.get("/2/users/\(bob.id)").data?["name"] == "Bob")
      #expect(try await client.get("/2/users/by/username/BOB").data?["id"]?.string == bob.id)
      let several = try await client.get("/2/users?ids=\(bob.id),99,\(alice.id)")
      #expect(several.status == 200)
      #expect(several.elements.map { $0["username"] } == ["bob", "alice"])
      guard case .array(let errors) = several.json["errors"] else {
        Issue.record("no errors: \(several.json)")
        return
      }
      #expect(
        errors == [
          [
            "resource_type": "user", "resource_id": "99", "parameter": "ids", "value": "99",
            "title": "Not Found Error", "detail": "Could not find user with ids: [99].",
            "type": "https://api.x.com/2/problems/resource-not-found",
          ]
        ])
      let named = try await client.get("/2/users/by?usernames=carol,nobody")
      #expect(named.elements.count == 1)
      #expect(named.json["errors"] != nil)
    }
  }

  @Test(
    "A missing user gets 200 with errors and without data", arguments: ["/2/users/404", "/2/users/by/username/nobody"])
  func missing(target: String) async throws {
    try await withSandbox { (sandbox) async throws in
      let response = try await TestClient.alice(sandbox).get(target)
      #expect(response.status == 200)
      #expect(response.data == nil)
      guard case .array(let errors) = response.json["errors"] else { throw MissingErrors() }
      #expect(errors.first?["resource_type"] == "user")
    }
  }

  struct MissingErrors: Error {}

  @Test("Expansions include the pinned and the latest post")
  func expansions() async throws {
    try await withSandbox { (sandbox) async throws in
      let client = TestClient.alice(sandbox)
      let pinned = try await sandbox.addPost("pinned", by: sandbox.users.bob)
      let latest = try await sandbox.addPost("latest", by: sandbox.users.bob)
      try await sandbox.pin(post: pinned)
      let target = "/2/users/\(sandbox.users.bob.id)"
      #expect(try await client.get(target).data?["pinned_post_id"] == nil)
      let response = try await client.get("\(target)?expansions=pinned_post_id,most_recent_post_id&post.fields=lang")
      #expect(response.data?["pinned_post_id"]?.string == pinned)
      #expect(response.data?["most_recent_post_id"]?.string == latest)
      #expect(
        response.json["includes"]?["posts"] == [
          [
            "id": .string(pinned), "text": "pinned", "lang": "und", "edit_history_post_ids": [.string(pinned)],
            "edit_history_tweet_ids": [.string(pinned)],
          ],
          [
            "id": .string(latest), "text": "latest", "lang": "und", "edit_history_post_ids": [.string(latest)],
            "edit_history_tweet_ids": [.string(latest)],
          ],
        ])
    }
  }

  @Test("The connection status shows follows in both directions")
  func connections() async throws {
    try await withSandbox { (sandbox) async throws in
      try await sandbox.follow(sandbox.users.bob, by: sandbox.users.alice)
      try await sandbox.follow(sandbox.users.alice, by: sandbox.users.bob)
      let target = "/2/users/\(sandbox.users.bob.id)?user.fields=connection_status"
      #expect(
        try await TestClient.alice(sandbox).get(target).data?["connection_status"] == ["followed_by", "following"])
      let app = TestClient(sandbox, .bearer(sandbox.app.bearerToken))
      #expect(try await app.get(target).data?["connection_status"] == nil)
    }
  }

  @Test("Ids and keys are the same in each run")
  func determinism() async throws {
    let first = try await withSandbox { ($0.users.alice, $0.app) }
    let second = try await withSandbox { ($0.users.alice, $0.app) }
    #expect(first.0 == second.0)
    #expect(first.1 == second.1)
  }
}
