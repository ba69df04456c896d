import Callsign
import CallsignTesting
import CallsignX
import Testing
import XSandbox

@Suite("Arguments as the server sees them")
struct ArgumentTests {
  @Test("Fields are requested by their wire names, and only those are returned")
  func fields() async throws {
    try await withSession { (session) async throws in
      let plain = try await session.x.getUsersById(id: session.bob.id).data
      #expect(plain.createdAt == nil)
      #expect(plain.publicMetrics == nil)
      let full = try await session.x.getUsersById(
        id: session.bob.id, userFields: [.createdAt, .publicMetrics, .connectionStatus]
      ).data
      #expect(full.createdAt != nil)
      #expect(full.publicMetrics?.followersCount == 0)
      #expect(full.connectionStatus == [])
      let query = await session.lastRequest()?.query.map { "\($0.name)=\($0.value)" }
      #expect(query == ["user.fields=created_at,public_metrics,connection_status"])
    }
  }

  @Test("Expansions include the objects that a post refers to")
  func expansions() async throws {
    try await withSession { (session) async throws in
      let original = try await session.sandbox.addPost("original", by: session.bob)
      let reply = try await session.sandbox.addPost("reply", by: session.carol, replyingTo: original)
      let response = try await session.x.getPostsById(
        id: reply, postFields: [.createdAt, .publicMetrics], expansions: [.authorID, .referencedPosts],
        userFields: [.username])
      #expect(response.data.authorID == session.carol.id)
      #expect(response.data.referencedPosts.first?.type == .repliedTo)
      #expect(response.data.referencedPosts.first?.id == original)
      #expect(response.includes?.users.map(\.username) == ["carol"])
      #expect(response.includes?.posts.map(\.text) == ["original"])
      #expect(response.includes?.posts.first?.publicMetrics?.replyCount == 1)
    }
  }

  @Test("true, false and nil are three different bodies")
  func triState() async throws {
    try await withSession { (session) async throws in
      let list = try await session.x.createLists(name: "One").data.id
      func isPrivate() async throws -> Bool? {
        try await session.x.getListsById(id: list, listFields: [.private]).data.private
      }
      _ = try await session.x.updateLists(id: list, private: true)
      #expect(await session.lastRequest()?.bodyText == #"{"private":true}"#)
      #expect(try await isPrivate() == true)
      _ = try await session.x.updateLists(id: list, name: "Two", private: nil)
      #expect(await session.lastRequest()?.bodyText == #"{"name":"Two"}"#)
      #expect(try await isPrivate() == true)
      _ = try await session.x.updateLists(id: list, private: false)
      #expect(await session.lastRequest()?.bodyText == #"{"private":false}"#)
      #expect(try await isPrivate() == false)
      _ = try await session.x.updateLists(id: list)
      #expect(await session.lastRequest()?.bodyText == "{}")
      #expect(await session.lastRequest()?.header("Content-Type") == "application/json")
    }
  }

  @Test("An enum's value that the catalogue does not know is sent, and received, as it is")
  func openEnums() async throws {
    try await withSession { (session) async throws in
      let error = await failure { () throws(CallError) in
        try await session.x.getUsersMe(userFields: [.unknown("shoe_size"), .name])
      }
      #expect(await session.lastRequest()?.query.map(\.value) == ["shoe_size,name"])
      #expect(error?.rawResponse?.status == .badRequest)

      await session.sandbox.inject(
        .json(#"{"data":{"id":"1","name":"B","username":"b","connection_status":["following","befriended"]}}"#),
        for: "GET /2/users/me")
      let me = try await session.x.getUsersMe().data
      #expect(me.connectionStatus == [.following, .unknown("befriended")])
    }
  }

  @Test("Options of one call: header fields and a timeout")
  func options() async throws {
    try await withSession { (session) async throws in
      _ = try await session.x.getUsersMe(options: CallOptions(headers: ["X-Trace": "abc", "User-Agent": "mine/1"]))
      #expect(await session.lastRequest()?.header("X-Trace") == "abc")
      #expect(await session.lastRequest()?.header("User-Agent") == "mine/1")
      _ = try await session.x.getUsersMe()
      #expect(await session.lastRequest()?.header("X-Trace") == nil)

      await session.sandbox.inject(.delay(.seconds(600)), for: "GET /2/users/me")
      let error = await failure { () throws(CallError) in
        try await session.x.getUsersMe(options: .timeout(.milliseconds(200)))
      }
      guard case .transport(let failure)? = error, failure.kind == .timedOut else {
        Issue.record("\(String(describing: error))")
        return
      }
    }
  }
}
