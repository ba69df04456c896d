import Foundation
import Testing

@testable import XSandbox

@Suite("Parallel requests")
struct ConcurrencyTests {
  @Test("100 parallel posts are all there, each once")
  func writes() async throws {
    try await withSandbox(generousConfiguration()) { (sandbox) async throws in
      let client = TestClient(sandbox, .oauth1(sandbox.users.alice))
      let ids = try await withThrowingTaskGroup(of: String?.self) { group in
        for number in 0..<100 {
          group.addTask { try await client.post("/2/tweets", #"{"text":"post \#(number)"}"#).data?["id"]?.string }
        }
        return try await group.reduce(into: Set<String>()) { if let id = $1 { $0.insert(id) } }
      }
      #expect(ids.count == 100)
      let response = try await client.get("/2/users/\(sandbox.users.alice.id)/tweets?max_results=100")
      #expect(Set(response.elements.compactMap { $0["id"]?.string }) == ids)
      #expect(Set(response.elements.compactMap { $0["text"]?.string }).count == 100)
    }
  }

  @Test("Likes and unlikes in parallel leave both sides in agreement")
  func likes() async throws {
    try await withSandbox(generousConfiguration()) { (sandbox) async throws in
      let post = try await sandbox.addPost("hello", by: sandbox.users.carol)
      let (alice, bob) = (TestClient.alice(sandbox), TestClient.bob(sandbox))
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<60 {
          let (client, id) = number % 2 == 0 ? (alice, sandbox.users.alice.id) : (bob, sandbox.users.bob.id)
          group.addTask {
            if number % 3 == 0 {
              _ = try await client.delete("/2/users/\(id)/likes/\(post)")
            } else {
              _ = try await client.post("/2/users/\(id)/likes", #"{"tweet_id":"\#(post)"}"#)
            }
          }
        }
        try await group.waitForAll()
      }
      let liking = try await alice.get("/2/tweets/\(post)/liking_users").elements.compactMap { $0["id"]?.string }
      for user in [sandbox.users.alice, sandbox.users.bob] {
        let liked = try await alice.get("/2/users/\(user.id)/liked_tweets").elements
        #expect(liked.isEmpty != liking.contains(user.id))
      }
    }
  }

  @Test("A limit of 10 lets exactly 10 of 40 parallel requests through")
  func limits() async throws {
    var configuration = Sandbox.Configuration()
    configuration.limits = ["GET /2/users/me": 10]
    try await withSandbox(configuration) { (sandbox) async throws in
      let client = TestClient.alice(sandbox)
      let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<40 { group.addTask { try await client.get("/2/users/me").status } }
        return try await group.reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
      }
      #expect(statuses == [200: 10, 429: 30])
    }
  }
}
