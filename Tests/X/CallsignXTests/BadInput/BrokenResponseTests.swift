import Callsign
import CallsignTesting
import CallsignX
import Foundation
import HTTPTypes
import TestSupport
import Testing
import XSandbox

@Suite("Unexpected responses")
struct BrokenResponseTests {
  private func errorReading(_ body: String, status: Int = 200) async throws -> CallError? {
    var result: CallError?
    try await withSession { (session) async throws in
      await session.sandbox.inject(
        .status(status, headers: ["X-Seen": "yes"], body: Data(body.utf8)), for: "GET /2/users/me")
      result = await failure { () throws(CallError) in try await session.x.getUsersMe() }
    }
    // Whatever is wrong with a response, the caller can inspect all of it.
    #expect(result?.rawResponse?.status.code == status)
    #expect(result?.rawResponse?.headers[try #require(HTTPField.Name("X-Seen"))] == "yes")
    #expect(result?.rawResponse?.body == Data(body.utf8))
    return result
  }

  @Test(
    "A webhook and a replay that X has created are reported, whichever of two forms the response has",
    arguments: [
      (#"{"data":WEBHOOK}"#, #"{"data":JOB}"#), ("WEBHOOK", "JOB"),
    ])
  func created(_ webhook: String, _ job: String) async throws {
    let date = #""created_at":"2025-04-24T20:57:15.242Z""#
    let bodies = [
      (
        "POST /2/webhooks",
        webhook.replacing("WEBHOOK", with: #"{"id":"9","url":"https://a.example","valid":true,\#(date)}"#)
      ),
      ("POST /2/webhooks/replay", job.replacing("JOB", with: #"{"job_id":"8",\#(date)}"#)),
      (
        "PUT /2/webhooks/{webhook_id}",
        webhook == "WEBHOOK" ? #"{"data":{"attempted":true}}"# : #"{"data":{"valid":true}}"#
      ),
    ]
    try await withSession { (session) async throws in
      for (operation, body) in bodies {
        await session.sandbox.inject(.status(200, headers: [:], body: Data(body.utf8)), for: operation)
      }
      let app = session.x.with(auth: .bearer(session.sandbox.app.bearerToken))
      let created = try await app.createWebhooks(url: "https://a.example")
      #expect(created.data.id == "9" && created.data.valid && created.issues.isEmpty)
      let replay = try await app.createWebhookReplayJob(fromDate: .now, toDate: .now, webhookID: "9")
      #expect(replay.data.jobID == "8" && replay.issues.isEmpty)
      #expect(try await app.validateWebhooks(webhookID: "9").data.valid)
    }
  }

  @Test(
    "Not JSON, or incomplete",
    arguments: [
      ("<!DOCTYPE html><html><body>Bad gateway</body></html>", UnexpectedContent.Kind.html),
      ("<?xml version=\"1.0\"?><error/>", .xml),
      ("", .empty),
      (" \r\n", .empty),
      ("OK", .other),
      (#"{"data":{"id":"1","name":"Al"#, .truncated),
      (#"{"data":{"id":"1","name":"A","username":"a"}"#, .truncated),
    ])
  func content(_ body: String, _ kind: UnexpectedContent.Kind) async throws {
    let error = try await errorReading(body)
    guard case .unexpectedContent(let content)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(content.kind == kind)
    #expect(content.status == .ok)
    #expect(!"\(content)".contains("Bad gateway"), "a body is not for logs")
  }

  @Test(
    "JSON of another shape names the field",
    arguments: [
      (#"{"data":{"id":{},"name":"A","username":"a"}}"#, "data.id"),
      (#"{"data":{"id":null,"name":"A"}}"#, "data.id"),
      (#"{"data":{"name":"A"}}"#, "data.id"),
      (#"{"data":[]}"#, "data"),
      ("{}", "data"),
      ("[]", ""),
      ("null", ""),
      (#"{"data":{"id":"1","name":"A","username":"a"}} trailing"#, ""),
    ])
  func shape(_ body: String, _ path: String) async throws {
    let error = try await errorReading(body)
    guard case .decoding(let failure)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(failure.error.path == path)
    #expect(failure.error.offset <= body.utf8.count)
    #expect(path.isEmpty || "\(failure)".contains(path))
  }

  @Test(
    "An odd part that may be missing is skipped and named",
    arguments: [
      (#""created_at":"yesterday""#, "data.created_at"),
      (#""public_metrics":{"followers_count":"many","post_count":1}"#, "data.public_metrics.followers_count"),
      (#""connection_status":["following",1]"#, "data.connection_status[1]"),
    ])
  func parts(_ part: String, _ path: String) async throws {
    let body = #"{"data":{"id":"1","name":"A","username":"a",\#(part)}}"#
    try await withSession { (session) async throws in
      await session.sandbox.inject(.status(200, headers: [:], body: Data(body.utf8)), for: "GET /2/users/me")
      let response = try await session.x.getUsersMe()
      #expect(response.data.username == "a")
      #expect(response.issues.map(\.path) == [path])
      #expect(response.data.publicMetrics.map { $0.postCount == 1 && $0.followersCount == nil } != false)
    }
  }

  @Test("A write that was carried out is not called undone because of its response")
  func writes() async throws {
    for body in [#"{"data":{"id":5,"text":"x"},"errors":[{"title":"t"}]}"#, "", #"{"data":{"id":"1","te"#] {
      try await withSession { (session) async throws in
        await session.sandbox.inject(.status(201, headers: [:], body: Data(body.utf8)), for: "POST /2/tweets")
        let error = await failure { () throws(CallError) in try await session.x.createPosts(text: "x") }
        guard case .unreadableResult? = error else {
          Issue.record("\(String(describing: error))")
          return
        }
        #expect("\(error as Any)".contains("do not repeat"))
      }
    }
  }

  @Test("Followers of an unknown user are an error, and end the items with it")
  func unknownUser() async throws {
    let body =
      #"{"errors":[{"title":"Not Found Error","type":"https://api.x.com/2/problems/resource-not-found","resource_type":"user"}]}"#
    try await withSession { (session) async throws in
      await session.sandbox.inject(
        .status(200, headers: [:], body: Data(body.utf8)), for: "GET /2/users/{id}/followers")
      do {
        for try await _ in session.x.getUsersFollowersPages(id: "404").items {}
        Issue.record("no error")
      } catch {
        guard case .api(let refusal)? = error as? CallError else {
          Issue.record("\(error)")
          return
        }
        #expect(refusal.advice?.contains("account") == true)
      }
    }
  }

  @Test("An error's status counts, whatever its body is")
  func errors() async throws {
    for (body, kind) in [
      ("<html><body>502</body></html>", ContentKind.html), ("", .empty), ("upstream timed out", .other),
      (#"{"title":"Bad"#, .json),
    ] {
      let error = try await errorReading(body, status: 502)
      guard case .api(let refusal)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(refusal.content == kind)
      #expect("\(refusal)".contains("502"))
    }
  }

  @Test("Bytes that are not HTTP")
  func noHTTP() async throws {
    try await withRawServer(.response("SSH-2.0-OpenSSH_9.2\r\n")) { (_, x) async throws in
      let error = await failure { () throws(CallError) in try await x.getUsersMe() }
      guard case .transport(let failure)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(failure.kind == .protocolViolation)
    }
  }

  @Test("Nested without end")
  func nested() async throws {
    let error = try await errorReading(#"{"data":"# + String(repeating: "[", count: 100_000))
    #expect(error?.rawResponse != nil)
    #expect(error.map { "\($0)".count } ?? 0 < 400)
  }

  @Test(
    "Larger than the client accepts, announced or not",
    arguments: [
      // The rest of a body is not waited for if its announced length is too long.
      RawServer.Behaviour.hang(after: "HTTP/1.1 200 OK\r\nContent-Length: 3000000000\r\n\r\n{"),
      .response("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + String(repeating: " ", count: 4_096)),
    ])
  func tooLarge(_ behaviour: RawServer.Behaviour) async throws {
    try await withRawServer(behaviour) { (server, _) async throws in
      var configuration = ClientConfiguration(hosts: .all(to: server.url))
      configuration.responseLimit = 1 << 10
      let x = XAPI(auth: .oauth1(OAuth1(consumerKey: "key", consumerSecret: "secret")), configuration: configuration)
      let error = await failure { () throws(CallError) in try await x.getUsersMe(options: .timeout(.seconds(30))) }
      guard case .transport(let failure)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(failure.kind == .bodyTooLarge)
      try await eventually { server.requests == 1 }
    }
  }
}
