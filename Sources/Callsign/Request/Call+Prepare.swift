import CallsignHTTP
import Foundation
import HTTPTypes

extension Call {
  /// Settles everything but the credentials.
  func prepare(_ configuration: ClientConfiguration) throws(InvalidCall) -> PreparedCall {
    let arguments = arguments
    if let problem = arguments.problem { throw problem }
    let endpoint = arguments.endpoint
    let name = endpoint.name.description
    func invalid(_ reason: InvalidCall.Reason) -> InvalidCall { InvalidCall(endpoint: name, reason: reason) }

    guard let method = HTTPRequest.Method(endpoint.method.description) else {
      throw invalid(.url("'\(endpoint.method.description.printable)' is not an HTTP method"))
    }
    var text = endpoint.baseURL.description
    text += try expandedPath(arguments)
    if !arguments.query.isEmpty {
      text += endpoint.path.description.contains("?") ? "&" : "?"
      text += String(decoding: arguments.query, as: UTF8.self)
    }
    let url = try AbsoluteURL(checking: text, endpoint: name)
    guard let address = configuration.hosts.resolve(url) else {
      throw invalid(.url("ClientConfiguration.hosts replaces its base URL with what is not an absolute URL"))
    }

    var headers: HTTPFields = [.accept: ClientConfiguration.acceptedByDefault, .userAgent: configuration.userAgent]
    let body = try body(arguments, &headers)
    for (field, value) in arguments.headers { try headers.add(field, value, endpoint: name) }
    for (field, value) in arguments.options.headers { try headers.set(field, value, endpoint: name) }
    return PreparedCall(
      name: name, method: method, url: url, address: address, isNamedByCatalogue: true, headers: headers, body: body,
      timeouts: arguments.options.timeouts ?? configuration.timeouts,
      credentials: .accepted(AuthRequirement.alternatives(endpoint.auth.description)),
      isRepeatable: endpoint.isRepeatable, options: arguments.options)
  }

  /// The path with its placeholders filled.
  private func expandedPath(_ arguments: CallStorage) throws(InvalidCall) -> String {
    var result = ""
    var rest = Substring(arguments.endpoint.path.description)
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      result += rest[..<open]
      let placeholder = rest[rest.index(after: open)..<close]
      guard let value = arguments.pathValues.last(where: { $0.name.description == placeholder }) else {
        throw InvalidCall(
          endpoint: arguments.endpoint.name.description, parameter: String(placeholder), reason: .missingPathValue)
      }
      result += value.encoded
      rest = rest[rest.index(after: close)...]
    }
    return result + rest
  }

  private func body(_ arguments: CallStorage, _ headers: inout HTTPFields) throws(InvalidCall) -> RequestBody {
    switch arguments.wholeBody {
    case .json(let data)?:
      headers[.contentType] = "application/json"
      return .data(data)
    case .raw(let body, let contentType)?:
      headers[.contentType] = contentType
      return body
    case nil: break
    }
    switch arguments.endpoint.body {
    case .none: return .none
    case .json:
      headers[.contentType] = "application/json"
      return .data(try arguments.jsonBody())
    case .form:
      headers[.contentType] = "application/x-www-form-urlencoded"
      return .data(Data(arguments.form))
    case .multipart:
      let multipart = MultipartBody(parts: arguments.parts)
      headers[.contentType] = multipart.contentType
      do throws(TransportError) { return try multipart.requestBody() } catch {
        throw InvalidCall(endpoint: arguments.endpoint.name.description, reason: .body(error.summary))
      }
    }
  }
}

extension AbsoluteURL {
  /// Reads a URL that is to be sent. Characters that no URL has are percent-encoded, except those that suggest
  /// an attempt at something else.
  package init(checking text: String, endpoint: String) throws(InvalidCall) {
    func invalid(_ why: String) -> InvalidCall { InvalidCall(endpoint: endpoint, reason: .url(why)) }
    guard text.utf8.allSatisfy({ $0 > 0x1F && $0 != 0x7F }) else {
      throw invalid("it has a line break or another control character")
    }
    guard !text.utf8.contains(UInt8(ascii: "#")) else { throw invalid("it has a fragment, which is never sent") }
    guard var url = AbsoluteURL(text) else {
      throw invalid("it is not absolute; it must begin with https:// and a host")
    }
    guard url.scheme == "https" || url.scheme == "http" else { throw invalid("its scheme is neither https nor http") }
    guard !url.hasUserInformation else {
      throw invalid("it has a user name or password before the host; credentials belong in an authenticator")
    }
    guard url.host.utf8.allSatisfy({ PercentEncoding.isUnreserved($0) || "[]:".utf8.contains($0) }) else {
      throw invalid("its host has a character that no host name has; write an international name in its xn-- form")
    }
    url.path = PercentEncoding.encodeIllegal(url.path)
    url.query = url.query.map(PercentEncoding.encodeIllegal)
    self = url
  }
}
