// Sound: only the loop's thread uses libcurl's handles and what they point to, and it ends them before it lets go of the loop.

import CallsignSupport

#if os(Linux)
  import CCurl
  import CallsignSupport

  /// The thread that drives all transfers of one transport.
  ///
  /// libcurl reports which sockets it waits for, and until when. The loop waits for them, and calls libcurl only for
  /// sockets with activity. So open streams that stay silent do not slow other calls.
  ///
  /// `@unchecked Sendable`: `shared` is locked; everything else that changes belongs to the thread.
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
      var poller: SocketPoller?
      /// The thread sleeps, or is about to, and must be woken.
      var isWaiting = false
      var isStopping = false
    }

    private static let threadName = "callsign.curl"
    /// The maximum number of handles and connections that are kept for later.
    private static let poolSize = 64

    private let configuration: TransportConfiguration
    private let shared = Locked(Shared())

    // The thread's.
    private var multi: UnsafeMutableRawPointer?
    private var share: UnsafeMutableRawPointer?
    private var active: [UnsafeMutableRawPointer: CurlTransfer] = [:]
    private var idleHandles: [CurlHandle] = []
    private var signalled: [CurlTransfer] = []
    // Swapped with the lists that are appended to in the meantime, so that each round reuses them.
    private var commands: [Command] = []
    private var delivered: [CurlTransfer] = []
    private var nextCheck = UInt64.max
    /// When libcurl must be called even without socket activity.
    private var nextTimer = UInt64.max
    private var poller: SocketPoller?
    /// The maximum number of open connections.
    private var connectionLimit = 0
    let headCache = ResponseHeadCache()
    /// Monotonic nanoseconds, read once a round.
    private(set) var now = CurlLoop.readClock()

    init(configuration: TransportConfiguration) { self.configuration = configuration }

    /// Hands a command to the thread, which the first transfer starts.
    func submit(_ command: Command) {
      var failure: TransportError?
      let sleeper: SocketPoller? = shared.withLock { shared in
        if shared.poller == nil {
          guard case .start = command, !shared.isStopping else { return nil }
          guard CurlLibrary.isReady, let multi = curl_multi_init() else {
            failure = TransportError(.other, delivery: .notSent, detail: "libcurl could not be started")
            return nil
          }
          guard let poller = SocketPoller() else {
            curl_multi_cleanup(multi)
            failure = TransportError(.other, delivery: .notSent, detail: "the process has too many open files")
            return nil
          }
          let handOver = MultiHandle(pointer: multi)
          guard detachThread({ [self] in run(handOver.pointer, poller) }) else {
            curl_multi_cleanup(multi)
            failure = TransportError(.other, delivery: .notSent, detail: "the process can start no more threads")
            return nil
          }
          // The thread looks at it when this is unlocked.
          shared.poller = poller
        }
        shared.commands.append(command)
        return Self.sleeper(&shared)
      }
      sleeper?.wake()
      if let failure, case .start(let transfer) = command { transfer.fail(failure.kind, detail: failure.detail) }
    }

    /// Ends the thread. Unfinished work is given up.
    func stop() {
      let sleeper = shared.withLock { shared in
        shared.isStopping = true
        return Self.sleeper(&shared)
      }
      sleeper?.wake()
    }

    /// The poller that the thread is sleeping in, the first time that it is requested during that sleep.
    private static func sleeper(_ shared: inout Shared) -> SocketPoller? {
      guard shared.isWaiting else { return nil }
      shared.isWaiting = false
      return shared.poller
    }

    /// `@unchecked Sendable`: passed to the thread once, from the place that created it.
    private struct MultiHandle: @unchecked Sendable {
      let pointer: UnsafeMutableRawPointer
    }

    private static func readClock() -> UInt64 {
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
  }

  // The thread.
  extension CurlLoop {
    private func run(_ multi: UnsafeMutableRawPointer, _ poller: SocketPoller) {
      Self.blockBrokenPipeSignal()
      // Foundation forgets the name of a thread that sets it before Foundation has noted the thread.
      callsign_name_thread(Self.threadName)
      self.poller = poller
      prepare(multi)
      let room = SocketPoller.Room()
      var events = 0
      while takeCommands() {
        now = Self.readClock()
        for command in commands { carryOut(command) }
        commands.removeAll(keepingCapacity: true)
        for index in 0..<events {
          if let event = poller.event(index, room: room) { drive(multi, event) }
        }
        // A call for a socket also handles the timers that are due.
        if nextTimer <= now { drive(multi, nil) }
        finishCompleted(multi)
        endOverdueTransfers()
        deliver()
        events = wait(poller, room)
      }
      shutDown(multi)
    }

    /// Lets libcurl continue: with a socket, or with the timers that are due.
    private func drive(_ multi: UnsafeMutableRawPointer, _ event: SocketPoller.Event?) {
      var running: Int32 = 0
      guard let event else {
        nextTimer = .max
        curl_multi_socket_action(multi, curl_socket_t(-1), 0, &running)
        return
      }
      var happened: Int32 = 0
      // Without this information, libcurl checks the socket itself.
      if !event.isBroken {
        if event.isReadable { happened |= CURL_CSELECT_IN }
        if event.isWritable { happened |= CURL_CSELECT_OUT }
      }
      curl_multi_socket_action(multi, event.socket, happened, &running)
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
      // libcurl keeps this address without a reference. The thread holds the loop until libcurl's handle is gone.
      let context = Unmanaged.passUnretained(self).toOpaque()
      callsign_curl_multi_set_socket_function(multi, curlSocket, context)
      callsign_curl_multi_set_timer_function(multi, curlTimer, context)
      callsign_curl_multi_set_long(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
      adjustConnectionLimit()
      // TLS sessions are resumed by any of the handles. All are this thread's, so the share needs no lock.
      share = curl_share_init()
      if let share {
        callsign_curl_share_set_long(share, CURLSHOPT_SHARE, Int(CURL_LOCK_DATA_SSL_SESSION.rawValue))
      }
    }

    /// - Returns: `false` when the loop is to end.
    private func takeCommands() -> Bool {
      shared.withLock { shared in
        shared.isWaiting = false
        guard !shared.isStopping else { return false }
        swap(&shared.commands, &commands)
        return true
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
        transfer.bounds.start = now
        active[handle.pointer] = transfer
        adjustConnectionLimit()
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
      scheduleCheck(of: transfer)
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

    private func endOverdueTransfers() {
      guard now >= nextCheck else { return }
      nextCheck = .max
      for transfer in Array(active.values) {
        if transfer.endIfOverdue() {
          release(transfer)
          transfer.signal()
        } else {
          scheduleCheck(of: transfer)
        }
      }
    }

    private func scheduleCheck(of transfer: CurlTransfer) {
      nextCheck = min(nextCheck, transfer.nextCheck(after: now))
    }

    /// Notes that there is something to hand over at the end of this round.
    func enqueue(_ transfer: CurlTransfer) { signalled.append(transfer) }

    private func deliver() {
      // Resuming can make libcurl call back, and signal again.
      while !signalled.isEmpty {
        swap(&signalled, &delivered)
        for transfer in delivered where transfer.deliver() { resume(transfer) }
        delivered.removeAll(keepingCapacity: true)
      }
    }

    /// - Returns: How many events there are.
    private func wait(_ poller: SocketPoller, _ room: SocketPoller.Room) -> Int {
      let mayWait = shared.withLock { shared in
        shared.isWaiting = shared.commands.isEmpty && !shared.isStopping
        return shared.isWaiting
      }
      var timeout: UInt64 = 0
      if mayWait {
        timeout = 60_000
        let next = min(nextCheck, nextTimer)
        if next != .max {
          let current = Self.readClock()
          timeout = next > current ? min(timeout, (next - current + 999_999) / 1_000_000) : 0
        }
      }
      // Even if there is nothing to wait for, sockets get their turn during a flood of commands.
      return poller.wait(milliseconds: Int(timeout), room: room)
    }

    private func shutDown(_ multi: UnsafeMutableRawPointer) {
      let commands = shared.withLock { shared in
        shared.poller = nil
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
      poller = nil
    }

    /// Connections in use count in libcurl's pool. If the pool is full, libcurl closes those that could be reused. So
    /// the pool grows with the transfers, in steps.
    private func adjustConnectionLimit() {
      let limit = Self.poolSize + (active.count + Self.poolSize - 1) / Self.poolSize * Self.poolSize
      guard limit != connectionLimit, let multi else { return }
      connectionLimit = limit
      callsign_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, limit)
    }
  }

  // libcurl calls these on the loop's thread, only from within a call that the loop makes.
  extension CurlLoop {
    fileprivate static func from(_ context: UnsafeMutableRawPointer?) -> CurlLoop? {
      context.map { Unmanaged<CurlLoop>.fromOpaque($0).takeUnretainedValue() }
    }

    fileprivate func watch(_ socket: Int32, _ what: Int32, for easy: UnsafeMutableRawPointer?) {
      let isGivenUp = what == CURL_POLL_REMOVE
      let isWatched = poller?.watch(
        socket, forReading: !isGivenUp && what & CURL_POLL_IN != 0,
        forWriting: !isGivenUp && what & CURL_POLL_OUT != 0)
      guard !isGivenUp, isWatched != true, let easy else { return }
      active[easy]?.fail(.other, detail: "the system watches no more sockets")
    }

    fileprivate func setTimer(milliseconds: Int) {
      switch milliseconds {
      case ..<0: nextTimer = .max
      case 0: nextTimer = 0  // in this round still
      default: nextTimer = Self.readClock() + UInt64(milliseconds) * 1_000_000
      }
    }
  }

  private let curlSocket: curl_socket_callback = { easy, socket, what, context, _ in
    CurlLoop.from(context)?.watch(socket, what, for: easy)
    return 0
  }

  private let curlTimer: curl_multi_timer_callback = { _, milliseconds, context in
    CurlLoop.from(context)?.setTimer(milliseconds: milliseconds)
    return 0
  }

  /// libcurl's start, once for the process.
  enum CurlLibrary {
    static let isReady = curl_global_init(Int(CURL_GLOBAL_SSL | CURL_GLOBAL_WIN32)) == CURLE_OK
    /// A byte each for the major version, the minor one and the patch.
    static let version = callsign_curl_version()
  }
#endif
