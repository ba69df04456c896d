import Foundation

/// Accepts connections on this machine, with one thread for each.
final class LoopbackListener {
  let port: UInt16

  /// - Parameter serve: Serves one connection, which is closed afterwards.
  init(_ serve: @escaping @Sendable (Int32) -> Void) throws {
    #if canImport(Darwin)
      let stream = SOCK_STREAM
    #else
      let stream = Int32(SOCK_STREAM.rawValue)
    #endif
    let descriptor = socket(AF_INET, stream, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && listen(descriptor, 1024) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard descriptor >= 0, isListening else { throw POSIXError(.EADDRNOTAVAIL) }
    port = UInt16(bigEndian: address.sin_port)
    Thread.detachNewThread {
      while true {
        let connection = accept(descriptor, nil, nil)
        guard connection >= 0 else { return }
        let thread = Thread {
          var enabled: Int32 = 1
          setsockopt(connection, Int32(IPPROTO_TCP), TCP_NODELAY, &enabled, socklen_t(MemoryLayout<Int32>.size))
          serve(connection)
          close(connection)
        }
        thread.stackSize = 256 * 1024
        thread.start()
      }
    }
  }

  /// - Returns: Whether the client received all of it.
  static func write(_ connection: Int32, _ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let written = bytes[sent...].withUnsafeBytes { send(connection, $0.baseAddress, $0.count, 0) }
      guard written > 0 else { return false }
      sent += written
    }
    return true
  }
}
