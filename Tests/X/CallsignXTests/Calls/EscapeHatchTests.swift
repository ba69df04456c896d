import Callsign
import CallsignTesting
import CallsignX
import Testing
import XSandbox

@Suite("Calls that no catalogue has")
struct EscapeHatchTests {
  @Test("A relative path is signed, with query and body")
  func signed() async throws {
    try await withSession { (session) async throws in
      let me = try await session.x.call(
        .get, "2/users/me", query: ["user.fields": "created_at,name", "expansions": nil])
      #expect(me.value["data"]?["username"] == "alice")
      #expect(await session.lastRequest()?.header("Authorization")?.hasPrefix("OAuth ") == true)
      #expect(await session.lastRequest()?.query.map(\.name) == ["user.fields"])

      let post = try await session.x.call(.post, "/2/tweets", body: .json(["text": "by hand"]))
      #expect(post.status == .created)
      #expect(post.value["data"]?["text"] == "by hand")
      #expect(post.rateLimit?.limit == 100)
    }
  }

  @Test("The API's own URL is the sandbox's; another host gets nothing")
  func hosts() async throws {
    try await withSession { (session) async throws in
      let me = try await session.x.call(.get, "https://api.x.com/2/users/me?user.fields=name")
      #expect(me.value["data"]?["name"] == "Alice")
      let before = await session.requests().count
      let error = await failure { () throws(CallError) in
        try await session.x.call(.get, "https://elsewhere.example/2/users/me")
      }
      guard case .authorization(let refusal)? = error, case .outOfScope = refusal.reason else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(await session.requests().count == before)
    }
  }
}
