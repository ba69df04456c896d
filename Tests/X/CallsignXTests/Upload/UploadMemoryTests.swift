import CallsignTesting
import CallsignX
import ChildProcesses
import Foundation
import TestSupport
import Testing
import XSandbox

/// Measures how much memory an upload takes, in a separate process without the memory of other tests. `Benchmarks/bench upload`
/// does the same with 500 MB.
@Suite(.timeLimit(.minutes(10)), .needs(.plainMemory)) struct UploadMemoryTests {
  /// Beside the tests' own program or bundle.
  private static let program: URL = {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
    let tests = bundle ?? URL(fileURLWithPath: CommandLine.arguments[0])
    return tests.deletingLastPathComponent().appendingPathComponent("UploadProbe")
  }()

  #if os(Linux)
    @Test("A file of 64 MB is uploaded in less than 30 MB")
    func file() async throws {
      let files = try MediaFiles()
      defer { files.remove() }
      let size = 64 << 20
      let file = try files.write("video.mp4", MediaFiles.video(1000))
      let handle = try FileHandle(forWritingTo: file)
      try handle.truncate(atOffset: UInt64(size))
      try handle.close()

      try await withSession { (session) async throws in
        let alice = session.alice
        let address = [
          session.sandbox.url.absoluteString, session.sandbox.app.consumerKey, session.sandbox.app.consumerSecret,
          alice.accessToken, alice.accessTokenSecret,
        ].joined(separator: " ")
        let words = try await Self.output(of: ["upload", file.path], input: address + "\n")
          .split(whereSeparator: \.isWhitespace)
        try #require(words.count == 4, "\(words)")
        let (before, peak) = (try #require(Int(words[1])), try #require(Int(words[2])))
        #expect(before > 0)
        #expect(peak - before < 30 << 10, "from \(before) kB to \(peak) kB")
        let arrived = try #require(await session.sandbox.media(String(words[0])))
        #expect(arrived.size == size)
        #expect(arrived.segments > 1)
      }
    }
  #endif

  /// Runs the probe and returns its output.
  private static func output(of arguments: [String], input: String) async throws -> String {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    let (standardInput, output) = (Pipe.forChildProcess(), Pipe.forChildProcess())
    process.standardInput = standardInput
    process.standardOutput = output
    try process.start()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        // Reading blocks until the probe has ended, on a separate thread.
        Thread.detachNewThread {
          continuation.resume(
            with: Result {
              try standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
              try standardInput.fileHandleForWriting.close()
              return String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            })
        }
      }
    } onCancel: { [identifier = process.processIdentifier] in
      kill(identifier, SIGKILL)
    }
  }
}
