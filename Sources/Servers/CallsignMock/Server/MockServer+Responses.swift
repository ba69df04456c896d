import CallsignCatalogue
import CallsignHTTP
import CallsignJSON
import Foundation
import HTTPTypes

// MARK: Refusals

extension MockServer {
  /// Rejects a request without an operation: the path exists with another method, or does not exist.
  func refuse(_ request: IncomingRequest, _ record: inout MockRequest) -> OutgoingResponse {
    let endpoints = routes(request).map(\.endpoint)
    var names = Set(endpoints.map(\.method))
    // HEAD requests are also answered.
    if endpoints.contains(where: { $0.method == "GET" && $0.stream == nil }) { names.insert("HEAD") }
    let methods = names.sorted()
    if !methods.isEmpty {
      record.problems = ["the path takes \(methods.joined(separator: ", "))"]
      return .problem(
        405,
        "\(ValueChecker.quoted(request.method)) is not a method of this path; it takes \(methods.joined(separator: ", "))",
        headers: [.allow: methods.joined(separator: ", ")])
    }
    record.problems = ["no operation has this path"]
    return .problem(404, "no operation of \(catalogue.api.name) has the path \(ValueChecker.quoted(request.path))")
  }

  /// Rejects a request that the operation does not accept; `nil` if everything is fine.
  func refuse(
    _ request: IncomingRequest, _ endpoint: Endpoint, _ arguments: ReadArguments, _ record: inout MockRequest
  ) -> OutgoingResponse? {
    if request.body.count > configuration.maximumBodySize {
      record.problems = ["the body is too large"]
      return .problem(
        413, "the body has more than \(configuration.maximumBodySize) bytes", operation: endpoint.name)
    }
    if configuration.requiresCredentials, !credentials.isSatisfied(request, endpoint) {
      let phrase = credentials.phrase(endpoint)
      record.problems = ["the request has no credentials that it accepts: \(phrase)"]
      var headers: HTTPFields = [:]
      for challenge in credentials.challenges(endpoint) {
        headers.append(HTTPField(name: .wwwAuthenticate, value: challenge))
      }
      return refusal(
        401, "the request has no credentials that `\(endpoint.name)` accepts: \(phrase)", endpoint, headers: headers
      )
    }
    if let coding = request.contentCodings.last, !arguments.isRaw {
      record.problems = ["the body is encoded, and a mock decodes none"]
      return .problem(
        415, "the body has the coding \(ValueChecker.quoted(coding)), which a mock does not decode; send it without",
        operation: endpoint.name, headers: [.acceptEncoding: "identity"])
    }
    if let accepted = arguments.acceptedMediaTypes {
      let phrase = accepted.joined(separator: ", ")
      record.problems = ["the body's media type is not \(phrase)"]
      let given =
        request.mediaType.isEmpty
        ? "there is no Content-Type" : "\(ValueChecker.quoted(request.mediaType)) is not accepted"
      return .problem(
        415, "\(given); `\(endpoint.name)` takes \(phrase)", operation: endpoint.name,
        headers: [.accept: phrase])
    }
    return arguments.problems.isEmpty ? nil : refuse(arguments.problems, endpoint, &record)
  }

  private func refuse(
    _ problems: [ArgumentProblem], _ endpoint: Endpoint, _ record: inout MockRequest
  ) -> OutgoingResponse {
    let shown = record
    record.problems = problems.map { problem in
      var problem = problem
      // The reason would quote the value.
      if shown.isSecret(problem.parameter), problem.detail != "is missing" { problem.detail = "does not fit" }
      return MockRequest.shown(problem.description, limit: 2_000)
    }
    let detail = problems.prefix(3).map(\.description).joined(separator: "; ")
    let rest = problems.count > 3 ? "; and \(problems.count - 3) more" : ""
    return refusal(400, detail + rest, endpoint, problems: problems)
  }

  /// An error response with the body that the catalogue declares for it, or otherwise a problem document. The reason is also in a
  /// header field, because the catalogue's type may have no member for it.
  private func refusal(
    _ status: Int, _ detail: String, _ endpoint: Endpoint, problems: [ArgumentProblem] = [], headers: HTTPFields = [:]
  ) -> OutgoingResponse {
    let problem = OutgoingResponse.problemDocument(status, detail, operation: endpoint.name, problems: problems)
    guard let type = responses.errorType(status, endpoint) else {
      return .problem(status, detail, operation: endpoint.name, problems: problems, headers: headers)
    }
    var headers = headers
    headers[.contentType] = "application/json"
    if let name = HTTPField.Name("Mock-Problem") {
      headers[name] = String(
        detail.unicodeScalars.prefix(1_000).map { $0.isASCII && $0.value >= 0x20 ? Character($0) : "?" })
    }
    let body =
      responses.generator.accepts(problem, type)
      ? problem : responses.error(status, type, endpoint, detail: detail)
    return OutgoingResponse(status: status, headers: headers, bytes: JSONText.data(body))
  }
}

