import CPostgres
import CallsignHTTP
import CallsignSupport

/// Statements sent together in a separate transaction, and the task that waits for their responses.
final class PostgresRequest: Sendable {
  let statements: [PostgresStatement]
  let deadline: ContinuousClock.Instant
  let limit: Duration
  let response = CancellableWait<Result<[PostgresResult], PostgresError>>()

  init(_ statements: [PostgresStatement], within limit: Duration) {
    self.statements = statements
    self.limit = limit
    deadline = .now + limit
  }
}

/// One connection to a server, in pipeline mode (PostgreSQL manual, 34.5): requests are sent without waiting for the responses to
/// earlier ones. Each ends with a synchronization point, so that the server treats it as one transaction.
///
/// `@unchecked Sendable`: after a ``PostgresLoop`` has taken it over, only the loop's thread accesses the parts that are not
/// locked.
final class PostgresLink: @unchecked Sendable {
  /// The state that other threads can read.
  struct Usage {
    var isOpen = true
    /// The number of requests in it that have no response yet.
    var load = 0
    var lastUse = ContinuousClock.now
  }

  private struct Flight {
    let request: PostgresRequest
    /// When to give it up. If it is the first request, the connection is given up as well.
    var deadline: ContinuousClock.Instant
    /// Whether its task no longer waits, because it has waited too long behind others.
    var isOverdue = false
    var results: [PostgresResult] = []
    var error: PostgresError?

    init(_ request: PostgresRequest) {
      self.request = request
      deadline = request.deadline
    }
  }

  let usage = Locked(Usage())
  /// The time limit for a statement in this session, unless its transaction sets another.
  let statementLimit: Duration
  private let connection: OpaquePointer
  private let schema: String
  private var flights: [Flight] = []
  private var hasUnsent = false

  /// Takes over an established connection.
  ///
  /// - Throws: ``PostgresError`` if it cannot be put into pipeline mode. The connection is then closed.
  init(_ connection: OpaquePointer, schema: String, statementLimit: Duration) throws(PostgresError) {
    self.connection = connection
    self.schema = schema
    self.statementLimit = statementLimit
    guard PQsetnonblocking(connection, 1) == 0, PQenterPipelineMode(connection) == 1 else {
      throw .unreachable("libpq cannot pipeline")
    }
  }

  deinit { PQfinish(connection) }
}

// Methods for the loop's thread.
extension PostgresLink {
  var descriptor: Int32 { PQsocket(connection) }
  var wantsToWrite: Bool { hasUnsent }
  /// The earliest deadline of the waiting requests.
  var deadline: ContinuousClock.Instant? {
    flights.indices.compactMap { $0 > 0 && flights[$0].isOverdue ? nil : flights[$0].deadline }.min()
  }

  /// Sends a request.
  ///
  /// - Throws: ``PostgresError`` if the connection is broken.
  func send(_ request: PostgresRequest) throws(PostgresError) {
    flights.append(Flight(request))
    for statement in request.statements {
      guard statement.send(on: connection) else { throw broken() }
    }
    guard PQpipelineSync(connection) == 1 else { throw broken() }
    try flush()
  }

  func flush() throws(PostgresError) {
    let state = PQflush(connection)
    guard state >= 0 else { throw broken() }
    hasUnsent = state == 1
  }

  /// Reads what has arrived, and responds to the completed requests.
  ///
  /// - Parameter notify: Called with the payload of each notification.
  func receive(_ notify: (String) -> Void) throws(PostgresError) {
    guard PQconsumeInput(connection) == 1 else { throw broken() }
    if hasUnsent { try flush() }
    while !flights.isEmpty, PQisBusy(connection) == 0 {
      // Nothing marks the end of one statement's results.
      guard let result = PQgetResult(connection) else {
        if PQstatus(connection) != CONNECTION_OK { throw broken() }
        continue
      }
      defer { PQclear(result) }
      take(result)
    }
    while let notification = PQnotifies(connection) {
      defer { PQfreemem(notification) }
      if let payload = notification.pointee.extra { notify(String(cString: payload)) }
    }
    if PQstatus(connection) != CONNECTION_OK { throw broken() }
  }

