import CPostgres
import CallsignHTTP
import CallsignSupport

/// The thread that reads and writes all connections of a pool, so that no task's thread ever waits for a socket.
///
/// `@unchecked Sendable`: only the thread accesses `links`; everything else is locked or never changes.
final class PostgresLoop: @unchecked Sendable {
  private enum Command {
    case adopt(PostgresLink, @Sendable (String) -> Void)
    case send(PostgresRequest, PostgresLink)
    case close(PostgresLink)
    case stop
  }

  private struct Watched {
    let link: PostgresLink
    let notify: @Sendable (String) -> Void
  }

  /// The commands for the thread; `nil` after it has been stopped.
  private let commands = Locked<[Command]?>([])
  /// A byte in this pipe wakes the thread.
  private let (wakeEnd, waitEnd): (Int32, Int32)
  private var links: [Watched] = []

  /// Starts the thread.
  init() throws(PostgresError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .unreachable("the system has no descriptors left") }
    (waitEnd, wakeEnd) = (ends[0], ends[1])
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    guard detachThread({ self.run() }) else { throw .unreachable("the process can start no more threads") }
  }

  deinit {
    CallsignSupport.close(waitEnd)
    CallsignSupport.close(wakeEnd)
  }

  /// Takes over a connection.
  ///
  /// - Parameter notify: Called on this thread with the payload of each notification. It must be quick.
  func adopt(_ link: PostgresLink, notify: @escaping @Sendable (String) -> Void = { _ in }) {
    post(.adopt(link, notify))
  }

  /// Sends a request and waits for its response.
  func perform(
    _ statements: [PostgresStatement], on link: PostgresLink, within limit: Duration
  ) async throws(PostgresError) -> [PostgresResult] {
    let request = send(statements, on: link, within: limit)
    let result: Result<[PostgresResult], PostgresError>
    do throws(CancellationError) { result = try await request.response.value() } catch {
      var error = PostgresError.cancelled
      error.mayHaveSucceeded = true
      throw error
    }
    return try result.get()
  }

  /// Sends a request before all later ones, without waiting for its response.
  @discardableResult func send(
    _ statements: [PostgresStatement], on link: PostgresLink, within limit: Duration
  ) -> PostgresRequest {
    let request = PostgresRequest(statements, within: limit)
    link.usage.withLock { usage in
      usage.load += 1
      usage.lastUse = .now
    }
    if !post(.send(request, link)) { link.refuse(request, Self.stopped) }
    return request
  }

  func close(_ link: PostgresLink) { post(.close(link)) }

  /// Closes all connections and ends the thread.
  func stop() { post(.stop) }

  private static let stopped = PostgresError.unreachable("the database was closed")

  /// - Returns: Whether the thread will do it; `false` after it has been stopped.
  @discardableResult private func post(_ command: Command) -> Bool {
    let isTaken = commands.withLock { commands in
      commands?.append(command)
      return commands != nil
    }
    var byte: UInt8 = 0
    // A full pipe wakes it too.
    if isTaken { _ = write(wakeEnd, &byte, 1) }
    return isTaken
  }

  private func run() {
    #if os(Linux)
      callsign_postgres_name_thread("callsign.postgres")
    #endif
    while true {
      let posted = commands.withLock { commands in
        defer { commands = [] }
        return commands ?? []
      }
      for (index, command) in posted.enumerated() {
        switch command {
        case .adopt(let link, let notify): links.append(Watched(link: link, notify: notify))
        case .send(let request, let link):
          if links.contains(where: { $0.link === link }) {
            attempt(link) { (link) throws(PostgresError) in try link.send(request) }
          } else {
            link.refuse(request, .unreachable("the connection was closed"))
          }
        case .close(let link): end(link, .unreachable("the connection was closed"))
        case .stop:
          for watched in links { watched.link.close(Self.stopped) }
          links = []
          let late = commands.withLock { commands in
            defer { commands = nil }
            return commands ?? []
          }
          for case .send(let request, let link) in posted.dropFirst(index + 1) + late {
            link.refuse(request, Self.stopped)
          }
          return
        }
      }
      wait()
    }
  }

  /// Waits for the next event and handles it.
  private func wait() {
    var watched = [pollfd(fd: waitEnd, events: Int16(POLLIN), revents: 0)]
    var nearest: ContinuousClock.Instant?
    for entry in links {
      let events = entry.link.wantsToWrite ? POLLIN | POLLOUT : POLLIN
      watched.append(pollfd(fd: entry.link.descriptor, events: Int16(events), revents: 0))
      if let deadline = entry.link.deadline { nearest = min(nearest ?? deadline, deadline) }
    }
    let pause = nearest.map { max(0, min(($0 - .now).seconds * 1000 + 1, 60_000)) } ?? -1
    let count = poll(&watched, nfds_t(watched.count), Int32(pause))
    if count > 0 {
      if watched[0].revents != 0 {
        var bytes = [UInt8](repeating: 0, count: 256)
        while read(waitEnd, &bytes, bytes.count) == bytes.count {}
      }
      for (entry, event) in zip(links, watched.dropFirst()) where event.revents != 0 {
        attempt(entry.link) { (link) throws(PostgresError) in
          if event.revents & Int16(POLLOUT) != 0 { try link.flush() }
          // libpq also reads while it cannot write, and does not report that it has read something.
          try link.receive(entry.notify)
        }
      }
    }
    let now = ContinuousClock.now
    for entry in links {
      if let error = entry.link.expire(at: now) { end(entry.link, error) }
    }
  }

  private func attempt(_ link: PostgresLink, _ work: (PostgresLink) throws(PostgresError) -> Void) {
    do throws(PostgresError) { try work(link) } catch { end(link, error) }
  }

  private func end(_ link: PostgresLink, _ error: PostgresError) {
    links.removeAll { $0.link === link }
    link.close(error)
  }
}
