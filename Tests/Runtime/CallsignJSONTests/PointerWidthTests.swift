import ChildProcesses
import Foundation
import TestSupport
import Testing

/// Numbers of 64 bits are `Int`, so the package does not build on systems with an `Int` of 32 bits.
@Suite(.needs(.program("swiftc")))
struct PointerWidthTests {
  @Test(
    "No build for systems of 32 bits",
    arguments: [
      ("arm64_32-apple-watchos10.0", false), ("armv7-unknown-linux-gnueabihf", false), ("wasm32-unknown-wasi", false),
      ("arm64-apple-ios16.0", true), ("x86_64-unknown-linux-gnu", true),
    ])
  func targets(triple: String, isBuilt: Bool) throws {
    let file = PackageFolder.url("Sources/Runtime/CallsignJSON/Values/PointerWidth.swift")
    let process = Process()
    process.executableURL = Program.path(of: "swiftc")
    process.arguments = ["-frontend", "-typecheck", "-parse-stdlib", "-target", triple, file.path]
    let errors = Pipe.forChildProcess()
    process.standardError = errors
    try process.start()
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect((process.terminationStatus == 0) == isBuilt, "\(text)")
    #expect(isBuilt || text.contains("Callsign needs a system of 64 bits"), "\(text)")
  }
}
