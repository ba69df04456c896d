import CallsignCatalogue
import CallsignHTTP
import CallsignJSON
import CallsignMock
import CallsignSupport
import Foundation
import HTTPTypes
import LoopbackSockets
import XCatalogue

/// An operation as the catalogue describes it: who can call it, which arguments it takes, and a response generated from its types.
///
/// Its excerpt of the catalogue is read on the first call, once for all sandboxes of the process.
struct TypedOperation: Sendable {
  /// The credentials that it accepts.
  let access: Access
  /// The catalogue's limits; `nil` if it has none.
  let limits: OperationLimits?
  /// The names of its parameters on the wire.
  let parameterNames: [String]
  private let mock: MockServer
  private let version: APIVersion
  /// Whether its body is JSON.
  private let takesJSON: Bool
  /// Whether its body is a form. In v1.1 its parameters may also be in the query.
  private let takesForm: Bool
  /// The names of the parameters that belong in the query.
  private let queryNames: Set<String>
  /// The names of the Boolean parameters.
  private let flagNames: Set<String>

  private static let cache = Locked<[String: TypedOperation]>([:])

  /// The operation with a key such as `GET /2/users/me`; `nil` if the catalogue does not have it.
  static func of(_ key: String, in version: APIVersion) -> TypedOperation? {
    if let known = cache.withLock({ $0[key] }) { return known }
    guard let operation = TypedOperation(key, version) else { return nil }
    // Two tasks that read it at the same time get the same result.
    cache.withLock { $0[key] = operation }
    return operation
  }

  private init?(_ key: String, _ version: APIVersion) {
    let names = CataloguedOperation.all.filter { $0.key == key && $0.version == version }.map(\.name)
    let embedded: EmbeddedCatalogue = version == .v2 ? .x2 : .x1
    guard !names.isEmpty, let catalogue = embedded.catalogue(of: Set(names)) else { return nil }
    let endpoints = catalogue.groups.flatMap(\.endpoints)
    guard let endpoint = endpoints.first else { return nil }
    var configuration = MockConfiguration(isStrict: version == .v2, requiresCredentials: false)
    configuration.recordInterval = .seconds(1)
    mock = MockServer(catalogue, configuration: configuration)
    access = Access(endpoint)
    limits = OperationLimits(endpoint.limits)
    parameterNames = endpoint.parameters.map(\.name)
    takesJSON = endpoints.contains { $0.body == .json }
    takesForm = endpoints.contains { $0.body == .form }
    let parameters = endpoints.flatMap(\.parameters)
    queryNames = Set(parameters.filter { $0.place == .query }.map(\.name))
    flagNames = Set(parameters.filter { $0.type.kind == .scalar(.bool) }.map(\.name))
    self.version = version
  }

  /// The valid arguments of a request.
  struct Arguments: Sendable {
    /// The values, by their names on the wire.
    let values: [String: JSONValue]
    fileprivate let request: CallsignMock.IncomingRequest
    fileprivate let reading: MockServer.Reading
  }

  /// Reads and checks the arguments of a request. The sandbox's parser reads JSON first. The mock's parser is also the client's, so
  /// both must read a body as the same values.
  /// - Throws: 400 with all invalid arguments, or 404 for a path that does not match after all.
  func read(_ request: IncomingRequest) throws(Problem) -> Arguments {
    let incoming = translated(request)
    let body = try json(of: request)
    guard let reading = mock.read(incoming) else { throw .noSuchPath(request.method, request.path) }
    if let accepted = reading.acceptedMediaTypes {
      let message = "Requests with bodies must have content-type of \(accepted.joined(separator: ", "))."
      guard version == .v2 else { throw .badRequest(message) }
      throw .invalidRequest([
        InvalidParameter(name: "Content-Type", values: request.mediaType.map { [$0] } ?? [], message: message)
      ])
    }
    if let body, let read = reading.body, let difference = body.difference(from: read) { throw refusal(difference) }
    guard reading.problems.isEmpty else {
      guard version == .v2 else { throw Self.refusal(reading.problems[0]) }
      throw .invalidRequest(reading.problems.map(InvalidParameter.init))
    }
    return Arguments(values: reading.arguments, request: incoming, reading: reading)
  }

  /// The body, read by the sandbox's own parser; `nil` if it is not JSON.
  private func json(of request: IncomingRequest) throws(Problem) -> JSON? {
    guard takesJSON, !request.body.isEmpty, let mediaType = request.mediaType,
      mediaType == "application/json" || mediaType.hasSuffix("+json")
    else { return nil }
    do throws(JSON.ParsingError) { return try JSON(parsing: request.body) } catch {
      throw .notJSON(error, in: version)
    }
  }

  private func refusal(_ difference: ReadingDifference) -> Problem {
    let message =
      "[\(difference.path): two readers of JSON differ; the sandbox's reads \(difference.own), the mock's "
      + "\(difference.other)]"
    guard version == .v2 else { return .badRequest(message) }
    return .invalidRequest([InvalidParameter(name: difference.path, message: message)])
  }

