import CallsignHTTP
import CallsignJSON
import CallsignSupport
import HTTPTypes

/// An endpoint taken apart once for all calls of it: the method, the URL's parts and the accepted credentials are read.
final class CompiledEndpoint: Sendable {
  /// For errors and logs: the endpoint's name, or the method and path of an untyped call.
  let name: String
  /// The endpoint's name for limits: the same for all its calls, whatever ids an untyped call has in its path.
  let limitName: String
  let method: HTTPRequest.Method
  /// Scheme, host and port.
  let origin: AbsoluteURL
  /// Whether the called API's catalogue names the host of ``origin``.
  let isNamedByCatalogue: Bool
  /// Whether the catalogue has a placeholder for the server (RFC 2606 §2), since the API's document names none.
  let lacksServer: Bool
  /// The kinds of credentials to send, any one of them; if this is empty, any that the client has. `nil`: send none.
  let credentials: [AuthRequirement]?
  let isRepeatable: Bool
  /// Whether the call is made for its effect, not for its response. A POST that may be repeated counts as a read.
  var changesSomething: Bool {
    if method.isSafe { return false }
    return method == .post ? !isRepeatable || details.idempotencyKey != nil : true
  }
  /// Whether a call that has been sent must never count as undone.
  var mayChangeSomething: Bool { !method.isSafe && (!isRepeatable || changesSomething) }
  let body: Endpoint.Body
  let details: EndpointDetails
  private let path: Template
  private let query: Template?

  /// Takes an endpoint apart.
  ///
  /// - Parameters:
  ///   - url: The absolute URL, with `{placeholders}` in path and query if it has some. Characters that no URL has are
  ///     percent-encoded here.
  init(
    name: String, method: HTTPRequest.Method, url: AbsoluteURL, isNamedByCatalogue: Bool,
    credentials: [AuthRequirement]?, isRepeatable: Bool, body: Endpoint.Body = .none,
    details: EndpointDetails = .none, hasPlaceholders: Bool = true
  ) {
    self.name = name
    limitName = UntypedShape.name(name)
    self.method = method
    self.isNamedByCatalogue = isNamedByCatalogue
    lacksServer = isNamedByCatalogue && url.host.hasSuffix(".invalid")
    self.credentials = credentials
    self.isRepeatable = isRepeatable
    self.body = body
    self.details = details
    path = Template(url.path.isEmpty ? "/" : url.path, hasPlaceholders)
    query = url.query.map { Template($0, hasPlaceholders) }
    var origin = url
    (origin.path, origin.query) = ("", nil)
    self.origin = origin
  }

  /// Takes an endpoint of a catalogue apart.
  ///
  /// - Parameters:
  ///   - url: The absolute URL, with values in the place of its host's variables.
  ///   - auth: The accepted credentials, separated by `|`.
  convenience init(
    name: String, method: String, url: String, auth: String, isRepeatable: Bool, body: Endpoint.Body,
    details: EndpointDetails
  ) throws(InvalidCall) {
    guard let httpMethod = HTTPRequest.Method(method) else {
      throw InvalidCall(endpoint: name, reason: .url("`\(method.printable)` is not an HTTP method"))
    }
    self.init(
      name: name, method: httpMethod, url: try AbsoluteURL(checking: url, endpoint: name), isNamedByCatalogue: true,
      credentials: AuthRequirement.alternatives(auth), isRepeatable: isRepeatable, body: body, details: details)
  }

  /// The URL of one call.
  ///
  /// - Parameters:
  ///   - values: The values of the placeholders, encoded; the last one of a name counts.
  ///   - parameters: Further query parameters, encoded and joined with `&`.
  func url(_ values: [TransportRequest.PathValue], query parameters: [UInt8]) throws(InvalidCall) -> AbsoluteURL {
    var url = origin
    url.path = try path.filled(values, name)
    url.query = try query?.filled(values, name)
    if !parameters.isEmpty {
      let added = String(decoding: parameters, as: UTF8.self)
      if let own = url.query, !own.isEmpty { url.query = "\(own)&\(added)" } else { url.query = added }
    }
    return url
  }

