import Foundation

/// The handling of a request, in this order: route, fault, authentication, rate limit, validation, operation.
struct RequestPipeline: Sendable {
  let configuration: Sandbox.Configuration
  let clock: OffsetClock
  let router: Router
  let store: Store
  let authorization: AuthorizationService
  let limiter: RateLimiter
  let faults: FaultPlan
  let log: RequestLog
  let streams: StreamHub

  init(configuration original: Sandbox.Configuration) {
    var configuration = original
    clock = OffsetClock(base: original.clock)
    configuration.clock = clock
    self.configuration = configuration
    router = Router(operations: OperationTable.all, catalogue: configuration.endpoints)
    streams = StreamHub(configuration: configuration)
    store = Store { [streams] changes, database in streams.publish(changes, in: database) }
    authorization = AuthorizationService(configuration: configuration)
    limiter = RateLimiter(overrides: configuration.limits)
    faults = FaultPlan()
    log = RequestLog(capacity: configuration.requestLogCapacity)
  }

  /// Handles a request and logs it.
  func handle(_ request: IncomingRequest) async -> Response {
    let date = configuration.clock.now()
    var response = await route(request)
    response.set("Date", Timestamp.httpDate(date))
    if case .nothing = response.body { response.status = 0 }
    if configuration.compressesAnswers { response.compress(accepting: request.header("Accept-Encoding")) }
    let status = response.status
    let signature =
      SignatureTrace.isSigned(request)
      ? await authorization.perform { SignatureTrace(request, $0.registry, at: date, status: status) } : nil
    await log.record(request, status: response.status, date: date, signature: signature)
    return response
  }

  private func route(_ request: IncomingRequest) async -> Response {
    do throws(Problem) {
      if let endpoint = try AuthorizationEndpoint.find(request) {
        return try await withFaults(endpoint.key, APIVersion(path: request.path)) { () throws(Problem) in
          try await authorization.perform { (server) throws(Problem) in try endpoint.respond(request, &server) }
        }
      }
      let destination = try router.destination(of: request)
      return switch destination {
      case .catalogueOnly(let key):
        try await withFaults(key, APIVersion(path: request.path)) { () throws(Problem) in throw .notImplemented(key) }
      case .operation(let operation, let path):
        try await withFaults(operation.key, operation.version) { () throws(Problem) in
          await perform(operation, path: path, request)
        }
      }
    } catch {
      return Response(error, in: APIVersion(path: request.path))
    }
  }

  private func withFaults(
    _ key: String, _ version: APIVersion, _ respond: () async throws(Problem) -> Response
  ) async throws(Problem) -> Response {
    try await FaultInjection.perform(await faults.next(for: key), in: version, respond)
  }

  private func perform(_ operation: Operation, path: [String: String], _ request: IncomingRequest) async -> Response {
    var limits: RateLimiter.Status?
    var response: Response
    do throws(Problem) {
      let principal = try await authorization.authenticate(request)
      let count = await limiter.consume(operation: operation.key, principal: principal, now: configuration.clock.now())
      limits = count
      try operation.access.check(principal)
      if count.isExceeded { throw Problem.tooManyRequests }
      var context = try check(request, operation, path: path, principal: principal)
      if operation.opensStream { context.stream = StreamConnection(hub: streams, request) }
      if operation.readsLimits { context.limits = await allLimits(of: operation.version, for: principal) }
      response = try await store.perform { [context] (database) throws(Problem) in
        try operation.respond(context, &database)
      }
      if operation.version == .v2, case .bytes(let bytes) = response.body {
        response.body = .bytes(configuration.dialect.document(bytes))
      }
    } catch {
      response = Response(error, in: operation.version)
    }
    for header in limits?.headers ?? [] { response.set(header.name, header.value) }
    return response
  }

  private func allLimits(of version: APIVersion, for principal: Principal) async -> [String: RateLimiter.Status] {
    var limits: [String: RateLimiter.Status] = [:]
    for operation in OperationTable.all where operation.version == version {
      limits[operation.key] = await limiter.status(
        operation: operation.key, principal: principal, now: configuration.clock.now())
    }
    return limits
  }

  /// The source of posts by the API.
  private static let source = "Sandbox App"

  private func check(
    _ request: IncomingRequest, _ operation: Operation, path: [String: String], principal: Principal
  ) throws(Problem) -> RequestContext {
    let now = configuration.clock.now()
    return switch operation.version {
    case .v1:
      try RequestContext(v1: request, operation, path: path, principal: principal, now: now, source: Self.source)
    case .v2:
      try RequestContext(v2: request, operation, path: path, principal: principal, now: now, source: Self.source)
    }
  }
}
