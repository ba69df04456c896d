import CallsignHTTP
import CallsignSupport

/// When a whole call must be over.
struct CallDeadline: Sendable {
  let date: Date
  let time: any TimeSource

  init(_ duration: Duration, _ time: any TimeSource) {
    date = time.now().addingTimeInterval(duration.seconds)
    self.time = time
  }

  /// The time that is left; nothing or less when it is over.
  var left: Duration { Duration(bounded: date.timeIntervalSince(time.now())) }

  /// Whether a wait would end in time.
  func allows(_ wait: Duration) -> Bool { wait < left }

  /// The error of a call whose time is over before it could be sent.
  static let passed = CallError.transport(
    TransportError(.timedOut, delivery: .notSent, detail: "the call's deadline has passed"))

  /// Does work that knows no deadline, and stops waiting for it when the time is over. The work is cancelled then; it may
  /// still end well.
  ///
  /// - Parameters:
  ///   - work: The work.
  ///   - undo: Is called with a result that nobody waits for any more.
  func bound<Value: Sendable>(
    _ work: @escaping @Sendable () async -> Result<Value, CallError>,
    undo: @escaping @Sendable (Value) async -> Void = { _ in }
  ) async throws(CallError) -> Value {
    if Task.isCancelled { throw .cancelled }
    let left = left
    guard left > .zero else { throw Self.passed }
    let wait = CancellableWait<Result<Value, CallError>>()
    let task = Task {
      let result = await work()
      if !wait.end(with: result), case .success(let value) = result { await undo(value) }
    }
    // By the system's clock: a time source of a test's may let no time pass.
    let alarm = Task {
      guard (try? await Task.sleep(for: min(left, .longestWait))) != nil else { return }
      wait.end(with: .failure(Self.passed))
    }
    defer {
      alarm.cancel()
      task.cancel()
    }
    let result: Result<Value, CallError>
    do throws(CancellationError) { result = try await wait.value() } catch { throw .cancelled }
    return try result.get()
  }
}
