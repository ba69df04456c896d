import Callsign
import CallsignCatalogue
import CallsignDynamic
import CallsignHTTP
import CallsignJSON

/// Waits for the end of an operation that a call has started.
struct OperationWait: Sendable {
  /// How the wait ended.
  enum End: Sendable {
    /// The operation succeeded, with its last state.
    case done(Response<JSONValue>)
    /// The operation failed, with the response that reports it.
    case failed(RawResponse)
    /// The operation continues, but the time limit was reached.
    case unfinished
  }

  let operation: LongRunningOperation<JSONValue, JSONValue>
  let name: String
  /// The dotted paths of the members that describe the state.
  private let paths: [String]

  init(_ operation: LongRunningOperation<JSONValue, JSONValue>, of called: DynamicOperation) {
    self.operation = operation
    name = called.name
    var paths: [String] = []
    if let poll = called.endpoint.poll {
      for sign in poll.done + poll.failed where !paths.contains(sign.path) { paths.append(sign.path) }
    }
    self.paths = paths
  }

  /// Polls until the operation is over or the time limit is reached.
  ///
  /// - Parameters:
  ///   - limit: The maximum time to wait; `nil` for no limit.
  ///   - progress: Called with each state.
  /// - Throws: `CallError` from a request for the state.
  func end(
    within limit: Duration?, _ progress: @escaping @Sendable (Response<JSONValue>) -> Void
  ) async throws -> End {
    do {
      return try await withThrowingTaskGroup(of: End.self) { group in
        defer { group.cancelAll() }
        group.addTask { .done(try await operation.result(progress)) }
        if let limit {
          group.addTask {
            do { try await Task.sleep(for: min(limit, .longestWait)) } catch { throw CallError.cancelled }
            return .unfinished
          }
        }
        return try await group.next() ?? .unfinished
      }
    } catch CallError.api(let error) where (200..<300).contains(error.rawResponse.status.code) {
      return .failed(error.rawResponse)
    }
  }

  /// The reason why the state could not be requested, for example because the response contains no URL for it; `nil` for other
  /// errors.
  static func obstacle(in error: any Error) -> String? {
    switch error {
    case CallError.invalidCall(let call): if case .url(let why) = call.reason { why } else { nil }
    case CallError.unexpectedContent(let content) where content.kind == .missingState: content.reason
    default: nil
    }
  }

  /// The members that describe the state, or the response's status if it has none of them.
  func words(of state: Response<JSONValue>) -> String {
    let values = paths.compactMap { state.value.at($0) }.map { ($0.string ?? $0.description).printable.prefix(60) }
    return values.isEmpty ? "\(state.status.code)" : values.joined(separator: ", ")
  }
}
