import Foundation

/// One open stream, between what happens in the store and the task that writes to the socket.
///
/// `@unchecked Sendable`: what changes is touched only while `lock` is held.
final class StreamChannel: @unchecked Sendable {
  /// What is to be written next.
  enum Output: Sendable {
    case bytes(Data)
    /// The answer ends in good order.
    case end
    /// The connection is cut.
    case cut
  }

  let subscription: StreamSubscription
  let peerPort: UInt16?
  /// How the bytes are written, and where they are cut; set from the start.
  let pace: StreamPace

  private let backlogLimit: Int
  private let lock = NSLock()
  private var pending: [Data] = []
  private var faults: [(fault: Sandbox.StreamFault, remaining: Int)]
  private var waiter: CheckedContinuation<Output?, Never>?
  /// What comes after the pending records.
  private var ending: Output?
  private var isStalled = false
  private var isClosed = false
  private var isIdle = true
  private var ticking: Task<Void, Never>?

  init(
    _ subscription: StreamSubscription, peerPort: UInt16?, backlogLimit: Int, faults: [Sandbox.StreamFault]
  ) {
    self.subscription = subscription
    self.peerPort = peerPort
    self.backlogLimit = backlogLimit
    pace = StreamPace(faults)
    self.faults = faults.filter { !StreamPace.concerns($0) }.map { ($0, $0.records) }
  }

  deinit { ticking?.cancel() }

  /// Whether nothing more will be written.
  var isOver: Bool { lock.withLock { isClosed || ending != nil } }

  // MARK: Writing to it

  func push(_ record: JSON) {
    lock.withLock {
      guard ending == nil, !isStalled else { return }
      runDueFaults()
      guard ending == nil, !isStalled else { return }
      pending.append(subscription.framed(record))
      for index in faults.indices { faults[index].remaining -= 1 }
      runDueFaults()
      if pending.count > backlogLimit {
        pending = []
        run(.disconnect(.slowReader))
      }
      isIdle = false
    }
    wake()
  }

  /// Lets something go wrong from now on.
  func interrupt(_ fault: Sandbox.StreamFault) {
    lock.withLock {
      faults.append((fault, fault.records))
      runDueFaults()
    }
    wake()
  }

  /// Sends an empty line whenever nothing else was sent for so long.
  func keepAlive(every interval: Duration) {
    let task = Task { [weak self] in
      while true {
        do { try await Task.sleep(for: interval) } catch { return }
        guard let self else { return }
        tick()
      }
    }
    lock.withLock { ticking = task }
  }

  private func tick() {
    lock.withLock {
      if isIdle, pending.isEmpty, ending == nil, !isStalled { pending.append(Data("\r\n".utf8)) }
      isIdle = true
    }
    wake()
  }

  /// Nobody reads any more.
  func close() {
    let (waiter, ticking) = lock.withLock {
      isClosed = true
      pending = []
      defer { self.waiter = nil }
      return (self.waiter, self.ticking)
    }
    ticking?.cancel()
    waiter?.resume(returning: nil)
  }

  // MARK: Faults, with the lock held

  private func runDueFaults() {
    // Due from the start are those that wait for no record; the others when their records have gone.
    while ending == nil, !isStalled, let index = faults.firstIndex(where: { $0.remaining <= 0 }) {
      run(faults.remove(at: index).fault)
    }
  }

  private func run(_ fault: Sandbox.StreamFault) {
    switch fault.kind {
    case .cut: ending = .cut
    case .end: ending = .end
    case .stall: isStalled = true
    case .send(let text): pending.append(subscription.framed(text))
    case .disconnect(let message):
      pending.append(subscription.framed(message.message(subscription.version)))
      ending = .end
    case .cutAfterBytes, .split, .slow: break
    }
  }

  // MARK: Reading from it

  /// What is to be written next; `nil` when nobody needs it any more.
  func next() async -> Output? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        lock.withLock {
          runDueFaults()
          waiter = continuation
        }
        wake()
      }
    } onCancel: {
      close()
    }
  }

  /// Hands over what there is to whoever waits.
  private func wake() {
    let ready: (CheckedContinuation<Output?, Never>, Output?)? = lock.withLock {
      guard let waiter else { return nil }
      let output: Output?
      if isClosed {
        output = nil
      } else if !pending.isEmpty {
        output = .bytes(pending.removeFirst())
      } else if let ending {
        output = ending
      } else {
        return nil
      }
      self.waiter = nil
      return (waiter, output)
    }
    if let (waiter, output) = ready { waiter.resume(returning: output) }
  }
}