  /// Generates a response from the types, and marks it as generated.
  func respond(_ arguments: Arguments) async -> Response {
    let outgoing = mock.respond(arguments.request, arguments.reading)
    var response = Response(status: outgoing.status)
    if outgoing.length == nil {
      response.body = .stream(GeneratedStream(body: outgoing.body))
    } else if let bytes = try? await outgoing.body.collect() {
      response.body = .bytes((try? JSON(parsing: bytes)).map { GeneratedDocument.mended($0).bytes } ?? bytes)
    }
    response.headers = outgoing.headers.map { HeaderField(name: $0.name.rawName, value: $0.value) }
    response.set(Self.responseHeader, "schema")
    return response
  }

  /// The header field that marks a generated response, as opposed to one based on state.
  static let responseHeader = "x-sandbox-response"

  /// In v1.1, a missing parameter has a separate code.
  private static func refusal(_ problem: MockServer.Reading.Problem) -> Problem {
    if problem.place == "body", problem.parameter.isEmpty { return .badRequest("The body \(problem.detail).") }
    return problem.detail == "is missing" ? .missingParameter(problem.parameter) : .invalidParameter(problem.parameter)
  }

  /// The request without the parameters of its signature, which are not arguments. Other forms that X accepts are converted to the
  /// catalogue's form: `True` becomes `true`; in v1.1, also a path without its ID, and a form's parameters in the query.
  private func translated(_ request: IncomingRequest) -> CallsignMock.IncomingRequest {
    var headers = HTTPFields()
    for field in request.headers {
      if let name = HTTPField.Name(field.name) { headers.append(HTTPField(name: name, value: field.value)) }
    }
    var query = arguments(request.query)
    var body = request.body
    if request.hasFormBody || version == .v1 && takesForm && request.body.isEmpty {
      var form = arguments(String(decoding: request.body, as: UTF8.self))
      if version == .v1, takesForm {
        form += query.filter { !queryNames.contains(Self.name(of: $0)) }
        query.removeAll { !queryNames.contains(Self.name(of: $0)) }
        headers[.contentType] = "application/x-www-form-urlencoded"
      }
      body = Data(form.joined(separator: "&").utf8)
    }
    let isFound = mock.hasOperation(
      for: CallsignMock.IncomingRequest(
        method: request.method, origin: "", path: request.path, query: nil, headers: [:], body: Data()))
    let path = isFound ? request.path : Self.pathWithIdentifier(request) ?? request.path
    return CallsignMock.IncomingRequest(
      method: request.method == "HEAD" ? "GET" : request.method, origin: "http://127.0.0.1", path: path,
      query: query.isEmpty ? nil : query.joined(separator: "&"), headers: headers, body: body)
  }

  /// The arguments of a query or a form, each as `name=value`.
  private func arguments(_ text: String) -> [Substring] {
    text.split(separator: "&").filter { !$0.hasPrefix("oauth_") }.map { pair in
      let name = Self.name(of: pair)
      let value = pair.dropFirst(name.count).lowercased()
      return flagNames.contains(name) && ["=true", "=false"].contains(value) ? Substring(name + value) : pair
    }
  }

  /// The path `statuses/show/:id` for `statuses/show.json?id=`, which v1.1 also accepts; `nil` if there is no ID.
  static func pathWithIdentifier(_ request: IncomingRequest) -> String? {
    guard APIVersion(path: request.path) == .v1, request.path.hasSuffix(".json"),
      let id = RequestForm(request, includingQuery: true)["id"], Pattern.isIdentifier(id)
    else { return nil }
    return "\(request.path.dropLast(".json".count))/\(id).json"
  }

  private static func name(of pair: Substring) -> String { String(pair.prefix { $0 != "=" }) }
}

/// Stream records generated from the stream's types.
private struct GeneratedStream: StreamingBody {
  let body: ResponseBody

  func write(to writer: LoopbackWriter) async throws {
    for try await piece in body { try await writer.write(piece) }
  }
}

extension InvalidParameter {
  fileprivate init(_ problem: MockServer.Reading.Problem) {
    let isBody = problem.place == "body"
    let name = isBody ? (problem.parameter.isEmpty ? "$" : "$.\(problem.parameter)") : problem.parameter
    let allowed =
      problem.allowed.isEmpty || problem.detail.contains(problem.allowed)
      ? "" : "; allowed: \(problem.allowed)"
    self.init(
      name: name,
      message: isBody
        ? "[\(name): \(problem.detail)\(allowed)]" : "The `\(name)` query parameter value \(problem.detail)\(allowed)")
  }
}

extension Access {
  /// Creates the access rules from the catalogue.
  fileprivate init(_ endpoint: CallsignCatalogue.Endpoint) {
    let requirements = endpoint.auth.flatMap(\.all)
    let kinds = requirements.compactMap { requirement -> Principal.Kind? in
      switch requirement.scheme {
      case "oauth1", "oauth1_consumer": .oauth1
      case "oauth2": .oauth2User
      case "bearer": .appOnly
      case "none": .anonymous
      default: nil
      }
    }
    self.init(
      kinds: kinds.isEmpty ? [.anonymous] : kinds,
      scopes: requirements.first { $0.scheme == "oauth2" }?.scopes ?? [], isWrite: endpoint.method != "GET")
  }
}
