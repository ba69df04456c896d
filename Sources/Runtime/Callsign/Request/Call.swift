import CallsignHTTP
import CallsignJSON
import CallsignSupport

/// One call of an endpoint, with its arguments, before it is signed and sent.
///
/// Generated methods build one and hand it to ``Client``; a call of what no catalogue has is made by
/// ``init(_:_:query:body:auth:options:)``. None of the functions here throw: the first argument that cannot be sent is
/// remembered, and sending responds with ``CallError/invalidCall(_:)``. An argument that is `nil` leaves no trace in the
/// request.
///
/// A copy of a call is independent of the original, and cheap.
///
/// `@unchecked Sendable`: the storage is changed only while this value holds the one reference to it.
public struct Call: @unchecked Sendable {
  private var storage: Storage

  /// Begins a call.
  ///
  /// - Parameters:
  ///   - endpoint: The endpoint to call.
  ///   - options: The settings in which this call differs from its client.
  public init(_ endpoint: Endpoint, _ options: CallOptions = CallOptions()) {
    storage = Storage(.endpoint(endpoint), options)
  }

  /// Begins a call of what no catalogue has.
  init(_ target: Target, _ options: CallOptions) { storage = Storage(target, options) }

  /// The endpoint that is called; `nil` for an untyped call.
  public var endpoint: Endpoint? {
    guard case .endpoint(let endpoint) = storage.target else { return nil }
    return endpoint
  }

  /// For errors and logs: the endpoint's name in the catalogue, or the method and path of an untyped call.
  public var name: String { storage.target.name }

  /// The settings in which this call differs from its client.
  public var options: CallOptions {
    get { storage.options }
    set { edit { $0.options = newValue } }
  }

  /// Reads the response's records by the length before each, whatever the endpoint says.
  ///
  /// For APIs in which a parameter asks for that, such as `delimited=length`.
  public mutating func frameByLength() { edit { $0.framing = .length } }

  /// Sends the call to a page's URL, which has all of the path and the query.
  package mutating func setPageURL(_ url: AbsoluteURL) { edit { $0.pageURL = url } }

  /// The framing by which a stream's records are told apart, where the arguments change what the endpoint says.
  package var framing: StreamFraming? { storage.framing }

  /// The arguments so far, to read.
  var arguments: Storage { storage }

  /// Makes the storage this value's own, and changes it.
  mutating func edit(_ change: (Storage) -> Void) {
    if !isKnownUniquelyReferenced(&storage) { storage = Storage(copying: storage) }
    change(storage)
  }

  /// The endpoint that is called.
  enum Target {
    case endpoint(Endpoint)
    /// One that is made at run time; `nil` where its URL cannot be used.
    case untyped(String, CompiledEndpoint?)

    var name: String {
      switch self {
      case .endpoint(let endpoint): endpoint.name
      case .untyped(let name, _): name
      }
    }
  }

  /// The arguments of a call.
  final class Storage {
    let target: Target
    var options: CallOptions
    /// The framing by which a stream's records are told apart, where the arguments change what the endpoint says.
    var framing: StreamFraming?
    /// Values of the path's placeholders, encoded.
    var pathValues: [TransportRequest.PathValue] = []
    /// `name=value` pairs, encoded and joined with `&`.
    var query: [UInt8] = []
    var headers: [(name: String, value: String)] = []
    /// `name=value` pairs.
    var cookies: [String] = []
    /// `name=value` pairs of a form body, encoded and joined with `&`.
    var form: [UInt8] = []
    /// The JSON body so far: an object that is not closed yet, or nothing.
    var members = JSONWriter()
    var parts: [MultipartBody.Part] = []
    /// The whole body and its media type, where no parameters make it up.
    var wholeBody: (content: RequestBody, type: String)?
    /// The names of the parameters that were set, for the rules that count them.
    var sent: [String] = []
    /// The URL in place of the endpoint's own, where a response has named the next page by it.
    var pageURL: AbsoluteURL?
    /// The first thing that is wrong with the arguments.
    var problem: InvalidCall?

    init(_ target: Target, _ options: CallOptions) {
      self.target = target
      self.options = options
    }

    init(copying other: Storage) {
      target = other.target
      options = other.options
      framing = other.framing
      pathValues = other.pathValues
      query = other.query
      headers = other.headers
      cookies = other.cookies
      form = other.form
      members = other.members
      parts = other.parts
      wholeBody = other.wholeBody
      sent = other.sent
      pageURL = other.pageURL
      problem = other.problem
    }

    func fail(_ reason: InvalidCall.Reason, parameter: String? = nil) {
      if problem != nil { return }
      problem = InvalidCall(endpoint: target.name, parameter: parameter, reason: reason)
    }
  }
}

// Rules on which parameters go together.
extension Call {
  /// Demands that exactly one of the parameters is sent.
  public mutating func requireOne(of names: String...) {
    if count(names) != 1 { edit { $0.fail(.notExactlyOne(of: names)) } }
  }

  /// Demands that at least one of the parameters is sent.
  public mutating func requireAny(of names: String...) {
    if count(names) == 0 { edit { $0.fail(.none(of: names)) } }
  }

  /// Demands that either all of the parameters are sent or none.
  public mutating func requireAll(of names: String...) {
    let count = count(names)
    if count != 0, count != names.count { edit { $0.fail(.notAll(of: names)) } }
  }

  private func count(_ names: [String]) -> Int {
    let sent = Set(storage.sent)
    return names.count { sent.contains($0) }
  }
}
