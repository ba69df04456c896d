import CallsignPostgres
import Foundation
import TestSupport
import Testing

/// A minute of `Scripts/fleet`, with fewer processes and accounts, so that it stays able to run and its promises hold.
@Suite("The fleet", .needs(.postgres)) struct FleetTests {
  @Test(
    "Processes are killed, stopped and cut off, the database fails over, and everything is accounted for",
    .timeLimit(.minutes(10)))
  func short() async throws {
    let (status, output) = try await onThread {
      let process = Process()
      process.executableURL = Program.products.appendingPathComponent("Fleet")
      process.arguments = ["50", "--processes", "6", "--accounts", "100", "--rate", "60", "--seed", "7", "--busy"]
      let output = Pipe()
      (process.standardOutput, process.standardError) = (output, output)
      process.standardInput = FileHandle.nullDevice
      try process.run()
      let text = output.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      return (process.terminationStatus, String(decoding: text, as: UTF8.self))
    }
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
        let output = Pipe()
        (process.standardOutput, process.standardError) = (output, output)
        try process.run()
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
