import Foundation
import Testing
import XSandbox

@testable import Demo

/// The steps of `Scripts/demo`, and what the sandbox saw of them.
@Suite("The demonstration")
struct DemonstrationTests {
  private struct Run {
    var lines: [String]
    var requests: [Sandbox.Request]
    var secrets: [String]

    /// The text that a step printed after the call's name.
    func outcome(_ call: String) -> String? {
      lines.first { $0.dropFirst(4).hasPrefix(call) }
        .map { $0.dropFirst(4 + call.count).trimmingCharacters(in: .whitespaces) }
    }
  }

  private func run(isColoured: Bool = false) async throws -> Run {
    let sandbox = try await Demonstration.startSandbox()
    let lines = Lines()
    do {
      try await Demonstration(sandbox: sandbox, report: Report(write: lines.append, isColoured: isColoured)).run()
    } catch {
      await sandbox.stop()
      throw error
    }
    let requests = await sandbox.requests()
    await sandbox.stop()
    let users = [sandbox.users.alice, sandbox.users.bob, sandbox.users.carol]
    return Run(
      lines: lines.all, requests: requests,
      secrets: [sandbox.app.consumerKey, sandbox.app.consumerSecret, sandbox.app.bearerToken, "not the secret"]
        + users.flatMap { [$0.accessToken, $0.accessTokenSecret, $0.oauth2AccessToken] })
  }