  /// A path or query, cut at its placeholders.
  private struct Template: Sendable {
    /// The text before each placeholder, its name, and whether its value may have reserved characters (`{+name}`).
    private var pieces: [(literal: String, placeholder: String, isReserved: Bool)] = []
    private var end = ""

    init(_ text: String, _ hasPlaceholders: Bool) {
      // By scalars: a name may begin with an accent, which is one character with the brace before it.
      var rest = text.unicodeScalars[...]
      while hasPlaceholders, let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
        let name = rest[rest.index(after: open)..<close]
        let isReserved = name.first == "+"
        pieces.append(
          (
            PercentEncoding.encodeIllegal(String(rest[..<open])), String(isReserved ? name.dropFirst() : name),
            isReserved
          ))
        rest = rest[rest.index(after: close)...]
      }
      end = PercentEncoding.encodeIllegal(String(rest))
    }

    func filled(_ values: [TransportRequest.PathValue], _ endpoint: String) throws(InvalidCall) -> String {
      if pieces.isEmpty { return end }
      var result = ""
      for (literal, placeholder, isReserved) in pieces {
        let value = values.last { $0.name == placeholder }
        guard let value else {
          throw InvalidCall(endpoint: endpoint, parameter: placeholder, reason: .missingPathValue)
        }
        result += literal
        let encoded = value.isRepeated ? Self.repeated(value.encoded, after: literal) : value.encoded
        guard isReserved else {
          result += encoded
          continue
        }
        let expanded = PercentEncoding.reservedExpansion(ofEncoded: encoded)
        // A segment of dots would climb the path.
        if expanded.split(separator: "/", omittingEmptySubsequences: false).contains(where: { $0 == "." || $0 == ".." })
        {
          throw InvalidCall(endpoint: endpoint, parameter: placeholder, reason: .dotPathValue)
        }
        result += expanded
      }
      return result + end
    }

    /// The parts of a value; each except the first includes the text before it: `;name=`.
    private static func repeated(_ value: String, after literal: String) -> String {
      let segment = literal[(literal.lastIndex(of: "/") ?? literal.startIndex)...]
      let sign = segment.lastIndex(of: ";").map { String(segment[$0...]) } ?? ","
      let parts = value.split(separator: TransportRequest.repetition, omittingEmptySubsequences: false)
      return parts.joined(separator: sign)
    }
  }
}

extension Call {
  /// The endpoint taken apart.
  ///
  /// - Parameter hostVariables: The client's values of the variables in base URLs.
  func compiledEndpoint(_ hostVariables: [String: String]) throws(InvalidCall) -> CompiledEndpoint {
    if let problem = arguments.problem { throw problem }
    switch arguments.target {
    case .endpoint(let endpoint): return try endpoint.compiled(hostVariables)
    case .untyped(_, let endpoint?): return endpoint
    case .untyped(let name, nil): throw InvalidCall(endpoint: name, reason: .url("it cannot be read"))
    }
  }

  /// The URL of the call's path, without a query, and before ``ClientConfiguration/hosts`` leads it elsewhere.
  ///
  /// - Parameter hostVariables: The client's values of the variables in base URLs.
  package func pathURL(_ hostVariables: [String: String]) throws(InvalidCall) -> AbsoluteURL {
    try compiledEndpoint(hostVariables).url(arguments.pathValues, query: [])
  }

