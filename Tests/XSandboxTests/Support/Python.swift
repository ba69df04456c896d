import Foundation

/// Runs Python, which has OAuth implementations that owe nothing to this project.
enum Python {
  /// Whether tests that need `python3` run: it is there, or `CI` is set, where its absence is a failure.
  static let isAvailable = canRun("")
  /// Whether tests that need `oauthlib` run.
  static let hasOAuthlib = canRun("import oauthlib")
  /// Whether tests that need `authlib`, with `requests` under it, run.
  static let hasAuthlib = canRun("import authlib.integrations.requests_client")

  private static func canRun(_ program: String) -> Bool {
    Requirement.isEnforced || (try? run(program, input: Data())) != nil
  }

  struct Failure: Error {
    let output: String
  }

  /// Runs a program with `input` as its standard input, and returns its standard output.
  static func run(_ program: String, input: Data) throws -> Data {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-c", program]
    let (standardInput, output, errors) = (Pipe(), Pipe(), Pipe())
    process.standardInput = standardInput
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    // A program that hangs fails its test.
    let watchdog = Task.detached {
      try await Task.sleep(for: .seconds(120))
      process.terminate()
    }
    defer { watchdog.cancel() }
    try standardInput.fileHandleForWriting.write(contentsOf: input)
    try standardInput.fileHandleForWriting.close()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    let complaint = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(output: String(decoding: complaint, as: UTF8.self))
    }
    return text
  }
}
