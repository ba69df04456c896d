import CallsignHTTP
import CallsignJSON
import CallsignSupport
import HTTPTypes

/// Sends calls: it finds the credentials, signs each attempt, passes it to the transport, and turns the response into a
/// value or a ``CallError``.
///
/// One client serves any number of tasks; its transport keeps the connections.
public final class Client: Sendable {
  /// The configuration that the client was made with.
  public let configuration: ClientConfiguration
  /// The credentials, in the order in which the client tries them against what an endpoint accepts.
  public let authenticators: [any Authenticator]
  /// The limits that it learns, shared with the clients that are derived from it.
  let state: ClientState
  /// The called API's conventions for limits and errors. The client of a generated API has those of its
  /// ``APIClient/conventions``.
  public let conventions: any APIConventions
  /// The constants of every call of the API, and how its responses show that a call failed. The client of a generated
  /// API has those of its catalogue.
  public let defaults: APIDefaults
  /// Facts that higher modules have learned with these credentials, one for each type. A client with other credentials
  /// starts empty.
  package let learned: Locked<[ObjectIdentifier: any Sendable]>
  /// The header fields that every request begins with.
  let ownFields: HTTPFields

  /// Makes a client with several kinds of credentials. Each endpoint gets the first one that it accepts.
  ///
  /// - Parameters:
  ///   - auth: The credentials, best first. Without any, the client can only call endpoints that need none.
  ///   - configuration: Transport, timeouts, hosts, logging.
  ///   - conventions: The API's conventions for limits and errors. Default: those of most APIs.
  public convenience init(
    auth: [any Authenticator], configuration: ClientConfiguration = ClientConfiguration(),
    conventions: any APIConventions = .standard
  ) {
    self.init(
      auth: auth, configuration: configuration, conventions: conventions, defaults: .none,
      state: ClientState(configuration))
  }

  /// Creates a client that shares what another client has learned.
  init(
    auth: [any Authenticator], configuration: ClientConfiguration, conventions: any APIConventions,
    defaults: APIDefaults, state: ClientState, learned: Locked<[ObjectIdentifier: any Sendable]> = Locked([:])
  ) {
    self.defaults = defaults
    self.learned = learned
    ownFields = [.accept: ClientConfiguration.acceptedByDefault, .userAgent: configuration.userAgent]
    authenticators = auth
    self.configuration = configuration
    self.conventions = conventions
    self.state = state
  }

  /// Makes a client with one kind of credentials.
  ///
  /// - Parameters:
  ///   - auth: The credentials.
  ///   - configuration: Transport, timeouts, hosts, logging.
  ///   - conventions: The API's conventions for limits and errors. Default: those of most APIs.
  public convenience init(
    auth: some Authenticator, configuration: ClientConfiguration = ClientConfiguration(),
    conventions: any APIConventions = .standard
  ) {
    self.init(auth: [auth], configuration: configuration, conventions: conventions)
  }

  /// Makes a call and decodes its JSON response.
  ///
  /// - Throws: ``CallError``; see its cases.
  public func send<Value: JSONDecodable>(_ call: Call) async throws(CallError) -> Response<Value> {
    let execution = try CallExecution(self, call)
    return try execution.decode(try await execution.wholeResponse())
  }

  /// Makes a call whose response has no content worth decoding.
  ///
  /// - Throws: ``CallError``.
  public func send(_ call: Call) async throws(CallError) -> Response<NoContent> {
    Response(value: NoContent(), rawResponse: try await rawResponse(to: call))
  }

  /// Makes a call whose response is raw bytes.
  ///
  /// - Throws: ``CallError``.
  public func data(_ call: Call) async throws(CallError) -> Response<Data> {
    let rawResponse = try await CallExecution(self, call, accepting: "*/*").wholeResponse()
    return Response(value: rawResponse.body, rawResponse: rawResponse)
  }

