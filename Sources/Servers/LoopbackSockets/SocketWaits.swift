import FlyingSocks
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The waits of all servers of this process for their sockets, by `poll(2)` on one thread, which a pipe wakes.
///
/// The thread and the pipe are there as long as a server is.
///
/// `@unchecked Sendable`: every access to the stored properties is made while `lock` is held.
final class SocketWaits: @unchecked Sendable {
  static let shared = SocketWaits()

  /// The server that a wait belongs to.
  typealias Owner = Int

  private struct Wait {
    var owner: Owner
    /// -1: no socket's; it ends with its owner's.
    var descriptor: Int32
    var events: Int16
    /// Whether it waits for connections.
    var isListening: Bool
    var continuation: CheckedContinuation<Void, any Error>
  }

  private let lock = NSLock()
  private var lastNumber = 0
  /// Those that are open.
  private var owners: Set<Owner> = []
  /// Those of them that take no more connections.
  private var closing: Set<Owner> = []
  private var waits: [Int: Wait] = [:]
  /// Waits that were cancelled before they began.
  private var cancelled: Set<Int> = []
  private var pipe: (reader: Int32, writer: Int32)?

  func makeOwner() -> Owner { lock.withLock { nextNumber() } }

  func open(_ owner: Owner) throws {
    try lock.withLock {
      if pipe == nil {
        pipe = try Self.makePipe()
        let thread = Thread { [self] in while poll() {} }
        thread.name = "Callsign's servers on loopback"
        thread.start()
      }
      owners.insert(owner)
    }
  }

  /// Ends the owner's waits with an error.
  func close(_ owner: Owner) {
    let ended = lock.withLock {
      owners.remove(owner)
      closing.remove(owner)
      return remove { $0.owner == owner }
    }
    for wait in ended { wait.continuation.resume(throwing: CancellationError()) }
  }

  /// Ends the owner's wait for connections as if the socket had been closed, which it must not be while something waits for
  /// it: the descriptor may be another's the moment after.
  func stopAccepting(_ owner: Owner) {
    let ended = lock.withLock {
      if owners.contains(owner) { closing.insert(owner) }
      return remove { $0.owner == owner && $0.isListening }
    }
    for wait in ended { wait.continuation.resume(throwing: SocketError.disconnected) }
  }

  /// Takes waits out. The lock is held.
  private func remove(_ isWanted: (Wait) -> Bool) -> [Wait] {
    let numbers = waits.filter { isWanted($0.value) }.map(\.key)
    wake()
    return numbers.compactMap { waits.removeValue(forKey: $0) }
  }

  /// Waits until a socket is ready.
  ///
  /// - Throws: `CancellationError`, `SocketError.disconnected`.
  func wait(
    for descriptor: Int32, _ events: Socket.Events, of owner: Owner, isListening: Bool = false
  ) async throws {
    let number = lock.withLock { nextNumber() }
    defer { lock.withLock { _ = cancelled.remove(number) } }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let bits = (events.contains(.read) ? POLLIN : 0) | (events.contains(.write) ? POLLOUT : 0)
        let wait = Wait(
          owner: owner, descriptor: descriptor, events: Int16(bits), isListening: isListening,
          continuation: continuation)
        let refusal: (any Error)? = lock.withLock {
          guard owners.contains(owner), !cancelled.contains(number) else { return CancellationError() }
          guard !isListening || !closing.contains(owner) else { return SocketError.disconnected }
          waits[number] = wait
          wake()
          return nil
        }
        if let refusal { continuation.resume(throwing: refusal) }
      }
    } onCancel: {
      let wait = lock.withLock {
        if let wait = waits.removeValue(forKey: number) { return Optional(wait) }
        cancelled.insert(number)
        return nil
      }
      wait?.continuation.resume(throwing: CancellationError())
    }
  }

  private func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  // MARK: The thread

  /// Blocks until a socket is ready, or until the waits changed.
  ///
  /// - Returns: Whether there are servers still.
  private func poll() -> Bool {
    let watched: (numbers: [Int], descriptors: [pollfd])? = lock.withLock {
      guard let pipe else { return nil }
      guard !owners.isEmpty else {
        for end in [pipe.reader, pipe.writer] { _ = closeDescriptor(end) }
        self.pipe = nil
        return nil
      }
      let sockets = waits.filter { $0.value.descriptor >= 0 }
      return (
        sockets.map(\.key),
        [pollfd(fd: pipe.reader, events: Int16(POLLIN), revents: 0)]
          + sockets.map { pollfd(fd: $0.value.descriptor, events: $0.value.events, revents: 0) }
      )
    }
    guard var watched else { return false }
    let ready = callPoll(&watched.descriptors, nfds_t(watched.descriptors.count), -1)
    guard ready > 0 else {
      // Too many descriptors, or no memory: try again rather than leave everyone waiting.
      if ready < 0, errno != EINTR { usleep(10_000) }
      return true
    }
    if watched.descriptors.first?.revents != 0 { drain(watched.descriptors.first?.fd ?? -1) }
    var ended: [(wait: Wait, isReady: Bool)] = []
    lock.withLock {
      for (number, descriptor) in zip(watched.numbers, watched.descriptors.dropFirst()) where descriptor.revents != 0 {
        // A wait that ended meanwhile is no longer there, and its number belongs to no other.
        guard let wait = waits.removeValue(forKey: number) else { continue }
        ended.append((wait, descriptor.revents & descriptor.events != 0))
      }
    }
    for (wait, isReady) in ended {
      if isReady { wait.continuation.resume() } else { wait.continuation.resume(throwing: SocketError.disconnected) }
    }
    return true
  }

  private static func makePipe() throws -> (reader: Int32, writer: Int32) {
    var ends: [Int32] = [-1, -1]
    guard callPipe(&ends) == 0 else { throw SocketError.disconnected }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    return (ends[0], ends[1])
  }

  private func wake() {
    guard let pipe else { return }
    var byte: UInt8 = 1
    _ = write(pipe.writer, &byte, 1)
  }

  private func drain(_ reader: Int32) {
    var buffer = [UInt8](repeating: 0, count: 256)
    while read(reader, &buffer, buffer.count) > 0 {}
  }
}

// The system's functions, where a member of the class has the name.
private func closeDescriptor(_ descriptor: Int32) -> Int32 { close(descriptor) }
private func callPipe(_ ends: UnsafeMutablePointer<Int32>) -> Int32 { pipe(ends) }
private func callPoll(_ descriptors: UnsafeMutablePointer<pollfd>, _ count: nfds_t, _ timeout: Int32) -> Int32 {
  poll(descriptors, count, timeout)
}
