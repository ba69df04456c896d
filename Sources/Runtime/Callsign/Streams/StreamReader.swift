import CallsignHTTP
import CallsignJSON
import CallsignSupport

/// Reads the records of a stream over as many connections as it takes.
///
/// `@unchecked Sendable`: variables are used only between ``takeTurn()`` and ``endTurn()``, and in the deinitializer.
final class StreamReader: @unchecked Sendable {
  private enum State {
    case idle
    case unconnected
    case connected(StreamConnection)
    case ended
  }

  private let stream: StreamDescription
  private let shared: SharedStream
  private let isInTurn = Locked(false)

  private var state = State.idle
  private var reconnecting: ReconnectState
  private var recovery: StreamRecovery
  private var clock: ClockWatch
  /// The id of the last event, and how long the server wants its clients to wait, over all connections.
  private var lastEventID = ""
  private var retry = Duration.zero
  /// The error for a stream that ended without its end mark.
  private var cutOff: CallError?
  /// Whether the policy's wait for a rate limit is over. The server is then asked again, even if it wanted a longer wait.
  private var hasWaitedForLimit = false

  init<Value>(_ stream: EventStream<Value>) {
    var call = stream.call
    // All connections are one call: if the API uses an idempotency key, each connection has the same.
    if call.options.idempotencyKey == nil {
      call.options.idempotencyKey = UUID().uuidString.lowercased()
      call.options.hasMadeKey = true
    }
    self.stream = StreamDescription(
      client: stream.client, call: call, policy: stream.policy, silenceLimit: stream.silenceLimit)
    shared = stream.shared
    reconnecting = ReconnectState(stream.policy)
    clock = ClockWatch(stream.client.configuration.time)
    let conventions = stream.client.conventions
    let replay = StreamReplay(stream.call, conventions)
    recovery = StreamRecovery(stream.call.endpoint?.backfill, replay, from: stream.start) {
      conventions.date(ofRecordWithID: $0)
    }
  }

  deinit {
    switch state {
    case .unconnected, .connected: finish(nil)
    case .idle, .ended: break
    }
  }

  /// The time. If the clock was set, earlier times are adjusted.
  private func look() -> Date {
    let now = stream.configuration.time.now()
    let jump = clock.jump(at: now)
    if jump != 0 {
      recovery.clockWasSet(by: jump)
      noteProgress()
    }
    return now
  }

  private func takeTurn() throws(CallError) {
    let isFree = isInTurn.withLock { isInTurn in
      defer { isInTurn = true }
      return !isInTurn
    }
    if !isFree { throw shared.inUse }
  }

  private func endTurn() { isInTurn.withLock { $0 = false } }

  /// A record that has arrived already; `nil` when ``next()`` must be asked.
  func arrived() throws(CallError) -> RawRecord? {
    try takeTurn()
    defer { endTurn() }
    guard case .connected(let connection) = state, !Task.isCancelled else { return nil }
    let now = look()
    recovery.readerWaits(at: now)
    return try record(connection, at: now)
  }

  /// The next record; `nil` at the end.
  func next() async throws(CallError) -> RawRecord? {
    try takeTurn()
    defer { endTurn() }
    if case .idle = state {
      try shared.beginReading()
      state = .unconnected
      // A copy of the stream may already have been read, further than the start of this reading.
      shared.progress.withLock { $0.covered = nil }
    }
    recovery.readerWaits(at: look())
    do throws(CallError) {
      while true {
        switch state {
        case .idle, .ended: return nil
        case .unconnected: try await connect()
        case .connected:
          if Task.isCancelled { throw .cancelled }
          switch try await read() {
          case .record(let record): return record
          case .lost(let drop):
            state = .unconnected
            try await recover(from: drop)
          case .complete: finish(nil)
          }
        }
      }
    } catch {
      if case .ended = state {} else { finish(error) }
      throw error
    }
  }

  /// The end of the reading.
  private func finish(_ error: CallError?) {
    // The connection is closed first, so that nobody sees a stream that is free but still connected.
    state = .ended
    shared.report(.ended(error))
    shared.endReading()
  }

