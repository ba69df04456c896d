// Sound: bytes are valid during libcurl's callback, which has their size. `ResponseState` takes a continuation out under its lock
// before it resumes it, so each is resumed once.

#if os(Linux)
  import CCurl
  import CallsignSupport
  import HTTPTypes

  /// Carries requests with the system's libcurl.
  ///
  /// All transfers of one transport share a thread and a pool of connections. If a TLS server offers HTTP/2, it is
  /// used, with many transfers on one connection. The thread starts with the first request. It ends when the transport
  /// and the last body that came through it are gone.
  ///
  /// - Unless ``TransportConfiguration/proxy`` says otherwise, proxies come from the environment, by libcurl's rules:
  ///   `http_proxy` (in lower case only), `https_proxy`, `all_proxy` and `no_proxy`.
  /// - Responses that are compressed with gzip or deflate are decoded, unless the request has an `Accept-Encoding`
  ///   field. The response's head stays as the server sent it, including `Content-Encoding` and `Content-Length`. If
  ///   the compressed bytes end early, the body ends with ``TransportError/Kind/connectionLost``. Another
  ///   `Content-Encoding`, such as `utf-8`, fails the transfer as a ``TransportError/Kind/protocolViolation``; with
  ///   `Accept-Encoding: identity`, such bytes arrive as they are.
  /// - TLS 1.2 or later is required. Redirects are returned, not followed. Cookies and `.netrc` are not used.
  /// - libcurl would repeat a request if a kept connection turns out to be closed. Once a byte of the request has been
  ///   sent, this transport prevents that, and the error's ``TransportError/Delivery/unknown`` leaves the choice to the
  ///   caller.
  /// - A request that a server has refused to process over HTTP/2 is sent once more, over HTTP/1.1 if the server
  ///   requires it; a second refusal is ``TransportError/Delivery/notSent``.
  public final class CurlTransport: Transport {
    private let loop: CurlLoop
    /// The reason why nothing can be sent.
    private let problem: String?

    /// - Parameter configuration: The trusted authorities, and the route to servers; by default the system's.
    public init(configuration: TransportConfiguration = TransportConfiguration()) {
      loop = CurlLoop(configuration: configuration)
      problem = configuration.proxy.problem
    }

    // Each body holds its transport, so no transfer that anyone can still read is left when this runs.
    deinit { loop.stop() }

    /// Sends a request and returns when the response's head has arrived. See ``Transport/send(_:)``.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
      try request.validate()
      if let problem { throw .invalidRequest(problem) }
      let start = ContinuousClock.now
      do throws(TransportError) { return try await sendOnce(request) } catch {
        guard error == .refusedStream || error == .http1Required else { throw error }
        var request = request
        if let total = request.timeouts.total {
          request.timeouts.total = max(total - (ContinuousClock.now - start), .milliseconds(1))
        }
        return try await sendOnce(request, avoidingHTTP2: error == .http1Required)
      }
    }

    private func sendOnce(
      _ request: TransportRequest, avoidingHTTP2 avoidsHTTP2: Bool = false
    ) async throws(TransportError) -> TransportResponse {
      let transfer = try CurlTransfer(request: request, avoidsHTTP2: avoidsHTTP2, loop: loop)
      let result = await withTaskCancellationHandler {
        await withUnsafeContinuation { transfer.start(awaitingHead: $0) }
      } onCancel: {
        transfer.cancel()
      }
      let head = try result.get()
      if head.status == .proxyAuthenticationRequired {
        transfer.cancel()
        throw .proxyRefusal
      }
      let decodes = request.headerFields[.acceptEncoding] == nil
      let body = try DecodedBody.undoing(
        decodes ? head.headerFields[.contentEncoding] : nil,
        of: CurlResponseBody(transfer: transfer, transport: self))
      return TransportResponse(
        head: head, body: ResponseBody(body), protocolVersion: transfer.buffer.protocolVersion)
    }
  }

  /// The reading end of a transfer. The transfer itself never refers to it, so that dropping it ends the transfer.
  final class CurlResponseBody: ResponseBodySource {
    private let transfer: CurlTransfer
    /// Keeps the loop running for as long as someone reads.
    private let transport: CurlTransport

    init(transfer: CurlTransfer, transport: CurlTransport) {
      self.transfer = transfer
      self.transport = transport
    }

    deinit { transfer.cancel() }

    func next() async throws(TransportError) -> Data? {
      if let ready = transfer.takeReady() { return try ready.get() }
      let result = await withTaskCancellationHandler {
        await withUnsafeContinuation { transfer.awaitBody($0) }
      } onCancel: {
        transfer.cancel()
      }
      return try result.get()
    }
  }

  /// One request and its response, between the task that awaits it and the loop's thread.
  ///
  /// `@unchecked Sendable`: members marked as the loop's are used only on the loop's thread, which is also where
  /// libcurl calls back; the rest is constant and thread-safe.
  final class CurlTransfer: @unchecked Sendable {
    let request: TransportRequest
    let buffer = ResponseBuffer(ResponseState())
    let upload: CurlUpload?
    /// Whether the request must go over HTTP/1.1.
    let avoidsHTTP2: Bool
    private let loop: CurlLoop

    // The loop's.
    var handle: CurlHandle?
    var bounds: CurlBounds
    private var idleClock: CurlIdleClock
    private var headParser: CurlHeadParser
    private var hasBeenSent = false
    private var hasBytes = false
    private var isSignalled = false
    private var ownFailure: TransportError?
    private var notes = HTTP2Notes()

    /// - Throws: ``TransportError`` with ``TransportError/Kind/bodySource`` when the body cannot be opened.
    init(request: TransportRequest, avoidsHTTP2: Bool, loop: CurlLoop) throws(TransportError) {
      self.request = request
      self.avoidsHTTP2 = avoidsHTTP2
      self.loop = loop
      bounds = CurlBounds(request.timeouts)
      idleClock = CurlIdleClock(limit: request.timeouts.idle)
      headParser = CurlHeadParser(cache: loop.headCache)
      // HEAD has an empty body at most, which is not sent.
      let source = try request.method == .head ? nil : request.body.openStream()
      upload = source.map { CurlUpload(source: $0, length: request.body.length) }
    }
  }

  // The side of the tasks.
  extension CurlTransfer {
    func start(awaitingHead continuation: ResponseBuffer.HeadContinuation) {
      if buffer.awaitHead(continuation) { loop.submit(.start(self)) }
    }

    func takeReady() -> Result<Data?, TransportError>? {
      let (ready, wasPaused) = buffer.takeReady()
      if wasPaused { loop.submit(.resume(self)) }
      return ready
    }

    func awaitBody(_ continuation: ResponseBuffer.BodyContinuation) {
      if buffer.awaitBody(continuation) { loop.submit(.resume(self)) }
    }

    /// Ends the transfer, if it isn't over. A waiting task learns it at once; the connection is closed when the loop's
    /// thread gets to it.
    func cancel() { fail(.cancelled) }

    /// Ends the transfer, if it isn't over, for a reason that libcurl doesn't know of.
    func fail(_ kind: TransportError.Kind, detail: String? = nil) {
      if buffer.fail({ TransportError(kind, delivery: $0, detail: detail) }) { loop.submit(.remove(self)) }
    }

    /// The upload has bytes again, or has come to its end.
    func resumeUpload() { loop.submit(.resume(self)) }
  }

  // The side of the loop's thread.
  extension CurlTransfer {
    /// The connection is made and the request is about to be sent; libcurl reports this again before it repeats a
    /// request.
    ///
    /// - Returns: Whether to continue.
    func willSend() -> Bool {
      idleClock.touch(at: loop.now)
      if hasBeenSent, let handle, handle.bytesSent > 0 {
        ownFailure =
          refusal
          ?? TransportError(
            .connectionLost, delivery: .unknown, detail: "the server closed a kept connection without a response")
        return false
      }
      hasBeenSent = true
      // Earlier notes concern an earlier connection.
      notes = HTTP2Notes()
      buffer.setDelivery(.unknown)
      return true
    }

    /// libcurl notes something about the transfer.
    func note(_ text: UnsafeRawBufferPointer) {
      guard let handle else { return }
      notes.read(text, hasError: !handle.errorMessage.isEmpty)
      if refusal != nil { buffer.setDelivery(.notSent) }
    }

    /// The server's refusal to process the request, if there was one.
    private var refusal: TransportError? {
      guard !hasBytes, handle?.hasPrerequest == true else { return nil }
      if notes.isUnprocessed { return .refusedStream }
      return notes.requiresHTTP1 ? .http1Required : nil
    }

    /// - Returns: Whether to continue.
    func receivedHeadLine(_ line: UnsafeRawBufferPointer) -> Bool {
      idleClock.touch(at: loop.now)
      guard !headParser.isComplete else { return true }  // a trailer
      if !hasBytes {
        hasBytes = true
        buffer.setDelivery(.delivered)
      }
      do throws(TransportError) {
        guard let head = try headParser.read(line: line) else { return true }
        // Not requested, and libcurl does not notice one that ends early.
        if let coding = head.headerFields[.transferEncoding]?.lowercased(), coding != "chunked", coding != "identity" {
          throw TransportError(
            .protocolViolation, delivery: .delivered, detail: "the response has a Transfer-Encoding besides chunked")
        }
        buffer.receive(head: head, protocolVersion: headParser.protocolVersion)
        signal()
        return true
      } catch {
        ownFailure = error
        return false
      }
    }

    /// - Returns: How many bytes were taken, or libcurl's value for "later".
    func receivedBody(_ bytes: UnsafeRawBufferPointer) -> Int {
      switch buffer.receive(bytes) {
      case .over: return 0
      case .full: return Int(CURL_WRITEFUNC_PAUSE)
      case .taken:
        idleClock.touch(at: loop.now)
        signal()
        return bytes.count
      }
    }

    /// There is something to hand over.
    func signal() {
      guard !isSignalled else { return }
      isSignalled = true
      loop.enqueue(self)
    }

    /// Called once for each round of the loop and not for each piece, so that a small response wakes its task once.
    ///
    /// - Returns: Whether libcurl must be resumed.
    func deliver() -> Bool {
      isSignalled = false
      return buffer.deliver()
    }

    /// libcurl is done with the transfer.
    func finish(code: CURLcode) {
      let delivery = buffer.delivery
      if let ownFailure {
        buffer.finish(.failure(ownFailure))
      } else if code != CURLE_OK {
        buffer.finish(.failure(refusal ?? TransportError(curl: code, of: self, delivery: delivery)))
      } else if !headParser.isComplete {
        let error = TransportError(.protocolViolation, delivery: delivery, detail: "the response has no head")
        buffer.finish(.failure(error))
      } else {
        buffer.finish(.success(()))
      }
    }

    /// Ends the transfer if it has been silent or has waited for too long. You can still read what has arrived.
    ///
    /// - Returns: Whether it has ended.
    func endIfOverdue() -> Bool {
      guard let handle else { return false }
      if idleClock.isExpired(at: loop.now, bytesSent: handle.bytesSent, isHeldBack: isHeldBack) {
        handle.forbidReuse()
        let error = TransportError(.timedOut, delivery: buffer.delivery, detail: "the connection fell silent")
        buffer.finish(.failure(error))
        return true
      }
      guard bounds.arePassed(at: loop.now, isWaiting: !hasBeenSent && !handle.hasBegunConnecting) else { return false }
      buffer.finish(.failure(.timedOut(buffer.delivery)))
      return true
    }

    /// The time of the next check whether it is overdue.
    func nextCheck(after now: UInt64) -> UInt64 {
      min(idleClock.nextCheck(after: now) ?? .max, bounds.nextCheck(after: now, isUnsent: !hasBeenSent))
    }

    /// Whether the transfer waits for this side: nobody reads, or the request's body isn't available yet.
    private var isHeldBack: Bool { buffer.isPaused || (upload?.isStarved ?? false) }
  }

  // libcurl calls these on the loop's thread, only from within a call that the loop makes. The context is a handle's
  // address; `CurlHandle` explains why it is valid.

  let curlPrerequest: callsign_curl_prerequest_function = { context, _, _, _, _ in
    CurlHandle.transfer(of: context)?.willSend() == true ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
  }

  let curlDebug: curl_debug_callback = { _, kind, text, count, context in
    guard kind == CURLINFO_TEXT, let text, let transfer = CurlHandle.transfer(of: context) else { return 0 }
    transfer.note(UnsafeRawBufferPointer(start: text, count: count))
    return 0
  }

  let curlHeader: callsign_curl_data_function = { bytes, size, count, context in
    guard let transfer = CurlHandle.transfer(of: context), let bytes else { return 0 }
    let length = size * count
    return transfer.receivedHeadLine(UnsafeRawBufferPointer(start: bytes, count: length)) ? length : 0
  }

  let curlWrite: callsign_curl_data_function = { bytes, size, count, context in
    guard let transfer = CurlHandle.transfer(of: context), let bytes else { return 0 }
    return transfer.receivedBody(UnsafeRawBufferPointer(start: bytes, count: size * count))
  }

  let curlRead: callsign_curl_data_function = { bytes, size, count, context in
    guard let upload = CurlHandle.transfer(of: context)?.upload, let bytes else { return Int(CURL_READFUNC_ABORT) }
    return upload.read(into: UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
  }

  /// Watches one transfer for silence. libcurl's own watch counts whole seconds and averages.
  ///
  /// The callbacks report each byte that comes in; what goes out is only counted by libcurl, so the clock compares
  /// totals each time that it is looked at, which is four times within the limit. Times are monotonic nanoseconds.
  struct CurlIdleClock {
    private let limit: UInt64?
    private var lastActivity: UInt64?
    private var bytesSent = 0

    init(limit: Duration?) { self.limit = limit.map { $0.wholeNanoseconds } }

    /// Something was received, or the request is about to be sent; before that the connection's own timeout counts.
    mutating func touch(at now: UInt64) { lastActivity = now }

    /// - Parameters:
    ///   - bytesSent: All bytes sent so far.
    ///   - isHeldBack: Whether the transfer waits for this side, so that silence is not an error.
    /// - Returns: Whether it has been silent for too long.
    mutating func isExpired(at now: UInt64, bytesSent: Int, isHeldBack: Bool) -> Bool {
      guard let limit, let last = lastActivity else { return false }
      if isHeldBack || bytesSent != self.bytesSent {
        self.bytesSent = bytesSent
        lastActivity = now
        return false
      }
      return now >= last && now - last >= limit
    }

    /// The time of the next check, or `nil` for never.
    func nextCheck(after now: UInt64) -> UInt64? {
      guard let limit else { return nil }
      let quarter = now + max(limit / 4, 1_000_000)
      guard let last = lastActivity, last + limit > now else { return quarter }
      return min(quarter, last + limit)
    }
  }

  /// Enforces a transfer's limits when libcurl does not: while it waits to learn whether it can share the connection
  /// that another transfer is making, libcurl checks no time limits. Times are monotonic nanoseconds.
  struct CurlBounds {
    private let connect: UInt64
    private let total: UInt64
    /// When the transfer was passed to libcurl.
    var start: UInt64 = 0

    init(_ timeouts: Timeouts) {
      connect = timeouts.connect.wholeNanoseconds
      total = timeouts.total?.wholeNanoseconds ?? .max
    }

    /// - Parameter isWaiting: Nothing has been done for it. libcurl counts the time to connect from when it does.
    func arePassed(at now: UInt64, isWaiting: Bool) -> Bool {
      let waited = now > start ? now - start : 0
      return waited >= total || isWaiting && waited >= connect
    }

    /// The time of the next check; far away if there is nothing left to check.
    func nextCheck(after now: UInt64, isUnsent: Bool) -> UInt64 {
      let (end, isNever) = start.addingReportingOverflow(total)
      let connected = start + connect
      return min(isNever ? .max : end, isUnsent && connected > now ? connected : .max)
    }
  }
#endif
