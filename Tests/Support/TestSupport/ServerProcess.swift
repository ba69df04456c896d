import ChildProcesses
import Foundation

/// A server that runs in a separate process for one test.
///
/// `@unchecked Sendable`: nothing changes after `init`, and the process is only ended.
package final class ServerProcess: @unchecked Sendable {
  package enum Failure: Error { case missing(String), didNotStart(String), toolFailed(String) }

  package let port: Int
  private let process: Process
  private let input: Pipe
  private let folder: URL?

  /// Starts a program that prints its port in its first line. It should end when its standard input does, so that it
  /// cannot outlive the tests.
  package static func start(
    _ program: String, _ arguments: [String], in folder: URL? = nil
  ) async throws -> ServerProcess {
    try await onThread {
      let process = try make(program, arguments, in: folder)
      let (input, output) = (Pipe.forChildProcess(), Pipe.forChildProcess())
      process.standardInput = input
      process.standardOutput = output
      try process.start()
      var line = Data()
      while !line.contains(UInt8(ascii: "\n")) {
        let more = output.fileHandleForReading.availableData
        guard !more.isEmpty else { break }
        line += more
      }
      let text = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
      guard let port = Int(text) else {
        kill(process.processIdentifier, SIGKILL)
        throw Failure.didNotStart(text)
      }
      return ServerProcess(port: port, process: process, input: input, folder: folder)
    }
  }

  /// Starts a program that listens on a port from its configuration, and waits until it does: the program writes its number into
  /// `pid` once it has the port.
  package static func start(
    _ program: String, _ arguments: [String], in folder: URL, configure: @escaping @Sendable (Int) throws -> Void
  ) async throws -> ServerProcess {
    try await onThread {
      let pid = folder.appendingPathComponent("pid")
      // Another process may take the port between the choice and the use of it; then the program ends.
      for _ in 0..<5 {
        let port = try ScriptedServer.unusedPort()
        try configure(port)
        try? FileManager.default.removeItem(at: pid)
        let process = try make(program, arguments, in: folder)
        let input = Pipe.forChildProcess()
        process.standardInput = input
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.start()
        let end = ContinuousClock.now + .seconds(60)
        while process.isRunning, ContinuousClock.now < end {
          let text = (try? String(contentsOf: pid, encoding: .utf8)) ?? ""
          if Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)) != nil {
            return ServerProcess(port: port, process: process, input: input, folder: folder)
          }
          usleep(10_000)
        }
        kill(process.processIdentifier, SIGKILL)
      }
      let log = try? String(contentsOf: folder.appendingPathComponent("error.log"), encoding: .utf8)
      throw Failure.didNotStart("\(program): \(log ?? "")")
    }
  }

  private init(port: Int, process: Process, input: Pipe, folder: URL?) {
    self.port = port
    self.process = process
    self.input = input
    self.folder = folder
  }

  deinit {
    // A child inherits the blocked signals of the thread that starts it, so nothing less is sure to arrive.
    kill(process.processIdentifier, SIGKILL)
    if let folder { try? FileManager.default.removeItem(at: folder) }
  }

  package var url: String { "http://127.0.0.1:\(port)" }

  /// The number of the process.
  package var identifier: Int32 { process.processIdentifier }

  /// Runs a program to its end and returns its output.
  @discardableResult package static func run(
    _ program: String, _ arguments: [String], in folder: URL? = nil
  ) async throws -> String {
    try await onThread {
      let process = try make(program, arguments, in: folder)
      let output = Pipe.forChildProcess()
      process.standardOutput = output
      process.standardError = FileHandle.nullDevice
      try process.start()
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      guard process.terminationStatus == 0 else { throw Failure.toolFailed("\(program) \(arguments)") }
      return text
    }
  }

  /// A folder for one server's files, which may be read by a worker of another user.
  package static func makeFolder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("callsign-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    return folder
  }

  private static func make(_ program: String, _ arguments: [String], in folder: URL?) throws -> Process {
    guard let path = Program.path(of: program) else { throw Failure.missing(program) }
    let process = Process()
    process.executableURL = path
    process.arguments = arguments
    if let folder { process.currentDirectoryURL = folder }
    return process
  }
}
