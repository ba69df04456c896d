import Foundation
import TestSupport

@testable import XSandbox

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A TCP connection that sends any bytes that a test wants.
enum RawConnection {
  /// Connects; `nil` if nobody listens.
  static func open(_ sandbox: Sandbox) -> Int32? {
    #if canImport(Glibc)
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    guard descriptor >= 0 else { return nil }
    var address = address(port: UInt16(sandbox.url.port ?? 0))
    let connected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard connected == 0 else {
      _ = close(descriptor)
      return nil
    }
    return descriptor
  }

  /// Waits up to two minutes until the server has closed a connection, and then closes this end as well.
  static func isClosedByServer(_ descriptor: Int32) async throws -> Bool {
    try await onThread {
      defer { _ = close(descriptor) }
      limitWaiting(descriptor)
      var byte: UInt8 = 0
      let count = recv(descriptor, &byte, 1, 0)
      return count == 0 || count < 0 && errno != EAGAIN && errno != EWOULDBLOCK
    }
  }

  /// Whether a socket can use a loopback port.
  static func canBind(port: UInt16) -> Bool {
    #if canImport(Glibc)
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    defer { _ = close(descriptor) }
    var address = address(port: port)
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    } == 0
  }

  private static func address(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    return address
  }

  private static func limitWaiting(_ descriptor: Int32) {
    var limit = timeval(tv_sec: 120, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  struct ConnectionRefused: Error {}

  /// Sends bytes and reads until the server closes, or for two minutes without a byte.
  /// - Throws: ``ConnectionRefused`` if nobody listens, so that silence cannot pass for a response.
  static func exchange(_ bytes: [UInt8], with sandbox: Sandbox) async throws -> [UInt8] {
    try await onThread { try exchangeBlocking(bytes, with: sandbox) }
  }

  /// Sends the head of a request, waits until the server says something, sends the body, and reads until it closes.
  static func exchange(head: String, body: [UInt8], with sandbox: Sandbox) async throws -> (first: String, rest: String)
  {
    try await onThread {
      guard let descriptor = open(sandbox) else { throw ConnectionRefused() }
      defer { _ = close(descriptor) }
      limitWaiting(descriptor)
      var buffer = [UInt8](repeating: 0, count: 65536)
      sendAll(Array(head.utf8), to: descriptor)
      let first = recv(descriptor, &buffer, buffer.count, 0)
      let response = String(decoding: buffer.prefix(max(0, first)), as: UTF8.self)
      sendAll(body, to: descriptor)
      var rest: [UInt8] = []
      while true {
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return (response, String(decoding: rest, as: UTF8.self)) }
        rest.append(contentsOf: buffer[..<count])
      }
    }
  }

  /// Sends a request and reports when each piece of the response came, while other work is done.
  static func times(
    of request: String, on descriptor: Int32, pieces: Int, while action: () async throws -> Void
  ) async throws -> [ContinuousClock.Instant] {
    async let times = onThread {
      defer { _ = close(descriptor) }
      limitWaiting(descriptor)
      sendAll(Array(request.utf8), to: descriptor)
      var buffer = [UInt8](repeating: 0, count: 65536)
      return (0..<pieces).map { _ in
        _ = recv(descriptor, &buffer, buffer.count, 0)
        return ContinuousClock.now
      }
    }
    try await action()
    return try await times
  }

  /// Sends bytes, as far as the other end accepts them.
  private static func sendAll(_ bytes: [UInt8], to descriptor: Int32) {
    var sent = 0
    while sent < bytes.count {
      #if canImport(Glibc)
        let count = bytes[sent...].withUnsafeBytes {
          send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
      #else
        let count = bytes[sent...].withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, 0) }
      #endif
      guard count > 0 else { return }
      sent += count
    }
  }

  private static func exchangeBlocking(_ bytes: [UInt8], with sandbox: Sandbox) throws -> [UInt8] {
    guard let descriptor = open(sandbox) else { throw ConnectionRefused() }
    defer { _ = close(descriptor) }
    limitWaiting(descriptor)
    sendAll(bytes, to: descriptor)
    shutdown(descriptor, Int32(SHUT_WR))
    var response: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { return response }
      response.append(contentsOf: buffer[..<count])
    }
  }

  static func exchange(_ text: String, with sandbox: Sandbox) async throws -> String {
    String(decoding: try await exchange(Array(text.utf8), with: sandbox), as: UTF8.self)
  }

  /// How many descriptors this process has open; `nil` if the system does not report it.
  static var openDescriptors: Int? {
    try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
  }
}