  @Test("Each step does what its line says")
  func steps() async throws {
    let run = try await run()
    #expect(run.lines.filter { $0.contains("✓") }.count == 33)
    #expect(!run.lines.contains { $0.contains("✗") })
    #expect(run.lines.count { $0.contains("error: ") } == 6)
    #expect(!run.lines.contains { $0.contains("should not") })
    #expect(run.outcome("getUsersMe() ")?.hasPrefix("@alice, id ") == true)
    #expect(run.outcome("getPostsById(id:expansions:)") == "“Hello from Callsign” by @alice")
    #expect(run.outcome("likePost(id:tweetID:)") == "liked: true")
    #expect(run.outcome("followUser(id:targetUserID:)") == "following @bob: true")
    #expect(run.outcome("deletePosts(id:)") == "deleted: true")
    #expect(run.outcome("getAccountVerifyCredentials()")?.hasPrefix("@alice, created ") == true)
    #expect(run.outcome("getStatusesShow(id:) ") == "by @alice")
    #expect(run.outcome("getStatusesShow(id:trimUser: true)")?.hasPrefix("by user ") == true)
    #expect(run.outcome("getFollowersIds(user:count:)")?.hasPrefix("1000 ids, next cursor ") == true)
    #expect(run.outcome("postFavoritesCreate(id:), again")?.contains("code 139") == true)

    let expected = [
      "GET /2/users/me", "POST /2/tweets", "GET /2/tweets/#", "POST /2/users/#/likes", "POST /2/users/#/following",
      "DELETE /2/tweets/#", "POST /2/lists", "PUT /2/lists/#", "PUT /2/lists/#", "PUT /2/lists/#",
    ]
    let calls = run.requests.map { "\($0.method) \($0.path.replacing(/[0-9]{2,}/, with: "#"))" }
    #expect(Array(calls.prefix(10)) == expected)
    #expect(run.requests.prefix(10).allSatisfy { (200..<300).contains($0.status) })
    #expect(run.requests.prefix(10).allSatisfy { $0.header("Authorization")?.hasPrefix("OAuth ") == true })
  }

  @Test("A login, a stream that breaks, an upload that fails at first, a repetition, and another API")
  func tour() async throws {
    let run = try await run()
    #expect(run.outcome("complete(redirect:), getUsersMe()") == "@bob is logged in")
    #expect(run.outcome("deauthorize(configuration:)")?.hasSuffix("logged in: false") == true)
    #expect(run.requests.contains { $0.path == "/2/oauth2/token" })
    #expect(run.outcome("streamPosts()")?.hasPrefix("tea, more tea, tea again: 2 connections") == true)
    #expect(run.requests.count { $0.path == "/2/tweets/search/stream" } == 2)
    // Three chunks and a repetition; on a busy machine a chunk may have to be sent once more.
    let chunks = run.requests.count { $0.path.hasSuffix("/append") }
    #expect(chunks >= 4)
    #expect(run.outcome("upload(file:altText:)")?.contains("\(chunks) sent") == true)
    #expect(run.outcome("createPosts(text:media:)")?.hasPrefix("id ") == true)
    #expect(run.outcome("getUsersMe(), 503 twice") == "@alice after 3 attempts")
    #expect(run.outcome("createPosts(text:), response lost")?.isEmpty == false)
    #expect(run.outcome("getPet --id 7")?.contains(#""id":"7""#) == true)
    #expect(run.outcome("updatePet --id 7 nickname:=null") == #"sent {"nickname":null}"#)
    #expect(run.outcome("updatePet --nickname")?.contains("was not sent") == true)
  }

  @Test("Set, cleared and left out are three different bodies, sent and shown")
  func triState() async throws {
    let run = try await run()
    let bodies = [#"{"private":true}"#, #"{"private":false}"#, #"{"name":"Swift folk"}"#]
    #expect(run.requests.filter { $0.method == "PUT" }.map(\.bodyText) == bodies)
    #expect(run.outcome("updateLists(id:private: true)") == "sent \(bodies[0])")
    #expect(run.outcome("updateLists(id:private: false)") == "sent \(bodies[1])")
    #expect(run.outcome("updateLists(id:name:private: nil)") == "sent \(bodies[2])")
  }

  @Test("2,500 followers are three requests")
  func pages() async throws {
    let run = try await run()
    let requests = run.requests.filter { $0.path.hasSuffix("/followers") }
    #expect(requests.count == 3)
    #expect(requests.map { $0.query.contains { $0.name == "pagination_token" } } == [false, true, true])
    #expect(
      run.outcome("getUsersFollowersPages(id:).items") == "2500 followers in 3 requests, the last @follower00001")
  }

  @Test("The failures say what happened, and what to do")
  func failures() async throws {
    let run = try await run()
    let wrongSecret = try #require(run.outcome("getUsersMe(), wrong token secret"))
    #expect(wrongSecret.contains("credentials"))
    #expect(wrongSecret.contains("401"))
    let unknown = try #require(run.outcome("getPostsById(id:), unknown post"))
    #expect(unknown.contains("Not Found"))
    let limited = try #require(run.outcome("getPostsById(id:), again and again"))
    #expect(limited.contains("no further calls"))
    // Earlier responses said so, and no more requests are sent.
    #expect(limited.contains("not sent"))
    #expect(limited.contains(/reset at [0-9]{4}-[0-9]{2}-[0-9]{2}T/))
    #expect(run.requests.filter { $0.status == 401 }.count == 1)
    #expect(!run.requests.contains { $0.status == 429 })
  }

  @Test("No secret is in any line", arguments: [false, true])
  func discreet(_ isColoured: Bool) async throws {
    let run = try await run(isColoured: isColoured)
    for secret in run.secrets {
      #expect(!secret.isEmpty)
      for line in run.lines { #expect(!line.contains(secret)) }
    }
  }

  @Test("Colour on a terminal, none elsewhere; outcomes are aligned")
  func form() async throws {
    let plain = try await run().lines
    #expect(!plain.contains { $0.contains("\u{1B}") })
    #expect(plain.allSatisfy { !$0.contains("\n") && $0.count < 260 })
    let marked = try await run(isColoured: true).lines
    #expect(marked.contains { $0.contains("\u{1B}[32m✓\u{1B}[0m") })
    // Red is for what nobody expected.
    #expect(!marked.contains { $0.contains("\u{1B}[31m") })
    #expect(marked.count == plain.count)
  }
}
