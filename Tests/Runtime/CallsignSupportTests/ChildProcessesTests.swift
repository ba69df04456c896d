import CallsignHTTP
import CallsignSupport
import ChildProcesses
import Foundation
import TestSupport
import Testing

@Suite("Programs that tests start") struct ChildProcessesTests {
  /// Each lists the files that it has open, while another thread makes pipes. Some 250 of them Foundation always closes.
  @Test(
    "A program has no pipe of another one", .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd")))
  func pipes() async throws {
    let isOver = Locked(false)
    async let making: Void = onThread {
      while !isOver.withLock({ $0 }) { withExtendedLifetime((0..<150).map { _ in Pipe.forChildProcess() }) {} }
    }
    let listings = Result { try (0..<40).map { _ in try Self.openFiles() } }
    isOver.withLock { $0 = true }
    try await making
    for listing in try listings.get() { #expect(listing.components(separatedBy: "pipe:").count == 2, "\(listing)") }
  }

  private static func openFiles() throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/ls")
    process.arguments = ["-l", "/proc/self/fd"]
    (process.standardInput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    let output = Pipe.forChildProcess()
    process.standardOutput = output
    try process.start()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: text, as: UTF8.self)
  }
}
