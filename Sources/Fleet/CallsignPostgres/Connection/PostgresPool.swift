import CallsignHTTP
import CallsignSupport

/// The connections of this process to one database. A request uses the connection with the least work. If all have work, another is
/// opened, up to the limit. Lost connections are opened again, with increasing pauses.
final class PostgresPool: Sendable {
  private struct State {
    var configuration: PostgresConfiguration
    var links: [PostgresLink] = []
    /// The error and time of the last attempt to connect, if it failed.
    var failure: (error: PostgresError, time: ContinuousClock.Instant)?
    /// The host in the configuration that the next attempt to connect starts with.
    var firstHost = 0
    var isClosed = false
    var counts = Counts()
  }

  /// Counts of the work so far, for monitoring.
  struct Counts: Sendable, Hashable {
    var requests = 0
    var retries = 0
    var connections = 0
  }

  let schema: PostgresSchema
  private let state: Locked<State>
  private let loop: PostgresLoop
  private let connecting = SingleFlight<Result<PostgresLink, PostgresError>>()

  /// After a failed attempt to connect, other requests fail for this long without another attempt.
  private static let shortestPause = Duration.milliseconds(100)
  private static let longestPause = Duration.seconds(1)

  init(_ configuration: PostgresConfiguration, schema: PostgresSchema) throws(PostgresError) {
    self.schema = schema
    state = Locked(State(configuration: configuration))
    loop = try PostgresLoop()
  }

  deinit { loop.stop() }

  var configuration: PostgresConfiguration { state.withLock { $0.configuration } }
  var counts: Counts { state.withLock { $0.counts } }

  /// Uses new settings for connections opened from now on.
  func update(_ configuration: PostgresConfiguration) {
    state.withLock { state in
      state.configuration = configuration
      state.firstHost = 0
      state.failure = nil
    }
  }

  /// Closes all connections. Requests in progress fail.
  func close() {
    let links = state.withLock { state in
      state.isClosed = true
      defer { state.links = [] }
      return state.links
    }
    for link in links { loop.close(link) }
  }

  /// Sends statements as one transaction and waits for the responses, in one round trip.
  ///
  /// - Parameters:
  ///   - limit: The time limit for all attempts; ``PostgresConfiguration/requestTimeout`` by default.
  ///   - end: When the time limit ends, if it started earlier. By default, it starts now.
  ///   - isRepeatable: Whether the statements can be sent again after a lost connection, when it is unknown whether the first
  ///     attempt succeeded.
  func run(
    _ statements: [PostgresStatement], within limit: Duration? = nil, until end: ContinuousClock.Instant? = nil,
    isRepeatable: Bool = true
  ) async throws(PostgresError) -> [PostgresResult] {
    for case .text(let text) in statements.flatMap(\.parameters) where text.utf8.contains(0) {
      throw PostgresError(.configuration, advice: "a text with a zero byte in it cannot be stored; leave it out")
    }
    let limit = min(limit ?? configuration.requestTimeout, .longestWait)
    let end = end ?? .now + limit
    var pause = Duration.milliseconds(20)
    var last: PostgresError?
    while true {
      if Task.isCancelled { throw .cancelled }
      do throws(PostgresError) {
        let link: PostgresLink
        do throws(PostgresError) { link = try await self.link(within: limit, until: end) } catch {
          // If earlier attempts gave a reason, that is more helpful.
          throw error.reason == .timedOut ? last ?? error : error
        }
        let left = end - .now
        guard left > .zero else { throw last ?? .timedOut(limit, mayHaveSucceeded: false) }
        state.withLock { $0.counts.requests += 1 }
        do throws(PostgresError) { return try await perform(statements, on: link, within: left, of: limit) } catch {
          if error.endsConnection { drop(link) }
          guard error.reason == .timedOut else { throw error }
          // The server ends a statement together with its transaction, so the result is known.
          guard var known = last else { throw error.mayHaveSucceeded ? PostgresError.timedOut(limit) : error }
          if error.mayHaveSucceeded { known.mayHaveSucceeded = true }
          throw known
        }
      } catch {
        guard error.isPassing, isRepeatable || !error.mayHaveSucceeded, .now + pause < end,
          !state.withLock({ $0.isClosed })
        else { throw error }
        last = error
        state.withLock { $0.counts.retries += 1 }
        do { try await Task.sleep(for: pause * Double.random(in: 0.7...1.3)) } catch { throw .cancelled }
        pause = min(pause * 2, Self.longestPause)
      }
    }
  }

  /// Sends statements once. If the request may take longer than the session's limit for a statement, the limit is raised.
  private func perform(
    _ statements: [PostgresStatement], on link: PostgresLink, within left: Duration, of limit: Duration
  ) async throws(PostgresError) -> [PostgresResult] {
    guard limit > link.statementLimit else { return try await loop.perform(statements, on: link, within: left) }
    let limiting = PostgresStatement.limitingStatements(to: left, in: .transaction)
    return Array(try await loop.perform([limiting] + statements, on: link, within: left).dropFirst())
  }

