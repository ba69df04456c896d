import CallsignHTTP
import CallsignJSON
import Foundation

/// One call of an endpoint, with its arguments, before it is signed and sent.
///
/// Generated methods build one and hand it to ``Client``. None of the functions here throw: the first argument
/// that cannot be sent is remembered, and sending answers with ``CallError/invalidCall(_:)``. An argument that is `nil`
/// leaves no trace in the request.
///
/// A copy of a call is independent of the original, and cheap.
///
/// `@unchecked Sendable`: the storage is changed only while this value holds the one reference to it.
public struct Call: @unchecked Sendable {
  private var storage: CallStorage

  /// Begins a call.
  ///
  /// - Parameters:
  ///   - endpoint: What to call.
  ///   - options: What this call does differently from its client.
  public init(_ endpoint: Endpoint, _ options: CallOptions = CallOptions()) {
    storage = CallStorage(endpoint: endpoint, options: options)
  }

  /// What is called.
  public var endpoint: Endpoint { storage.endpoint }

  /// What this call does differently from its client.
  public var options: CallOptions {
    get { storage.options }
    set { edit { $0.options = newValue } }
  }

  /// Has the answer's records told apart by the length before each, whatever the endpoint says.
  ///
  /// For APIs in which a parameter asks for that, such as `delimited=length` of X's REST v1.1.
  public mutating func frameByLength() { edit { $0.framing = .length } }

  /// The arguments so far, to read.
  var arguments: CallStorage { storage }

  /// Makes the storage this value's own, and changes it.
  mutating func edit(_ change: (CallStorage) -> Void) {
    if !isKnownUniquelyReferenced(&storage) { storage = CallStorage(copying: storage) }
    change(storage)
  }
}

/// The arguments of a ``Call``.
final class CallStorage {
  let endpoint: Endpoint
  var options: CallOptions
  /// How a stream's records are told apart, where the arguments change what the endpoint says.
  var framing: StreamFraming?
  /// Values of the path's placeholders, encoded.
  var pathValues: [(name: StaticString, encoded: String)] = []
  /// `name=value` pairs, encoded and joined with `&`.
  var query: [UInt8] = []
  var headers: [(name: String, value: String)] = []
  /// `name=value` pairs of a form body, encoded and joined with `&`.
  var form: [UInt8] = []
  /// The JSON body so far: an object that is not closed yet, or nothing.
  var members = JSONWriter()
  var parts: [MultipartBody.Part] = []
  var wholeBody: WholeBody?
  /// The names of the parameters that were set, for the rules that count them.
  var sent: [StaticString] = []
  /// The first thing that is wrong with the arguments.
  var problem: InvalidCall?

  enum WholeBody {
    case json(Data)
    case raw(RequestBody, contentType: String)
  }

  init(endpoint: Endpoint, options: CallOptions) {
    self.endpoint = endpoint
    self.options = options
  }

  init(copying other: CallStorage) {
    endpoint = other.endpoint
    options = other.options
    framing = other.framing
    pathValues = other.pathValues
    query = other.query
    headers = other.headers
    form = other.form
    members = other.members
    parts = other.parts
    wholeBody = other.wholeBody
    sent = other.sent
    problem = other.problem
  }

  func fail(_ reason: InvalidCall.Reason, parameter: StaticString? = nil) {
    guard problem == nil else { return }
    problem = InvalidCall(endpoint: endpoint.name.description, parameter: parameter?.description, reason: reason)
  }
}
