import CallsignPostgres
import ChildProcesses
import Foundation
import TestSupport
import Testing

/// A minute of `Scripts/fleet`, with fewer processes and accounts, so that it stays able to run and its promises hold.
@Suite("The fleet", .needs(.postgres)) struct FleetTests {
  @Test(
    "Processes are killed, stopped and cut off, the database fails over, and everything is accounted for",
    .timeLimit(.minutes(10)))
  func short() async throws {
    // A file, for its processes would keep a pipe open if it ended before them.
    let folder = try TemporaryFolder()
    try folder.write("", to: "output")
    let file = try FileHandle(forWritingTo: folder.url.appendingPathComponent("output"))
    let status = try await onThread {
      let process = Process()
      process.executableURL = Program.products.appendingPathComponent("Fleet")
      process.arguments = ["50", "--processes", "6", "--accounts", "100", "--rate", "60", "--seed", "7", "--busy"]
      (process.standardOutput, process.standardError) = (file, file)
      process.standardInput = FileHandle.nullDevice
      try process.start()
      process.waitUntilExit()
      return process.terminationStatus
    }
    let output = try folder.read("output")
    #expect(status == 0, "\(output)")
    #expect(output.contains("everything is accounted for"))
  }

  @Test("The command line migrates, checks and lists, and says what is wrong") func tool() async throws {
    let server = try await Fixture.server()
    let schema = try Fixture.newSchema()
    @Sendable func run(_ arguments: String...) async throws -> (status: Int32, output: String) {
      try await onThread {
        let process = Process()
        process.executableURL = Program.products.appendingPathComponent("callsign-postgres")
        process.arguments = arguments + ["--schema", schema.description, "--database", server.socketURL]
        let output = Pipe.forChildProcess()
        (process.standardOutput, process.standardError) = (output, output)
        try process.start()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: text, as: UTF8.self))
      }
    }
    let missing = try await run("check")
    #expect(missing.status != 0)
    #expect(missing.output.contains("callsign-postgres migrate"))
    #expect(try await run("migrate").output.contains("applied 1"))
    #expect(try await run("migrate").output.contains("nothing to do"))
    #expect(try await run("check").output.contains("in order"))
    let database = try await Fixture.database(schema: schema, migrated: false)
    try await Fixture.store(database).save(.sample("ann"), for: .ann)
    let listing = try await run("tokens")
    #expect(listing.output.contains("api.example/ann"))
    #expect(!listing.output.contains("s3cr3t"))
  }
}
