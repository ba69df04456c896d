import Callsign
import CallsignCatalogue
import CallsignDynamic
import CallsignHTTP
import CallsignJSON

/// Waits for the end of an operation that a call has started.
struct OperationWait: Sendable {
  /// An end of the waiting.
  enum End: Sendable {
    /// The operation has succeeded, with its last state.
    case done(Response<JSONValue>)
    /// It has failed, with the response that says so.
    case failed(RawResponse)
    /// It goes on, and was waited for as long as the limit says.
    case unfinished
  }

  let operation: LongRunningOperation<JSONValue, JSONValue>
  let name: String
  /// The dotted paths of the members by which the API says how it stands.
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

  /// Asks until the operation is over, or the time is.
  ///
  /// - Parameters:
  ///   - limit: The longest that it waits; `nil`: without end.
  ///   - progress: Is told each state.
  /// - Throws: `CallError`, of a question.
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

  /// The reason why nothing could be asked, such as a response that names no place to ask at; `nil` for other errors.
  static func obstacle(in error: any Error) -> String? {
    switch error {
    case CallError.invalidCall(let call): if case .url(let why) = call.reason { why } else { nil }
    case CallError.unexpectedContent(let content) where content.kind == .missingState: content.reason
    default: nil
    }
  }

  /// The members that say how the operation stands, or the response's status where it has none of them.
  func words(of state: Response<JSONValue>) -> String {
    let values = paths.compactMap { state.value.at($0) }.map { ($0.string ?? $0.description).printable.prefix(60) }
    return values.isEmpty ? "\(state.status.code)" : values.joined(separator: ", ")
  }
}
