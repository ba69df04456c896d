import Callsign
import CallsignAuth
import CallsignHTTP
import ChildProcesses
import Foundation
import TestSupport
import Testing
import XCore

/// A process of `OAuth2Probe`.
///
/// `@unchecked Sendable`: nothing changes after `init`; reading is done by one thread at a time.
final class Probe: @unchecked Sendable {
  struct Failure: Error { let words: String }

  private let process = Process()
  private let (input, output, errors) = (Pipe.forChildProcess(), Pipe.forChildProcess(), Pipe.forChildProcess())

  /// Beside the tests' own program or bundle.
  private static let program: URL = {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
    let tests = bundle ?? URL(fileURLWithPath: CommandLine.arguments[0])
    return tests.deletingLastPathComponent().appendingPathComponent("OAuth2Probe")
  }()

  /// - Parameters:
  ///   - failing: With it, the process refreshes `tasks` times, and every so many-th save fails; 0 stands for none.
  ///   - lease: The length of its leases in milliseconds, if it refreshes.
  init(folder: URL, url: String, tasks: Int, failing: Int? = nil, lease: Int? = nil) throws {
    process.executableURL = Self.program
    process.arguments = [folder.path, url, "\(tasks)"] + [failing, lease].compactMap { $0.map(String.init) }
    // Nobody listens there: unencrypted requests to this machine must not go through a proxy.
    let proxy = "http://127.0.0.1:9"
    process.environment = ProcessInfo.processInfo.environment.merging(["http_proxy": proxy, "all_proxy": proxy]) { $1 }
      .filter { $0.key.lowercased() != "no_proxy" }
    process.standardInput = input
    process.standardOutput = output
    process.standardError = errors
    try process.start()
    guard try line() == "ready" else { throw Failure(words: complaint()) }
  }

  func go() throws { try input.fileHandleForWriting.write(contentsOf: Data("go\n".utf8)) }

  /// How many of its calls succeeded, and what it complained of.
  func result() throws -> (successes: Int?, complaint: String) {
    let count = try line()
    return (Int(count), complaint())
  }

  func end() { signal(SIGKILL) }

  /// Makes the process stand still for a while.
  func stop(for duration: Duration) async throws { try await stop { try await Task.sleep(for: duration) } }

  /// Makes the process stand still while something else happens.
  func stop(during body: () async throws -> Void) async throws {
    signal(SIGSTOP)
    defer { signal(SIGCONT) }
    try await body()
  }

  private func signal(_ number: Int32) { if process.isRunning { kill(process.processIdentifier, number) } }

  private func complaint() -> String {
    String(decoding: errors.fileHandleForReading.readDataToEndOfFile().prefix(2000), as: UTF8.self)
  }

  private func line() throws -> String {
    var bytes: [UInt8] = []
    while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") {
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

@Suite(
  "Several processes on one store", .serialized,
  .needs(.python(with: "authlib.oauth2.rfc9207")))
struct ProcessTests {
  /// A folder with a token that has just expired, for both sides.
  private func withExpiredToken(
    _ body: (AuthorizationServer, URL, OAuth2, FileTokenStore) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("callsign-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try await AuthorizationServer.with { server in
      let store = FileTokenStore(folder: folder)
      let oauth2 = OAuth2(clientID: "public", store: store, provider: AuthorizationServer.provider)
      try await server.logIn(oauth2)
      var token = try #require(try await store.token(for: oauth2.key))
      token.expires = Date() - 60
      try await store.save(token, for: oauth2.key)
      try await server.control(["expire_access_tokens": true])
      try await body(server, folder, oauth2, store)
    }
  }

  @Test(
    "8 processes and 100 tasks each start with an expired token: one refresh reaches the server", arguments: [0.0, 1.5])
  func oneRefresh(_ delay: Double) async throws {
    try await withExpiredToken { server, folder, oauth2, _ in
      try await server.control(["delay_before": .number(delay / 2), "delay_after": .number(delay / 2)])
      let url = server.url
      let probes = try await onThread { try (0..<8).map { _ in try Probe(folder: folder, url: url, tasks: 100) } }
      defer { for probe in probes { probe.end() } }
      for probe in probes { try probe.go() }
      for probe in probes {
        let (successes, complaint) = try await onThread { try probe.result() }
        #expect(successes == 100, "\(complaint)")
      }
      #expect(try await server.seen("refresh_token") == 1)
      #expect(try await server.seen("me_200") == 800)
      #expect(try await server.seen("me_401") == 0)
      // The store contains the last token that the server issued.
      let fresh = oauth2.account("default")
      #expect(try await server.api(fresh).me() == "alice")
      #expect(try await server.seen("refresh_token") == 1)
    }
  }

  @Test(
    "A process killed during a refresh frees its lock, and if the provider allows it, the next refresh succeeds"
  )
  func killed() async throws {
    for isGracious in [true, false] {
      try await withExpiredToken { server, folder, oauth2, store in
        try await server.control(["delay_after": 600, "grace": .bool(isGracious)])
        let url = server.url
        let victim = try await onThread { try Probe(folder: folder, url: url, tasks: 10) }
        defer { victim.end() }
        try victim.go()
        // The server has given the new token, and the process has not got it yet.
        for _ in 0..<6000 {
          if try await server.seen("token_status_200") == 2 { break }
          try await Task.sleep(for: .milliseconds(10))
        }
        #expect(try await server.seen("token_status_200") == 2)
        victim.end()
        try await server.control(["delay_after": 0])
        let before = try await store.token(for: oauth2.key)

        let survivor = try await onThread { try Probe(folder: folder, url: url, tasks: 10) }
        defer { survivor.end() }
        try survivor.go()
        let (successes, complaint) = try await onThread { try survivor.result() }
        if isGracious {
          #expect(successes == 10, "\(complaint)")
          #expect(try await store.token(for: oauth2.key)?.refreshToken != before?.refreshToken)
        } else {
          #expect(successes == 0)
          #expect(complaint.contains("log in again"))
          // A new login is enough.
          try await server.logIn(oauth2)
          #expect(try await server.api(oauth2).me() == "alice")
        }
      }
    }
  }
  @Test("Tokens of another library that one process saves are refreshed by the next, once")
  func savedTokens() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("callsign-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try await AuthorizationServer.with { server in
      let elsewhere = MemoryTokenStore()
      let other = OAuth2(clientID: "public", store: elsewhere, provider: AuthorizationServer.provider)
      try await server.logIn(other)
      let issued = try #require(try await elsewhere.token(for: other.key))
      let oauth2 = OAuth2(
        clientID: "public", store: FileTokenStore(folder: folder), provider: AuthorizationServer.provider)
      try await oauth2.save(
        StoredToken(
          kind: .oauth2, accessToken: issued.accessToken, refreshToken: issued.refreshToken, expires: Date() - 60,
          scopes: issued.scopes))
      let url = server.url
      let probe = try await onThread { try Probe(folder: folder, url: url, tasks: 10) }
      defer { probe.end() }
      try probe.go()
      let (successes, complaint) = try await onThread { try probe.result() }
      #expect(successes == 10, "\(complaint)")
      #expect(try await server.seen("refresh_token") == 1)
      #expect(try await server.api(oauth2).me() == "alice")
      #expect(try await server.seen("refresh_token") == 1)
    }
  }
}
