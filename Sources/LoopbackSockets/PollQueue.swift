import FlyingSocks
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The pool of sockets of one server. It sets the options of each socket before its first wait.
package struct LoopbackSocketPool: AsyncSocketPool {
  private let pool = SocketPool(queue: PollQueue())

  package init() {}

  package func prepare() async throws { try await pool.prepare() }

  package func run() async throws { try await pool.run() }

  package func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
    // Header and body are two writes: with Nagle's algorithm the second waits for the client's delayed acknowledgement.
    // Accepted sockets inherit the option from the listening one.
    try? socket.setValue(true, for: BoolSocketOption(level: Int32(IPPROTO_TCP), name: TCP_NODELAY))
    // A process that the embedding program starts must not keep the connection open.
    _ = fcntl(socket.file.rawValue, F_SETFD, FD_CLOEXEC)
    try await pool.suspendSocket(socket, untilReadyFor: events)
  }
}

/// Readiness of sockets by `poll(2)`, woken through a pipe.
///
/// FlyingSocks' own epoll queue leaves an event descriptor open each time that a server stops; this one closes all that
/// it opened, and is the same on every platform.
///
/// `@unchecked Sendable`: every access to the stored properties is made while `lock` is held.
final class PollQueue: EventQueue, @unchecked Sendable {
  private let lock = NSLock()
  private var waiting: [Int32: Socket.Events] = [:]
  private var wakeReader: Int32 = -1
  private var wakeWriter: Int32 = -1
  private var isStopped = false

  func open() throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw SocketError.disconnected }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    lock.withLock {
      (wakeReader, wakeWriter) = (ends[0], ends[1])
      isStopped = false
      waiting = [:]
    }
  }

  func stop() throws {
    lock.withLock {
      isStopped = true
      wake()
    }
  }

  func close() throws {
    lock.withLock {
      for end in [wakeReader, wakeWriter] where end >= 0 { _ = closeDescriptor(end) }
      (wakeReader, wakeWriter) = (-1, -1)
      waiting = [:]
    }
  }

  func addEvents(_ events: Socket.Events, for socket: Socket.FileDescriptor) throws {
    lock.withLock {
      waiting[socket.rawValue, default: []].formUnion(events)
      wake()
    }
  }

  func removeEvents(_ events: Socket.Events, for socket: Socket.FileDescriptor) throws {
    lock.withLock {
      guard var remaining = waiting[socket.rawValue] else { return }
      remaining.subtract(events)
      waiting[socket.rawValue] = remaining.isEmpty ? nil : remaining
    }
  }

  /// Blocks until a socket is ready, or until the set of sockets changed (then the result may be empty).
  func getNotifications() throws -> [EventNotification] {
    let snapshot: (descriptors: [pollfd], reader: Int32)? = lock.withLock {
      guard !isStopped, wakeReader >= 0 else { return nil }
      var descriptors = [pollfd(fd: wakeReader, events: Int16(POLLIN), revents: 0)]
      for (descriptor, events) in waiting {
        var placeholder: Int16 = 0
        if events.contains(.read) { placeholder |= Int16(POLLIN) }
        if events.contains(.write) { placeholder |= Int16(POLLOUT) }
        descriptors.append(pollfd(fd: descriptor, events: placeholder, revents: 0))
      }
      return (descriptors, wakeReader)
    }
    guard let (watched, reader) = snapshot else { throw CancellationError() }
    var descriptors = watched
    let ready = poll(&descriptors, nfds_t(descriptors.count), -1)
    if ready < 0 {
      guard errno == EINTR else { throw SocketError.disconnected }
      return []
    }
    drain(reader)
    return descriptors.dropFirst().compactMap(Self.notification)
  }

  private static func notification(of descriptor: pollfd) -> EventNotification? {
    guard descriptor.revents != 0 else { return nil }
    let flags = Int32(descriptor.revents)
    var notification = EventNotification(file: .init(rawValue: descriptor.fd), events: [], errors: [])
    if flags & Int32(POLLIN) != 0 { notification.events.insert(.read) }
    if flags & Int32(POLLOUT) != 0 { notification.events.insert(.write) }
    let failed = flags & (Int32(POLLERR) | Int32(POLLHUP) | Int32(POLLNVAL)) != 0
    if failed, !notification.events.contains(.read) {
      // Each waiter must learn that nothing will come.
      notification.events = [.read, .write]
      notification.errors.insert(.endOfFile)
    }
    return notification
  }

  private func wake() {
    guard wakeWriter >= 0 else { return }
    var byte: UInt8 = 1
    _ = write(wakeWriter, &byte, 1)
  }

  private func drain(_ reader: Int32) {
    var buffer = [UInt8](repeating: 0, count: 256)
    while read(reader, &buffer, buffer.count) > 0 {}
  }
}

/// `close(2)`, which the queue's own `close()` hides.
private func closeDescriptor(_ descriptor: Int32) -> Int32 {
  #if canImport(Glibc)
    Glibc.close(descriptor)
  #elseif canImport(Musl)
    Musl.close(descriptor)
  #else
    Darwin.close(descriptor)
  #endif
}
