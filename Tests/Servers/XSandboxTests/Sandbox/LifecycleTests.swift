import Foundation
import TestSupport
import Testing

@testable import XSandbox

@Suite("Starting and stopping")
struct LifecycleTests {
  @Test("A stopped sandbox closes its connections and takes no requests")
  func stop() async throws {
    let sandbox = try await Sandbox.start()
    #expect(try await RawConnection.exchange("GET /before HTTP/1.1\r\nHost: x\r\n\r\n", with: sandbox) != "")
    let idle = try #require(RawConnection.open(sandbox))
    await sandbox.stop()
    await sandbox.stop()
    #expect(try await RawConnection.isClosedByServer(idle))
    // Another server may have the port by now, so a response proves nothing; the log does.
    _ = try? await RawConnection.exchange("GET /after HTTP/1.1\r\nHost: x\r\n\r\n", with: sandbox)
    #expect(await sandbox.requests().map(\.path) == ["/before"])
  }

  @Test("Sandboxes side by side are independent")
  func sideBySide() async throws {
    try await withSandbox { (first) async throws in
      try await withSandbox { (second) async throws in
        try await first.addPost("only here", by: first.users.alice)
        #expect(first.url != second.url)
        let target = "/2/users/\(first.users.alice.id)/tweets"
        #expect(try await TestClient.alice(first).get(target).elements.count == 1)
        #expect(try await TestClient.alice(second).get(target).elements.isEmpty)
      }
    }
  }

  /// More than the number of Dispatch's threads; each server once took one of them.
  @Test("Hundreds of sandboxes run at once, response for themselves, and stop one by one")
  func many() async throws {
    var sandboxes: [Sandbox] = []
    for _ in 0..<300 { sandboxes.append(try await Sandbox.start()) }
    #expect(Set(sandboxes.map(\.url)).count == 300)
    while let sandbox = sandboxes.popLast() {
      if sandboxes.count % 30 == 0 {
        try await sandbox.addPost("by \(sandboxes.count)", by: sandbox.users.alice)
        let posts = try await TestClient.alice(sandbox).get("/2/users/\(sandbox.users.alice.id)/tweets").elements
        #expect(posts.map { $0["text"] } == [.string("by \(sandboxes.count)")])
      }
      await sandbox.stop()
    }
  }

  @Test("A sandbox that stops does not affect the requests of others")
  func neighbours() async throws {
    try await withSandbox { (sandbox) async throws in
      let client = TestClient.alice(sandbox)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<8 {
          group.addTask {
            for _ in 0..<5 {
              let other = try await Sandbox.start()
              #expect(try await TestClient.alice(other).get("/2/users/me").status == 200)
              await other.stop()
            }
          }
        }
        for _ in 0..<60 { #expect(try await client.get("/2/users/me").status == 200) }
        try await group.waitForAll()
      }
    }
  }

  @Test("A paused sandbox keeps its port and its data")
  func restart() async throws {
    try await withSandbox { (sandbox) async throws in
      let client = TestClient.alice(sandbox)
      let post = try await sandbox.addPost("still here", by: sandbox.users.alice)
      await sandbox.pause()
      #expect(!RawConnection.canBind(port: UInt16(sandbox.url.port ?? 0)), "the port is free for others")
      await #expect(throws: (any Error).self) { try await client.get("/2/tweets/\(post)") }
      try await sandbox.resume()
      try await sandbox.resume()
      #expect(try await client.get("/2/tweets/\(post)").data?["text"] == "still here")
      try await sandbox.refuseConnections(for: .milliseconds(1))
      #expect(try await client.get("/2/tweets/\(post)").status == 200)
    }
  }

  @Test("A port in use is an error")
  func portInUse() async throws {
    try await withSandbox { (sandbox) async throws in
      var configuration = Sandbox.Configuration()
      configuration.port = UInt16(sandbox.url.port ?? 0)
      await #expect(throws: SandboxError.couldNotListen(port: configuration.port)) {
        _ = try await Sandbox.start(configuration)
      }
    }
  }

  @Test("Seeding refuses invalid names and missing records")
  func seeding() async throws {
    try await withSandbox { (sandbox) async throws in
      await #expect(throws: SandboxError.invalidUsername("alice")) { try await sandbox.addUser(username: "alice") }
      await #expect(throws: SandboxError.invalidUsername("a b")) { try await sandbox.addUser(username: "a b") }
      await #expect(throws: SandboxError.notFound("5")) {
        try await sandbox.addPost("x", by: sandbox.users.alice, replyingTo: "5")
      }
      await #expect(throws: SandboxError.notFound("x")) { try await sandbox.pin(post: "x") }
    }
  }

  #if os(Linux) && compiler(>=6.2)
    /// In a separate process, because concurrent tests open descriptors, too.
    @Test("20 starts and stops leave no descriptor open")
    func descriptors() async {
      await #expect(processExitsWith: .success) {
        var before = 0
        for round in 0...20 {
          let sandbox = try await Sandbox.start()
          let request = "GET /2/users/me HTTP/1.1\r\nHost: x\r\n\r\n"
          #expect(try await RawConnection.exchange(request, with: sandbox).hasPrefix("HTTP/1.1 401 "))
          let idle = try #require(RawConnection.open(sandbox))
          await sandbox.stop()
          #expect(try await RawConnection.isClosedByServer(idle))
          // The first round also opens what the process keeps for good.
          if round == 0 { before = try #require(RawConnection.openDescriptors) }
        }
        // Those of the last round may be about to close.
        try await eventually("as few descriptors are open as after the first round") {
          (RawConnection.openDescriptors ?? .max) <= before
        }
      }
    }
  #endif
}
