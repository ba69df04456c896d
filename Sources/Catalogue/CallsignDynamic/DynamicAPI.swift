import Callsign
import CallsignCatalogue

/// An API that you call through a catalogue loaded at run time, without generated code.
///
/// ```swift
/// let result = CatalogueLoader().load(folder: "Catalogue")
/// guard let catalogue = result.catalogue else { return print(result.diagnostics) }
/// let api = DynamicAPI(catalogue, auth: [.bearer("…")])
/// let pet = try api.operation("getPet").call(["id": "7"])
/// print(try await api.send(pet).value)
/// ```
///
/// The requests are the same as the generated method's, byte for byte.
public struct DynamicAPI: Sendable {
  /// The catalogue.
  public let catalogue: Catalogue
  /// Sends the calls, with its credentials, transport and retries.
  public let client: Client
  let models: ModelTable
  private let operations: [String: DynamicOperation]

  /// Uses an existing client, and shares its connections and credentials with the client's other users.
  ///
  /// - Parameters:
  ///   - catalogue: A checked catalogue.
  ///   - client: The client that sends the calls.
  ///   - conventions: How the API reports limits and errors. Default: as most APIs do.
  public init(_ catalogue: Catalogue, client: Client, conventions: any APIConventions = .standard) {
    self.catalogue = catalogue
    self.client = client.with(conventions: conventions, defaults: APIDefaults(catalogue.api.everyCall))
    let models = ModelTable(catalogue)
    self.models = models
    var operations: [String: DynamicOperation] = [:]
    for group in catalogue.groups {
      for endpoint in group.endpoints {
        operations[endpoint.name] = DynamicOperation(endpoint, group: group.name, of: catalogue.api, models)
      }
    }
    self.operations = operations
  }

  /// Creates a client with credentials. Each endpoint uses the first credentials that it accepts.
  ///
  /// - Parameters:
  ///   - catalogue: A checked catalogue.
  ///   - auth: The credentials, in order of preference.
  ///   - configuration: Transport, timeouts, hosts, logging.
  ///   - conventions: How the API reports limits and errors. Default: as most APIs do.
  public init(
    _ catalogue: Catalogue, auth: [any Authenticator] = [], configuration: ClientConfiguration = ClientConfiguration(),
    conventions: any APIConventions = .standard
  ) {
    self.init(
      catalogue, client: Client(auth: auth, configuration: configuration), conventions: conventions)
  }

  /// The names of all operations, in the catalogue's order.
  public var operationNames: [String] { catalogue.groups.flatMap { $0.endpoints.map(\.name) } }

  /// The base URLs in the catalogue, the default one first.
  public var baseURLs: [String] { catalogue.api.hosts.map(\.url) }

  /// The operation with that name. You can also use the name of its Swift method.
  ///
  /// - Throws: ``UnknownOperation``, which suggests the operation that you probably meant.
  public func operation(_ name: String) throws(UnknownOperation) -> DynamicOperation {
    if let operation = operations[name] { return operation }
    if let operation = operations.values.first(where: { $0.endpoint.methodName == name }) { return operation }
    var suggestions = Suggestions()
    throw UnknownOperation(name: name, suggestion: suggestions.closest(to: name, among: operationNames))
  }

  /// Sends a call and checks its response against the catalogue's types.
  ///
  /// The value is JSON `null` for a response without content, and a string for a text response. Raw bytes are only in
  /// ``DynamicResponse/rawResponse``. If the catalogue has no type for the response, its `Content-Type` decides; events and lines
  /// then become a list of at most 10,000 elements.
  ///
  /// - Throws: `CallError`.
  public func send(_ call: DynamicCall) async throws(CallError) -> DynamicResponse {
    switch call.operation.result {
    case .bytes:
      let response = try await client.data(call.call)
      return DynamicResponse(value: .null, rawResponse: response.rawResponse, issues: [])
    case .text:
      let response = try await client.text(call.call)
      return DynamicResponse(value: .string(response.value), rawResponse: response.rawResponse, issues: [])
    case .nothing:
      let response: Response<NoContent> = try await client.send(call.call)
      // An API may return more than its document says.
      let value = try? JSONValue(jsonData: response.rawResponse.body)
      return DynamicResponse(value: value ?? .null, rawResponse: response.rawResponse, issues: [])
    case .content:
      let response = try await client.content(call.call)
      let (value, isCut) = try await Self.json(response.value)
      let issue = ResponseIssue(
        path: "", expected: "at most \(Self.recordLimit) records", found: "more, which were not read")
      return DynamicResponse(value: value, rawResponse: response.rawResponse, issues: isCut ? [issue] : [])
    case .json(let type):
      let response: Response<JSONValue> = try await client.send(call.call)
      return try checked(response, type)
    }
  }

  /// The maximum number of records to read from a response of unknown type.
  private static let recordLimit = 10_000

