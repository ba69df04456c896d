import Callsign
import CallsignCatalogue
import CallsignDynamic
import CallsignHTTP
import CallsignJSON

/// Waits for the end of an operation that a call has started, and says on standard error how it stands.
struct OperationWait {
  private let operation: LongOperation<JSONValue, JSONValue>
  private let name: String
  /// The dotted paths of the members by which the API says how it stands.
  private let paths: [String]
  private let terminal: Terminal

  init(_ operation: LongOperation<JSONValue, JSONValue>, of called: DynamicOperation, _ terminal: Terminal) {
    self.operation = operation
    self.terminal = terminal
    name = called.name
    var paths: [String] = []
    if let poll = called.endpoint.poll {
      for sign in poll.done + poll.failed where !paths.contains(sign.path) { paths.append(sign.path) }
    }
    self.paths = paths
  }

  /// The last state, when the operation has succeeded.
  ///
  /// - Parameter limit: The longest that it waits; `nil`: without end.
  /// - Throws: `CallError`, also where the operation failed; ``ExitStatus`` where it goes on and is not waited for.
  func end(within limit: Duration?) async throws -> Response<JSONValue> {
    let began = ContinuousClock.now
    let last = Locked("")
    do {
      let state = try await withThrowingTaskGroup(of: Response<JSONValue>?.self) { group in
        defer { group.cancelAll() }
        group.addTask { try await operation.result { show($0, began.duration(to: .now), last) } }
        if let limit {
          group.addTask {
            do { try await Task.sleep(for: limit) } catch { throw CallError.cancelled }
            return nil
          }
        }
        return try await group.next() ?? nil
      }
      terminal.endProgress()
      if let state { return state }
      terminal.report("error: \(name) goes on, and was waited for as long as --timeout says; \(firstAnswer)")
      throw ExitStatus.temporary
    } catch let error as CallError where error.isCancellation {
      terminal.endProgress()
      terminal.report("\(name) goes on; \(firstAnswer)")
      throw ExitStatus.interrupted
    } catch CallError.api(let error) where (200..<300).contains(error.rawResponse.status.code) {
      terminal.endProgress()
      let state = String(decoding: error.rawResponse.body.prefix(1_000), as: UTF8.self).printable
      terminal.report("error: \(name) has failed; the last state was \(state)")
      throw ExitStatus.refused
    }
  }

  /// By which somebody finds the operation again.
  private var firstAnswer: String {
    let started = operation.started
    let place = started.headers[.location].map { ", at \($0.printable)" } ?? ""
    let value = started.value.isNull ? "\(started.status.code)" : started.value.description.printable
    return "the first answer was \(value.prefix(1_000))\(place)"
  }

  /// Shows a state: on a terminal as a line that the next one replaces, elsewhere in a line where it is another.
  private func show(_ state: Response<JSONValue>, _ passed: Duration, _ last: Locked<String>) {
    let values = paths.compactMap { state.value.at($0) }.map { ($0.string ?? $0.description).printable.prefix(60) }
    let words = values.isEmpty ? "\(state.status.code)" : values.joined(separator: ", ")
    if terminal.showsProgress {
      let line = "\(name): \(words), after \(passed.components.seconds) s …"
      return terminal.progress(ProgressLine(done: 0, total: nil, words: line).text(width: terminal.width))
    }
    let isNew = last.withLock { last in
      defer { last = words }
      return last != words
    }
    if isNew { terminal.report("\(name): \(words)") }
  }
}
