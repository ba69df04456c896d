import Foundation
import Testing

@testable import XSandbox

@Suite("Rules of the filtered stream")
struct StreamRuleTests {
  private static let path = "/2/tweets/search/stream/rules"

  private func withRules(_ body: (TestClient, Sandbox) async throws -> Void) async throws {
    try await withSandbox(generousConfiguration()) { (sandbox) async throws in
      try await body(TestClient(sandbox, .bearer(sandbox.app.bearerToken)), sandbox)
    }
  }

  private func values(_ client: TestClient, _ query: String = "") async throws -> [String] {
    try await client.get(Self.path + query).elements.compactMap { $0["value"]?.string }
  }

  @Test("Rules are added, listed, and deleted by id, by value and altogether")
  func lifecycle() async throws {
    try await withRules { (client, _) async throws in
      #expect(try await client.get(Self.path).json["data"] == nil)
      let added = try await client.post(
        Self.path, #"{"add":[{"value":"swift","tag":"language"},{"value":"from:bob -is:reply"},{"value":"c"}]}"#)
      #expect(added.status == 201)
      #expect(added.elements.map { $0["tag"] } == ["language", nil, nil])
      #expect(added.meta?["summary"] == ["created": 3, "not_created": 0, "valid": 3, "invalid": 0])
      let first = try #require(added.elements.first?["id"]?.string)
      #expect(try await values(client) == ["swift", "from:bob -is:reply", "c"])
      #expect(try await values(client, "?ids=\(first)") == ["swift"])
      #expect(try await values(client, "?max_results=2") == ["swift", "from:bob -is:reply"])
      let token = try #require(try await client.get(Self.path + "?max_results=2").meta?["next_token"]?.string)
      #expect(try await values(client, "?max_results=2&pagination_token=\(token)") == ["c"])
      #expect(try await client.get(Self.path + "?pagination_token=1").status == 400)
      #expect(try await client.get(Self.path + "/counts").data?["project_rules_count"] == "3")

      let deleted = try await client.post(Self.path, #"{"delete":{"ids":["\#(first)","7"],"values":["c","d"]}}"#)
      #expect(deleted.status == 200)
      #expect(deleted.meta?["summary"] == ["deleted": 2, "not_deleted": 2])
      #expect(try await values(client) == ["from:bob -is:reply"])
      #expect(try await client.post(Self.path + "?delete_all=true", "{}").meta?["summary"]?["deleted"] == 1)
      #expect(try await values(client).isEmpty)
    }
  }

  @Test("A dry run reports its result and changes nothing")
  func dryRun() async throws {
    try await withRules { (client, _) async throws in
      let added = try await client.post(Self.path + "?dry_run=true", #"{"add":[{"value":"swift"}]}"#)
      #expect(added.status == 201)
      #expect(added.meta?["summary"]?["created"] == 1)
      #expect(try await values(client).isEmpty)
      _ = try await client.post(Self.path, #"{"add":[{"value":"swift"}]}"#)
      _ = try await client.post(Self.path + "?dry_run=true", #"{"delete":{"values":["swift"]}}"#)
      #expect(try await values(client) == ["swift"])
    }
  }

  @Test("Duplicate and invalid rules are named one by one")
  func faults() async throws {
    try await withRules { (client, _) async throws in
      _ = try await client.post(Self.path, #"{"add":[{"value":"swift"}]}"#)
      let mixed = try await client.post(
        Self.path, #"{"add":[{"value":"swift"},{"value":"-swift"},{"value":" "},{"value":"linux"}]}"#)
      #expect(mixed.status == 201)
      #expect(mixed.meta?["summary"] == ["created": 1, "not_created": 3, "valid": 2, "invalid": 2])
      guard case .array(let errors)? = mixed.json["errors"] else {
        Issue.record("no errors")
        return
      }
      #expect(errors.map { $0["title"] } == ["DuplicateRule", "UnprocessableEntity", "UnprocessableEntity"])
      #expect(try await client.post(Self.path, #"{"add":[{"value":"-a"}]}"#).status == 400)
      #expect(try await client.post(Self.path, #"{"add":[{"value":"swift"}]}"#).status == 200)
      #expect(try await client.post(Self.path, #"{"add":[{"value":"(a OR b) lang:en"}]}"#).status == 201)
      #expect(try await client.post(Self.path, #"{"add":[{"value":"lang:en"}]}"#).status == 400)
      // A property that no post of the sandbox has is still a valid rule.
      #expect(try await client.post(Self.path, #"{"add":[{"value":"a context:1.2 entity:Swift"}]}"#).status == 201)
      #expect(try await client.post(Self.path, #"{"add":[{"value":"a context:x"}]}"#).status == 400)
    }
  }

  @Test(
    "Rule changes without a change, or with two, are refused",
    arguments: ["{}", #"{"add":[]}"#, #"{"add":[{"value":"a"}],"delete":{"ids":["1"]}}"#, #"{"add":[{"tag":"a"}]}"#])
  func refused(body: String) async throws {
    try await withRules { (client, _) async throws in
      let status = try await client.post(Self.path, body).status
      #expect(status == 400)
    }
  }

  @Test("Rules and streams refuse a user's token")
  func access() async throws {
    try await withRules { (_, sandbox) async throws in
      for path in [Self.path, "/2/tweets/search/stream", "/2/tweets/sample/stream"] {
        let status = try await TestClient.alice(sandbox).get(path).status
        #expect(status == 403)
      }
    }
  }
}