  // MARK: Connecting

  private func connect() async throws(CallError) {
    if Task.isCancelled { throw .cancelled }
    reconnecting.connecting()
    shared.report(.connecting(attempt: reconnecting.attempts))
    let minutes = recovery.begin(at: look()) { shared.report($0) }
    do throws(CallError) {
      let connection = try await stream.connect(
        recovery.connections, backfill: minutes, rest: recovery.rest, lastEventID: lastEventID,
        heedsLimits: !hasWaitedForLimit)
      hasWaitedForLimit = false
      // WHATWG HTML §9.2.3: this status means that nothing more follows.
      if connection.isEvents, connection.head.status == .noContent { return finish(nil) }
      let now = look()
      reconnecting.connected(at: now)
      let serverTime = connection.head.headers[.date].flatMap { HTTPDate.date($0, now: now) }
      recovery.connected(at: now, serverTime: serverTime) { shared.report($0) }
      noteProgress()
      shared.report(.connected)
      state = .connected(connection)
    } catch {
      if minutes != nil, recovery.isRefusal(error) {
        recovery.refuse()
        shared.report(.backfillRefused(error))
        return
      }
      try await recover(from: .failed(error))
    }
  }

  /// Waits until the next connection is allowed, or ends the reading.
  private func recover(from drop: StreamDrop) async throws(CallError) {
    if case .failed(.cancelled) = drop { throw .cancelled }
    if Task.isCancelled { throw .cancelled }
    shared.report(.dropped(drop))
    guard var delay = reconnecting.delay(after: drop, at: look()) else {
      guard let error = drop.error ?? cutOff else { return finish(nil) }
      let execution = try? CallExecution(stream.client, stream.call)
      throw execution?.final(error) ?? error
    }
    delay = max(delay, min(retry, stream.policy.maximumResetWait))
    if case .failed(.rateLimited) = drop { hasWaitedForLimit = true }
    guard delay > .zero else { return }
    shared.report(.waiting(delay))
    do throws(CancellationError) { try await stream.configuration.time.sleep(for: delay) } catch { throw .cancelled }
  }

  // MARK: Reading

  private enum Reading {
    case record(RawRecord)
    case lost(StreamDrop)
    /// The stream has said that it is over.
    case complete
  }

  /// The next record of the connection. After this call, only the state refers to the connection.
  private func read() async throws(CallError) -> Reading {
    guard case .connected(let connection) = state else { return .complete }
    while true {
      if let record = try record(connection, at: look()) { return .record(record) }
      if let failure = connection.failure { return .lost(.failed(failure)) }
      if connection.framing.isComplete { return .complete }
      var pieces = connection.body.makeAsyncIterator()
      let piece: Data?
      do throws(TransportError) { piece = try await pieces.next() } catch { return .lost(drop(of: connection, error)) }
      guard let piece else {
        if let rest = connection.framing.rest() {
          if let failure = failure(rest, connection) { return .lost(.failed(failure)) }
          connection.isCutOff = (try? JSONValue(jsonData: rest)) == nil
          if let record = accept(rest, connection, at: look()) { return .record(RawRecord(bytes: record)) }
        }
        if recovery.ends, connection.disconnect == nil, !connection.isCutOff { return .complete }
        cutOff =
          connection.framing.isUnfinished || connection.isCutOff
          ? .unexpectedContent(
            UnexpectedContent(
              kind: .truncated, rawResponse: connection.head,
              detail: "the stream ends within a record, or before its last event")) : nil
        return .lost(connection.disconnect.map(StreamDrop.disconnected) ?? .ended)
      }
      recovery.bytesArrived(at: look())
      connection.framing.append(piece)
      if connection.framing.isNoArray { throw await refusal(connection, beginning: piece) }
    }
  }

  /// The error for a response that should be an array: the API's error, or that the response is not an array.
  private func refusal(_ connection: StreamConnection, beginning: Data) async -> CallError {
    var body = beginning
    var pieces = connection.body.makeAsyncIterator()
    while body.count < Self.refusalLimit, let piece = try? await pieces.next() { body.append(piece) }
    let whole = connection.head.with(body: body)
    return stream.client.defaults.isFailure(body)
      ? CallError(whole, now: stream.client.configuration.time.now())
      : .unexpectedContent(UnexpectedContent(kind: .framing, rawResponse: whole))
  }

