import Foundation

/// Runs Python, which has OAuth implementations that owe nothing to this project.
enum Python {
  /// Whether `python3` is there and has `oauthlib`.
  static let hasOAuthlib: Bool = (try? run("import oauthlib", input: Data())) != nil

  /// Whether `python3` is there and has `authlib`, with `requests` under it.
  static let hasAuthlib: Bool =
    (try? run("import authlib.integrations.requests_client", input: Data())) != nil

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
