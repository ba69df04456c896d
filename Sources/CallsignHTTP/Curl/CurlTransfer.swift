#if os(Linux)
  import CCurl
  import Foundation

  /// One request and its answer, between the task that awaits it and the loop's thread.
  ///
  /// `@unchecked Sendable`: what is marked as the loop's is touched on the loop's thread alone, which is also where libcurl
  /// calls back; the rest is constant and safe by itself.
  final class CurlTransfer: @unchecked Sendable {
    let request: TransportRequest
    let answer = ResponseBuffer()
    let upload: CurlUpload?
    private let loop: CurlLoop

    // The loop's.
    var handle: CurlHandle?
    var idleClock: CurlIdleClock
    private var headParser = CurlHeadParser()
    private var hasBeenSent = false
    private var hasBytes = false
    private var isSignalled = false
    private var ownFailure: TransportError?

    /// - Throws: ``TransportError`` with ``TransportError/Kind/bodySource`` when the body cannot be opened.
    init(request: TransportRequest, loop: CurlLoop) throws(TransportError) {
      self.request = request
      self.loop = loop
      idleClock = CurlIdleClock(limit: request.timeouts.idle)
      upload = try request.body.openStream().map { CurlUpload(source: $0, length: request.body.length) }
    }
  }

  // The side of the tasks.
  extension CurlTransfer {
    func start(awaitingHead continuation: ResponseBuffer.HeadContinuation) {
      if answer.awaitHead(continuation) { loop.submit(.start(self)) }
    }

    func takeReady() -> Result<Data?, TransportError>? {
      let (ready, wasPaused) = answer.takeReady()
      if wasPaused { loop.submit(.resume(self)) }
      return ready
    }

    func awaitBody(_ continuation: ResponseBuffer.BodyContinuation) {
      if answer.awaitBody(continuation) { loop.submit(.resume(self)) }
    }

    /// Ends the transfer, if it isn't over. Whoever waits is told at once; the connection follows when the loop's thread
    /// comes round.
    func cancel() { fail(.cancelled) }

    /// Ends the transfer, if it isn't over, for a reason that libcurl doesn't know of.
    func fail(_ kind: TransportError.Kind, detail: String? = nil) {
      if answer.fail({ TransportError(kind, delivery: $0, detail: detail) }) { loop.submit(.remove(self)) }
    }

    /// The upload has bytes again, or has come to its end.
    func resumeUpload() { loop.submit(.resume(self)) }
  }

  // The side of the loop's thread.
  extension CurlTransfer {
    /// The connection stands and the request is about to be sent; libcurl says so again before it repeats a request.
    ///
    /// - Returns: Whether to go on.
    func willSend() -> Bool {
      idleClock.touch(at: loop.now)
      if hasBeenSent, let handle, handle.bytesSent > 0 {
        ownFailure = TransportError(
          .connectionLost, delivery: .unknown, detail: "the server closed a kept connection without an answer")
        return false
      }
      hasBeenSent = true
      answer.setDelivery(.unknown)
      return true
    }

    /// - Returns: Whether to go on.
    func receivedHeadLine(_ line: UnsafeRawBufferPointer) -> Bool {
      idleClock.touch(at: loop.now)
      guard !headParser.isComplete else { return true }  // a trailer
      if !hasBytes {
        hasBytes = true
        answer.setDelivery(.delivered)
      }
      do {
        guard let head = try headParser.read(line: line) else { return true }
        answer.receive(head: head)
        signal()
        return true
      } catch {
        ownFailure = error
        return false
      }
    }

    /// - Returns: How many bytes were taken, or libcurl's word for "later".
    func receivedBody(_ bytes: UnsafeRawBufferPointer) -> Int {
      switch answer.receive(bytes) {
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

    /// Called once for each round of the loop and not for each piece, so that a small answer wakes its task once.
    ///
    /// - Returns: Whether libcurl must be told to go on.
    func deliver() -> Bool {
      isSignalled = false
      return answer.deliver()
    }

    /// libcurl is done with the transfer.
    func finish(code: CURLcode) {
      let delivery = answer.delivery
      if let ownFailure {
        answer.finish(.failure(ownFailure))
      } else if code != CURLE_OK {
        answer.finish(.failure(TransportError(curl: code, of: self, delivery: delivery)))
      } else if !headParser.isComplete {
        let error = TransportError(.protocolViolation, delivery: delivery, detail: "the answer has no head")
        answer.finish(.failure(error))
      } else {
        answer.finish(.success(()))
      }
    }

    /// The server has been silent for too long. What arrived before can still be read.
    func finishSilent() {
      let error = TransportError(.timedOut, delivery: answer.delivery, detail: "the connection fell silent")
      answer.finish(.failure(error))
    }

    /// Whether the transfer stands still because of this side: nobody reads, or the request's body isn't there yet.
    var isHeldBack: Bool { answer.isPaused || (upload?.isStarved ?? false) }
  }
#endif