  /// About how many bytes to keep of a response that is not an array.
  private static let refusalLimit = 64 << 10

  private func drop(of connection: StreamConnection, _ error: TransportError) -> StreamDrop {
    if case .cancelled = error.kind { return .failed(.cancelled) }
    if let message = connection.disconnect { return .disconnected(message) }
    if case .timedOut = error.kind, let timeout = stream.stallTimeout {
      shared.report(.stalled(after: timeout))
      return .stalled(after: timeout)
    }
    return .failed(connection.execution.callError(for: error))
  }

  /// The next complete record that has arrived.
  private func record(_ connection: StreamConnection, at now: Date) throws(CallError) -> RawRecord? {
    defer {
      if connection.isEvents {
        lastEventID = connection.framing.lastEventID
        retry = connection.framing.retry ?? retry
      }
    }
    do throws(RecordFraming.Violation) {
      while connection.failure == nil, let record = try connection.framing.next() {
        // Reading the keep-alives may have revealed that the clock was set.
        let now = tellKeepAlives(connection) ?? now
        connection.failure = failure(record, connection)
        if connection.failure != nil { return nil }
        if let record = accept(record, connection, at: now) {
          return RawRecord(bytes: record, event: connection.framing.event)
        }
      }
      tellKeepAlives(connection)
      return nil
    } catch {
      let error = CallError.unexpectedContent(UnexpectedContent(kind: .framing, rawResponse: connection.head))
      finish(error)
      throw error
    }
  }

  /// The error that a record represents, if the API's format says that the call has failed.
  private func failure(_ record: Data, _ connection: StreamConnection) -> CallError? {
    guard connection.hasFailures else { return nil }
    let body = connection.framing.event?.data ?? record
    guard stream.client.defaults.isFailure(body) else { return nil }
    return CallError(connection.head.with(body: Data(Array(body))), now: stream.client.configuration.time.now())
  }

  /// Records the keep-alives that have arrived.
  ///
  /// - Returns: The time; `nil` if there were none.
  @discardableResult
  private func tellKeepAlives(_ connection: StreamConnection) -> Date? {
    guard connection.framing.keepAlives > connection.keepAlives else { return nil }
    reconnecting.received()
    let now = look()
    recovery.keepAlive(at: now)
    noteProgress()
    if shared.isWatched {
      for _ in connection.keepAlives..<connection.framing.keepAlives { shared.report(.keepAlive) }
    }
    connection.keepAlives = connection.framing.keepAlives
    return now
  }

  private func noteProgress(isRecord: Bool = false) {
    let covered = recovery.covered
    shared.progress.withLock { progress in
      progress.covered = covered
      if isRecord { progress.records += 1 }
    }
  }

  /// Records the arrival of a record; `nil` if the record must be skipped.
  private func accept(_ record: Data, _ connection: StreamConnection, at now: Date) -> Data? {
    if let message = stream.client.conventions.disconnect(in: record) {
      connection.disconnect = message
      shared.report(.disconnectMessage(message))
      noteProgress(isRecord: true)
      return record
    }
    reconnecting.received()
    // A cut-off record does not count as received: the whole one is still to come and is not a duplicate.
    let duplicate =
      connection.isCutOff ? nil : recovery.received(record, connection: connection.number, at: now)
    noteProgress(isRecord: duplicate == nil)
    guard let duplicate else { return record }
    shared.report(duplicate)
    return nil
  }
}

/// One connection of a stream.
///
/// `@unchecked Sendable`: only the ``StreamReader`` uses the variables, in its turn.
final class StreamConnection: @unchecked Sendable {
  let execution: CallExecution
  let head: RawResponse
  let body: ResponseBody
  /// The number of the connection among the stream's, from 1.
  let number: Int
  var framing: RecordFraming
  /// Whether the records are server-sent events.
  let isEvents: Bool
  /// Whether a record may say that the call has failed.
  let hasFailures: Bool
  /// The error that the last record describes.
  var failure: CallError?
  /// Whether the last record was cut off by the end of the response.
  var isCutOff = false
  /// The API's message that it is about to disconnect.
  var disconnect: StreamDisconnect?
  /// The number of keep-alives that were reported.
  var keepAlives = 0

