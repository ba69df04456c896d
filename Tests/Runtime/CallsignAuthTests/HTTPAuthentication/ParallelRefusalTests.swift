import Callsign
import CallsignAuth
import CallsignHTTP
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite("Refusals of calls that were under way together") struct ParallelRefusalTests {
  /// Lets tasks go on once so many are there.
  private actor Barrier {
    private let count: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) { self.count = count }

    func pass() async {
      guard waiting.count + 1 < count else {
        for task in waiting { task.resume() }
        waiting = []
        return
      }
      await withCheckedContinuation { waiting.append($0) }
    }
  }

  private static let challenges = [
    "basic": #"Basic realm="things""#, "digest": #"Digest realm="things", nonce="n", algorithm=SHA-256, qop="auth""#,
  ]

  /// A server that takes all credentials, but `/held` it refuses once so many requests with credentials are there.
  private func server(_ scheme: String, holds count: Int) -> InMemoryTransport {
    let barrier = Barrier(count)
    return InMemoryTransport { request in
      let isSent = request.headerFields[.authorization] != nil
      if isSent {
        guard request.head.path == "/held" else { return .json("{}") }
        await barrier.pass()
      }
      let challenge = Self.challenges[scheme] ?? ""
      return .json("{}", status: .unauthorized, headerFields: [.wwwAuthenticate: challenge])
    }
  }

  private func authenticator(_ scheme: String) -> any Authenticator {
    if scheme == "basic" { return HTTPBasic(username: "ann", password: "secret", hosts: ["api.example"]) }
    return HTTPDigest(username: "ann", password: "secret", hosts: ["api.example"])
  }

  /// 0 where nothing was sent.
  private func status(_ client: Client, _ path: String) async -> Int {
    do throws(CallError) { return try await client.call(.get, "https://api.example\(path)").status.code } catch {
      return error.rawResponse?.status.code ?? error.authorization?.response?.status.code ?? 0
    }
  }

  private func statuses(_ client: Client, _ path: String, _ count: Int) async -> [Int] {
    await withTaskGroup(of: Int.self) { group in
      for _ in 0..<count { group.addTask { await status(client, path) } }
      var statuses: [Int] = []
      for await status in group { statuses.append(status) }
      return statuses
    }
  }

  @Test(
    "If the server accepted the credentials before, several refusals at once count as one",
    arguments: ["basic", "digest"])
  func slip(_ scheme: String) async throws {
    let transport = server(scheme, holds: 3)
    let client = Client(auth: [authenticator(scheme)], configuration: ClientConfiguration(transport: transport))
    #expect(await status(client, "/a") == 200)
    #expect(await statuses(client, "/held", 3) == [401, 401, 401])
    #expect(await status(client, "/a") == 200)
  }

  @Test("Saved credentials stay") func account() async throws {
    let account = HTTPBasicAccount(service: "api.example", store: MemoryTokenStore(), hosts: ["api.example"])
    try await account.save(username: "ann", password: "secret")
    let transport = server("basic", holds: 2)
    let client = Client(auth: account, configuration: ClientConfiguration(transport: transport))
    #expect(await status(client, "/a") == 200)
    #expect(await statuses(client, "/held", 2) == [401, 401])
    #expect(try await account.isSaved)
    #expect(await status(client, "/a") == 200)
  }

  @Test("With a wrong password, they keep calls back for a minute, not for an hour", arguments: ["basic", "digest"])
  func wrongPassword(_ scheme: String) async throws {
    let time = TestTime(.skips, at: Date())
    let transport = server(scheme, holds: 7)
    let client = Client(
      auth: [authenticator(scheme)], configuration: ClientConfiguration(transport: transport, time: time))
    #expect(await statuses(client, "/held", 7) == Array(repeating: 401, count: 7))
    let sent = transport.requests.count
    #expect(await status(client, "/a") == 0)
    #expect(transport.requests.count == sent)
    time.advance(by: 61)
    #expect(await status(client, "/a") == 200)
  }

  @Test(
    "After a success, refusals are counted from zero, and the wait is one minute, not two",
    arguments: ["basic", "digest"])
  func countedAnew(_ scheme: String) async throws {
    let time = TestTime(.skips, at: Date())
    let transport = server(scheme, holds: 1)
    let client = Client(
      auth: [authenticator(scheme)], configuration: ClientConfiguration(transport: transport, time: time))
    #expect(await status(client, "/held") == 401)
    time.advance(by: 61)
    #expect(await status(client, "/a") == 200)
    // The first is forgiven to a server that took them.
    #expect(await statuses(client, "/held", 1) + statuses(client, "/held", 1) == [401, 401])
    #expect(await status(client, "/a") == 0)
    time.advance(by: 61)
    #expect(await status(client, "/a") == 200)
  }
}