extension ArgumentProblem: CustomStringConvertible {
  /// `` `limit` (query) 500 is more than 100; allowed: int(1..100) ``
  var description: String {
    let name = parameter.isEmpty ? "the body" : "`\(parameter)` (\(place))"
    return "\(name) \(detail)" + (detail.contains(allowed) || allowed.isEmpty ? "" : "; allowed: \(allowed)")
  }
}

// MARK: Responses

extension MockServer {
  /// Generates the response from the operation's types.
  func generated(
    _ endpoint: Endpoint, _ arguments: ReadArguments, _ request: IncomingRequest, _ record: inout MockRequest,
    members: [String: JSONValue] = [:], status: Int? = nil, headers: HTTPFields = [:]
  ) -> OutgoingResponse {
    let status = status ?? endpoint.status ?? endpoint.usualStatus
    guard let type = endpoint.returns else {
      var empty = ResponseMaker.Response(value: .null, headers: headers)
      let seed = responses.seed(of: endpoint, arguments.values)
      responses.addPlace(of: endpoint, seed, request, to: &empty)
      return OutgoingResponse(status: status, headers: empty.headers, bytes: Data())
    }
    if let framing = framing(of: endpoint, arguments) {
      let seed = responses.seed(of: endpoint, arguments.values)
      let responses = self.responses
      return stream(endpoint, framing, count: streamLength(endpoint, framing), status: status, headers: headers) {
        index in
        responses.record(endpoint, type, seed.derived("record").derived(index))
      }
    }
    var headers = headers
    let response: ResponseMaker.Response
    do throws(ResponseMaker.Refusal) {
      response = try responses.response(endpoint, type, arguments.values, request)
    } catch {
      return refuse([error.problem], endpoint, &record)
    }
    for field in response.headers where headers[field.name] == nil { headers.append(field) }
    var value = response.value
    for (name, member) in members {
      let inner = value["data"]?.object != nil && types.member(name, of: type) == nil ? "data.\(name)" : name
      value.set(member, at: inner)
    }
    return whole(value, type, endpoint, status: status, headers: headers)
  }

  /// The response for one of the mock's own state paths; `nil` for all other requests.
  func ownState(_ request: IncomingRequest) -> OutgoingResponse? {
    guard ["GET", "HEAD"].contains(request.method), let start = responses.polls.start(at: request.path),
      let poll = start.poll
    else { return nil }
    let value = responses.lastState(of: start, poll)
    return OutgoingResponse(
      status: 200, headers: [.contentType: "application/json"], bytes: JSONText.data(value))
  }

  /// A response sent as a whole: bytes and text unchanged, everything else as JSON.
  private func whole(
    _ value: JSONValue, _ type: TypeReference, _ endpoint: Endpoint, status: Int, headers: HTTPFields
  ) -> OutgoingResponse {
    var headers = headers
    let isJSON = endpoint.accept.map(MediaType.isJSON) ?? true
    let mediaType = Self.mediaType(endpoint.accept, "")
    switch (types.resolve(type).kind, value) {
    case (.scalar(.bytes), .string(let text)), (.scalar(.file), .string(let text)):
      headers[.contentType] = headers[.contentType] ?? Self.mediaType(endpoint.accept, "application/octet-stream")
      let bytes = Data(base64Encoded: text) ?? Data(text.utf8)
      return OutgoingResponse(status: status, headers: headers, bytes: Self.readable(bytes, as: mediaType))
    case (.scalar(.string), .string(let text)) where !isJSON:
      headers[.contentType] = headers[.contentType] ?? Self.mediaType(endpoint.accept, "text/plain") + "; charset=utf-8"
      return OutgoingResponse(status: status, headers: headers, bytes: Self.readable(Data(text.utf8), as: mediaType))
    default:
      headers[.contentType] = headers[.contentType] ?? "application/json"
      return OutgoingResponse(status: status, headers: headers, bytes: JSONText.data(value))
    }
  }

  /// Bytes that a parser of the media type accepts: for XML, an empty element instead of words.
  private static func readable(_ bytes: Data, as mediaType: String) -> Data {
    MediaType.isXML(mediaType) && bytes.first != UInt8(ascii: "<") ? Data("<root/>".utf8) : bytes
  }

