import ChildProcesses
import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// `xapi sandbox`, run as a user runs it, and called with curl.
@Suite("xapi sandbox")
struct SandboxCommandTests {
  private struct Outcome: Sendable {
    var status: Int32
    var output: String
    var error: String
  }

  private static func run(_ executable: URL, _ arguments: [String]) async throws -> Outcome {
    try await onThread {
      let process = Process()
      process.executableURL = executable
      process.arguments = arguments
      let (output, error) = (Pipe.forChildProcess(), Pipe.forChildProcess())
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = output
      process.standardError = error
      try process.start()
      let printed = try output.fileHandleForReading.readToEnd() ?? Data()
      let complained = try error.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      return Outcome(
        status: process.terminationStatus, output: String(decoding: printed, as: UTF8.self),
        error: String(decoding: complained, as: UTF8.self))
    }
  }

  /// The folder that SwiftPM builds into: the test bundle's on macOS, the test executable's on Linux.
  private static var tool: URL {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
    return (bundle?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL).appendingPathComponent("xapi")
  }

  /// A sandbox in a separate process, which ends with the test.
  private final class Running: Sendable {
    let process: Process
    let output: Pipe

    init(_ arguments: [String]) throws {
      process = Process()
      output = Pipe.forChildProcess()
      process.executableURL = SandboxCommandTests.tool
      process.arguments = ["sandbox"] + arguments
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = output
      process.standardError = FileHandle.nullDevice
      try process.start()
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    /// The first line of the output.
    func address() async throws -> String {
      try await onThread { [output] in
        var line = Data()
        while let byte = try output.fileHandleForReading.read(upToCount: 1), byte.first != UInt8(ascii: "\n"),
          !byte.isEmpty
        {
          line += byte
        }
        return String(decoding: line, as: UTF8.self)
      }
    }

    /// Sends a signal, and returns the rest of the output and the status.
    func end(by signal: Int32) async throws -> (output: String, status: Int32) {
      kill(process.processIdentifier, signal)
      return try await onThread { [process, output] in
        let rest = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (String(decoding: rest, as: UTF8.self), process.terminationStatus)
      }
    }
  }

  private struct Credentials: Decodable {
    struct App: Decodable {
      var bearerToken: String
    }
    struct User: Decodable {
      var username: String
      var oauth2AccessToken: String
    }
    var url: String
    var app: App
    var users: [User]
  }

  @Test(
    "It responds with the given faults, and ends at a signal; its secrets are in a file that only its owner can read",
    .needs(.curl), arguments: [SIGTERM, SIGINT])
  func whole(signal: Int32) async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("sandbox-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: file) }
    let running = try Running(["--credentials", file.path, "--fault", "GET /2/users/me=429 retry-after=2"])
    let address = try await running.address()
    #expect(address.hasPrefix("http://127.0.0.1:"))
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let credentials = try decoder.decode(Credentials.self, from: try Data(contentsOf: file))
    #expect(credentials.url == address)
    #expect(credentials.users.map(\.username) == ["alice", "bob", "carol"])
    let curl = try #require(Program.path(of: "curl"))
    let configuration = FileManager.default.temporaryDirectory.appendingPathComponent("curl-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: configuration) }
    // In a file, since other processes see the arguments.
    let token = try #require(credentials.users.first?.oauth2AccessToken)
    try Data("header = \"Authorization: Bearer \(token)\"\n".utf8).write(to: configuration)
    let arguments = [
      "-sS", "-i", "--noproxy", "*", "--max-time", "60", "-K", configuration.path, "\(address)/2/users/me",
    ]
    let limited = try await Self.run(curl, arguments)
    #expect(limited.output.hasPrefix("HTTP/1.1 429"), "\(limited.error)")
    #expect(limited.output.contains("Retry-After: 2"))
    let responded = try await Self.run(curl, arguments)
    #expect(responded.output.contains(#""username":"alice""#))
    let end = try await running.end(by: signal)
    #expect(end.status == 0)
    #expect(end.output == "")
  }

  @Test("Credentials are printed only on request, and are the same for the same seed")
  func shown() async throws {
    var printed: [String] = []
    for arguments in [
      ["--show-credentials", "--credential-seed", "5"], ["--show-credentials", "--credential-seed", "5"],
      ["--credential-seed", "5"],
    ] {
      let running = try Running(arguments)
      _ = try await running.address()
      printed.append(try await running.end(by: SIGTERM).output)
    }
    let tokens = printed.map {
      $0.components(separatedBy: "\n").filter { $0.contains("token") || $0.contains("secret") }
    }
    #expect(tokens[0].count > 10)
    #expect(tokens[0] == tokens[1])
    #expect(printed[2] == "")
  }

  @Test(
    "Options that it cannot follow are reported before it starts",
    arguments: [
      (["--fault", "GET /2/users/me=200"], 64, "400 to 599"), (["--fault", "x"], 64, "no `=`"),
      (["--clock-offset", "1e30"], 64, "hundred years"), (["--port", "70000"], 64, "--port"),
      (["--credentials", "/nonexistent/folder/file"], 74, "could not write"),
    ])
  func refused(arguments: [String], status: Int32, words: String) async throws {
    let outcome = try await Self.run(Self.tool, ["sandbox"] + arguments)
    #expect(outcome.status == status)
    #expect(outcome.output == "")
    #expect(outcome.error.contains(words), "\(outcome.error)")
  }
}
