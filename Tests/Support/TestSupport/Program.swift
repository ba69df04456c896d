import ChildProcesses
import Foundation

/// Programs of this machine that tests run.
package enum Program {
  /// Where a program is; `nil` when it is missing. `python3` is ``Python/interpreter``. Servers are often outside of an
  /// ordinary user's `PATH`.
  package static func path(of name: String) -> URL? { name == "python3" ? Python.interpreter : search(name) }

  fileprivate static func search(_ name: String) -> URL? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "") + ":/usr/sbin:/usr/local/bin:/opt/homebrew/bin"
    return folders.split(separator: ":").map { URL(fileURLWithPath: "\($0)/\(name)") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }

  /// The options that `Scripts/internal/test-with-sanitizer` gives its sanitizer, for programs with a separate environment.
  package static let sanitizerOptions = ProcessInfo.processInfo.environment.filter {
    ["ASAN_OPTIONS", "TSAN_OPTIONS"].contains($0.key)
  }

  /// The folder that SwiftPM builds into: the test bundle's on macOS, the test executable's on Linux.
  package static var products: URL {
    for bundle in Bundle.allBundles where bundle.bundlePath.hasSuffix(".xctest") {
      return bundle.bundleURL.deletingLastPathComponent()
    }
    return Bundle.main.bundleURL
  }
}

/// Python, which has independent implementations of OAuth, TLS and HTTP.
package enum Python {
  package struct Failure: Error {
    package let output: String
  }

  /// The interpreter that `CALLSIGN_PYTHON` names, otherwise the one of the environment that `Scripts/test` creates, otherwise
  /// `python3` in `PATH`.
  package static let interpreter: URL? = {
    if let path = ProcessInfo.processInfo.environment["CALLSIGN_PYTHON"], !path.isEmpty {
      return Program.search(path) ?? existing(URL(fileURLWithPath: path))
    }
    return existing(PackageFolder.url(".build-python/bin/python3")) ?? Program.search("python3")
  }()

  private static func existing(_ url: URL) -> URL? {
    FileManager.default.isExecutableFile(atPath: url.path) ? url : nil
  }

  /// Whether the interpreter has a module. Checked once for each module.
  package static func hasModule(_ name: String) -> Bool {
    lock.withLock {
      if let known = modules[name] { return known }
      let isThere = (try? run("import \(name)")) != nil
      modules[name] = isThere
      return isThere
    }
  }

  // Reason for `nonisolated(unsafe)`: every access holds the lock.
  private static let lock = NSLock()
  nonisolated(unsafe) private static var modules: [String: Bool] = [:]

  /// Runs a program with `input` as its standard input, which must fit a pipe's buffer unless the program reads it all,
  /// and returns its standard output. Blocks until it ends.
  ///
  /// - Throws: ``Failure`` with the standard error of a program that failed.
  @discardableResult
  package static func run(_ program: String, arguments: [String] = [], input: Data = Data()) throws -> Data {
    guard let interpreter else { throw Failure(output: "python3 is missing") }
    let process = Process()
    process.executableURL = interpreter
    process.arguments = ["-c", program] + arguments
    let complaints = FileManager.default.temporaryDirectory.appendingPathComponent("callsign-\(UUID().uuidString)")
    try Data().write(to: complaints)
    defer { try? FileManager.default.removeItem(at: complaints) }
    let (standardInput, output) = (Pipe.forChildProcess(), Pipe.forChildProcess())
    process.standardInput = standardInput
    process.standardOutput = output
    process.standardError = try FileHandle(forWritingTo: complaints)
    try process.start()
    try standardInput.fileHandleForWriting.write(contentsOf: input)
    try standardInput.fileHandleForWriting.close()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(output: String(decoding: try Data(contentsOf: complaints), as: UTF8.self))
    }
    return text
  }
}
