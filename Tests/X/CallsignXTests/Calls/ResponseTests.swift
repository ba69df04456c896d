import Callsign
import CallsignTesting
import CallsignX
import Foundation
import Testing
import XSandbox

@Suite("Parts that come with a result")
struct ResponseTests {
  @Test("The rate limit of the endpoint, counted down")
  func rateLimit() async throws {
    try await withSession {
      $0.limits = ["GET /2/users/me": 2]
    } _: { (session) async throws in
      let first = try await session.x.getUsersMe()
      #expect(first.rateLimit?.limit == 2)
      #expect(first.rateLimit?.remaining == 1)
      let reset = try #require(first.rateLimit?.reset)
      #expect(reset > Date() && reset < Date().addingTimeInterval(1_000))
      #expect(try await session.x.getUsersMe().rateLimit?.remaining == 0)
      let error = await failure { () throws(CallError) in try await session.x.getUsersMe() }
      guard case .rateLimited(let limit, nil)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(limit?.reset == reset)
      #expect(limit?.remaining == 0)
      #expect(await session.requests().count == 2, "what is known to be used up is not asked for")
    }
  }

  @Test("Status, header fields and body as they came")
  func respond() async throws {
    try await withSession { (session) async throws in
      let me = try await session.x.getUsersMe()
      #expect(me.status == .ok)
      #expect(me.headers[.contentType] == "application/json; charset=utf-8")
      #expect(String(decoding: me.body, as: UTF8.self).contains(#""username":"alice""#))
      #expect(me.errors == [])
    }
  }

  @Test("Errors next to data are not thrown")
  func partialErrors() async throws {
    try await withSession { (session) async throws in
      let users = try await session.x.getUsersByIds(ids: [session.bob.id, "999999"])
      #expect(users.data.map(\.username) == ["bob"])
      #expect(users.errors.map(\.title) == ["Not Found Error"])
      #expect(users.errors.first?.detail == "Could not find user with ids: [999999].")
      guard case .resourceNotFoundProblem(let problem)? = users.value.errors.first else {
        Issue.record("\(String(describing: users.value.errors))")
        return
      }
      #expect(problem.value == "999999")
    }
  }

  @Test("Errors instead of data are thrown")
  func errorsAlone() async throws {
    try await withSession { (session) async throws in
      let error = await failure { () throws(CallError) in try await session.x.getUsersById(id: "999999") }
      guard case .api(let refusal)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(refusal.status == .ok, "as the API itself responses")
      #expect(refusal.titles == ["Not Found Error"])
      #expect(error?.problems.first?.detail == "Could not find user with id: [999999].")
    }
  }

  @Test("New members of an encrypted group come as X's page has them")
  func chatGroupMembers() async throws {
    let page = #"{"conversation_key_change_sequence_id":"99","current_member_ids":["1","2"]}"#
    let response = try XAPI.AddChatGroupMembersResponse(jsonString: page)
    #expect(response.conversationKeyChangeSequenceID == "99" && response.currentMemberIDs == ["1", "2"])
    try await withSession { (session) async throws in
      let added = try await session.x.addChatGroupMembers(id: "g1", userIDs: [session.bob.id])
      #expect(added.issues.isEmpty && added.errors.isEmpty)
    }
  }

  @Test("If the API refuses a parameter, the error names it")
  func badRequest() async throws {
    try await withSession { (session) async throws in
      let error = await failure { () throws(CallError) in
        try await session.x.getUsersFollowers(id: session.bob.id, maxResults: 5_000)
      }
      guard case .api(let refusal)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(refusal.status == .badRequest)
      #expect(refusal.problems.contains { $0.detail?.contains("max_results") == true })
    }
  }
}
