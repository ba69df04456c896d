import ArgumentParser
import ChildProcesses
import Foundation
import TestSupport

@testable import CallsignTool

extension ParsableCommand {
  /// Runs the command within the test.
  mutating func runInTest() throws {
    if let command = self as? any BlockingCommand { try command.work() } else { try run() }
  }
}

/// The built `callsign`, run as a user runs it.
enum Tool {
  struct Outcome {
    var status: Int32
    var output: String
    var error: String
  }

  static func run(_ arguments: String...) throws -> Outcome { try run(arguments) }

  /// Runs to the end. The output must fit into a pipe's buffer.
  ///
  /// - Parameters:
  ///   - input: The text for standard input; by default nothing.
  ///   - environment: Variables besides those of this process.
  ///   - folder: The current folder; by default that of this process.
  static func run(
    _ arguments: [String], input: String? = nil, environment: [String: String] = [:], in folder: URL? = nil
  ) throws -> Outcome {
    let process = Process()
    process.executableURL = Program.products.appendingPathComponent("callsign")
    process.arguments = arguments
    if let folder { process.currentDirectoryURL = folder }
    let (output, error) = (Pipe.forChildProcess(), Pipe.forChildProcess())
    process.standardOutput = output
    process.standardError = error
    process.standardInput = FileHandle.nullDevice
    // Tests must not use a person's own cache.
    process.environment = ProcessInfo.processInfo.environment.merging(["CALLSIGN_NO_CACHE": "1"]) { $1 }
      .merging(environment) { $1 }
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("callsign-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    if let input {
      try Data(input.utf8).write(to: file)
      process.standardInput = try FileHandle(forReadingFrom: file)
    }
    try process.start()
    let printed = try output.fileHandleForReading.readToEnd() ?? Data()
    let complained = try error.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus, output: String(decoding: printed, as: UTF8.self),
      error: String(decoding: complained, as: UTF8.self))
  }

}
