import CallsignCatalogue
import CallsignHTTP
import CallsignJSON
import CallsignSupport
import Foundation
import HTTPTypes

/// A server generated from a catalogue. It responds to every operation according to its types, and rejects what the catalogue
/// forbids.
///
/// ```swift
/// let mock = try MockServer(folder: "Sources/Petstore/Catalogue")
/// let petstore = Petstore(auth: .bearer("any"), configuration: ClientConfiguration(transport: mock))
///
/// try mock.reply(to: "getPet", with: .generated(with: ["name": "Rex"]))
/// let pet = try await petstore.getPet(id: "7")
/// #expect(pet.id == "7" && pet.name == "Rex")
/// #expect(try mock.requests(to: "getPet").first?.pathParameters["id"] == "7")
/// ```
///
/// It is a transport, so a client needs no socket. The product `CallsignMockServer` serves it on loopback.
///
/// Responses depend on the seed and the arguments: the same call always gets the same response. The values of an object depend on
/// its ID, so a pet in a list equals the same pet requested by ID. The mock keeps no state: an object that you created is not in
/// the next list.
public final class MockServer: Transport, Sendable {
  /// The catalogue of the API that it imitates.
  public let catalogue: Catalogue
  /// The behaviour of the mock.
  public let configuration: MockConfiguration

  private struct State {
    var script = MockScript()
    var requests: [MockRequest] = []
    /// The number of requests since the start, including dropped ones.
    var requestCount = 0
    /// The total size of the recorded bodies, and the index of the first request that still has one.
    var bodyBytes = 0
    var firstBody = 0

    mutating func add(_ request: MockRequest, _ configuration: MockConfiguration) {
      requestCount += 1
      requests.append(request)
      bodyBytes += request.body.count
      while bodyBytes > max(0, configuration.requestLogBodyCapacity), firstBody < requests.count {
        bodyBytes -= requests[firstBody].body.count
        requests[firstBody].forgetBody()
        firstBody += 1
      }
      let surplus = requests.count - max(0, configuration.requestLogCapacity)
      // Removes several at a time, because each removal moves the rest.
      guard surplus > 0, surplus >= min(1_000, configuration.requestLogCapacity / 10) else { return }
      for request in requests.prefix(surplus) { bodyBytes -= request.body.count }
      requests.removeFirst(surplus)
      firstBody = max(0, firstBody - surplus)
    }

    mutating func forgetRequests() { (requests, bodyBytes, firstBody) = ([], 0, 0) }
  }

  private let state = Locked(State())
  private let routeTable: RouteTable
  private let endpoints: [String: Endpoint]
  let types: ModelIndex
  let credentials: CredentialCheck
  let responses: ResponseMaker

