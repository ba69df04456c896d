import Callsign
import CallsignHTTP
import CallsignSupport
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
    // Long enough for a busy machine to renew in time.
    let coordinator = StreamCoordinator(database, stream: "s", lease: .seconds(12)) { event in
      if case .took = event { takes.withLock { $0 += 1 } }
    } open: {
      x.streamPostsSample10(partition: $0).reconnecting(.never)
    }
    let reading = Task { try await coordinator.run() }
    try await eventually { takes.withLock { $0 } >= 2 }
    reading.cancel()
    try await reading.value
    // Each lease has its own number.
    let leases = try await Fixture.sql("SELECT last_value FROM \(database.schema.quoted).fences")
    #expect(takes.withLock { $0 } <= Int(leases) ?? 0)
    let owned = "SELECT count(*) FROM \(database.schema.quoted).stream_partitions WHERE owner IS NOT NULL"
    #expect(try await Fixture.sql(owned) == "0")
  }

  @Test("Reading that the API refuses is started again after longer and longer pauses")
  func refusedReadings() async throws {
    let database = try await Fixture.database()
    let transport = InMemoryTransport { _ in .json("{}", status: .unauthorized) }
    let x = XAPI(auth: .bearer("token"), configuration: ClientConfiguration(transport: transport))
    let failures = Locked(0)
    let coordinator = StreamCoordinator(database, stream: "s", lease: .seconds(1)) { event in
      if case .failed = event { failures.withLock { $0 += 1 } }
    } open: {
      x.streamPostsSample10(partition: $0)
    }
    let start = ContinuousClock.now
    let reading = Task { try await coordinator.run() }
    try await eventually { failures.withLock { $0 } >= 2 }
    #expect(ContinuousClock.now - start >= .seconds(1))
    reading.cancel()
    try await reading.value
  }
}

@Suite("Partitions that cannot be read")
struct PartitionPausesTests {
  private let now = ContinuousClock.now

  /// The number of seconds for which a partition is not tried again after one more failure.
  private func fail(_ pauses: inout PartitionPauses, wasOfUse: Bool = false) -> Int? {
    pauses.failed(2, wasOfUse: wasOfUse, at: now)
    return (0...1000).first { pauses.partitions(at: now + .seconds($0)).isEmpty }
  }

  @Test("Pauses double with each consecutive failure, up to a minute, and start over after records arrive")
  func pauses() {
    var pauses = PartitionPauses(lease: .seconds(6))
    #expect(pauses.partitions(at: now) == [])
    let inRow = (1...8).map { _ in fail(&pauses) }
    #expect(inRow == [6, 12, 24, 48, 60, 60, 60, 60])
    #expect(pauses.partitions(at: now) == [2])
    let afterRecords = [fail(&pauses, wasOfUse: true), fail(&pauses)]
    #expect(afterRecords == [6, 12])
  }

  @Test("A lease that is longer than that is the pause, however many failures there are")
  func longLease() {
    var pauses = PartitionPauses(lease: .seconds(900))
    let inRow = (1...100).map { _ in fail(&pauses) }
    #expect(inRow.allSatisfy { $0 == 900 })
  }
}
