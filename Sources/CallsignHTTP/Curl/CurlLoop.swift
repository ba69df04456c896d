#if os(Linux)
  import CCurl
  import Foundation

  /// The thread that drives all transfers of one transport.
  ///
  /// `@unchecked Sendable`: `shared` is locked; everything else that changes belongs to the thread. libcurl's multi handle
  /// is that thread's too, but for the call that wakes it, which libcurl allows from anywhere and which is made under the
  /// lock so that the handle is still there.
  final class CurlLoop: @unchecked Sendable {
    enum Command {
      case start(CurlTransfer)
      /// The reader has caught up, or the request's body has bytes again.
      case resume(CurlTransfer)
      case remove(CurlTransfer)
    }

    private struct Shared {
      var commands: [Command] = []
      /// There while the thread runs.
      var multi: UnsafeMutableRawPointer?
      /// The thread sleeps, or is about to, and must be woken.
      var isWaiting = false
      var isStopping = false
    }

    private static let threadName = "callsign.curl"
    /// As many handles and connections as this are kept for later.
    private static let poolSize = 64

    private let configuration: TransportConfiguration
    private let shared = Locked(Shared())

    // The thread's.
    private var multi: UnsafeMutableRawPointer?
    private var share: UnsafeMutableRawPointer?
    private var active: [UnsafeMutableRawPointer: CurlTransfer] = [:]
    private var idleHandles: [CurlHandle] = []
    private var signalled: [CurlTransfer] = []
    private var nextIdleCheck = UInt64.max
    let headerNames = HeaderNames()
    /// Monotonic nanoseconds, read once a round.
    private(set) var now = CurlLoop.readClock()

    init(configuration: TransportConfiguration) { self.configuration = configuration }

    /// Hands a command to the thread, which the first transfer starts.
    func submit(_ command: Command) {
      let failure: TransportError? = shared.withLock { shared in
        if shared.multi == nil {
          guard case .start = command, !shared.isStopping else { return nil }
          guard CurlLibrary.isReady, let multi = curl_multi_init() else {
            return TransportError(.other, delivery: .notSent, detail: "libcurl could not be started")
          }
          shared.multi = multi
          Thread.detachNewThread { [self] in run() }
        }
        shared.commands.append(command)
        wake(&shared)
        return nil
      }
      if let failure, case .start(let transfer) = command { transfer.fail(failure.kind, detail: failure.detail) }
    }

    /// Ends the thread. What it still does is given up.
    func stop() {
      shared.withLock { shared in
        shared.isStopping = true
        wake(&shared)
      }
    }

    private func wake(_ shared: inout Shared) {
      guard shared.isWaiting, let multi = shared.multi else { return }
      shared.isWaiting = false
      curl_multi_wakeup(multi)
    }

    private static func readClock() -> UInt64 {
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
  }

  // The thread.
  extension CurlLoop {
    private func run() {
      guard let multi = shared.withLock({ $0.multi }) else { return }
      Self.blockBrokenPipeSignal()
      Thread.current.name = Self.threadName
      prepare(multi)
      while let commands = takeCommands() {
        now = Self.readClock()
        for command in commands { carryOut(command) }
        var running: Int32 = 0
        curl_multi_perform(multi, &running)
        finishCompleted(multi)
        cancelIdleTransfers()
        deliver()
        wait(multi)
      }
      shutDown(multi)
    }

    /// TLS libraries write to sockets in ways that raise SIGPIPE when the peer has gone, which would end the process.
    private static func blockBrokenPipeSignal() {
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, SIGPIPE)
      pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    private func prepare(_ multi: UnsafeMutableRawPointer) {
      self.multi = multi
      callsign_curl_multi_set_long(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
      callsign_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, Self.poolSize)
      // TLS sessions are resumed by any of the handles. All are this thread's, so the share needs no lock.
      share = curl_share_init()
      if let share {
        callsign_curl_share_set_long(share, CURLSHOPT_SHARE, Int(CURL_LOCK_DATA_SSL_SESSION.rawValue))
      }
    }

    /// - Returns: `nil` when the loop is to end.
    private func takeCommands() -> [Command]? {
      shared.withLock { shared in
        shared.isWaiting = false
        guard !shared.isStopping else { return nil }
        defer { shared.commands.removeAll(keepingCapacity: true) }
        return shared.commands
      }
    }

    private func carryOut(_ command: Command) {
      switch command {
      case .start(let transfer): start(transfer)
      case .resume(let transfer): resume(transfer)
      case .remove(let transfer): release(transfer)
      }
    }

    private func start(_ transfer: CurlTransfer) {
      guard !transfer.buffer.isOver, let multi else { return }
      do throws(TransportError) {
        let handle = if let idle = idleHandles.popLast() { idle } else { try CurlHandle(share: share) }
        transfer.handle = handle
        active[handle.pointer] = transfer
        try handle.configure(for: transfer, configuration)
        guard curl_multi_add_handle(multi, handle.pointer) == CURLM_OK else {
          throw TransportError(.other, delivery: .notSent, detail: "libcurl took no more transfers")
        }
      } catch {
        // The handle is reset before the transfer goes.
        release(transfer)
        return transfer.fail(error.kind, detail: error.detail)
      }
      transfer.upload?.start(for: transfer)
      scheduleIdleCheck(for: transfer)
    }

    private func resume(_ transfer: CurlTransfer) {
      guard let handle = transfer.handle else { return }
      // Both directions at once: the one that isn't ready pauses itself again.
      curl_easy_pause(handle.pointer, CURLPAUSE_CONT)
    }

    /// Takes the transfer's handle back, if it has one; a transfer under way is cut off.
    private func release(_ transfer: CurlTransfer, isReusable: Bool = false) {
      guard let handle = transfer.handle else { return }
      if let multi { curl_multi_remove_handle(multi, handle.pointer) }
      handle.reset()
      transfer.handle = nil
      active[handle.pointer] = nil
      // A handle that is taken out of a transfer's middle may remember, past its reset, that a body is to be rewound.
      if isReusable, idleHandles.count < Self.poolSize { idleHandles.append(handle) }
      transfer.upload?.abandon()
    }

    private func finishCompleted(_ multi: UnsafeMutableRawPointer) {
      var left: Int32 = 0
      while let message = curl_multi_info_read(multi, &left) {
        guard message.pointee.msg == CURLMSG_DONE, let transfer = active[message.pointee.easy_handle] else { continue }
        // Read before the handle leaves, which frees the message.
        let code = callsign_curl_message_result(message)
        transfer.finish(code: code)
        release(transfer, isReusable: code == CURLE_OK)
        transfer.signal()
      }
    }

    private func cancelIdleTransfers() {
      guard now >= nextIdleCheck else { return }
      nextIdleCheck = .max
      for transfer in Array(active.values) {
        let isExpired = transfer.idleClock.isExpired(
          at: now, bytesSent: transfer.handle?.bytesSent ?? 0, isHeldBack: transfer.isHeldBack)
        if isExpired {
          transfer.finishSilent()
          release(transfer)
          transfer.signal()
        } else {
          scheduleIdleCheck(for: transfer)
        }
      }
    }

    private func scheduleIdleCheck(for transfer: CurlTransfer) {
      guard let next = transfer.idleClock.nextCheck(after: now) else { return }
      nextIdleCheck = min(nextIdleCheck, next)
    }

    /// Notes that there is something to hand over at the end of this round.
    func enqueue(_ transfer: CurlTransfer) { signalled.append(transfer) }

    private func deliver() {
      // Resuming can make libcurl call back, and signal anew.
      while !signalled.isEmpty {
        let ready = signalled
        signalled.removeAll(keepingCapacity: true)
        for transfer in ready where transfer.deliver() { resume(transfer) }
      }
    }

    private func wait(_ multi: UnsafeMutableRawPointer) {
      let mayWait = shared.withLock { shared in
        shared.isWaiting = shared.commands.isEmpty && !shared.isStopping
        return shared.isWaiting
      }
      guard mayWait else { return }
      var timeout: UInt64 = 60_000
      if nextIdleCheck != .max {
        let current = Self.readClock()
        timeout = min(timeout, nextIdleCheck > current ? (nextIdleCheck - current) / 1_000_000 + 1 : 0)
      }
      // libcurl's own timers cut this short.
      curl_multi_poll(multi, nil, 0, Int32(timeout), nil)
    }

    private func shutDown(_ multi: UnsafeMutableRawPointer) {
      let commands = shared.withLock { shared in
        shared.multi = nil
        defer { shared.commands = [] }
        return shared.commands
      }
      for transfer in Array(active.values) { release(transfer) }
      for case .start(let transfer) in commands { transfer.cancel() }
      deliver()
      idleHandles = []
      self.multi = nil
      curl_multi_cleanup(multi)
      if let share { curl_share_cleanup(share) }
      share = nil
    }
  }

  /// libcurl's start, once for the process.
  enum CurlLibrary {
    static let isReady = curl_global_init(Int(CURL_GLOBAL_SSL | CURL_GLOBAL_WIN32)) == CURLE_OK
  }
#endif