  /// The request without its credentials, as it is at the start of each attempt.
  ///
  /// - Parameters:
  ///   - endpoint: The call's own, taken apart.
  ///   - configuration: The client's.
  ///   - defaults: The members that every call of the API carries.
  ///   - ownFields: The header fields that every request of the client begins with.
  func request(
    _ endpoint: CompiledEndpoint, _ configuration: ClientConfiguration, _ defaults: APIDefaults,
    _ ownFields: HTTPFields
  ) throws(InvalidCall) -> TransportRequest {
    let options = options
    let call = options.sendsDefaults ? withDefaults(endpoint.details.defaults) : self
    if let problem = call.arguments.problem { throw problem }
    let arguments = call.arguments
    var headers = ownFields
    if let accept = endpoint.details.accept { headers[.accept] = accept }
    func setConstants(_ fields: [String: String]) throws(InvalidCall) {
      for (field, value) in fields {
        // A parameter would be added to the existing field.
        let isSetByCall = arguments.headers.contains { $0.name.lowercased() == field.lowercased() }
        if !isSetByCall { try headers.set(field, value, endpoint: endpoint.name) }
      }
    }
    // The arguments of every call of the API are nothing for other hosts.
    if !defaults.headers.isEmpty, endpoint.isNamedByCatalogue { try setConstants(defaults.headers) }
    if !configuration.headers.isEmpty { try setConstants(configuration.headers) }
    if let field = endpoint.details.idempotencyKey {
      headers[field] = options.idempotencyKey ?? UUID().uuidString.lowercased()
    }
    let body = try arguments.body(of: endpoint, &headers)
    for (field, _) in arguments.headers {
      // A parameter replaces the client's default, instead of adding to it.
      if let name = HTTPField.Name(field), [.accept, .userAgent].contains(name) { headers[name] = nil }
    }
    for (field, value) in arguments.headers { try headers.add(field, value, endpoint: endpoint.name) }
    headers.setCookies(arguments.cookies)
    if let condition = options.condition {
      try headers.set(condition.field, condition.value, endpoint: endpoint.name)
    }
    for (field, value) in options.headers { try headers.set(field, value, endpoint: endpoint.name) }
    var url: AbsoluteURL
    if let page = arguments.pageURL {
      url = page
    } else {
      url = try endpoint.url(arguments.pathValues, query: arguments.query)
    }
    if !options.query.isEmpty {
      for name in options.query.sortedNames {
        guard let value = options.query[name] else { continue }
        url.removeQueryParameter(name)
        url.addQueryParameter(name, value.parameterText)
      }
    }
    if endpoint.isNamedByCatalogue, !(configuration.query.isEmpty && defaults.query.isEmpty) {
      let constants = defaults.query.merging(configuration.query) { $1 }
      for name in constants.sortedNames where !url.hasQueryParameter(name) {
        guard let value = constants[name] else { continue }
        url.addQueryParameter(name, value)
      }
    }
    var request = TransportRequest(
      method: endpoint.method, url: url, headerFields: headers, body: body,
      timeouts: options.timeouts ?? configuration.timeouts)
    request.pathValues = arguments.pathValues
    return request
  }
}

extension Call.Storage {
  /// The body, whose media type is set where nothing sets it later.
  fileprivate func body(
    of endpoint: CompiledEndpoint, _ headers: inout HTTPFields
  ) throws(InvalidCall) -> RequestBody {
    if let (content, type) = wholeBody {
      try headers.set("Content-Type", endpoint.details.contentType ?? type, endpoint: endpoint.name)
      if options.body.isEmpty { return content }
      guard case .data(let data) = content else {
        throw InvalidCall(
          endpoint: endpoint.name, reason: .body("a file or stream takes no members of CallOptions.body"))
      }
      return .data(try Self.json(data, adding: options.body, endpoint: endpoint.name))
    }
    switch endpoint.body {
    case .none:
      if options.body.isEmpty { return .none }
      throw InvalidCall(
        endpoint: endpoint.name,
        reason: .body("the call has none; remove the members of CallOptions.body, or send them in CallOptions.query"))
    case .json:
      headers[.contentType] = endpoint.details.contentType ?? "application/json"
      return .data(try jsonBody())
    case .form:
      headers[.contentType] = "application/x-www-form-urlencoded"
      return .data(Data(form(adding: options.body)))
    case .multipart:
      let multipart = MultipartBody(parts: parts(adding: options.body))
      headers[.contentType] = multipart.contentType
      do throws(TransportError) { return try multipart.requestBody() } catch {
        throw InvalidCall(endpoint: endpoint.name, reason: .body(error.summary))
      }
    }
  }

