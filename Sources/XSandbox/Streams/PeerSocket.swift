#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Looks at the server's end of a connection, which FlyingFox does not while it writes an answer.
enum PeerSocket {
  /// No process of a test opens more.
  private static let highestDescriptor: Int32 = 4096

  /// Whether a client that connected from this port on loopback is still there. The answer is about an accepted
  /// connection of this process.
  static func isOpen(port: UInt16) -> Bool {
    for descriptor in 3..<highestDescriptor where peerPort(of: descriptor) == port {
      var byte: UInt8 = 0
      let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
      return count > 0 || count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)
    }
    return false
  }

  private static func peerPort(of descriptor: Int32) -> UInt16? {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &length) }
    }
    guard result == 0, address.sin_family == sa_family_t(AF_INET) else { return nil }
    return UInt16(bigEndian: address.sin_port)
  }
}
