import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignJSON
import CallsignTesting
import Foundation
import XCore

/// A clock that stands still, and waits that end when the test says so, or at once.
///
/// `@unchecked Sendable`: `state` is touched only while `lock` is held.
final class ManualTime: TimeSource, @unchecked Sendable {
  private struct Sleeper {
    let end: Date
    let continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var date = Date(timeIntervalSince1970: 1_700_000_000)
    var sleeps: [Duration] = []
    var sleepers: [Int: Sleeper] = [:]
    var cancelled: Set<Int> = []
    var nextNumber = 0
  }

  private let lock = NSLock()
  private var state = State()
  /// Whether each wait moves the clock to its end instead of waiting for the test.
  private let isInstant: Bool

  init(isInstant: Bool) { self.isInstant = isInstant }

  func now() -> Date { lock.withLock { state.date } }

  /// All waits so far, cancelled ones included.
  var sleeps: [Duration] { lock.withLock { state.sleeps } }

  /// How many waits are under way.
  var sleeping: Int { lock.withLock { state.sleepers.count } }

  /// Moves the clock on, and wakes those whose time has come.
  func advance(by seconds: TimeInterval) {
    let woken = lock.withLock { () -> [Sleeper] in
      state.date.addTimeInterval(seconds)
      let woken = state.sleepers.filter { $0.value.end <= state.date }
      for number in woken.keys { state.sleepers[number] = nil }
      return Array(woken.values)
    }
    for sleeper in woken { sleeper.continuation.resume(returning: true) }
  }

  func sleep(for duration: Duration) async throws(CancellationError) {
    if Task.isCancelled { throw CancellationError() }
    let seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
    let number = lock.withLock { () -> Int in
      state.sleeps.append(duration)
      if isInstant { state.date.addTimeInterval(seconds) }
      state.nextNumber += 1
      return state.nextNumber
    }
    if isInstant || seconds <= 0 { return }
    let isOver = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isCancelled = lock.withLock { () -> Bool in
          if state.cancelled.remove(number) != nil { return true }
          state.sleepers[number] = Sleeper(end: state.date.addingTimeInterval(seconds), continuation: continuation)
          return false
        }
        if isCancelled { continuation.resume(returning: false) }
      }
    } onCancel: {
      let sleeper = lock.withLock { () -> Sleeper? in
        guard let sleeper = state.sleepers.removeValue(forKey: number) else {
          state.cancelled.insert(number)
          return nil
        }
        return sleeper
      }
      sleeper?.continuation.resume(returning: false)
    }
    if !isOver { throw CancellationError() }
  }
}

/// Waits until something has come about. The test's time limit ends the wait.
func until(_ isTrue: @Sendable () async -> Bool) async throws {
  while await !isTrue() { try await Task.sleep(for: .milliseconds(1)) }
}
