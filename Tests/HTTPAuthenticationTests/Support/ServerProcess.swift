import Foundation
import TestSupport

/// A server that runs as a process of its own for one test.
///
/// `@unchecked Sendable`: nothing changes after `init`, and the process is only ended.
final class ServerProcess: @unchecked Sendable {
  enum Failure: Error { case missing(String), didNotStart(String), toolFailed(String) }

  let port: Int
  private let process: Process
  private let input: Pipe
  private let folder: URL?

  /// Starts a program that prints its port in its first line, on a thread of its own, since that blocks.
  static func start(
    _ program: String, _ arguments: [String], in folder: URL? = nil
  ) async throws -> ServerProcess {
    try await onThread {
      let process = try make(program, arguments, in: folder)
      let (input, output) = (Pipe(), Pipe())
      process.standardInput = input
      process.standardOutput = output
      try process.run()
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

  /// Starts a program that listens on a port which it is told in its configuration, and waits until somebody does.
  static func start(
    _ program: String, _ arguments: [String], in folder: URL, configure: @escaping @Sendable (Int) throws -> Void
  ) async throws -> ServerProcess {
    try await onThread {
      var lastWords = ""
      // Another process may take the port between the choice and the use of it.
      for _ in 0..<5 {
        let port = try LoopbackPort.unused()
        try configure(port)
        let process = try make(program, arguments, in: folder)
        let input = Pipe()
        process.standardInput = input
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        let server = ServerProcess(port: port, process: process, input: input, folder: folder)
        for _ in 0..<500 where process.isRunning {
          if LoopbackPort.isListening(port) { return server }
          usleep(20_000)
        }
        lastWords = (try? String(contentsOf: folder.appendingPathComponent("error.log"), encoding: .utf8)) ?? ""
      }
      throw Failure.didNotStart(lastWords)
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

  var url: String { "http://127.0.0.1:\(port)" }

  /// Runs a program to its end and gives back what it printed.
  @discardableResult static func run(
    _ program: String, _ arguments: [String], in folder: URL? = nil
  ) async throws -> String {
    try await onThread {
      let process = try make(program, arguments, in: folder)
      let output = Pipe()
      process.standardOutput = output
      process.standardError = FileHandle.nullDevice
      try process.run()
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      guard process.terminationStatus == 0 else { throw Failure.toolFailed("\(program) \(arguments)") }
      return text
    }
  }

  /// A folder for one server's files, which may be read by a worker of another user.
  static func makeFolder() throws -> URL {
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

  private static func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
    }
  }
}