  /// Makes a call whose response is text, in the character set that its `Content-Type` names: UTF-8, UTF-16, ISO 8859-1
  /// or Windows 1252. If it names none, the text is UTF-8, or what its byte order mark says; the mark is not part of
  /// the text. Invalid bytes become replacement characters.
  ///
  /// - Throws: ``CallError``; `.unexpectedContent`, with the bytes, if the text is in another character set, or
  ///   `.unreadableResult` if the call changes something.
  public func text(_ call: Call) async throws(CallError) -> Response<String> {
    let execution = try CallExecution(self, call, accepting: "*/*")
    let rawResponse = try await execution.wholeResponse()
    return Response(value: try execution.text(of: rawResponse), rawResponse: rawResponse)
  }

  /// Makes a call, and leaves its response as it arrived.
  package func rawResponse(to call: Call) async throws(CallError) -> RawResponse {
    try await CallExecution(self, call).wholeResponse()
  }

  /// The rate limits that responses have stated so far, to this client and to those that it is derived from or that are
  /// derived from it.
  public var rateLimits: RateLimits { state.statedLimits.snapshot }
}

extension Client {
  /// A client whose calls all fail. Generated protocols use it for methods that a mock leaves out.
  public static var unimplemented: Client {
    let transport = InMemoryTransport { _ throws(TransportError) in
      throw TransportError(
        .invalidRequest("the mock in the client's place does not implement the method"), delivery: .notSent)
    }
    return Client(auth: .standIn, configuration: ClientConfiguration(transport: transport, retry: .never))
  }

  /// A client with other credentials that shares everything else: transport, connections, settings.
  ///
  /// - Parameter auth: The credentials, best first.
  public func with(auth: [any Authenticator]) -> Client {
    Client(auth: auth, configuration: configuration, conventions: conventions, defaults: defaults, state: state)
  }

  /// A client for an API with other conventions that shares everything else: credentials, transport, connections,
  /// settings.
  ///
  /// - Parameters:
  ///   - conventions: The API's conventions for limits and errors.
  ///   - defaults: The constants of every call of the API, and how responses show that a call failed. Default: none.
  public func with(conventions: any APIConventions, defaults: APIDefaults = .none) -> Client {
    Client(
      auth: authenticators, configuration: configuration, conventions: conventions, defaults: defaults, state: state,
      learned: learned)
  }

  /// A client that sends calls to other hosts and shares everything else.
  package func with(hosts: BaseURLOverrides) -> Client {
    var configuration = configuration
    configuration.hosts = hosts
    return Client(
      auth: authenticators, configuration: configuration, conventions: conventions, defaults: defaults, state: state,
      learned: learned)
  }

  /// A client with other credentials that shares everything else: transport, connections, settings.
  ///
  /// - Parameter auth: The credentials.
  public func with(auth: some Authenticator) -> Client { with(auth: [auth]) }
}

extension Client {
  /// Base URLs of a catalogue that was read, with this client's values for their variables.
  package func filled(_ templates: [String]) -> [String] {
    templates.map { template in
      do throws(InvalidCall) {
        return try HostTemplate.filled(template, configuration.hostVariables, endpoint: "")
      } catch { return template }
    }
  }
}

/// The limits that a client learns, shared with the clients that are derived from it.
final class ClientState: Sendable {
  let statedLimits = StatedRateLimits()
  let rateLimitStore: any RateLimitStore
  /// The store, if it is this process's own: it can be called without a change of executors.
  let ledger: RateLimitLedger?
  let retryTokens: RetryTokens
  let issues: IssueReporter
  let statistics = Locked(ClientStatistics())

  init(_ configuration: ClientConfiguration) {
    rateLimitStore = configuration.rateLimitStore ?? RateLimitLedger(time: configuration.time)
    ledger = rateLimitStore as? RateLimitLedger
    retryTokens = RetryTokens(configuration.retryBudget)
    issues = IssueReporter(configuration)
  }
}
