import CallsignHTTP
import CallsignSupport
import Foundation

/// All open streams of a sandbox. It sends each stream the posts that its client requested.
final class StreamHub: Sendable {
  private struct Plan {
    var operation: String
    var faults: [SandboxStreamFault]
    var remaining: Int
  }

  private struct State {
    var open: [Int: StreamChannel] = [:]
    var plans: [Plan] = []
    var lastNumber = 0
  }

  let configuration: SandboxConfiguration
  private let state = Locked(State())

  init(configuration: SandboxConfiguration) { self.configuration = configuration }

  /// The open streams, oldest first.
  var channels: [StreamChannel] { state.withLock { $0.open }.sorted { $0.key < $1.key }.map(\.value) }

  // MARK: Faults

  func plan(_ faults: [SandboxStreamFault], for operation: String, connections: Int) {
    guard connections > 0 else { return }
    state.withLock { $0.plans.append(Plan(operation: operation, faults: faults, remaining: connections)) }
  }

  func removePlans() { state.withLock { $0.plans = [] } }

  private func nextFaults(for operation: String) -> [SandboxStreamFault] {
    state.withLock { state in
      guard let index = state.plans.firstIndex(where: { $0.operation == operation || $0.operation == "*" }) else {
        return []
      }
      state.plans[index].remaining -= 1
      let faults = state.plans[index].faults
      if state.plans[index].remaining == 0 { state.plans.remove(at: index) }
      return faults
    }
  }

  // MARK: Connections

  /// Opens a stream that begins with a backlog.
  /// - Throws: 429 if there are too many connections.
  func connect(
    _ subscription: StreamSubscription, _ connection: StreamConnection, backlog: [JSON]
  ) throws(Problem) -> Response {
    let superseded = try checkLimit(subscription)
    let isCompressed = configuration.compressesStreams && connection.acceptsGzip
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    let channel = StreamChannel(
      subscription, client: connection.client, backlogLimit: configuration.streamBacklogLimit,
      faults: nextFaults(for: subscription.operation))
    for record in backlog { channel.push(record) }
    channel.keepAlive(every: configuration.streamKeepAlive)
    state.withLock { $0.open[number] = channel }
    // Only at this point, so that a client that sees the old stream end misses nothing on the new one.
    for other in superseded { other.interrupt(.disconnect(.forced)) }
    let registration = StreamRegistration { [weak self] in self?.unregister(number) }
    var response = Response(status: 200)
    response.body = .stream(StreamBody(channel: channel, isCompressed: isCompressed, registration: registration))
    response.set("Content-Type", "application/json; charset=utf-8")
    if isCompressed { response.set("Content-Encoding", "gzip") }
    return response
  }

  private func unregister(_ number: Int) {
    let channel = state.withLock { $0.open.removeValue(forKey: number) }
    channel?.close()
  }

  /// - Returns: The streams that end because this one begins.
  /// - Throws: 429 if there are too many connections.
  private func checkLimit(_ subscription: StreamSubscription) throws(Problem) -> [StreamChannel] {
    let others = channels.filter { $0.subscription.operation == subscription.operation && !$0.isFinished }
    switch subscription.connectionLimit {
    case .none: return []
    case .app(let limit):
      // A connection that its client has closed does not count, although it may stay open until the next write.
      let connected = others.filter { channel in
        channel.subscription.principal.consumerKey == subscription.principal.consumerKey
          && channel.client?.hasHungUp != true
      }
      if connected.count >= limit { throw .tooManyConnections }
      return []
    case .newestOfUser:
      return others.filter { $0.subscription.principal.user == subscription.principal.user }
    }
  }

  // MARK: Records

  /// Sends new posts, and notices about deleted ones, to the streams that select them.
  func publish(_ changes: Store.Changes, in database: Database) {
    for channel in channels {
      for post in changes.created.compactMap({ database.posts[$0] }) {
        if let record = channel.subscription.record(post, database) { channel.push(record) }
      }
      for post in changes.deleted { if let notice = channel.subscription.deletion?(post) { channel.push(notice) } }
    }
  }
}

/// The registration of an open stream. The response's body owns it, so the stream is unregistered when the body is released.
final class StreamRegistration: Sendable {
  private let unregister: @Sendable () -> Void
  init(unregister: @escaping @Sendable () -> Void) { self.unregister = unregister }
  deinit { unregister() }
}

extension Problem {
  static let tooManyConnections = Problem(
    status: 429, title: "ConnectionException",
    detail: "This stream is currently at the maximum allowed connection limit.",
    type: typePrefix + "streaming-connection", members: ["connection_issue": "TooManyConnections"])
}
