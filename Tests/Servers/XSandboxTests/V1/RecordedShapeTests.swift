import Foundation
import TestSupport
import Testing

@testable import XSandbox

@Suite(
  "v1.1: members and types of recorded responses",
  .needs(.corpus("x-v1.1-responses/recorded.jsonl")))
struct RecordedShapeTests {
  /// Members and the types that they had, of every object of a kind in the recorded responses.
  private static let recorded: [String: [String: Set<String>]] = {
    var shapes: [String: [String: Set<String>]] = [:]
    for line in (try? Corpora.lines("x-v1.1-responses/recorded.jsonl")) ?? [] {
      guard let entry = try? JSON(parsing: Data(line.utf8)), let body = entry["body"]?.string,
        let value = try? JSON(parsing: Data(body.utf8))
      else { continue }
      walk(value) { kind, members in
        for (name, value) in members { shapes[kind, default: [:]][name, default: []].insert(value.typeName) }
      }
    }
    return shapes
  }()

  private static func walk(_ value: JSON, _ visit: (String, [String: JSON]) -> Void) {
    switch value {
    case .array(let elements): for element in elements { walk(element, visit) }
    case .object(let members):
      if let kind = kind(members) { visit(kind, members) }
      for value in members.values { walk(value, visit) }
    default: break
    }
  }

  private static func kind(_ members: [String: JSON]) -> String? {
    if members["followers_count"] != nil { return "user" }
    if members["favorite_count"] != nil { return "status" }
    if members["member_count"] != nil { return "list" }
    if members["query"] != nil, members["position"] != nil { return "saved search" }
    return members["next_cursor_str"] != nil ? "cursored collection" : nil
  }

  @Test("Tweets, users, lists, searches and collections have X's members, in X's types")
  func shapes() async throws {
    try await withSandbox { (sandbox) async throws in
      let client = TestClient.aliceV1(sandbox)
      let tweet = try await sandbox.addPost("see https://example.com @bob #x", by: sandbox.users.bob)
      let list = try await sandbox.addList("people", owner: sandbox.users.bob, members: [sandbox.users.bob])
      let reply: KeyValuePairs = ["status": "@bob yes", "in_reply_to_status_id": tweet]
      let responses = [
        try await client.getV1("statuses/show/\(tweet)"),
        try await client.postV1("statuses/update", reply),
        try await client.postV1("statuses/retweet/\(tweet)"),
        try await client.getV1("users/show", ["screen_name": "bob"]),
        try await client.getV1("lists/show", ["list_id": list]),
        try await client.getV1("lists/members", ["list_id": list]),
        try await client.getV1("lists/ownerships", ["screen_name": "bob"]),
        try await client.getV1("statuses/retweeters/ids", ["id": tweet]),
        try await client.postV1("saved_searches/create", ["query": "swift"]),
      ]
      var kinds: Set<String> = []
      for response in responses {
        #expect(response.status == 200, "\(response.json)")
        Self.walk(response.json) { kind, members in
          kinds.insert(kind)
          for (name, value) in members where value != .null {
            // Null was recorded for what that account had nothing of.
            let types = (Self.recorded[kind]?[name] ?? []).subtracting(["null"])
            if Self.recorded[kind]?[name] == ["null"] { continue }
            #expect(types.contains(value.typeName), "\(kind).\(name) is \(value.typeName), recorded \(types)")
          }
        }
      }
      #expect(kinds == ["user", "status", "list", "saved search", "cursored collection"])
    }
  }
}
