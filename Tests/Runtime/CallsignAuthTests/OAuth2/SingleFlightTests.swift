import CallsignSupport
import Foundation
import Testing

@testable import Callsign
@testable import CallsignAuth
@testable import CallsignHTTP
@testable import XCore

@Suite struct SingleFlightTests {
  @Test("The work is done once for all callers that wait, and again afterwards") func oneForAllAndAnewAfterwards()
    async throws
  {
    let flight = SingleFlight<Int>()
    let runs = Guarded(0)
    for round in 1...20 {
      let (goOn, letGoOn) = AsyncStream.makeStream(of: Void.self)
      let values = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<50 {
          group.addTask {
            try await flight.value {
              for await _ in goOn { break }
              return runs.with { runs in
                runs += 1
                return runs
              }
            }
          }
        }
        // All have asked when the work ends, or ask again and do not wait.
        for _ in 0..<200 { await Task.yield() }
        letGoOn.finish()
        return try await group.reduce(into: [Int]()) { $0.append($1) }
      }
      #expect(values.count == 50)
      #expect(runs.with { $0 } >= round)
    }
    #expect(runs.with { $0 } < 20 * 50 / 2)
  }

  @Test("Cancellation leaves the others waiting") func cancellationLeavesTheOthersWaiting() async throws {
    let flight = SingleFlight<String>()
    let (goOn, letGoOn) = AsyncStream.makeStream(of: Void.self)
    let work: @Sendable () async -> String = {
      for await _ in goOn { break }
      return Task.isCancelled ? "cancelled" : "done"
    }
    let first = Task { try await flight.value(of: work) }
    let second = Task { try await flight.value(of: work) }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    letGoOn.finish()
    #expect(try await second.value == "done")
    let early = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await flight.value(of: work)
    }
    await #expect(throws: CancellationError.self) { try await early.value }
  }
}

@Suite struct KeyedAsyncLockTests {
  @Test("A caller that times out does not get the key, and delays nobody") func timeLimit() async throws {
    let lock = KeyedAsyncLock<String>()
    try await lock.wait(for: "key")
    #expect(try await !lock.wait(for: "key", since: .now, timeLimit: .milliseconds(10)))
    let patient = Task { try await lock.wait(for: "key", since: .now, timeLimit: .seconds(600)) }
    lock.finish("key")
    #expect(try await patient.value)
    lock.finish("key")
    #expect(try await lock.wait(for: "key", since: .now, timeLimit: .zero))
    lock.finish("key")
  }
}
