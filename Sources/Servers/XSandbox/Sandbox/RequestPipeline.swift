import Foundation

/// Handles a request in this order: route, fault, authentication, rate limit, validation, operation.
struct RequestPipeline: Sendable {
  let configuration: Sandbox.Configuration
  let clock: OffsetClock
  let store: Store
  let authorization: AuthorizationService
  let limiter: RateLimiter
  let faults: FaultPlan
  let log: RequestLog
  let streams: StreamHub
  let webhooks: WebhookDispatcher
  /// The sandbox that commands apply to.
  let control = ControlTarget()
  private let services: Services

  init(configuration original: Sandbox.Configuration) {
    var configuration = original
    clock = OffsetClock(base: original.clock)
    configuration.clock = clock
    self.configuration = configuration
    streams = StreamHub(configuration: configuration)
    let authorization = AuthorizationService(configuration: configuration)
    self.authorization = authorization
    let client = WebhookClient { app in
      await authorization.perform { $0.registry.apps[app]?.app }
    }
    webhooks = WebhookDispatcher(client: client, clock: clock)
    store = Store { [streams, webhooks] changes, database in
      streams.publish(changes, in: database)
      webhooks.publish(changes, in: database)
    }
    services = Services(store: store) { url, app in await client.challenge(url, app: app) }
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
    if request.method == "HEAD" { response.leaveOutBody() }
    if configuration.compressesResponses { response.compress(accepting: request.header("Accept-Encoding")) }
    let status = response.status
    let signature =
      SignatureTrace.isSigned(request)
      ? await authorization.perform { SignatureTrace(request, $0.registry, at: date, status: status) } : nil
    await log.record(request, status: response.status, date: date, signature: signature)
    return response
  }

  private func route(_ request: IncomingRequest) async -> Response {
    do throws(Problem) {
      if let command = try ControlEndpoint.find(request), let sandbox = control.sandbox {
        return await command.respond(sandbox)
      }
      if let endpoint = try AuthorizationEndpoint.find(request) {
        return try await withFaults(endpoint.key, APIVersion(path: request.path)) { () throws(Problem) in
          try await authorization.perform { (server) throws(Problem) in try endpoint.respond(request, &server) }
        }
      }
      if let file = try ComplianceFiles.find(request) {
        return try await withFaults(file.key, .v2) { () throws(Problem) in
          try await store.perform { (database) throws(Problem) in try file.respond(request, &database) }
        }
      }
      if let media = try PostMedia.find(request) {
        return try await withFaults(PostMedia.key, .v2) { () throws(Problem) in
          try await store.perform { (database) throws(Problem) in try media.respond(database) }
        }
      }
      if let media = try MessageMedia.find(request) {
        return try await withFaults(MessageMedia.key, .v1) { () throws(Problem) in
          let principal = try await authorization.authenticate(request)
          return try await store.perform { (database) throws(Problem) in try media.respond(to: principal, database) }
        }
      }
      let (operation, path) = try Router.shared.destination(of: request)
      return try await withFaults(operation.key, operation.version) { () throws(Problem) in
        await perform(operation, path: path, request)
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
    var request = request
    var dialect = configuration.dialect
    do throws(Problem) {
      // Operations with their own tables need only the v2 limits from the catalogue.
      let typed = operation.access == nil ? TypedOperation.of(operation.key, in: operation.version) : nil
      guard let access = operation.access ?? typed?.access else { throw .noSuchPath(request.method, request.path) }
      let principal = try await authenticate(request, for: access)
      let count = await limiter.consume(
        operation: operation.key, principal: principal, now: configuration.clock.now(),
        catalogued: typed?.limits ?? cataloguedLimits(of: operation))
      limits = count
      try access.check(principal)
      if count.isExceeded { throw Problem.tooManyRequests }
      let olderNames = OlderNames(request.query, accepted: typed?.parameterNames ?? operation.query.map(\.name))
      if operation.version == .v2 {
        request.query = olderNames.query
        if olderNames.isPresent { dialect = .older }
      }
      let arguments = try typed.map { (typed) throws(Problem) in try typed.read(request) }
      guard let respond = operation.respond else {
        guard let typed, let arguments else { throw .noSuchPath(request.method, request.path) }
        response = await typed.respond(arguments)
        return finished(response, operation, limits, dialect)
      }
      var context = try check(request, operation, path: path, principal: principal, arguments: arguments)
      if operation.opensStream { context.stream = StreamConnection(hub: streams, request) }
      if operation.readsLimits { context.limits = await allLimits(of: operation.version, for: principal) }
      context.origin = request.origin
      context.further = olderNames.further
      context.dialect = dialect
      try await operation.prepare?(&context, services)
      response = try await store.perform { [context] (database) throws(Problem) in
        let response = try respond(context, &database)
        if response.postCount > 0 {
          database.count(response.postCount, readBy: context.principal.consumerKey, at: context.now)
        }
        return response
      }
    } catch {
      return finished(Response(error, in: operation.version), operation, limits, dialect)
    }
    return finished(response, operation, limits, dialect)
  }

  /// The catalogue's limits for a v2 operation if no others are set.
  private func cataloguedLimits(of operation: Operation) -> OperationLimits? {
    guard operation.version == .v2, configuration.limits[operation.key] == nil else { return nil }
    return OperationLimits.catalogued(operation.key, in: .v2)
  }

  /// The caller's credentials, or those of an anonymous caller if none are needed and none are given.
  private func authenticate(_ request: IncomingRequest, for access: Access) async throws(Problem) -> Principal {
    if access.isOpen, request.header("Authorization") == nil { return .anonymous }
    return try await authorization.authenticate(request)
  }

  /// The response with the dialect's names and the rate limit headers.
  private func finished(
    _ response: Response, _ operation: Operation, _ limits: RateLimiter.Status?, _ dialect: SandboxDialect
  ) -> Response {
    var response = response
    if operation.version == .v2, case .bytes(let bytes) = response.body {
      response.body = .bytes(dialect.document(bytes))
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

  /// The `source` of posts created through the API.
  private static let source = "Sandbox App"

  private func check(
    _ request: IncomingRequest, _ operation: Operation, path: [String: String], principal: Principal,
    arguments: TypedOperation.Arguments?
  ) throws(Problem) -> RequestContext {
    let now = configuration.clock.now()
    if operation.version == .v2, let arguments {
      return RequestContext(
        arguments, request, operation, path: path, principal: principal, now: now, source: Self.source)
    }
    return switch operation.version {
    case .v1:
      try RequestContext(v1: request, operation, path: path, principal: principal, now: now, source: Self.source)
    case .v2:
      try RequestContext(v2: request, operation, path: path, principal: principal, now: now, source: Self.source)
    }
  }
}
