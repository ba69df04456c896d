#if os(Linux)
  import CCurl
  import Foundation
  import HTTPTypes

  /// One request and its answer, between the task that awaits it and the loop's thread.
  ///
  /// `@unchecked Sendable`: `shared` is locked; what is marked as the loop's is touched on the loop's thread alone, which
  /// is also where libcurl calls back.
  final class CurlTransfer: @unchecked Sendable {
    typealias HeadContinuation = CheckedContinuation<Result<CurlHead, TransportError>, Never>
    typealias BodyContinuation = CheckedContinuation<Result<Data?, TransportError>, Never>

    /// How many bytes may wait for the reader before the sender is slowed.
    static let receiveBufferSize = 256 * 1024

    private struct Shared {
      var delivery = TransportError.Delivery.notSent
      var head: CurlHead?
      var headWaiter: HeadContinuation?
      var body = Data()
      var bodyWaiter: BodyContinuation?
      /// libcurl was told to hold back the body until the reader has caught up.
      var isPaused = false
      /// Set once, when the transfer is over.
      var outcome: Result<Void, TransportError>?
    }

    let request: TransportRequest
    let upload: CurlUpload?
    private let loop: CurlLoop
    private let shared = Locked(Shared())

    // The loop's.
    var handle: CurlHandle?
    var idleClock: CurlIdleClock
    private var headParser = CurlHeadParser()
    private var attempts = 0
    private var isSignalled = false
    private var ownFailure: TransportError?

    /// - Throws: ``TransportError`` with ``TransportError/Kind/bodySource`` when the body cannot be opened.
    init(request: TransportRequest, loop: CurlLoop) throws(TransportError) {
      self.request = request
      self.loop = loop
      idleClock = CurlIdleClock(limit: request.timeouts.idle)
      if case .stream(let length, let open) = request.body {
        do {
          upload = CurlUpload(source: try open(), length: length)
        } catch {
          throw TransportError(.bodySource, delivery: .notSent, detail: "\(type(of: error))")
        }
      } else {
        upload = nil
      }
    }

    var delivery: TransportError.Delivery { shared.withLock { $0.delivery } }
    var isOver: Bool { shared.withLock { $0.outcome != nil } }
  }

  // The side of the tasks.
  extension CurlTransfer {
    func start(awaitingHead continuation: HeadContinuation) {
      let failure: TransportError? = shared.withLock { shared in
        if case .failure(let error) = shared.outcome { return error }
        shared.headWaiter = continuation
        return nil
      }
      if let failure { return continuation.resume(returning: .failure(failure)) }
      loop.submit(.start(self))
    }

    /// What can be had without waiting: bytes, the end, or the failure; `nil` when the reader must wait.
    func takeReady() -> Result<Data?, TransportError>? {
      let (ready, wasPaused) = shared.withLock { Self.takeReady(from: &$0) }
      if wasPaused { loop.submit(.resume(self)) }
      return ready
    }

    func read(into continuation: BodyContinuation) {
      let (ready, wasPaused) = shared.withLock { shared -> (Result<Data?, TransportError>?, Bool) in
        let (ready, wasPaused) = Self.takeReady(from: &shared)
        if ready != nil { return (ready, wasPaused) }
        if shared.bodyWaiter != nil {
          let error = TransportError(
            .other, delivery: .delivered, detail: "two tasks read one body at once; each must have its own answer")
          return (.failure(error), false)
        }
        shared.bodyWaiter = continuation
        return (nil, false)
      }
      if wasPaused { loop.submit(.resume(self)) }
      if let ready { continuation.resume(returning: ready) }
    }

    private static func takeReady(from shared: inout Shared) -> (Result<Data?, TransportError>?, wasPaused: Bool) {
      if !shared.body.isEmpty {
        let wasPaused = shared.isPaused
        shared.isPaused = false
        let bytes = shared.body
        shared.body = Data()
        return (.success(bytes), wasPaused)
      }
      return (shared.outcome.map { $0.map { nil } }, false)
    }

    /// Ends the transfer, if it isn't over. Whoever waits gets `.cancelled` at once; the connection follows when the
    /// loop's thread comes round.
    func cancel() {
      let delivery = self.delivery
      fail(TransportError(.cancelled, delivery: delivery))
    }

    /// Ends the transfer, if it isn't over, with an error that libcurl doesn't know of.
    func fail(_ error: TransportError) {
      let waiters: (HeadContinuation?, BodyContinuation?)? = shared.withLock { shared in
        guard shared.outcome == nil else { return nil }
        shared.outcome = .failure(error)
        shared.body = Data()
        defer { (shared.headWaiter, shared.bodyWaiter) = (nil, nil) }
        return (shared.headWaiter, shared.bodyWaiter)
      }
      guard let waiters else { return }
      waiters.0?.resume(returning: .failure(error))
      waiters.1?.resume(returning: .failure(error))
      loop.submit(.remove(self))
    }

    /// Starts reading the request's body, which runs beside the transfer until either is over.
    func startUpload() { upload?.start(for: self) }

    /// The upload has bytes again, or has come to its end.
    func resumeUpload() { loop.submit(.resume(self)) }
  }

  // The side of the loop's thread.
  extension CurlTransfer {
    /// The connection stands and the request is about to be sent; libcurl says so again before it repeats a request.
    func willSend() -> Bool {
      attempts += 1
      idleClock.start(at: loop.now)
      if attempts > 1, let handle, handle.bytesSent > 0 {
        ownFailure = TransportError(
          .connectionLost, delivery: .unknown, detail: "the server closed a kept connection without an answer")
        return false
      }
      shared.withLock { $0.delivery = .unknown }
      return true
    }

    /// - Returns: Whether to go on.
    func receivedHeadLine(_ line: UnsafeRawBufferPointer) -> Bool {
      idleClock.touch(at: loop.now)
      guard !headParser.isComplete else { return true }  // a trailer
      let head: CurlHead?
      do {
        head = try headParser.read(line: line)
      } catch {
        ownFailure = error
        return false
      }
      shared.withLock { shared in
        shared.delivery = .delivered
        shared.head = head
      }
      if head != nil { signal() }
      return true
    }

    /// - Returns: How many bytes were taken, or libcurl's word for "later".
    func receivedBody(_ bytes: UnsafeRawBufferPointer) -> Int {
      let taken = shared.withLock { shared -> Int in
        guard shared.outcome == nil else { return -1 }
        if shared.body.count >= Self.receiveBufferSize {
          shared.isPaused = true
          return Int(CURL_WRITEFUNC_PAUSE)
        }
        shared.body.append(contentsOf: bytes)
        return bytes.count
      }
      guard taken >= 0 else { return 0 }
      idleClock.touch(at: loop.now)
      signal()
      return taken
    }

    /// There is something to hand over.
    func signal() {
      guard !isSignalled else { return }
      isSignalled = true
      loop.enqueue(self)
    }

    /// Hands over what has arrived to whoever waits. Called once for each round of the loop and not for each piece, so
    /// that a small answer wakes its task once.
    ///
    /// - Returns: Whether libcurl must be told to go on.
    func deliver() -> Bool {
      isSignalled = false
      var head: (HeadContinuation, Result<CurlHead, TransportError>)?
      var body: (BodyContinuation, Result<Data?, TransportError>)?
      let wasPaused = shared.withLock { shared -> Bool in
        if let waiter = shared.headWaiter {
          if let received = shared.head {
            head = (waiter, .success(received))
            shared.headWaiter = nil
          } else if case .failure(let error) = shared.outcome {
            head = (waiter, .failure(error))
            shared.headWaiter = nil
          }
        }
        guard let waiter = shared.bodyWaiter else { return false }
        let (ready, wasPaused) = Self.takeReady(from: &shared)
        guard let ready else { return false }
        body = (waiter, ready)
        shared.bodyWaiter = nil
        return wasPaused
      }
      if let (waiter, result) = head { waiter.resume(returning: result) }
      if let (waiter, result) = body { waiter.resume(returning: result) }
      return wasPaused
    }

    /// libcurl is done with the transfer. What has arrived can still be read.
    func finish(code: CURLcode) {
      let delivery = self.delivery
      var outcome = Result<Void, TransportError>.success(())
      if let ownFailure {
        outcome = .failure(ownFailure)
      } else if code != CURLE_OK {
        outcome = .failure(TransportError(curl: code, of: self, delivery: delivery))
      } else if !headParser.isComplete {
        outcome = .failure(TransportError(.protocolViolation, delivery: delivery, detail: "the answer has no head"))
      }
      shared.withLock { shared in
        if shared.outcome == nil { shared.outcome = outcome }
      }
    }

    /// Whether the transfer stands still because of this side: nobody reads, or the request's body isn't there yet.
    var isHeldBack: Bool { shared.withLock { $0.isPaused } || (upload?.isStarved ?? false) }
  }
#endif