  /// The JSON body: an object of the members that were sent, `{}` when there are none.
  private func jsonBody() throws(InvalidCall) -> Data {
    var writer = members
    if writer.bytes.isEmpty { writer.begin(UInt8(ascii: "{")) }
    writer.end(UInt8(ascii: "}"), of: UInt8(ascii: "{"))
    let data: Data
    do throws(JSONError) { data = Data(try writer.finish()) } catch {
      throw InvalidCall(endpoint: target.name, reason: .body("\(error)"))
    }
    return options.body.isEmpty ? data : try Self.json(data, adding: options.body, endpoint: target.name)
  }
}

extension HTTPFields {
  /// Sets a field after checking name and value. `HTTPField` would change them silently: a line break in them would start another
  /// field, or a request made by somebody else.
  fileprivate mutating func set(_ name: String, _ value: String, endpoint: String) throws(InvalidCall) {
    func invalid(_ reason: InvalidCall.Reason) -> InvalidCall {
      InvalidCall(endpoint: endpoint, parameter: name.printable, reason: reason)
    }
    do throws(TransportError) { try TransportRequest.validate(fieldName: name, value: value) } catch {
      throw invalid(.headerField)
    }
    guard let field = HTTPField.Name(name) else { throw invalid(.headerField) }
    switch field.canonicalName {
    case "host", "content-length", "transfer-encoding", "connection": throw invalid(.reservedHeaderField)
    default: self[field] = value
    }
  }

  /// Adds a field in addition to those with the same name.
  fileprivate mutating func add(_ name: String, _ value: String, endpoint: String) throws(InvalidCall) {
    var checked = HTTPFields()
    try checked.set(name, value, endpoint: endpoint)
    append(contentsOf: checked)
  }
}

extension AbsoluteURL {
  /// Reads a URL that is to be sent. Its path and query stay as they are, illegal characters included.
  ///
  /// - Throws: ``InvalidCall`` for one that is not absolute, or suggests an attempt at something else.
  init(checking text: String, endpoint: String) throws(InvalidCall) {
    func invalid(_ why: String) -> InvalidCall { InvalidCall(endpoint: endpoint, reason: .url(why)) }
    guard text.utf8.allSatisfy({ $0 > 0x1F && $0 != 0x7F }) else {
      throw invalid("it has a line break or another control character")
    }
    guard !text.utf8.contains(UInt8(ascii: "#")) else { throw invalid("it has a fragment, which is never sent") }
    guard let url = AbsoluteURL(text) else {
      throw invalid(
        text.contains("://")
          ? "its host or port is not valid; write it like https://api.example.com:8080/, "
            + "with a port only if it has one"
          : "it is not absolute; it must begin with https:// and a host")
    }
    guard url.scheme == "https" || url.scheme == "http" else { throw invalid("its scheme is neither https nor http") }
    guard !url.hasUserInformation else {
      throw invalid("it has a user name or password before the host; credentials belong in an authenticator")
    }
    guard url.host.utf8.allSatisfy({ PercentEncoding.isUnreserved($0) || "[]:".utf8.contains($0) }) else {
      throw invalid("its host has a character that no host name has; write an international name in its xn-- form")
    }
    self = url
  }
}

extension HTTPRequest.Method {
  /// Whether it changes nothing (RFC 9110 §9.2.1, and IANA's registry of methods).
  package var isSafe: Bool {
    switch self {
    case .get, .head, .options, .trace: true
    default: ["QUERY", "PROPFIND", "REPORT", "SEARCH"].contains(rawValue)
    }
  }
}