  /// The first media type in an `Accept` field that is not a range.
  private static func mediaType(_ accept: String?, _ other: String) -> String {
    let types = (accept ?? "").split(separator: ",").map { type in
      type.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
    }
    return types.first { !$0.contains("*") && $0.contains("/") } ?? other
  }

  /// A response that a test has defined.
  func scripted(
    _ reply: MockReply, _ endpoint: Endpoint, _ arguments: ReadArguments, _ request: IncomingRequest,
    _ record: inout MockRequest
  ) -> OutgoingResponse {
    var headers = reply.headers
    switch reply.content {
    case .generated(let members):
      return generated(
        endpoint, arguments, request, &record, members: members, status: reply.status, headers: headers)
    case .json(let value):
      headers[.contentType] = headers[.contentType] ?? "application/json"
      return OutgoingResponse(status: reply.status ?? 200, headers: headers, bytes: JSONText.data(value))
    case .bytes(nil, _): return error(reply.status ?? 200, endpoint, headers: headers)
    case .bytes(let bytes?, let contentType):
      headers[.contentType] = headers[.contentType] ?? contentType
      return OutgoingResponse(status: reply.status ?? 200, headers: headers, bytes: bytes)
    case .records(let records):
      let framing = framing(of: endpoint, arguments) ?? .array
      return stream(endpoint, framing, count: records.count, status: reply.status, headers: headers) { index in
        index < records.count ? records[index] : .null
      }
    }
  }

  /// An error with the body that the catalogue declares for it. Below 400 there is no body.
  func error(_ status: Int, _ endpoint: Endpoint, headers: HTTPFields = [:]) -> OutgoingResponse {
    let status = min(max(status, 200), 599)
    guard status >= 400 else { return OutgoingResponse(status: status, headers: headers, bytes: Data()) }
    guard let type = responses.errorType(status, endpoint) else {
      return .problem(status, ReasonPhrase.of(status), operation: endpoint.name, headers: headers)
    }
    var headers = headers
    headers[.contentType] = headers[.contentType] ?? "application/json"
    return OutgoingResponse(
      status: status, headers: headers, bytes: JSONText.data(responses.error(status, type, endpoint)))
  }

  // MARK: Streams

  private func framing(of endpoint: Endpoint, _ arguments: ReadArguments) -> StreamFraming? {
    if let name = endpoint.lengthFramingParameter, arguments.values[name] != nil { return .length }
    return endpoint.stream
  }

  private func streamLength(_ endpoint: Endpoint, _ framing: StreamFraming) -> Int? {
    configuration.streamLength.map { max(0, $0) } ?? (framing == .array || endpoint.streamEnd != nil ? 10 : nil)
  }

  private func stream(
    _ endpoint: Endpoint, _ framing: StreamFraming, count: Int?, status: Int?, headers: HTTPFields,
    record: @escaping @Sendable (Int) -> JSONValue
  ) -> OutgoingResponse {
    var headers = headers
    headers[.contentType] = headers[.contentType] ?? (framing == .events ? "text/event-stream" : "application/json")
    return OutgoingResponse(
      status: status ?? 200, headers: headers,
      records: RecordStream(
        framing: framing, endpoint: endpoint, interval: configuration.recordInterval, count: count, record: record))
  }

  // MARK: Faults

  /// Changes a response according to a fault.
  func spoil(_ response: inout OutgoingResponse, _ fault: MockFault?) async throws(TransportError) {
    switch fault?.kind {
    case .lose: throw TransportError(.connectionLost, delivery: .unknown)
    case .cut(let count):
      let bytes = try await beginning(of: response.body, count)
      response.length = response.length.map { max($0, bytes.count + 1) }
      response.body = ResponseBody(TruncatedBody(bytes))
      response.isCut = true
    case .truncate(let count):
      let bytes = try await beginning(of: response.body, count)
      response = OutgoingResponse(status: response.status, headers: response.headers, bytes: bytes)
    case .empty: response = OutgoingResponse(status: response.status, headers: response.headers, bytes: Data())
    case .delay, .status, .drop, nil: break
    }
  }

  /// The first bytes of a body, which may be endless.
  private func beginning(of body: ResponseBody, _ count: Int) async throws(TransportError) -> Data {
    var bytes = Data()
    var pieces = body.makeAsyncIterator()
    while bytes.count < count, let piece = try await pieces.next() { bytes.append(piece) }
    return Data(bytes.prefix(count))
  }
}