  /// The connection for the next request.
  private func link(
    within limit: Duration, until end: ContinuousClock.Instant
  ) async throws(PostgresError) -> PostgresLink {
    enum Choice {
      case link(PostgresLink, opensAnother: Bool)
      case failure(PostgresError)
      case open
    }
    let choice = state.withLock { state -> Choice in
      guard !state.isClosed else { return .failure(.unreachable("the database was closed by this program")) }
      var loads: [(link: PostgresLink, load: Int)] = []
      let now = ContinuousClock.now
      for link in state.links {
        let usage = link.usage.withLock { $0 }
        guard usage.isOpen else { continue }
        if usage.load == 0, !loads.isEmpty, now - usage.lastUse > state.configuration.idleTimeout {
          loop.close(link)
        } else {
          loads.append((link, usage.load))
        }
      }
      state.links = loads.map(\.link)
      if let best = loads.min(by: { $0.load < $1.load }) {
        let hasRoom = loads.count < max(1, state.configuration.maximumConnections)
        let failedLately = state.failure.map { now - $0.time < .seconds(1) } ?? false
        return .link(best.link, opensAnother: best.load > 0 && hasRoom && !failedLately)
      }
      if let failure = state.failure, now - failure.time < Self.shortestPause { return .failure(failure.error) }
      return .open
    }
    switch choice {
    case .link(let link, let opensAnother):
      if opensAnother { Task { _ = try? await self.open() } }
      return link
    case .failure(let error): throw error
    case .open: return try await open(within: limit, until: end)
    }
  }

  /// Opens a connection, and continues to do so even if nobody waits for it any more.
  private func open(
    within limit: Duration, until end: ContinuousClock.Instant
  ) async throws(PostgresError) -> PostgresLink {
    try await Self.wait(within: limit, until: end) { [self] () async throws(PostgresError) -> PostgresLink in
      try await open()
    }
  }

  /// Waits for work until a time, or until the task is cancelled. The work runs in a separate task, which is then cancelled.
  ///
  /// - Parameter limit: The limit to mention in the error.
  static func wait<Value: Sendable>(
    within limit: Duration, until end: ContinuousClock.Instant,
    for work: @escaping @Sendable () async throws(PostgresError) -> Value
  ) async throws(PostgresError) -> Value {
    let outcome = CancellableWait<Result<Value, PostgresError>>()
    let working = Task {
      do throws(PostgresError) { outcome.end(with: .success(try await work())) } catch {
        outcome.end(with: .failure(error))
      }
    }
    let alarm = Task {
      guard (try? await Task.sleep(until: end, clock: .continuous)) != nil else { return }
      outcome.end(with: .failure(.timedOut(limit, mayHaveSucceeded: false)))
    }
    defer {
      working.cancel()
      alarm.cancel()
    }
    let result: Result<Value, PostgresError>
    do throws(CancellationError) { result = try await outcome.value() } catch { throw .cancelled }
    return try result.get()
  }

  /// Opens a connection. All tasks that need one at the same time share it.
  private func open() async throws(PostgresError) -> PostgresLink {
    let opened: Result<PostgresLink, PostgresError>
    do throws(CancellationError) {
      opened = try await connecting.value { [weak self] in
        guard let self else { return .failure(.cancelled) }
        let result = await connect()
        state.withLock { state in
          switch result {
          case .success(let link):
            state.failure = nil
            state.counts.connections += 1
            loop.adopt(link)
            // Sent before anyone uses the connection: a statement that this process has given up must not keep waiting for a locked
            // row.
            let limiting = PostgresStatement.limitingStatements(to: link.statementLimit, in: .session)
            loop.send([limiting], on: link, within: .seconds(15))
            if state.isClosed { loop.close(link) } else { state.links.append(link) }
          case .failure(let error): state.failure = (error, .now)
          }
        }
        return result
      }
    } catch { throw .cancelled }
    return try opened.get()
  }

  /// Connects on a separate thread.
  private func connect() async -> Result<PostgresLink, PostgresError> {
    let configuration = state.withLock { $0.configuration.rotated(by: $0.firstHost) }
    let start = ContinuousClock.now
    let result = await Self.connect(configuration, schema)
    // A host that does not respond uses up the time of the hosts after it, so the next attempt starts with them.
    if case .failure = result, ContinuousClock.now - start >= configuration.connectTimeout {
      state.withLock { $0.firstHost += 1 }
    }
    return result
  }

  private static func connect(
    _ configuration: PostgresConfiguration, _ schema: PostgresSchema
  ) async -> Result<PostgresLink, PostgresError> {
    await withCheckedContinuation { continuation in
      let hasThread = detachThread {
        continuation.resume(
          returning: Result { () throws(PostgresError) in
            try PostgresLink.connect(configuration, schema: schema.description)
          })
      }
      if !hasThread { continuation.resume(returning: .failure(.unreachable("the process can start no more threads"))) }
    }
  }

  private func drop(_ link: PostgresLink) {
    state.withLock { state in state.links.removeAll { $0 === link } }
    loop.close(link)
  }
}

// A connection only for notifications.
extension PostgresPool {
  /// Opens a separate connection and listens as long as the connection lasts.
  ///
  /// - Parameters:
  ///   - channel: The channel.
  ///   - began: Called after the server has registered the listener.
  ///   - notify: Called with each payload, on the loop's thread.
  /// - Throws: ``PostgresError``: the method ends only by throwing.
  func listen(
    to channel: String, began: @Sendable () -> Void, notify: @escaping @Sendable (String) -> Void
  ) async throws(PostgresError) {
    let link = try await connect().get()
    loop.adopt(link, notify: notify)
    defer { loop.close(link) }
    _ = try await loop.perform([PostgresStatement("LISTEN \"\(channel)\"")], on: link, within: .seconds(10))
    began()
    while true {
      for _ in 0..<20 where link.usage.withLock({ $0.isOpen }) {
        do { try await Task.sleep(for: .milliseconds(250)) } catch { throw .cancelled }
      }
      // Detects a connection whose other end has silently vanished.
      _ = try await loop.perform([PostgresStatement("SELECT 1")], on: link, within: .seconds(5))
    }
  }
}
