import CallsignCatalogue
import CallsignHTTP
import CallsignJSON
import CallsignMock
import CallsignSupport
import Foundation
import HTTPTypes
import LoopbackSockets
import XCatalogue

/// An operation as the catalogue describes it: who may call it, which arguments it takes, and a response by its types.
///
/// Only its excerpt of the catalogue is read, when it is first called, once for all sandboxes of the process.
struct TypedOperation: Sendable {
  /// The credentials that it accepts.
  let access: Access
  /// The catalogue's limits; `nil` where it has none.
  let limits: OperationLimits?
  /// The names of its parameters on the wire.
  let parameterNames: [String]
  private let mock: MockServer
  private let version: APIVersion
  /// Whether its body is JSON.
  private let takesJSON: Bool

  private static let cache = Locked<[String: TypedOperation]>([:])

  /// The operation with a key such as `GET /2/users/me`; `nil` for one that the catalogue does not have.
  static func of(_ key: String, in version: APIVersion) -> TypedOperation? {
    if let known = cache.withLock({ $0[key] }) { return known }
    guard let operation = TypedOperation(key, version) else { return nil }
    // Two that read it at once have read the same.
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
    self.version = version
  }

  /// A request whose arguments are all right.
  struct Arguments: Sendable {
    /// The values by their names on the wire.
    let values: [String: JSONValue]
    fileprivate let request: CallsignMock.IncomingRequest
    fileprivate let reading: MockServer.Reading
  }

  /// Reads and checks the arguments of a request. JSON is read by the sandbox's reader first: the mock's is the client's
  /// own, and what it makes of a body must be the same.
  /// - Throws: 400 with all arguments that do not fit, 404 for a path that does not fit after all.
  func read(_ request: IncomingRequest) throws(Problem) -> Arguments {
    let incoming = Self.translated(request)
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

  /// The body by the sandbox's own reader; `nil` where there is none that is JSON.
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

  /// The response by the types, marked as such.
  func respond(_ arguments: Arguments) async -> Response {
    let outgoing = mock.respond(arguments.request, arguments.reading)
    var response = Response(status: outgoing.status)
    if outgoing.length == nil {
      response.body = .stream(BodyPieces(outgoing.body))
    } else if let bytes = try? await outgoing.body.collect() {
      response.body = .bytes(bytes)
    }
    response.headers = outgoing.headers.map { HeaderField(name: $0.name.rawName, value: $0.value) }
    response.set(Self.responseHeader, "schema")
    return response
  }

  /// The field by which a response that was made up tells itself apart from one that has state behind it.
  static let responseHeader = "x-sandbox-response"

  /// In v1.1 a missing parameter has a code of its own.
  private static func refusal(_ problem: MockServer.Reading.Problem) -> Problem {
    if problem.place == "body", problem.parameter.isEmpty { return .badRequest("The body \(problem.detail).") }
    return problem.detail == "is missing" ? .missingParameter(problem.parameter) : .invalidParameter(problem.parameter)
  }

  /// The request without the parameters of its signature, which are no arguments.
  private static func translated(_ request: IncomingRequest) -> CallsignMock.IncomingRequest {
    var headers = HTTPFields()
    for field in request.headers {
      if let name = HTTPField.Name(field.name) { headers.append(HTTPField(name: name, value: field.value)) }
    }
    func arguments(_ text: String) -> String {
      text.split(separator: "&").filter { !$0.hasPrefix("oauth_") }.joined(separator: "&")
    }
    let body = request.hasFormBody ? Data(arguments(String(decoding: request.body, as: UTF8.self)).utf8) : request.body
    let query = arguments(request.query)
    return CallsignMock.IncomingRequest(
      method: request.method == "HEAD" ? "GET" : request.method, origin: "http://127.0.0.1", path: request.path,
      query: query.isEmpty ? nil : query, headers: headers, body: body)
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
  /// As the catalogue has it.
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
