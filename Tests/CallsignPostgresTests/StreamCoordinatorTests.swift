import Callsign
import CallsignHTTP
import CallsignX
import Foundation
import TestSupport
import Testing

@testable import CallsignPostgres

@Suite("The leases of a stream's partitions", .needs(.postgres), .timeLimit(.minutes(5)))
struct StreamCoordinatorTests {
  @Test("A reading that has ended by itself is given back, and nothing is read under its lease again")
  func endedReadings() async throws {
    let database = try await Fixture.database()
    let x = XAPI(
      auth: .bearer("token"),
      configuration: ClientConfiguration(transport: InMemoryTransport { _ in TransportResponse() }))
    let takes = Locked(0)
    // Long enough to be renewed in time by a machine that is busy.
    let coordinator = StreamCoordinator(database, stream: "s", lease: .seconds(12)) { event in
      if case .took = event { takes.withLock { $0 += 1 } }
    } open: {
      x.streamPostsSample10(partition: $0).reconnecting(.never)
    }
    let reading = Task { try await coordinator.run() }
    try await eventually { takes.withLock { $0 } >= 2 }
    reading.cancel()
    try await reading.value
    // Each lease has a number of its own.
    let leases = try await Fixture.sql("SELECT last_value FROM \(database.schema.quoted).fences")
    #expect(takes.withLock { $0 } <= Int(leases) ?? 0)
    let owned = "SELECT count(*) FROM \(database.schema.quoted).stream_partitions WHERE owner IS NOT NULL"
    #expect(try await Fixture.sql(owned) == "0")
  }
}
