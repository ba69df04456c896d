import CallsignHTTP
import CallsignSupport
import Foundation

/// A server on loopback that treats each connection as its script says, byte by byte, right or wrong.
///
/// Each connection has a thread. `@unchecked Sendable`: `state` is locked, the rest never changes.
package final class ScriptedServer: @unchecked Sendable {
  package typealias Script = @Sendable (Peer) throws -> Void

  private struct State {
    var listener: Int32
    var peers: [ObjectIdentifier: Peer] = [:]
    var accepted = 0
    var closed = 0
  }

  package let port: Int
  private let state: Locked<State>

  package init(_ script: @escaping Script) throws {
    let listener = try Self.listen()
    port = try Self.port(of: listener)
    state = Locked(State(listener: listener))
    let state = self.state
    Thread.detachNewThread {
      while true {
        let connection = accept(listener, nil, nil)
        // A program that a test starts must not keep the connection open.
        if connection >= 0 { _ = fcntl(connection, F_SETFD, FD_CLOEXEC) }
        if connection < 0, [EINTR, ECONNABORTED].contains(errno) { continue }
        guard connection >= 0 else {
          // Closed here and not by the code that stops it: after the next accept, its number could be another server's.
          #if os(Linux)
            close(listener)
          #endif
          return
        }
        var on: Int32 = 1
        setsockopt(connection, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        let peer = Peer(connection)
        let isOpen = state.withLock { state in
          state.accepted += 1
          state.peers[ObjectIdentifier(peer)] = peer
          return state.listener >= 0
        }
        if !isOpen { peer.hangUp() }
        Thread.detachNewThread {
          do { try script(peer) } catch {}
          peer.end()
          state.withLock { state in
            state.closed += 1
            state.peers[ObjectIdentifier(peer)] = nil
          }
        }
      }
    }
  }

  /// Answers each request on a connection with `respond`, which gets the head, the body, and the connection.
  package static func responding(_ respond: @escaping @Sendable (ReceivedRequest, Peer) throws -> Void) throws
    -> ScriptedServer
  {
    try ScriptedServer { peer in
      while let request = try peer.readRequest() { try respond(request, peer) }
    }
  }

  /// Answers the requests of all connections with `respond`, which gets the number of each, from 0 in order of arrival.
  package static func numbering(_ respond: @escaping @Sendable (Int, Peer) throws -> Void) throws -> ScriptedServer {
    let count = Locked(0)
    return try ScriptedServer { peer in
      while peer.readHead() != nil {
        let number = count.withLock { count in
          defer { count += 1 }
          return count
        }
        try respond(number, peer)
      }
    }
  }

  deinit { stop() }

  package var accepted: Int { state.withLock { $0.accepted } }
  package var closed: Int { state.withLock { $0.closed } }
  package var open: Int { state.withLock { $0.accepted - $0.closed } }

  package func url(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

  /// Stops listening and hangs up on all connections, so that their threads end.
  package func stop() {
    let (listener, peers) = state.withLock { state in
      defer { state.listener = -1 }
      return (state.listener, Array(state.peers.values))
    }
    guard listener >= 0 else { return }
    #if os(Linux)
      shutdown(listener, Int32(SHUT_RDWR))
    #else
      close(listener)  // There a shutdown wakes nobody.
    #endif
    for peer in peers { peer.hangUp() }
  }

  private static func listen() throws -> Int32 {
    let descriptor = try bindToAnyPort()
    guard Foundation.listen(descriptor, 512) == 0 else { throw ServerError.system(errno) }
    return descriptor
  }

  private static func bindToAnyPort() throws -> Int32 {
    let descriptor = socket(AF_INET, streamType, 0)
    guard descriptor >= 0 else { throw ServerError.system(errno) }
    var on: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    var address = loopback(port: 0)
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard bound == 0 else { throw ServerError.system(errno) }
    return descriptor
  }

  private static func port(of descriptor: Int32) throws -> Int {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
    }
    guard code == 0 else { throw ServerError.system(errno) }
    return Int(UInt16(bigEndian: address.sin_port))
  }

  private static func loopback(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return address
  }

  /// A port that refuses connections for as long as the process lives: a socket has it, and never listens.
  package static func refusingPort() throws -> Int { try port(of: try bindToAnyPort()) }

  /// A port that was free a moment ago, for a program that cannot choose one itself. Another program may take it first, so a caller
  /// that starts a program on it tries again with another.
  package static func unusedPort() throws -> Int {
    let descriptor = try listen()
    defer { close(descriptor) }
    return try port(of: descriptor)
  }
}

package enum ServerError: Error {
  case system(Int32)
  case peerClosed
  case notHTTP
}

package struct ReceivedRequest: Sendable {
  package var method: String
  package var target: String
  /// In the order of arrival, names as they came.
  package var fields: [(name: String, value: String)]
  package var body: [UInt8]

  package subscript(name: String) -> String? {
    fields.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}

/// A connection, seen from the server. Used by its script's thread only, but for `hangUp` and the counters.
package final class Peer: @unchecked Sendable {
  private let descriptor: Int32
  private let isEnded = Locked(false)
  private let sent = Locked(0)
  private let gone = Locked(false)
  private var pending: [UInt8] = []

  package init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// How many bytes the system took from this side.
  package var bytesSent: Int { sent.withLock { $0 } }
  /// The client has closed the connection, or reset it.
  package var isGone: Bool { gone.withLock { $0 } }

  package func send(_ text: String) throws { try send(Array(text.utf8)) }

  package func send(_ bytes: [UInt8]) throws {
    var offset = 0
    while offset < bytes.count {
      let count = bytes[offset...].withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, noSignal) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else {
        gone.withLock { $0 = true }
        throw ServerError.peerClosed
      }
      offset += count
      sent.withLock { $0 += count }
    }
  }

  /// More bytes, or `nil` at the end.
  package func receive() -> [UInt8]? {
    // A closed descriptor's number may be another connection's by now.
    guard !isEnded.withLock({ $0 }) else { return nil }
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else {
        gone.withLock { $0 = true }
        return nil
      }
      return Array(buffer[..<count])
    }
  }

  /// The head of the next request, without the empty line; `nil` when the client has closed.
  package func readHead() -> String? {
    while true {
      if let end = pending.firstRange(of: Array("\r\n\r\n".utf8)) {
        let head = String(decoding: pending[..<end.lowerBound], as: UTF8.self)
        pending.removeSubrange(..<end.upperBound)
        return head
      }
      guard let more = receive() else { return nil }
      pending += more
    }
  }

  package func readRequest() throws -> ReceivedRequest? {
    guard let head = readHead() else { return nil }
    var request = try Self.parse(head)
    if let length = request["Content-Length"].flatMap({ Int($0) }) {
      request.body = try take(length)
    } else if request["Transfer-Encoding"]?.lowercased() == "chunked" {
      request.body = try readChunks()
    }
    return request
  }

  package static func parse(_ head: String) throws -> ReceivedRequest {
    var lines = head.components(separatedBy: "\r\n")
    let start = lines.removeFirst().split(separator: " ")
    guard start.count == 3 else { throw ServerError.notHTTP }
    let fields = lines.map { line -> (name: String, value: String) in
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(parts[0]), parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : "")
    }
    return ReceivedRequest(method: String(start[0]), target: String(start[1]), fields: fields, body: [])
  }

  private func readChunks() throws -> [UInt8] {
    var body: [UInt8] = []
    while true {
      guard let size = Int(try readLine(), radix: 16) else { throw ServerError.notHTTP }
      body += try take(size)
      _ = try take(2)
      if size == 0 { return body }
    }
  }

  private func readLine() throws -> String {
    while true {
      if let end = pending.firstRange(of: Array("\r\n".utf8)) {
        let line = String(decoding: pending[..<end.lowerBound], as: UTF8.self)
        pending.removeSubrange(..<end.upperBound)
        return line
      }
      guard let more = receive() else { throw ServerError.peerClosed }
      pending += more
    }
  }

  package func take(_ count: Int) throws -> [UInt8] {
    while pending.count < count {
      guard let more = receive() else { throw ServerError.peerClosed }
      pending += more
    }
    defer { pending.removeFirst(count) }
    return Array(pending[..<count])
  }

  /// A response with `Content-Length`.
  package func respond(_ status: String = "200 OK", _ fields: [String] = [], _ body: [UInt8] = []) throws {
    let head = (["HTTP/1.1 \(status)"] + fields + ["Content-Length: \(body.count)"]).joined(separator: "\r\n")
    try send(Array((head + "\r\n\r\n").utf8) + body)
  }

  /// Blocks until the client closes.
  package func waitUntilGone() { while receive() != nil {} }

  /// Cuts the connection with a reset, as a crash would.
  package func reset() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
    end()
  }

  /// Wakes the script's thread from any wait; it then ends the connection.
  package func hangUp() { isEnded.withLock { if !$0 { shutdown(descriptor, Int32(SHUT_RDWR)) } } }

  package func end() {
    isEnded.withLock { isEnded in
      guard !isEnded else { return }
      isEnded = true
      close(descriptor)
    }
  }
}

#if os(Linux)
  private let streamType = Int32(SOCK_STREAM.rawValue)
  private let noSignal = Int32(MSG_NOSIGNAL)
#else
  private let streamType = SOCK_STREAM
  private let noSignal: Int32 = 0
#endif