  /// Creates a server from a catalogue.
  ///
  /// - Parameters:
  ///   - catalogue: The API to imitate.
  ///   - configuration: The server's behaviour.
  public init(_ catalogue: Catalogue, configuration: MockConfiguration = MockConfiguration()) {
    self.catalogue = catalogue
    self.configuration = configuration
    routeTable = RouteTable(catalogue)
    types = ModelIndex(catalogue)
    credentials = CredentialCheck(catalogue.api)
    responses = ResponseMaker(
      types: types, examples: ExampleBook(catalogue.examples, hasValues: configuration.usesExamples),
      everyCall: catalogue.api.everyCall, polls: PollTable(catalogue, types), seed: Seed(configuration.seed),
      listLength: max(0, configuration.listLength), pageSize: min(max(1, configuration.pageSize), 1_000_000))
    endpoints = Dictionary(
      catalogue.groups.flatMap(\.endpoints).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Creates a server from a catalogue's folder, or from a file with a whole catalogue.
  ///
  /// - Parameters:
  ///   - folder: The path.
  ///   - configuration: The server's behaviour.
  /// - Throws: ``MockError/invalidCatalogue(_:)``.
  public convenience init(
    folder: String, configuration: MockConfiguration = MockConfiguration()
  ) throws(MockError) {
    let result = CatalogueLoader().load(folder: folder)
    guard let catalogue = result.catalogue else {
      throw .invalidCatalogue(result.diagnostics.filter { $0.severity == .error }.map(\.description))
    }
    self.init(catalogue, configuration: configuration)
  }
}

// MARK: Scripts

extension MockServer {
  /// Sets the reply of an operation from now on.
  ///
  /// Requests that the catalogue forbids are still rejected.
  ///
  /// - Parameters:
  ///   - operation: The operation's name in the catalogue.
  ///   - reply: The response.
  ///   - times: The number of calls to reply to, after which the previous behaviour returns. With `nil`, the default, the reply is
  ///     for all calls and replaces an earlier reply for all calls. Replies for a limited number of calls come first, in the order
  ///     in which you added them.
  /// - Throws: ``MockError/unknownOperation(_:similar:)``.
  public func reply(to operation: String, with reply: MockReply, times: Int? = nil) throws(MockError) {
    try self.reply(to: operation, times: times) { _ in reply }
  }

  /// Sets a closure that responds to an operation.
  ///
  /// - Parameters:
  ///   - operation: The operation's name in the catalogue.
  ///   - times: The number of calls to respond to; `nil`, the default, means all.
  ///   - respond: Makes the response to a request. If the client sends concurrently, it is called from several tasks at once.
  /// - Throws: ``MockError/unknownOperation(_:similar:)``.
  public func reply(
    to operation: String, times: Int? = nil, respond: @escaping @Sendable (MockRequest) async -> MockReply
  ) throws(MockError) {
    try check(operation)
    state.withLock { $0.script.add(respond, to: operation, times: times) }
  }

  /// Causes a failure.
  ///
  /// - Parameters:
  ///   - fault: The failure.
  ///   - operation: The operation's name in the catalogue. Default: every operation.
  ///   - times: The number of requests that fail.
  ///   - skipped: The number of requests that succeed before.
  /// - Throws: ``MockError/unknownOperation(_:similar:)``.
  public func inject(
    _ fault: MockFault, for operation: String = "*", times: Int = 1, after skipped: Int = 0
  ) throws(MockError) {
    if operation != "*" { try check(operation) }
    state.withLock { $0.script.add(fault, to: operation, times: times, after: skipped) }
  }

  /// Removes the replies of an operation, or of all with `nil`, so that responses are generated from the types again.
  public func removeReplies(to operation: String? = nil) {
    state.withLock { $0.script.removeReplies(to: operation) }
  }

  /// Removes the faults that have not happened yet.
  public func removeFaults() { state.withLock { $0.script.removeFaults() } }

  private func check(_ operation: String) throws(MockError) {
    if endpoints[operation] != nil { return }
    let wanted = operation.lowercased()
    let similar = endpoints.keys.filter { name in
      let name = name.lowercased()
      return wanted.count > 2 && (name.contains(wanted) || wanted.contains(name) || name.hasPrefix(wanted.prefix(6)))
    }
    throw .unknownOperation(operation, similar: Array(similar.sorted().prefix(5)))
  }
}

// MARK: Records

extension MockServer {
  /// The requests so far, in the order of their responses.
  public var requests: [MockRequest] {
    state.withLock { state in Array(state.requests.suffix(max(0, configuration.requestLogCapacity))) }
  }

  /// The requests of one operation so far.
  ///
  /// - Throws: ``MockError/unknownOperation(_:similar:)``, so that a misspelt name is not mistaken for an operation without
  ///   requests.
  public func requests(to operation: String) throws(MockError) -> [MockRequest] {
    try check(operation)
    return requests.filter { $0.operation == operation }
  }

  /// Drops the recorded requests.
  public func forgetRequests() { state.withLock { $0.forgetRequests() } }

  /// The recorded requests, and the number of requests since the start.
  var recorded: (requests: [MockRequest], count: Int) { state.withLock { ($0.requests, $0.requestCount) } }

  /// The planned faults as text.
  package var plannedFaults: [String] { state.withLock { $0.script.plannedFaults } }

  private func record(_ request: MockRequest) {
    state.withLock { $0.add(request, configuration) }
    configuration.onRequest?(request)
  }
}

// MARK: Responding

extension MockServer {
  /// Responds to a request without a socket.
  ///
  /// - Throws: ``TransportError`` if a fault closes the connection, and for a request that no transport would send.
  public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    try request.validate()
    // A body that is too large gets a 413, as on loopback.
    let body = try await request.body.collect()
    let incoming = IncomingRequest(
      method: request.method.rawValue, origin: request.url.origin, path: request.url.path, query: request.url.query,
      headers: request.headerFields, body: body)
    let response = try await respond(to: incoming)
    var head = HTTPResponse(status: .init(code: response.status), headerFields: response.headers)
    if let length = response.length { head.headerFields[.contentLength] = String(length) }
    return TransportResponse(head: head, body: response.body)
  }

  /// Responds to a request and records it.
  ///
  /// - Throws: ``TransportError`` with ``TransportError/Kind/connectionLost`` if the connection must be closed.
  package func respond(to request: IncomingRequest) async throws(TransportError) -> OutgoingResponse {
    var record = MockRequest(
      operation: nil, method: request.method, path: request.path, pathParameters: [:],
      query: (request.query.map(FormText.pairs) ?? []).map { MockRequest.Parameter(name: $0.name, value: $0.value) },
      headers: request.headers, body: request.body, bodyValue: nil, arguments: [:])
    record.secretNames = credentials.secretNames
    do throws(TransportError) {
      if configuration.latency > .zero { try await pause(configuration.latency) }
      var response = try await respond(to: request, &record)
      if request.method == "HEAD" {
        // In memory, a response cannot be cut off, so all of it is lost.
        if response.isCut { throw TransportError(.connectionLost, delivery: .delivered) }
        response.leaveOutBody()
      }
      record.status = response.status
      self.record(record)
      return response
    } catch {
      self.record(record)
      throw error
    }
  }

  private func pause(_ duration: Duration) async throws(TransportError) {
    do { try await Task.sleep(for: duration) } catch { throw TransportError(.cancelled, delivery: .unknown) }
  }

  private func respond(
    to request: IncomingRequest, _ record: inout MockRequest
  ) async throws(TransportError) -> OutgoingResponse {
    guard !Task.isCancelled else { throw TransportError(.cancelled, delivery: .notSent) }
    if let state = ownState(request) { return state }
    guard let (match, arguments) = find(request, &record) else { return refuse(request, &record) }
    let endpoint = match.endpoint
    record.operation = endpoint.name
    record.pathParameters = match.parameters.mapValues { FormText.decoded($0, plusIsSpace: false) }
    record.arguments = arguments.values
    record.bodyValue = arguments.body
    let fault = state.withLock { $0.script.fault(for: endpoint.name) }
    switch fault?.kind {
    case .delay(let duration): try await pause(duration)
    case .status(let status, let seconds):
      var headers: HTTPFields = [:]
      if let seconds { headers[.retryAfter] = String(seconds) }
      return error(status, endpoint, headers: headers)
    case .drop: throw TransportError(.connectionLost, delivery: .unknown)
    case .lose, .cut, .truncate, .empty, nil: break
    }
    if let refusal = refuse(request, endpoint, arguments, &record) { return refusal }
    let responder = state.withLock { $0.script.reply(to: endpoint.name) }
    var response: OutgoingResponse
    if let responder {
      let reply = await responder(record)
      response = scripted(reply, endpoint, arguments, request, &record)
    } else {
      response = prefer(request, endpoint) ?? generated(endpoint, arguments, request, &record)
    }
    try await spoil(&response, fault)
    return response
  }

  /// The operations with a request's path, whatever their method.
  func routes(_ request: IncomingRequest) -> [RouteTable.Match] { routeTable.matches(request) }

  /// The operation for a request, with its arguments. If several have the same path, the best match.
  func find(
    _ request: IncomingRequest, _ record: inout MockRequest
  ) -> (RouteTable.Match, ReadArguments)? {
    let found = routes(request)
    var matches = found.filter { $0.endpoint.method == request.method }
    // RFC 9110 §9.3.2: HEAD is GET without the body. A stream consists only of its body.
    if matches.isEmpty, request.method == "HEAD" {
      matches = found.filter { $0.endpoint.method == "GET" && $0.endpoint.stream == nil }
    }
    guard let best = matches.first?.weight else { return nil }
    let reader = ArgumentReader(
      types: types, everyCall: catalogue.api.everyCall, isStrict: configuration.isStrict,
      credentialNames: credentials.queryNames)
    let read = matches.filter { $0.weight == best }.map { match in
      (match, reader.read(request, match.endpoint, path: match.parameters))
    }
    func distance(_ arguments: ReadArguments) -> Int {
      arguments.problems.count + (arguments.acceptedMediaTypes == nil ? 0 : 100)
    }
    // Of equal matches, takes the one that knows more of the arguments.
    return read.enumerated().min {
      (distance($0.element.1), -$0.element.1.values.count, $0.offset)
        < (distance($1.element.1), -$1.element.1.values.count, $1.offset)
    }?.element
  }

  /// A response from the types, possibly chosen by the request's `Prefer: code=404` (RFC 7240).
  private func prefer(_ request: IncomingRequest, _ endpoint: Endpoint) -> OutgoingResponse? {
    guard let name = HTTPField.Name("Prefer"), let field = request.headers[name] else { return nil }
    for part in field.split(whereSeparator: { $0 == "," || $0 == ";" }) {
      let halves = part.split(separator: "=").map { $0.trimmingCharacters(in: .whitespaces) }
      if halves.count == 2, halves[0] == "code", let status = Int(halves[1]), (400...599).contains(status) {
        return error(status, endpoint)
      }
    }
    return nil
  }
}