  private func take(_ result: OpaquePointer) {
    switch PQresultStatus(result) {
    case PGRES_PIPELINE_SYNC:
      let flight = flights.removeFirst()
      // The server starts with the next request only now.
      if let next = flights.first, next.isOverdue { flights[0].deadline = .now + next.request.limit }
      finish(flight, flight.error.map(Result.failure) ?? .success(flight.results))
    case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: flights[0].results.append(PostgresResult(result))
    case PGRES_PIPELINE_ABORTED: break
    default:
      let code = PQresultErrorField(result, 67).map { String(cString: $0) } ?? ""
      let message = PQresultErrorField(result, 77).map { String(cString: $0) } ?? ""
      // An error without a code comes from libpq: the connection is gone.
      let error =
        code.isEmpty
        ? broken() : PostgresError(code: code, message: message, schema: schema)
      if flights[0].error == nil { flights[0].error = error }
    }
  }

  private func finish(_ flight: Flight, _ result: Result<[PostgresResult], PostgresError>) {
    usage.withLock { usage in
      usage.load -= 1
      usage.lastUse = .now
    }
    flight.request.response.end(with: result)
  }

  /// Responds to requests that have waited long enough behind others. The connection continues to process these.
  ///
  /// - Returns: The error for closing the connection, if the first request has taken too long.
  func expire(at now: ContinuousClock.Instant) -> PostgresError? {
    for index in flights.indices.dropFirst() where !flights[index].isOverdue && flights[index].deadline <= now {
      flights[index].isOverdue = true
      let request = flights[index].request
      request.response.end(with: .failure(.timedOut(request.limit)))
    }
    guard let first = flights.first, first.deadline <= now else { return nil }
    return .timedOut(first.request.limit)
  }

  /// Responds to a request that was not sent.
  func refuse(_ request: PostgresRequest, _ error: PostgresError) { finish(Flight(request), .failure(error)) }

  private func broken() -> PostgresError {
    .unreachable(String(cString: PQerrorMessage(connection)), mayHaveSucceeded: true)
  }

  /// Stops reading, and responds to all waiting requests with an error. All of them have been sent and may be carried out.
  func close(_ error: PostgresError) {
    usage.withLock { $0.isOpen = false }
    let waiting = flights
    flights = []
    var error = error
    error.mayHaveSucceeded = true
    for (index, flight) in waiting.enumerated() {
      // A request that waited behind one that took too long has not had its own time.
      let isFirst = index == 0 || error.reason != .timedOut
      let other = PostgresError.unreachable("another request took too long", mayHaveSucceeded: true)
      finish(flight, .failure(flight.error ?? (isFirst ? error : other)))
    }
  }
}

extension PostgresLink {
  /// Connects. It blocks, even while the system looks up a host name, so call it on a separate thread.
  static func connect(
    _ configuration: PostgresConfiguration, schema: String
  ) throws(PostgresError) -> PostgresLink {
    let end = ContinuousClock.now + configuration.connectTimeout
    guard let connection = configuration.withParameters({ PQconnectStartParams($0, $1, 0) }) else {
      throw .unreachable("no memory for a connection")
    }
    var isHandedOver = false
    defer { if !isHandedOver { PQfinish(connection) } }
    func failure() -> PostgresError { PostgresError(connecting: String(cString: PQerrorMessage(connection))) }
    guard PQstatus(connection) != CONNECTION_BAD else { throw failure() }
    PQsetNoticeProcessor(connection, { _, _ in }, nil)
    var state = PGRES_POLLING_WRITING
    while state != PGRES_POLLING_OK {
      guard state != PGRES_POLLING_FAILED else { throw failure() }
      let left = end - .now
      guard left > .zero else { throw .unreachable("no response within \(configuration.connectTimeout)") }
      var watched = pollfd(
        fd: PQsocket(connection), events: Int16(state == PGRES_POLLING_READING ? POLLIN : POLLOUT), revents: 0)
      let count = poll(&watched, 1, Int32(min(left.seconds * 1000 + 1, 1_000_000)))
      if count < 0, errno != EINTR { throw .unreachable("the system cannot wait for a connection") }
      if count > 0 { state = PQconnectPoll(connection) }
    }
    // From here on, the link closes the connection, even if the link itself cannot be created.
    isHandedOver = true
    return try PostgresLink(connection, schema: schema, statementLimit: configuration.requestTimeout)
  }
}
