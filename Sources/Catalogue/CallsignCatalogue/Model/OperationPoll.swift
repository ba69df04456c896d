/// The rules for asking for the state of an operation that goes on after its call got a response.
public struct OperationPoll: Sendable, Equatable {
  /// A place of the state.
  public enum Place: Sendable, Equatable {
    /// By another endpoint.
    case endpoint(String)
    /// At the URL that a header field of the first response has.
    case header(String)
    /// At the URL that the first response has at a dotted path.
    case url(String)
  }

  /// The place of the state.
  public var place: Place
  /// Arguments of the endpoints that ask and cancel: names of parameters, and dotted paths in the first response. Others
  /// are those of the first call.
  public var arguments: [Constant]
  /// The type of a state, where it is at a URL; `nil`: as the first response's.
  public var state: TypeReference?
  /// The wait between two questions where the response does not say, in milliseconds. Default: 2,000.
  public var interval: Int
  /// The members of a state that say that the operation has succeeded; empty: every response but 202 does.
  public var done: [FailureSign]
  /// The members that say that it has failed.
  public var failed: [FailureSign]
  /// The endpoint that cancels the operation.
  public var cancel: String?

  /// Describes it; see the properties.
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

  /// The endpoints that it calls.
  public var endpoints: [String] {
    if case .endpoint(let name) = place { [name] + [cancel].compactMap(\.self) } else { [cancel].compactMap(\.self) }
  }

  /// The name of the generated method: `startExport` has `startExportOperation`.
  package static func methodName(_ method: String) -> String { method + "Operation" }
}
