import Foundation
import Testing

@testable import XSandbox

@Suite("Follows and pages")
struct FollowTests {
  @Test("A user follows and unfollows another")
  func follow() async throws {
    try await withSandbox { (sandbox) async throws in
      let alice = TestClient.alice(sandbox)
      let (id, bob) = (sandbox.users.alice.id, sandbox.users.bob.id)
      let followed = try await alice.post("/2/users/\(id)/following", #"{"target_user_id":"\#(bob)"}"#)
      #expect(followed.data == ["following": true, "pending_follow": false])
      #expect(try await alice.get("/2/users/\(id)/following").elements.map { $0["username"] } == ["bob"])
      #expect(try await alice.get("/2/users/\(bob)/followers").elements.map { $0["username"] } == ["alice"])
      #expect(try await alice.delete("/2/users/\(id)/following/\(bob)").data == ["following": false])
      #expect(try await alice.get("/2/users/\(bob)/followers").meta == ["result_count": 0])
      #expect(try await alice.post("/2/users/\(id)/following", #"{"target_user_id":"\#(id)"}"#).status == 400)
      #expect(try await alice.post("/2/users/\(id)/following", #"{"target_user_id":"9"}"#).status == 404)
    }
  }

  @Test("2,500 followers are read in three pages, and back")
  func pages() async throws {
    try await withSandbox { (sandbox) async throws in
      let star = try await sandbox.addUser(username: "star", followers: 2500)
      let client = TestClient.alice(sandbox)
      let target = "/2/users/\(star.id)/followers?max_results=1000"
      let first = try await client.get(target)
      #expect(first.meta?["previous_token"] == nil)
      let second = try await client.get("\(target)&pagination_token=\(first.meta?["next_token"]?.string ?? "")")
      let third = try await client.get("\(target)&pagination_token=\(second.meta?["next_token"]?.string ?? "")")
      #expect([first, second, third].map { $0.meta?["result_count"] } == [1000, 1000, 500])
      #expect(third.meta?["next_token"] == nil)
      let names = [first, second, third].flatMap(\.elements).compactMap { $0["username"]?.string }
      #expect(names.count == 2500)
      #expect(Set(names).count == 2500)
      #expect(names.first == "follower02500")
      #expect(names.last == "follower00001")
      let back = try await client.get("\(target)&pagination_token=\(third.meta?["previous_token"]?.string ?? "")")
      #expect(back.data == second.data)
      let start = try await client.get("\(target)&pagination_token=\(back.meta?["previous_token"]?.string ?? "")")
      #expect(start.data == first.data)
      #expect(start.meta?["previous_token"] == nil)
    }
  }

  @Test("A page keeps its place when followers come and go")
  func stability() async throws {
    try await withSandbox { (sandbox) async throws in
      let star = try await sandbox.addUser(username: "star", followers: 10)
      try await sandbox.follow(star, by: sandbox.users.bob)
      let client = TestClient.alice(sandbox)
      let target = "/2/users/\(star.id)/followers?max_results=5"
      let first = try await client.get(target)
      try await sandbox.addFollowers(3, to: star)
      _ = try await TestClient.bob(sandbox).delete("/2/users/\(sandbox.users.bob.id)/following/\(star.id)")
      let second = try await client.get("\(target)&pagination_token=\(first.meta?["next_token"]?.string ?? "")")
      #expect(first.elements.first?["username"] == "bob")
      let names = (first.elements.dropFirst() + second.elements).compactMap { $0["username"]?.string }
      let expected = (2...10).reversed().map { String(format: "follower%05d", $0) }
      #expect(names == expected)
    }
  }

  @Test(
    "Page tokens of other lists and invented ones are refused",
    arguments: [
      "0000000000000000", "abcdefghijklmnopqrstu", "%00%00%00%00%00%00%00%00%00%00%00%00%00%00%00%00", "short",
    ])
  func tokens(token: String) async throws {
    try await withSandbox { (sandbox) async throws in
      let star = try await sandbox.addUser(username: "star", followers: 20)
      let client = TestClient.alice(sandbox)
      let made = try await client.get("/2/users/\(star.id)/followers?max_results=5&pagination_token=\(token)")
      #expect(made.status == 400)
      let real = try await client.get("/2/users/\(star.id)/followers?max_results=5").meta?["next_token"]?.string ?? ""
      let other = try await client.get("/2/users/\(sandbox.users.bob.id)/followers?pagination_token=\(real)")
      #expect(other.status == 400)
      #expect(other.messages.first?.contains("`pagination_token`") == true)
    }
  }

  @Test("A user's posts are filtered by page, id and time")
  func timeline() async throws {
    var configuration = Sandbox.Configuration()
    let clock = Sandbox.ManualClock(Date(timeIntervalSince1970: 1_800_000_000))
    configuration.clock = clock
    try await withSandbox(configuration) { (sandbox) async throws in
      var ids: [String] = []
      for number in 0..<12 {
        ids.append(try await sandbox.addPost("post \(number)", by: sandbox.users.bob))
        clock.advance(by: 60)
      }
      let client = TestClient.alice(sandbox)
      let target = "/2/users/\(sandbox.users.bob.id)/tweets?max_results=5"
      let first = try await client.get(target)
      #expect(first.meta?["newest_id"]?.string == ids[11])
      #expect(first.meta?["oldest_id"]?.string == ids[7])
      let second = try await client.get("\(target)&pagination_token=\(first.meta?["next_token"]?.string ?? "")")
      #expect(second.elements.map { $0["id"]?.string } == ids[2...6].reversed())
      let since = try await client.get("\(target)&since_id=\(ids[9])")
      #expect(since.elements.map { $0["id"]?.string } == [ids[11], ids[10]])
      let until = try await client.get("\(target)&until_id=\(ids[1])")
      #expect(until.elements.map { $0["id"]?.string } == [ids[0]])
      let early = try await client.get("\(target)&end_time=2027-01-15T08:02:00Z&post.fields=created_at")
      #expect(
        early.elements.map { $0["created_at"]?.string } == ["2027-01-15T08:01:00.000Z", "2027-01-15T08:00:00.000Z"])
    }
  }
}
