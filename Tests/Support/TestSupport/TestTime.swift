import Callsign
import CallsignHTTP
import CallsignSupport
import Foundation

/// A clock that moves only if a test says so, and records the waits.
package final class TestTime: SteadyTimeSource {
  /// The effect of a wait.
  package enum Waiting: Sendable {
    /// It ends at once, and the clock stands still.
    case skips
    /// It ends at once, and the clock moves to the end of the wait.
    case moves
    /// It lasts until the clock is moved past its end, or until it is cancelled.
    case lasts
  }

  private struct Sleeper {
    var end: Date
    let continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var date: Date
    /// How many seconds the clock was set.
    var shift: TimeInterval = 0
    var waiting: Waiting
    var sleeps: [Duration] = []
    var sleepers: [Int: Sleeper] = [:]
    var cancelled: Set<Int> = []
  }

  private let state: Locked<State>

  package init(_ waiting: Waiting, at date: Date = Date(timeIntervalSince1970: 1_700_000_000)) {
    state = Locked(State(date: date, waiting: waiting))
  }

  package func now() -> Date { state.withLock { $0.date } }

  package func uptime() -> Duration {
    state.withLock { Duration(bounded: $0.date.timeIntervalSince1970 - $0.shift) }
  }

  /// Sets the clock, while no time passes: forwards, or backwards if the value is negative.
  package func set(by seconds: TimeInterval) {
    state.withLock { state in
      state.date += seconds
      state.shift += seconds
      for number in state.sleepers.keys { state.sleepers[number]?.end += seconds }
    }
  }

  /// All waits so far, cancelled ones included.
  package var sleeps: [Duration] { state.withLock { $0.sleeps } }

  /// How many waits are under way.
  package var sleeping: Int { state.withLock { $0.sleepers.count } }

  /// From now on, waits take time.
  package func standStill() { state.withLock { $0.waiting = .lasts } }

  /// Moves the clock forward, and wakes the waits that are over.
  package func advance(by seconds: TimeInterval) {
    let woken = state.withLock { state -> [Sleeper] in
      state.date += seconds
      let woken = state.sleepers.filter { $0.value.end <= state.date }
      for number in woken.keys { state.sleepers[number] = nil }
      return Array(woken.values)
    }
    for sleeper in woken { sleeper.continuation.resume(returning: true) }
  }

  package func sleep(for duration: Duration) async throws(CancellationError) {
    if Task.isCancelled { throw CancellationError() }
    let seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
    let (number, waiting) = state.withLock { state -> (Int, Waiting) in
      state.sleeps.append(duration)
      if state.waiting == .moves { state.date += seconds }
      return (state.sleeps.count, state.waiting)
    }
    guard waiting == .lasts, seconds > 0 else {
      await Task.yield()
      return
    }
    let isOver = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isCancelled = state.withLock { state -> Bool in
          if state.cancelled.remove(number) != nil { return true }
          state.sleepers[number] = Sleeper(end: state.date + seconds, continuation: continuation)
          return false
        }
        if isCancelled { continuation.resume(returning: false) }
      }
    } onCancel: {
      let sleeper = state.withLock { state -> Sleeper? in
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
