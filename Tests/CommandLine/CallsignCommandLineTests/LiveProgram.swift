import CallsignHTTP
import ChildProcesses
import Foundation
import TestSupport
import Testing
import XSandbox

/// A running built program with its own home folder.
///
/// `@unchecked Sendable`: nothing changes after `init`, and `Process` guards itself.
final class LiveProgram: @unchecked Sendable {
  private let process = Process()
  private let input = Pipe.forChildProcess()
  private let folder: TemporaryFolder
  private let end: AsyncStream<Int32>

  init(_ program: String, _ arguments: [String], home: TemporaryFolder, environment: [String: String] = [:]) throws {
    folder = try TemporaryFolder()
    for name in ["output", "error"] { try folder.write("", to: name) }
    process.executableURL = Program.products.appendingPathComponent(program)
    process.arguments = arguments
    process.environment = ["PATH": "/usr/bin:/bin", "HOME": home.path, "BROWSER": "true"]
      .merging(Program.sanitizerOptions) { $1 }.merging(environment) { $1 }
    process.standardInput = input
    process.standardOutput = try FileHandle(forWritingTo: folder.url.appendingPathComponent("output"))
    process.standardError = try FileHandle(forWritingTo: folder.url.appendingPathComponent("error"))
    let (end, feed) = AsyncStream.makeStream(of: Int32.self)
    self.end = end
    process.terminationHandler = { process in
      feed.yield(process.terminationStatus)
      feed.finish()
    }
    try process.start()
  }

  deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  var output: String { (try? folder.read("output")) ?? "" }
  var error: String { (try? folder.read("error")) ?? "" }

  /// The page that the program asks the person to open.
  func page() async throws -> URL {
    var page: URL?
    try await eventually("no page was named") {
      page = error.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        .first { $0.hasPrefix("http://127.0.0.1") && $0.contains("?") }.flatMap { URL(string: $0) }
      return page != nil || !process.isRunning
    }
    return try #require(page, "\(error)")
  }

  /// Types a line on its standard input.
  func type(_ line: String) throws { try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8)) }

  func signal(_ number: Int32) { kill(process.processIdentifier, number) }

  /// Waits for its end.
  func status() async -> Int32? {
    for await status in end { return status }
    return nil
  }
}

/// Follows a redirect, as a browser does.
func browse(_ url: URL) async throws {
  let target = try #require(AbsoluteURL(url.absoluteString))
  let response = try await DefaultTransport.shared.send(TransportRequest(method: .get, url: target))
  _ = try await response.body.collect()
}

/// The permissions of a file or folder.
func permissions(_ path: String) throws -> Int? {
  (try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue
}

/// Runs a test with a sandbox whose app takes any port of this machine, and passwords.
func withSandbox(_ body: (Sandbox) async throws -> Void) async throws {
  var configuration = SandboxConfiguration()
  configuration.app.callbacks = ["http://127.0.0.1:*"]
  configuration.app.isEntitledToXAuth = true
  let sandbox = try await Sandbox.start(configuration)
  do { try await body(sandbox) } catch {
    await sandbox.stop()
    throw error
  }
  await sandbox.stop()
}
