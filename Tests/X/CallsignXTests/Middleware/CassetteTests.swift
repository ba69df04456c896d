import Callsign
import CallsignTesting
import CallsignX
import Foundation
import TestSupport
import Testing
import XSandbox

@Suite("Cassettes, over sockets") struct CassetteTests {
  /// The results of the test's calls.
  private struct Outcome: Equatable {
    var names: [String?] = []
    var post: String?
    var refusal: Int?
    var app: String?
    var download: Data?
  }

  private func calls(_ x: XAPI, _ app: XAPI, into file: URL) async throws -> Outcome {
    var outcome = Outcome()
    outcome.names.append(try await x.getUsersMe(userFields: [.createdAt]).data.username)
    let post = try await x.createPosts(text: "recorded \"once\" 🎞")
    outcome.post = post.data.id
    let again = await failure { () throws(CallError) in try await x.createPosts(text: "recorded \"once\" 🎞") }
    outcome.refusal = again?.rawResponse?.status.code
    outcome.names.append(try await x.getUsersMe().data.name)
    outcome.app = try await app.getUsersByUsername(username: "bob").data.id
    _ = try await x.download("2/users/me", to: file)
    outcome.download = try Data(contentsOf: file)
    return outcome
  }

  @Test("Recorded responses are played without a server, and the file contains no secret")
  func roundTrip() async throws {
    let files = try MediaFiles()
    defer { files.remove() }
    let (cassette, download) = (
      files.folder.appendingPathComponent("cassette.json"), files.folder.appendingPathComponent("me.json")
    )
    let recorder = CassetteRecorder()

    func apis(_ sandbox: Sandbox, _ middleware: any Middleware) -> (XAPI, XAPI) {
      let configuration = ClientConfiguration(
        hosts: .all(to: sandbox.url.absoluteString), retry: .never, middleware: [middleware])
      let app = Bearer(Secret(sandbox.app.bearerToken))
      return (
        XAPI(auth: .alice(of: sandbox), configuration: configuration), XAPI(auth: app, configuration: configuration)
      )
    }

    var secrets: [String] = []
    var live = Outcome()
    var stopped: Sandbox?
    try await withSession { (session) async throws in
      let (x, app) = apis(session.sandbox, recorder)
      live = try await calls(x, app, into: download)
      try recorder.save(to: cassette)
      secrets = [
        session.sandbox.app.consumerSecret, session.alice.accessToken, session.alice.accessTokenSecret,
        session.sandbox.app.bearerToken, "s3cr3t", "oauth_signature", "Authorization",
      ]
      stopped = session.sandbox
    }
    #expect(live.names == ["alice", "Alice"] && live.refusal == 403)
    let text = try String(contentsOf: cassette, encoding: .utf8)
    #expect(text.contains("recorded"))
    for secret in secrets { #expect(!text.contains(secret), "\(secret)") }

    let sandbox = try #require(stopped)
    let player = try CassettePlayer(contentsOf: cassette)
    let (x, app) = apis(sandbox, player)
    let played = try await calls(x, app, into: download)
    #expect(played == live)
    #expect(player.unused == 0)
    let more = await failure { () throws(CallError) in try await x.getUsersMe() }
    #expect(more?.description.contains("cassette") == true, "\(String(describing: more))")
  }

  @Test("An upload that X processes can be played")
  func upload() async throws {
    let files = try MediaFiles()
    defer { files.remove() }
    let cassette = files.folder.appendingPathComponent("cassette.json")
    let recorder = CassetteRecorder()
    let bytes = MediaFiles.video(300_000)
    // One at a time, so that the order of the requests is the same.
    let options = UploadOptions(chunkSize: 100_000, concurrency: 1)
    func api(_ sandbox: Sandbox, _ middleware: any Middleware) -> XAPI {
      XAPI(
        auth: .alice(of: sandbox),
        configuration: ClientConfiguration(
          hosts: .all(to: sandbox.url.absoluteString), retry: .never, middleware: [middleware], time: TestTime(.skips)))
    }
    var live: String?
    var stopped: Sandbox?
    try await withSession { (session) async throws in
      await session.sandbox.setMediaProcessing(.afterChecks(2, checkAfter: 1))
      let media = try await api(session.sandbox, recorder).upload(data: bytes, options: options)
      #expect(media.processingInfo?.state == .succeeded)
      live = media.id
      try recorder.save(to: cassette)
      stopped = session.sandbox
    }
    let player = try CassettePlayer(contentsOf: cassette)
    let played = try await api(try #require(stopped), player).upload(data: bytes, options: options)
    #expect(played.id == live && played.processingInfo?.state == .succeeded)
    #expect(player.unused == 0)
  }
}
