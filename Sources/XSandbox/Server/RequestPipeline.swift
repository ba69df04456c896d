import Foundation

/// What happens to a request, in this order: fault, route, authentication, rate limit, validation, operation.
struct RequestPipeline: Sendable {
  let configuration: Sandbox.Configuration
  let router: Router
  let store: Store
  let authority: Authority
  let limiter: RateLimiter
  let faults: FaultPlan
  let log: RequestLog

  init(configuration: Sandbox.Configuration) {
    self.configuration = configuration
    router = Router(operations: OperationTable.all, catalogue: configuration.endpoints)
    store = Store()
    authority = Authority(configuration: configuration)
    limiter = RateLimiter(overrides: configuration.limits)
    faults = FaultPlan()
    log = RequestLog(capacity: configuration.requestLogCapacity)
  }

  func answer(_ request: IncomingRequest) async -> Answer {
    let date = configuration.clock.now()
    var answer = await judge(request)
    answer.set("Date", Timestamp.httpDate(date))
    if case .nothing = answer.body { answer.status = 0 }
    await log.record(request, status: answer.status, date: date)
    return answer
  }

  private func judge(_ request: IncomingRequest) async -> Answer {
    do throws(Problem) {
      if let endpoint = try AuthorizationEndpoint.find(request) {
        return try await withFaults(endpoint.key, .v1) { () throws(Problem) in
          try await authority.perform { (server) throws(Problem) in try endpoint.respond(request, &server) }
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
      return Answer(error, in: APIVersion(path: request.path))
    }
  }

  private func withFaults(
    _ key: String, _ version: APIVersion, _ respond: () async throws(Problem) -> Answer
  ) async throws(Problem) -> Answer {
    switch await faults.next(for: key)?.kind {
    case nil: return try await respond()
    case .status(let status, let headers, let body):
      return Self.faultAnswer(status: status, headers: headers, body: body, version: version)
    case .delay(let duration):
      // Cancelled when the sandbox stops: then nobody waits for the answer.
      try? await Task.sleep(for: duration)
      return try await respond()
    case .cutBeforeAnswer:
      var answer = Answer(status: 0, json: .null)
      answer.body = .nothing
      return answer
    case .cutInBody(after: let count):
      var answer = try await respond()
      if case .bytes(let bytes) = answer.body {
        answer.body = .cut(bytes: bytes.prefix(count), total: max(bytes.count, count + 1))
      }
      return answer
    }
  }

  private static func faultAnswer(
    status: Int, headers: [String: String], body: Data?, version: APIVersion
  ) -> Answer {
    var answer = Answer(
      Problem(status: status, title: ReasonPhrase.of(status), detail: ReasonPhrase.of(status)), in: version)
    if let body {
      answer.body = .bytes(body)
      answer.set("Content-Type", "text/html")
    }
    for (name, value) in headers { answer.set(name, value) }
    return answer
  }

  private func perform(_ operation: Operation, path: [String: String], _ request: IncomingRequest) async -> Answer {
    var reading: RateLimiter.Reading?
    var answer: Answer
    do throws(Problem) {
      let caller = try await authority.authenticate(request)
      let count = await limiter.count(operation: operation.key, caller: caller, now: configuration.clock.now())
      reading = count
      try operation.access.check(caller)
      if count.isExceeded { throw Problem.tooManyRequests }
      var exchange = try check(request, operation, path: path, caller: caller)
      if operation.readsLimits { exchange.limits = await limits(of: operation.version, for: caller) }
      answer = try await store.perform { [exchange] (world) throws(Problem) in try operation.respond(exchange, &world) }
    } catch {
      answer = Answer(error, in: operation.version)
    }
    for header in reading?.headers ?? [] { answer.set(header.name, header.value) }
    return answer
  }

  private func limits(of version: APIVersion, for caller: Caller) async -> [String: RateLimiter.Reading] {
    var limits: [String: RateLimiter.Reading] = [:]
    for operation in OperationTable.all where operation.version == version {
      limits[operation.key] = await limiter.reading(
        operation: operation.key, caller: caller, now: configuration.clock.now())
    }
    return limits
  }

  /// The app that posts name as their source.
  private static let source = "Sandbox App"

  private func check(
    _ request: IncomingRequest, _ operation: Operation, path: [String: String], caller: Caller
  ) throws(Problem) -> Exchange {
    if operation.version == .v1 {
      return try Exchange(
        v1: request, operation, path: path, caller: caller, now: configuration.clock.now(), source: Self.source)
    }
    let query = QueryValidation(query: request.query, accepted: operation.query)
    guard query.errors.isEmpty else { throw .invalidRequest(query.errors) }
    let parts = try operation.takesParts ? BodyValidation.parts(of: request) : nil
    let body = try (parts == nil ? operation.body : nil).map { (schema) throws(Problem) in
      try BodyValidation.check(request, against: schema)
    }
    let scope = ([operation.key] + path.sorted { $0.key < $1.key }.map(\.value)).joined(separator: " ")
    return Exchange(
      caller: caller, path: path, query: query.values, body: body ?? .null, now: configuration.clock.now(),
      pageScope: scope, source: Self.source, parameters: parts?.texts ?? [:], files: parts?.files ?? [:])
  }
}
