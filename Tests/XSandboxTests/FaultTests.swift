import Foundation
import Testing

@testable import XSandbox

@Suite("Faults on demand")
struct FaultTests {
  @Test("A status, as often as asked for, for one operation")
  func status() async throws {
    try await withSandbox { (sandbox) async throws in
      let client = TestClient.alice(sandbox)
      await sandbox.inject(.status(503, headers: ["Retry-After": "2"]), for: "GET /2/users/me", times: 2)
      for _ in 0..<2 {
        let failed = try await client.get("/2/users/me")
        #expect(failed.status == 503)
        #expect(failed.json["title"] == "Service Unavailable")
        #expect(failed.header("Retry-After") == "2")
        #expect(try await client.get("/2/users/\(sandbox.users.bob.id)").status == 200)
      }
      #expect(try await client.get("/2/users/me").status == 200)
    }
  }

  @Test("A body of one's own, and forgetting what is still to come")
  func body() async throws {
    try await withSandbox { (sandbox) async throws in
      let client = TestClient.alice(sandbox)
      await sandbox.inject(.status(502, body: Data("<html>".utf8)), for: "*", times: 5)
      #expect(try await client.get("/2/users/me").body == Data("<html>".utf8))
      await sandbox.removeFaults()
      #expect(try await client.get("/2/users/me").status == 200)
    }
  }

  private func request(_ sandbox: Sandbox) -> String {
    "GET /2/users/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(sandbox.users.alice.oauth2AccessToken)\r\n\r\n"
  }

  @Test("A connection cut before the answer, and in its body")
  func cuts() async throws {
    try await withSandbox { (sandbox) async throws in
      await sandbox.inject(.cutBeforeAnswer, for: "GET /2/users/me")
      #expect(try await RawConnection.exchange(request(sandbox), with: sandbox) == "")
      await sandbox.inject(.cutInBody(after: 10), for: "GET /2/users/me")
      let answer = try await RawConnection.exchange(request(sandbox), with: sandbox)
      #expect(answer.hasPrefix("HTTP/1.1 200 OK"))
      let parts = answer.components(separatedBy: "\r\n\r\n")
      #expect(parts.last?.utf8.count == 10)
      #expect(try await RawConnection.exchange(request(sandbox), with: sandbox).contains("alice"))
      #expect(await sandbox.requests().map(\.status) == [0, 200, 200])
    }
  }

  /// Without the time limit, a delay that went on would keep the test for an hour.
  @Test("A delay ends when the sandbox stops", .timeLimit(.minutes(2)))
  func delay() async throws {
    let sandbox = try await Sandbox.start()
    await sandbox.inject(.delay(.milliseconds(5)), for: "*")
    #expect(try await TestClient.alice(sandbox).get("/2/users/me").status == 200)
    await sandbox.inject(.delay(.seconds(3600)), for: "*")
    let client = TestClient.alice(sandbox)
    let waiting = Task { try await client.get("/2/users/me") }
    try await wait { await sandbox.faultCount == 2 }
    await sandbox.stop()
    _ = await waiting.result
  }
}
