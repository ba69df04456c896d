import Callsign
import CallsignCatalogue
import CallsignDynamic
import CallsignHTTP
import CallsignJSON
import CallsignSupport

/// The argument with which an assistant says how long to wait for an operation that continues after its response.
struct WaitArgument: Sendable {
  /// The argument's name: `wait_seconds`, with `_` appended if the operation has a parameter with that name.
  let name: String
  /// The default wait in seconds. It is below the minute after which many clients give up on a request.
  private static let standard = 45
  /// The maximum wait in seconds.
  private static let limit = 3_600

  /// - Returns: `nil` if the operation ends with its response.
  init?(of endpoint: CallsignCatalogue.Endpoint) {
    guard endpoint.poll != nil else { return nil }
    var name = "wait_seconds"
    while endpoint.parameters.contains(where: { $0.name == name }) { name += "_" }
    self.name = name
  }

  var schema: JSONValue {
    [
      "type": "integer", "minimum": 0, "maximum": .integer(Self.limit), "default": .integer(Self.standard),
      "description": """
      The longest to wait for the operation's end, in seconds. 0: gives back the first response at once. It is not sent.
      """,
    ]
  }

  /// Removes the seconds to wait from the arguments and returns them.
  ///
  /// - Throws: `CommandLineError` if the value is not a valid number.
  func take(from arguments: inout [String: JSONValue]) throws(CommandLineError) -> Int {
    guard let given = arguments.removeValue(forKey: name) else { return Self.standard }
    guard let seconds = given.int, (0...Self.limit).contains(seconds) else {
      throw CommandLineError("\(name): must be a whole number from 0 to \(Self.limit)")
    }
    return seconds
  }
}

// Operations that continue after their response.
extension OperationTools {
  /// Waits until a started operation ends.
  ///
  /// - Parameter progress: Called with a description of each state.
  func outcome(
    of wait: OperationWait, _ operation: DynamicOperation, within limit: Duration,
    _ progress: @escaping @Sendable (String) -> Void
  ) async -> Outcome {
    let last = Locked<Response<JSONValue>?>(nil)
    do {
      let end = try await wait.end(within: limit) { state in
        last.withLock { $0 = state }
        progress("\(wait.name): \(wait.words(of: state))")
      }
      switch end {
      case .done(let state): return Outcome(text: text(of: state.value, state.rawResponse))
      case .failed(let response):
        let state = (try? JSONValue(jsonData: response.body)) ?? .null
        return Outcome(
          text: "\(wait.name) has failed; the last state was \(text(of: state, response))", isError: true)
      case .unfinished:
        let state =
          last.withLock { $0 }.map { "\nThe last state was \(hidingSecrets($0.value, $0.rawResponse))" } ?? ""
        let text = "\(wait.name) is still running after the requested wait. Do not start it again.\n"
        return Outcome(text: text + start(wait, operation) + state)
      }
    } catch {
      // The operation must not be started again because asking for its state failed.
      let failure = (error as? CallError).map { Self.failure($0) } ?? Outcome(text: "\(error)", isError: true)
      let obstacle = OperationWait.obstacle(in: error)
      let text = obstacle.map { "The state of \(wait.name) cannot be found out: \($0)." } ?? failure.text
      return Outcome(
        text: text + "\n\(wait.name) was carried out, and may still be running. " + start(wait, operation),
        isError: true)
    }
  }

  /// The first response, and the name of the operation that returns the state.
  private func start(_ wait: OperationWait, _ operation: DynamicOperation) -> String {
    let started = wait.operation.started
    let place = started.headers[.location].map {
      ", at \(redaction.url(started.rawResponse.secrets?.removed(from: $0) ?? $0))"
    }
    return "The first response was \(text(of: started.value, started.rawResponse))\(place ?? "")" + asking(operation)
  }
}
