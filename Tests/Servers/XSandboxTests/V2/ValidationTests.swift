import Foundation
import Testing

@testable import XSandbox

@Suite("Invalid parameters")
struct ValidationTests {
  @Test(
    "An invalid parameter is named with the values that are allowed",
    arguments: [
      ("/2/users/me?user.fields=age", "user.fields", "[age] is not one of [confirmed_email,"),
      ("/2/users/me?user.fields=", "user.fields", "can not be empty"),
      ("/2/users/me?expansions=author_id", "expansions", "[affiliation,most_recent_post_id,pinned_post_id]"),
      ("/2/users/me?tweet.field=id", "tweet.field", "is not one of [user.fields,expansions,post.fields]"),
      ("/2/users/me?tweet.fields=age", "tweet.fields", "[age] is not one of [article,"),
      ("/2/users/me?user.fields=name&user.fields=id", "user.fields", "more than once"),
      ("/2/users/me?user.fields=%FF", "user.fields", "not valid UTF-8"),
      ("/2/users", "ids", "can not be empty"), ("/2/users?ids=1,x", "ids", "^[0-9]{1,19}$"),
      ("/2/users?ids=12345678901234567890", "ids", "^[0-9]{1,19}$"),
      ("/2/users/by?usernames=a-b", "usernames", "^[A-Za-z0-9_]{1,15}$"),
      // A byte order mark is a character like others.
      ("/2/users/by?usernames=%EF%BB%BFbob", "usernames", "^[A-Za-z0-9_]{1,15}$"),
      ("/2/users/1/followers?max_results=1001", "max_results", "is not between 1 and 1000"),
      ("/2/users/1/followers?max_results=0", "max_results", "is not between 1 and 1000"),
      ("/2/users/1/followers?max_results=ten", "max_results", "is not an integer"),
      ("/2/users/1/tweets?max_results=4", "max_results", "is not between 5 and 100"),
      ("/2/users/1/tweets?start_time=yesterday", "start_time", "RFC 3339"),
      ("/2/users/1/tweets?exclude=likes", "exclude", "[replies,retweets]"),
      ("/2/users/abc", "id", "is not valid"), ("/2/users/by/username/a-b", "username", "does not match"),
      ("/2/tweets/search/recent?query=a&sort_order=random", "sort_order", "[recency,relevancy]"),
    ])
  func refused(target: String, parameter: String, words: String) async throws {
    try await withSandbox { (sandbox) async throws in
      let response = try await TestClient.alice(sandbox).get(target)
      #expect(response.status == 400)
      #expect(response.header("Content-Type") == "application/problem+json")
      #expect(response.json["title"] == "Invalid Request")
      #expect(response.json["type"] == "https://api.x.com/2/problems/invalid-request")
      guard case .array(let errors) = response.json["errors"], let error = errors.first else {
        Issue.record("no errors in \(response.json)")
        return
      }
      #expect(error["parameters"]?[parameter] != nil)
      #expect(error["message"]?.string?.contains(words) == true, "\(error)")
    }
  }

  @Test("All errors are listed at once")
  func several() async throws {
    try await withSandbox { (sandbox) async throws in
      let response = try await TestClient.alice(sandbox).get("/2/users/1/followers?max_results=0&foo=1&user.fields=x,y")
      #expect(response.messages.count == 4)
    }
  }

  @Test("More than 100 ids are refused")
  func tooMany() async throws {
    try await withSandbox { (sandbox) async throws in
      let ids = (1...101).map(String.init).joined(separator: ",")
      #expect(try await TestClient.alice(sandbox).get("/2/users?ids=\(ids)").messages.first?.contains("[101]") == true)
    }
  }

  @Test("Each operation of v1.1 has a published limit, and parameters are unique")
  func table() {
    let keys = OperationTable.all.map(\.key)
    #expect(Set(keys).count == keys.count)
    // The others have the catalogue's, and blocks and mutes of v1.1 the usual one.
    let blocks = Set(BlocksAndMutesV1.operations.map(\.key))
    let listed = OperationTable.all.filter { $0.version == .v1 && $0.access != nil && !blocks.contains($0.key) }
    #expect(Set(listed.map(\.key)) == Set(PublishedLimits.byOperation.keys))
    for operation in OperationTable.all {
      let names = operation.query.map(\.name)
      #expect(Set(names).count == names.count, "\(operation.key)")
    }
  }
}