  init(
    execution: CallExecution, head: RawResponse, body: ResponseBody, number: Int, framing: RecordFraming,
    isEvents: Bool, hasFailures: Bool
  ) {
    self.execution = execution
    self.head = head
    self.body = body
    self.number = number
    self.framing = framing
    self.isEvents = isEvents
    self.hasFailures = hasFailures
  }
}

/// A stream's client, call and policies, without the type of its records.
struct StreamDescription: Sendable {
  let client: Client
  let call: Call
  let policy: ReconnectPolicy
  let silenceLimit: SilenceLimit

  var configuration: ClientConfiguration { client.configuration }
  var backfill: StreamBackfill? { call.endpoint?.backfill }

  /// The length of a stream is unlimited unless the call itself sets a limit. Silence is always limited.
  private var timeouts: Timeouts {
    let own = call.options.timeouts
    return Timeouts(
      connect: (own ?? configuration.timeouts).connect, idle: silenceLimit.idle(own), total: own?.total)
  }

  /// The silence after which a connection counts as stalled; `nil` if another time limit could be the cause.
  var stallTimeout: Duration? { timeouts.total == nil ? timeouts.idle : nil }

  /// Connects once.
  ///
  /// - Parameters:
  ///   - minutes: How many minutes to ask the API to resend; `nil` leaves that to the caller's arguments.
  ///   - rest: The argument for the rest of a time span; `nil` leaves that to the caller's arguments.
  ///   - lastEventID: The event after which the API should continue; empty for none.
  ///   - heedsLimits: Whether the call is not sent while a limit is known to be used up.
  func connect(
    _ number: Int, backfill minutes: Int?, rest: (parameter: String, text: String)?, lastEventID: String,
    heedsLimits: Bool
  ) async throws(CallError) -> StreamConnection {
    var call = call
    call.options.timeouts = timeouts
    if let rest { call.replaceQuery(rest.parameter, rest.text) }
    if let minutes, let backfill { call.replaceQuery(backfill.parameter, String(minutes)) }
    let style = call.framing ?? call.endpoint?.stream ?? .lines
    // An ID that a header field cannot contain is not sent. The API then begins from the start.
    if !lastEventID.isEmpty, (try? TransportRequest.validate(fieldName: "Last-Event-ID", value: lastEventID)) != nil {
      call.options.headers["Last-Event-ID"] = lastEventID
    }
    let execution = try CallExecution(client, call, accepting: style == .events ? "text/event-stream" : nil)
    let response = try await execution.open(heedsLimits: heedsLimits)
    let head = response.rawResponse
    // An HTML page is not a stream of any kind; JSON can be a stream of lines, but not of events.
    if let type = head.mediaType, type == "text/html" || style == .events && type == "application/json" {
      let whole = await execution.hiddenFailure(response)
      throw client.defaults.isFailure(whole.body)
        ? CallError(whole, now: client.configuration.time.now())
        : .unexpectedContent(UnexpectedContent(kind: type == "text/html" ? .html : .framing, rawResponse: whole))
    }
    return StreamConnection(
      execution: execution, head: head, body: response.value, number: number,
      framing: RecordFraming(
        style, limit: configuration.recordLimit, details: execution.endpointDetails, lastEventID: lastEventID),
      // An array is one response, and its elements are its content.
      isEvents: style == .events, hasFailures: style != .array && !client.defaults.failures.isEmpty)
  }
}

/// A record as received.
struct RawRecord: Sendable {
  /// Usually a slice of the piece that contained it.
  var bytes: Data
  /// The event that contains the record, or that the record is.
  var event: ServerSentEvent?

  /// A separate copy of the bytes with indices from zero, for callers that keep them.
  var ownBytes: Data { Data(bytes) }
}
