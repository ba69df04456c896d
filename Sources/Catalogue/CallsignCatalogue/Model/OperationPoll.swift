/// How to ask for the state of an operation that continues after the response to its call.
public struct OperationPoll: Sendable, Equatable {
  /// Where to find the state.
  public enum Place: Sendable, Equatable {
    /// Another endpoint returns it.
    case endpoint(String)
    /// At the URL in a header field of the first response.
    case header(String)
    /// At the URL in the first response, at a dotted path.
    case url(String)
  }

  /// Where to find the state.
  public var place: Place
  /// The arguments of the endpoints that ask and cancel: parameter names, and dotted paths in the first response. All other
  /// arguments are those of the first call.
  public var arguments: [Constant]
  /// The type of a state at a URL; `nil` means the type of the first response.
  public var state: TypeReference?
  /// The time between two requests if the response does not say, in milliseconds. Default: 2,000.
  public var interval: Int
  /// The members of a state that mean success. If empty, every response other than 202 means success.
  public var done: [FailureSign]
  /// The members of a state that mean failure.
  public var failed: [FailureSign]
  /// The endpoint that cancels the operation.
  public var cancel: String?

  /// Creates a value from its properties.
  public init(
    place: Place, arguments: [Constant] = [], state: TypeReference? = nil, interval: Int = 2_000,
    done: [FailureSign] = [], failed: [FailureSign] = [], cancel: String? = nil
  ) {
    self.place = place
    self.arguments = arguments
    self.state = state
    self.interval = interval
    self.done = done
    self.failed = failed
    self.cancel = cancel
  }

  /// The endpoints that polling calls.
  public var endpoints: [String] {
    if case .endpoint(let name) = place { [name] + [cancel].compactMap(\.self) } else { [cancel].compactMap(\.self) }
  }

  /// The name of the generated method: `startExport` gets `startExportOperation`.
  package static func methodName(_ method: String) -> String { method + "Operation" }
}
