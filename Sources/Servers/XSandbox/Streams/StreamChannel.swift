import Foundation
import LoopbackSockets

/// The queue of one open stream, between the store and the task that writes to the socket.
///
/// `@unchecked Sendable`: every variable is accessed only while `lock` is held.
final class StreamChannel: @unchecked Sendable {
  /// The next output.
  enum Output: Sendable {
    case bytes(Data)
    /// The response ends normally.
    case end
    /// The connection is cut.
    case cut
  }

  let subscription: StreamSubscription
  let client: LoopbackClient?
  /// The pacing of the bytes, fixed from the start.
  let pacing: StreamPacing

  private let backlogLimit: Int
  private let lock = NSLock()
  private var pending: [Data] = []
  private var faults: [(fault: SandboxStreamFault, remaining: Int)]
  private var waiter: CheckedContinuation<Output?, Never>?
  /// The output after the pending records.
  private var ending: Output?
  private var isStalled = false
  private var isClosed = false
  /// When the last bytes were passed to the connection.
  private var lastOutput = ContinuousClock.now
  private var keepAliveTask: Task<Void, Never>?

  init(
    _ subscription: StreamSubscription, client: LoopbackClient?, backlogLimit: Int, faults: [SandboxStreamFault]
  ) {
    self.subscription = subscription
    self.client = client
    self.backlogLimit = backlogLimit
    pacing = StreamPacing(faults)
    self.faults = faults.filter { !StreamPacing.concerns($0) }.map { ($0, $0.records) }
  }

  deinit { keepAliveTask?.cancel() }

  /// Whether nothing more will be written.
  var isFinished: Bool { lock.withLock { isClosed || ending != nil } }

  // MARK: Writing

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
    }
    resumeWaiter()
  }

  /// Applies a fault from now on.
  func interrupt(_ fault: SandboxStreamFault) {
    lock.withLock {
      faults.append((fault, fault.records))
      runDueFaults()
    }
    resumeWaiter()
  }

  /// Sends an empty line after each interval without other output.
  func keepAlive(every interval: Duration) {
    let task = Task { [weak self] in
      var wait = interval
      while true {
        do { try await Task.sleep(for: wait) } catch { return }
        guard let self else { return }
        wait = sendKeepAlive(after: interval)
      }
    }
    lock.withLock { keepAliveTask = task }
  }

  /// Sends an empty line if one is due.
  ///
  /// - Returns: The time until the next one, if nothing else is sent.
  private func sendKeepAlive(after interval: Duration) -> Duration {
    let wait = lock.withLock {
      let left = interval - lastOutput.duration(to: .now)
      guard left <= .zero else { return left }
      if pending.isEmpty, ending == nil, !isStalled { pending.append(Data("\r\n".utf8)) }
      return interval
    }
    resumeWaiter()
    return wait
  }

  /// Ends the stream after its reader has gone.
  func close() {
    let (waiter, keepAliveTask) = lock.withLock {
      isClosed = true
      pending = []
      defer { self.waiter = nil }
      return (self.waiter, self.keepAliveTask)
    }
    keepAliveTask?.cancel()
    waiter?.resume(returning: nil)
  }

  // MARK: Faults, with the lock held

  private func runDueFaults() {
    // A fault is due after the records before it have been sent.
    while ending == nil, !isStalled, let index = faults.firstIndex(where: { $0.remaining <= 0 }) {
      run(faults.remove(at: index).fault)
    }
  }

  private func run(_ fault: SandboxStreamFault) {
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

  // MARK: Reading

  /// Waits for the next output; returns `nil` when the stream was closed.
  func next() async -> Output? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        lock.withLock {
          runDueFaults()
          waiter = continuation
        }
        resumeWaiter()
      }
    } onCancel: {
      close()
    }
  }

  /// Passes the next output to the waiting reader.
  private func resumeWaiter() {
    let ready: (CheckedContinuation<Output?, Never>, Output?)? = lock.withLock {
      guard let waiter else { return nil }
      let output: Output?
      if isClosed {
        output = nil
      } else if !pending.isEmpty {
        output = .bytes(pending.removeFirst())
        lastOutput = .now
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
