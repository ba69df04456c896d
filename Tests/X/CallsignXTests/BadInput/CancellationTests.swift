import Callsign
import CallsignTesting
import CallsignX
import TestSupport
import Testing
import XSandbox

@Suite("Cancellation, and many calls at once", .timeLimit(.minutes(10)))
struct CancellationTests {
  @Test("Cancelling the task ends the transfer", arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"])
  func cancelled(_ beginning: String) async throws {
    try await withRawServer(.hang(after: beginning)) { (server, x) async throws in
      for write in [false, true] {
        let before = server.requests
        let task = Task {
          await failure { () throws(CallError) in
            if write { _ = try await x.createPosts(text: "cancelled") } else { _ = try await x.getUsersMe() }
          }
        }
        try await eventually { server.requests == before + 1 }
        task.cancel()
        let error = await task.value
        #expect(error?.isCancellation == true)
        switch error {
        case .cancelled? where !write: break
        // Nobody knows whether the post was made.
        case .mayHaveSucceeded? where write: #expect("\(error as Any)".contains("may have succeeded"))
        default: Issue.record("\(String(describing: error))")
        }
      }
      // The server sees both connections closed: nothing is left behind.
      try await eventually { server.closedByClient == 2 }
    }
  }

  @Test("A task that is cancelled already sends nothing")
  func cancelledBefore() async throws {
    try await withSession { (session) async throws in
      let x = session.x
      let task = Task {
        while !Task.isCancelled { await Task.yield() }
        return await failure { () throws(CallError) in try await x.createPosts(text: "never") }
      }
      task.cancel()
      guard case .cancelled? = await task.value else {
        Issue.record("\(String(describing: await task.value))")
        return
      }
      #expect(await session.requests() == [])
    }
  }

  @Test("Of many calls, only the cancelled ones end")
  func others() async throws {
    try await withSession { (session) async throws in
      let x = session.x
      await session.sandbox.inject(.delay(.seconds(600)), for: "GET /2/users/me", times: 10)
      let waiting = (0..<10).map { _ in
        Task { await failure { () throws(CallError) in try await x.getUsersMe() } }
      }
      for _ in 0..<10 { #expect(try await x.getUsersById(id: session.bob.id).data.username == "bob") }
      for task in waiting { task.cancel() }
      for task in waiting {
        guard case .cancelled? = await task.value else {
          Issue.record("\(String(describing: await task.value))")
          return
        }
      }
    }
  }

  @Test("A hundred calls at once get a hundred right responses, each signed by itself")
  func concurrent() async throws {
    try await withSession {
      $0.limits = ["GET /2/users/by/username/{username}": 1_000]
    } _: { (session) async throws in
      let (x, sandbox) = (session.x, session.sandbox)
      for number in 0..<100 { try await sandbox.addUser(username: "user\(number)") }
      try await withThrowingTaskGroup(of: (Int, String).self) { group in
        for number in 0..<100 {
          group.addTask { (number, try await x.getUsersByUsername(username: "user\(number)").data.username) }
        }
        for try await (number, username) in group { #expect(username == "user\(number)") }
      }
      let nonces = await sandbox.requests().compactMap {
        $0.header("Authorization")?.firstMatch(of: /oauth_nonce="([^"]+)"/).map { String($0.1) }
      }
      #expect(Set(nonces).count == 100)
    }
  }
}
