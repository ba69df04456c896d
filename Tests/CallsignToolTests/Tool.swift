import Foundation

/// The built `callsign`, run as a user runs it.
enum Tool {
  struct Outcome {
    var status: Int32
    var output: String
    var error: String
  }

  static func run(_ arguments: String...) throws -> Outcome { try run(arguments) }

  /// Runs to the end. What it prints must fit a pipe's buffer.
  static func run(_ arguments: [String]) throws -> Outcome {
    let process = Process()
    process.executableURL = products.appendingPathComponent("callsign")
    process.arguments = arguments
    let (output, error) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = error
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let printed = try output.fileHandleForReading.readToEnd() ?? Data()
    let complained = try error.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus, output: String(decoding: printed, as: UTF8.self),
      error: String(decoding: complained, as: UTF8.self))
  }

  /// The folder that SwiftPM builds into: the test bundle's on macOS, the test executable's on Linux.
  private static var products: URL {
    for bundle in Bundle.allBundles where bundle.bundlePath.hasSuffix(".xctest") {
      return bundle.bundleURL.deletingLastPathComponent()
    }
    return Bundle.main.bundleURL
  }
}