  /// Content of any type as JSON: null for bytes, and a list for records, which is cut after too many.
  private static func json(_ content: ResponseContent) async throws(CallError) -> (value: JSONValue, isCut: Bool) {
    switch content {
    case .json(let value): return (value, false)
    case .text(let text): return (.string(text), false)
    case .bytes: return (.null, false)
    case .events(let records), .lines(let records):
      var list: [JSONValue] = []
      var iterator = records.makeAsyncIterator()
      while let record = try await iterator.next() {
        guard list.count < recordLimit else { return (.array(list), true) }
        list.append(record)
      }
      return (.array(list), false)
    }
  }

  /// Sends a call whose response type is not in the catalogue; see `Client.content(_:)`.
  ///
  /// - Returns: `nil` if the catalogue has a type for the response.
  /// - Throws: `CallError`.
  public func content(_ call: DynamicCall) async throws(CallError) -> Response<ResponseContent>? {
    guard case .content = call.operation.result else { return nil }
    return try await client.content(call.call)
  }

  /// A response with the parts that do not match the catalogue.
  ///
  /// - Throws: `CallError.api` if the status means success but, by the API's conventions, the response says that the call failed.
  ///   The generated method does the same.
  func checked(_ response: Response<JSONValue>, _ type: TypeReference) throws(CallError) -> DynamicResponse {
    let value: JSONValue = response.value
    if case .named(let name) = models.resolved(type).kind, case .object(let fields, _)? = models[name]?.shape,
      let refusal = response.rawResponse.refusal(ifItsValue: { member in
        fields.contains { $0.name == member } && value[member]?.isNull ?? true
      })
    {
      throw refusal
    }
    return DynamicResponse(value: value, rawResponse: response.rawResponse, issues: check(value, type))
  }

  /// The pages of a call.
  ///
  /// - Returns: `nil` if the operation has no pages.
  public func pages(_ call: DynamicCall) -> DynamicPages? {
    guard let plan = call.operation.paging, let type = call.operation.endpoint.returns else { return nil }
    return DynamicPages(pages: plan.pages(client, call), api: self, type: type)
  }

  /// The records of a call with an endless response. `EventStream` describes how it reconnects.
  ///
  /// A record can be any JSON. Use ``issues(in:of:)`` to check one against the catalogue's types.
  ///
  /// - Returns: `nil` if the operation is not a stream.
  public func stream(_ call: DynamicCall) -> EventStream<JSONValue>? {
    call.operation.endpoint.stream == nil ? nil : client.stream(call.call)
  }

  /// The parts of a response or a record that do not match the catalogue.
  public func issues(in value: JSONValue, of operation: DynamicOperation) -> [ResponseIssue] {
    operation.endpoint.returns.map { check(value, $0) } ?? []
  }

  func check(_ value: JSONValue, _ type: TypeReference) -> [ResponseIssue] {
    var check = ResponseCheck(models)
    check.look(at: value, as: type)
    return check.issues
  }

  /// The call as a command for a POSIX shell, without credentials.
  ///
  /// - Throws: `CallError.invalidCall` if the call cannot be sent.
  public func curlCommand(for call: DynamicCall) throws(CallError) -> String {
    try preview(call).curlCommand(redaction: client.configuration.redaction)
  }

  /// The request for a call, without credentials.
  ///
  /// - Throws: `CallError.invalidCall` if the call cannot be sent.
  package func preview(_ call: DynamicCall) throws(CallError) -> TransportRequest {
    let mediaType: String? =
      switch (call.operation.endpoint.stream, call.operation.result) {
      case (.events, _): "text/event-stream"
      case (nil, .bytes), (nil, .text), (nil, .content): "*/*"
      default: nil
      }
    return try client.preview(call.call, accepting: mediaType)
  }
}

/// A response as JSON.
public struct DynamicResponse: Sendable {
  /// The JSON.
  public let value: JSONValue
  /// The response as received: status, header fields and body.
  public let rawResponse: RawResponse
  /// The parts that do not match the catalogue. Almost always empty.
  public let issues: [ResponseIssue]
}

/// A call with checked arguments.
public struct DynamicCall: Sendable {
  /// The operation that is called.
  public let operation: DynamicOperation
  /// The call itself, for a `Client`.
  public let call: Call
  /// The arguments as given.
  let arguments: [String: JSONValue]
  let policy: ArgumentPolicy

  /// The same call without one of its arguments, or the unchanged call if it requires the argument.
  func without(_ argument: String) -> DynamicCall {
    var others = arguments
    guard others.removeValue(forKey: argument) != nil else { return self }
    do throws(ArgumentError) {
      return try operation.call(others, policy: policy, options: call.options)
    } catch { return self }
  }
}

extension APIDefaults {
  init(_ facts: EveryCall) {
    func dictionary(_ constants: [Constant]) -> [String: String] {
      Dictionary(constants.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    }
    self.init(
      headers: dictionary(facts.headers), query: dictionary(facts.query),
      failures: facts.failures.map { Callsign.FailureSign($0.path, values: $0.values, isNegated: $0.isNegated) })
  }
}
