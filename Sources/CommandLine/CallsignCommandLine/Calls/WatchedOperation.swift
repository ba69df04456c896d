import Callsign
import CallsignHTTP
import CallsignJSON
import CallsignSupport

/// Waits for the end of an operation, and reports its state on standard error.
struct WatchedOperation {
  private let wait: OperationWait
  private let terminal: Terminal

  init(_ wait: OperationWait, _ terminal: Terminal) {
    self.wait = wait
    self.terminal = terminal
  }

  /// The last state, if the operation succeeded.
  ///
  /// - Parameter limit: The maximum time to wait; `nil` for no limit.
  /// - Throws: ``ExitStatus`` if the operation failed, or its end is unknown.
  func end(within limit: Duration?) async throws -> Response<JSONValue> {
    let began = ContinuousClock.now
    let last = Locked("")
    do {
      let end = try await wait.end(within: limit) { show($0, began.duration(to: .now), last) }
      terminal.endProgress()
      switch end {
      case .done(let state): return state
      case .failed(let response):
        let state = String(decoding: response.body.prefix(1_000), as: UTF8.self).printable
        terminal.report("error: \(wait.name) has failed; the last state was \(state)")
        throw ExitStatus.refused
      case .unfinished:
        terminal.report("error: \(wait.name) is still running after the time that --timeout gives; \(firstResponse)")
        throw ExitStatus.temporary
      }
    } catch let error as CallError where error.isCancellation {
      terminal.endProgress()
      terminal.report("\(wait.name) goes on; \(firstResponse)")
      throw ExitStatus.interrupted
    } catch let error as CallError {
      terminal.endProgress()
      let words = OperationWait.obstacle(in: error) ?? "\(error)"
      terminal.report("error: \(wait.name) was carried out, but its state cannot be found out: \(words)")
      for reason in error.reasons(beside: "\(error)") { terminal.report("  \(reason)") }
      terminal.report("  \(firstResponse)")
      throw Self.status(of: error)
    }
  }

  /// The exit status for a failed request for the state: the call itself was neither wrong nor refused.
  private static func status(of error: CallError) -> ExitStatus {
    if OperationWait.obstacle(in: error) != nil { return .unavailable }
    return switch ExitStatus(error) {
    case .usage, .refused: .unavailable
    case let status: status
    }
  }

  /// The text that helps the user find the operation again.
  private var firstResponse: String {
    let started = wait.operation.started
    let place = started.headers[.location].map { ", at \($0.printable)" } ?? ""
    let value = started.value.isNull ? "\(started.status.code)" : started.value.description.printable
    return "the first response was \(value.prefix(1_000))\(place)"
  }

  /// Shows a state: on a terminal as a line that the next state replaces, elsewhere as a new line for each change.
  private func show(_ state: Response<JSONValue>, _ passed: Duration, _ last: Locked<String>) {
    let words = wait.words(of: state)
    if terminal.showsProgress {
      let line = "\(wait.name): \(words), after \(passed.components.seconds) s …"
      return terminal.progress(ProgressLine(done: 0, total: nil, words: line).text(width: terminal.width))
    }
    let isNew = last.withLock { last in
      defer { last = words }
      return last != words
    }
    if isNew { terminal.report("\(wait.name): \(words)") }
  }
}
