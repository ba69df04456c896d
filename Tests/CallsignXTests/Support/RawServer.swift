import Foundation

/// A server on loopback that reads a request and answers with bytes of the test's choosing, or not at all.
///
/// Each connection has a thread of its own: the client under test lives on the concurrency pool's few threads.
/// `@unchecked Sendable`: `state` is touched only while `lock` is held, the rest never changes.
final class RawServer: @unchecked Sendable {
  /// What becomes of a request.
  enum Behaviour: Sendable {
    /// Sends this, and closes the connection.
    case answer(String)
    /// Sends this, which may be nothing, and keeps the connection until the client closes it.
    case hang(after: String)
    /// Closes the connection with a reset.
    case reset
  }

  private struct State {
    var connections: Set<Int32> = []
    var requests = 0
    var closedByClient = 0
    var isStopped = false
  }

  enum Failure: Error { case system(Int32) }

  let port: UInt16
  private let listener: Int32
  private let behaviour: Behaviour
  private let lock = NSLock()
  private var state = State()

  var url: String { "http://127.0.0.1:\(port)" }
  /// How many requests have arrived.
  var requests: Int { lock.withLock { state.requests } }
  /// How many connections the client has closed while the server kept them.
  var closedByClient: Int { lock.withLock { state.closedByClient } }

  init(_ behaviour: Behaviour) throws {
    (listener, port) = try Self.listen()
    self.behaviour = behaviour
    Thread.detachNewThread { [self] in
      while case let connection = accept(listener, nil, nil), connection >= 0 {
        let isWelcome = lock.withLock { () -> Bool in
          if !state.isStopped { state.connections.insert(connection) }
          return !state.isStopped
        }
        guard isWelcome else {
          close(connection)
          continue
        }
        Thread.detachNewThread { [self] in serve(connection) }
      }
      #if os(Linux)
        // Not by who stops it: by the next accept its number could be another server's.
        close(listener)
      #endif
    }
  }

  /// Stops listening, and hangs up on all connections, so that their threads end.
  func stop() {
    lock.withLock {
      guard !state.isStopped else { return }
      state.isStopped = true
      #if os(Linux)
        shutdown(listener, Int32(SHUT_RDWR))
      #else
        close(listener)  // There a shutdown wakes nobody.
      #endif
      for connection in state.connections { shutdown(connection, Int32(SHUT_RDWR)) }
    }
  }

  private func serve(_ connection: Int32) {
    defer {
      lock.withLock {
        state.connections.remove(connection)
        close(connection)
      }
    }
    guard readRequest(connection) else { return }
    lock.withLock { state.requests += 1 }
    switch behaviour {
    case .answer(let text): send(text, to: connection)
    case .hang(let text):
      send(text, to: connection)
      var byte: UInt8 = 0
      while recv(connection, &byte, 1, 0) > 0 {}
      lock.withLock { if !state.isStopped { state.closedByClient += 1 } }
    case .reset:
      var linger = linger(l_onoff: 1, l_linger: 0)
      setsockopt(connection, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
    }
  }

  /// Reads the head, and the body that it announces.
  private func readRequest(_ connection: Int32) -> Bool {
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return false }
      received += buffer[..<count]
      let parts = String(decoding: received, as: UTF8.self).components(separatedBy: "\r\n\r\n")
      guard parts.count > 1 else { continue }
      let length = parts[0].lowercased().firstMatch(of: /content-length: *([0-9]+)/).flatMap { Int($0.1) } ?? 0
      if parts.dropFirst().joined(separator: "\r\n\r\n").utf8.count >= length { return true }
    }
  }

  private func send(_ text: String, to connection: Int32) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.send(connection, $0.baseAddress, $0.count, noSignal) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// A port on which nobody listens: it was free a moment ago.
  static func unusedPort() throws -> UInt16 {
    let (descriptor, port) = try listen()
    close(descriptor)
    return port
  }

  private static func listen() throws -> (descriptor: Int32, port: UInt16) {
    let descriptor = socket(AF_INET, streamSocket, 0)
    guard descriptor >= 0 else { throw Failure.system(errno) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(descriptor, pointer, size) == 0 && Foundation.listen(descriptor, 256) == 0
          ? getsockname(descriptor, pointer, &size) : -1
      }
    }
    guard code == 0 else {
      close(descriptor)
      throw Failure.system(errno)
    }
    return (descriptor, UInt16(bigEndian: address.sin_port))
  }
}

#if os(Linux)
  private let streamSocket = Int32(SOCK_STREAM.rawValue)
  private let noSignal = Int32(MSG_NOSIGNAL)
#else
  private let streamSocket = SOCK_STREAM
  private let noSignal: Int32 = 0
#endif

/// Waits until something has come about. The test's time limit ends the wait.
func until(_ isTrue: @Sendable () async -> Bool) async throws {
  while await !isTrue() { try await Task.sleep(for: .milliseconds(2)) }
}
