import Foundation

/// All open streams of a sandbox: brings each what it asked for as it comes into being.
///
/// `@unchecked Sendable`: what changes is touched only while `lock` is held.
final class StreamHub: @unchecked Sendable {
  private struct Plan {
    var operation: String
    var faults: [Sandbox.StreamFault]
    var remaining: Int
  }

  let configuration: Sandbox.Configuration
  private let lock = NSLock()
  private var open: [Int: StreamChannel] = [:]
  private var plans: [Plan] = []
  private var nextNumber = 0

  init(configuration: Sandbox.Configuration) { self.configuration = configuration }

  /// The open streams, oldest first.
  var channels: [StreamChannel] { lock.withLock { open.sorted { $0.key < $1.key }.map(\.value) } }

  // MARK: Faults

  func plan(_ faults: [Sandbox.StreamFault], for operation: String, connections: Int) {
    guard connections > 0 else { return }
    lock.withLock { plans.append(Plan(operation: operation, faults: faults, remaining: connections)) }
  }

  func forgetPlans() { lock.withLock { plans = [] } }

  private func nextFaults(for operation: String) -> [Sandbox.StreamFault] {
    lock.withLock {
      guard let index = plans.firstIndex(where: { $0.operation == operation || $0.operation == "*" }) else { return [] }
      plans[index].remaining -= 1
      let faults = plans[index].faults
      if plans[index].remaining == 0 { plans.remove(at: index) }
      return faults
    }
  }

  // MARK: Connections

  /// Opens a stream that begins with what is there already.
  /// - Throws: 429 when there are too many, in the version's own form.
  func connect(
    _ subscription: StreamSubscription, _ opening: StreamOpening, backlog: [JSON]
  ) throws(Problem) -> Answer {
    let superseded = try admit(subscription)
    let isCompressed = configuration.compressesStreams && opening.acceptsGzip
    let number = lock.withLock {
      nextNumber += 1
      return nextNumber
    }
    let channel = StreamChannel(
      subscription, peerPort: opening.peerPort, backlogLimit: configuration.streamBacklogLimit,
      faults: nextFaults(for: subscription.operation))
    for record in backlog { channel.push(record) }
    channel.keepAlive(every: configuration.streamKeepAlive)
    lock.withLock { open[number] = channel }
    // Only now, so that whoever sees the old one end misses nothing on the new one.
    for other in superseded { other.interrupt(.disconnect(.forced)) }
    let place = StreamPlace { [weak self] in self?.leave(number) }
    var answer = Answer(status: 200)
    answer.body = .stream(StreamBody(channel: channel, isCompressed: isCompressed, place: place))
    answer.set("Content-Type", "application/json; charset=utf-8")
    if isCompressed { answer.set("Content-Encoding", "gzip") }
    return answer
  }

  private func leave(_ number: Int) {
    let channel = lock.withLock { open.removeValue(forKey: number) }
    channel?.close()
  }

  /// - Returns: The streams that end because this one begins.
  private func admit(_ subscription: StreamSubscription) throws(Problem) -> [StreamChannel] {
    let others = channels.filter { $0.subscription.operation == subscription.operation && !$0.isOver }
    switch subscription.bound {
    case .none: return []
    case .app(let limit):
      // A connection that its client has left counts no more; it is noticed when it is next written to, or now.
      let living = others.filter { channel in
        channel.subscription.caller.consumerKey == subscription.caller.consumerKey
          && channel.peerPort.map(PeerSocket.isOpen) ?? true
      }
      if living.count >= limit { throw .tooManyConnections }
      return []
    case .newestOfUser:
      return others.filter { $0.subscription.caller.user == subscription.caller.user }
    }
  }

  // MARK: Records

  /// Brings new posts, and notices of deleted ones, to whoever wants them.
  func publish(created: [Identifier], deleted: [PostRecord], in world: World) {
    for channel in channels {
      for post in created.compactMap({ world.posts[$0] }) {
        if let record = channel.subscription.record(post, world) { channel.push(record) }
      }
      for post in deleted { if let notice = channel.subscription.deletion?(post) { channel.push(notice) } }
    }
  }
}

/// A stream's place among the open ones, held by its answer's body.
final class StreamPlace: Sendable {
  private let leave: @Sendable () -> Void
  init(leave: @escaping @Sendable () -> Void) { self.leave = leave }
  deinit { leave() }
}

extension Problem {
  static let tooManyConnections = Problem(
    status: 429, title: "ConnectionException",
    detail: "This stream is currently at the maximum allowed connection limit.",
    type: typePrefix + "streaming-connection", members: ["connection_issue": "TooManyConnections"])
}
