import Foundation

/// Answers every request on this machine with the same bytes, on kept connections, a thread for each. It does as little
/// as it can, so that the clients are what is measured; requests must have no body.
final class LoopbackServer: Sendable {
  let port: UInt16
  private let descriptor: Int32

  /// - Parameters:
  ///   - body: The body of each answer.
  ///   - fields: Further header fields, each with its line's end.
  init(body: Data, fields: String = "") throws {
    #if canImport(Darwin)
      let stream = SOCK_STREAM
    #else
      let stream = Int32(SOCK_STREAM.rawValue)
    #endif
    let descriptor = socket(AF_INET, stream, 0)
    guard descriptor >= 0 else { throw POSIXError(.ENOTSOCK) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && listen(descriptor, 128) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isListening else { throw POSIXError(.EADDRNOTAVAIL) }
    self.descriptor = descriptor
    port = UInt16(bigEndian: address.sin_port)
    let answer =
      Array("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\(fields)Content-Length: \(body.count)\r\n\r\n".utf8)
      + body
    Thread.detachNewThread {
      while true {
        let connection = accept(descriptor, nil, nil)
        guard connection >= 0 else { return }
        Thread.detachNewThread { Self.serve(connection, answer) }
      }
    }
  }

  private static func serve(_ connection: Int32, _ answer: [UInt8]) {
    defer { close(connection) }
    var enabled: Int32 = 1
    setsockopt(connection, Int32(IPPROTO_TCP), TCP_NODELAY, &enabled, socklen_t(MemoryLayout<Int32>.size))
    let headEnd = Array("\r\n\r\n".utf8)
    var matched = 0
    var room = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = recv(connection, &room, room.count, 0)
      guard count > 0 else { return }
      for byte in room[..<count] {
        matched = byte == headEnd[matched] ? matched + 1 : byte == headEnd[0] ? 1 : 0
        guard matched == headEnd.count else { continue }
        matched = 0
        var sent = 0
        while sent < answer.count {
          let written = answer[sent...].withUnsafeBytes { send(connection, $0.baseAddress, $0.count, 0) }
          guard written > 0 else { return }
          sent += written
        }
      }
    }
  }
}
