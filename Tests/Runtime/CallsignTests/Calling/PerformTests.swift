import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignJSON
import CallsignTesting
import Dispatch
import Foundation
import TestSupport
import Testing
import XCore

private actor Box {
  private(set) var number: Int?

  func set(_ number: Int?) { self.number = number }
}

@Suite("Calls with a completion", .timeLimit(.minutes(10)))
struct PerformTests {
  private let client = Client(
    auth: [],
    configuration: ClientConfiguration(
      transport: InMemoryTransport { _ in .json("7") }, retry: .never))

  @Test("On the main actor")
  func main() async {
    let value: Int? = await withCheckedContinuation { continuation in
      perform { [client] () async throws(CallError) -> Int in
        let response: Response<Int> = try await client.send(Call(endpoint()))
        return response.value
      } onMain: { result in
        MainActor.assertIsolated()
        continuation.resume(returning: try? result.get())
      }
    }
    #expect(value == 7)
  }

  @Test("On a queue, with a typed error")
  func queue() async {
    let queue = DispatchQueue(label: "test")
    let error: CallError? = await withCheckedContinuation { continuation in
      perform(on: queue) { [client] () async throws(CallError) -> Int in
        let response: Response<[Int]> = try await client.send(Call(endpoint()))
        return response.value.count
      } completion: { result in
        dispatchPrecondition(condition: .onQueue(queue))
        if case .failure(let error) = result {
          continuation.resume(returning: error)
        } else {
          continuation.resume(returning: nil)
        }
      }
    }
    guard case .decoding = error else {
      Issue.record("not .decoding")
      return
    }
  }

  @Test("On an actor; cancelled by its task")
  func cancellation() async throws {
    let time = TestTime(.lasts)
    let slow = Client(
      auth: [],
      configuration: ClientConfiguration(
        transport: InMemoryTransport { _ in .json("{}", status: .badGateway) }, time: time))
    let box = Box()
    let task = perform(on: box) { () async throws(CallError) -> Int in
      let response: Response<Int> = try await slow.send(Call(endpoint()))
      return response.value
    } completion: { box, result in
      if case .failure(.cancelled) = result { box.set(1) } else { box.set(0) }
    }
    try await eventually { time.sleeping == 1 }
    task.cancel()
    await task.value
    #expect(await box.number == 1)
  }
}
