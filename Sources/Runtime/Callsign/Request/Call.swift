import CallsignHTTP
import CallsignJSON
import CallsignSupport

/// One call of an endpoint, with its arguments, before it is signed and sent.
///
/// Generated methods create one and pass it to ``Client``; for an endpoint that no catalogue has, use
/// ``init(_:_:query:body:auth:options:)``. None of the functions here throw. The first argument that cannot be sent is
/// remembered, and sending the call then fails with ``CallError/invalidCall(_:)``. An argument that is `nil` does not
/// appear in the request.
///
/// A copy of a call is independent of the original, and cheap.
///
/// `@unchecked Sendable`: the storage changes only while this value holds the only reference to it.
public struct Call: @unchecked Sendable {
  private var storage: Storage

  /// Begins a call.
  ///
  /// - Parameters:
  ///   - endpoint: The endpoint to call.
  ///   - options: The settings for this call that differ from its client's.
  public init(_ endpoint: Endpoint, _ options: CallOptions = CallOptions()) {
    storage = Storage(.endpoint(endpoint), options)
  }

  /// Begins a call to an endpoint that no catalogue has.
  init(_ target: Target, _ options: CallOptions) { storage = Storage(target, options) }

  /// The endpoint that is called; `nil` for an untyped call.
  public var endpoint: Endpoint? {
    guard case .endpoint(let endpoint) = storage.target else { return nil }
    return endpoint
  }

  /// For errors and logs: the endpoint's name in the catalogue, or the method and path of an untyped call.
  public var name: String { storage.target.name }

  /// The settings for this call that differ from its client's.
  public var options: CallOptions {
    get { storage.options }
    set { edit { $0.options = newValue } }
  }

  /// Reads the response's records by the length before each of them, whatever the endpoint says.
  ///
  /// For APIs that have a parameter for this, such as `delimited=length`.
  public mutating func frameByLength() { edit { $0.framing = .length } }

  /// Sends the call to a page's URL, which contains the whole path and query.
  package mutating func setPageURL(_ url: AbsoluteURL) { edit { $0.pageURL = url } }

  /// The framing of a stream's records, if the arguments change that of the endpoint.
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
    /// An endpoint that was created at run time; `nil` if its URL cannot be used.
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
    /// The framing of a stream's records, if the arguments change that of the endpoint.
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
    /// The whole body and its media type, if it is not made up of parameters.
    var wholeBody: (content: RequestBody, type: String)?
    /// The names of the parameters that were set, for the rules that count them.
    var sent: [String] = []
    /// The URL to use instead of the endpoint's own, if a response has given it for the next page.
    var pageURL: AbsoluteURL?
    /// The first problem with the arguments.
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

// Rules for parameters that belong together.
extension Call {
  /// Requires that exactly one of the parameters is sent.
  public mutating func requireOne(of names: String...) {
    if count(names) != 1 { edit { $0.fail(.notExactlyOne(of: names)) } }
  }

  /// Requires that at least one of the parameters is sent.
  public mutating func requireAny(of names: String...) {
    if count(names) == 0 { edit { $0.fail(.none(of: names)) } }
  }

  /// Requires that either all of the parameters are sent or none.
  public mutating func requireAll(of names: String...) {
    let count = count(names)
    if count != 0, count != names.count { edit { $0.fail(.notAll(of: names)) } }
  }

  private func count(_ names: [String]) -> Int {
    let sent = Set(storage.sent)
    return names.count { sent.contains($0) }
  }
}
