import CallsignHTTP
import CallsignSupport
import Foundation
import TestSupport

/// A proxy on loopback that speaks HTTP or SOCKS, and connects every name to one server.
final class TestProxy: Sendable {
  /// The requests that it got.
  struct Request: Sendable, Equatable {
    /// `CONNECT host:port`, or the line of a request in plain text.
    var line: String
    /// The name and password as they came; `nil` where none came.
    var credentials: String?
  }

  private let seen: Locked<[Request]>
  private let server: ScriptedServer

  /// - Parameters:
  ///   - upstream: The port on loopback that tunnels lead to; `nil`: there are none.
  ///   - credentials: The name and password that it wants, with a colon between them.
  static func http(upstream: Int? = nil, credentials: String? = nil) throws -> TestProxy {
    try TestProxy { peer, note in
      while let request = try peer.readRequest() {
        let sent = request["Proxy-Authorization"].flatMap { field in
          Data(base64Encoded: String(field.dropFirst("Basic ".count))).map { String(decoding: $0, as: UTF8.self) }
        }
        note(Request(line: "\(request.method) \(request.target)", credentials: sent))
        guard credentials == nil || sent == credentials else {
          try peer.respond("407 Proxy Authentication Required", ["Proxy-Authenticate: Basic realm=\"test\""])
          continue
        }
        guard request.method == "CONNECT" else {
          try peer.respond("200 OK", ["Via: 1.1 test"], Array("proxied".utf8))
          continue
        }
        guard let upstream else { return try peer.respond("403 Forbidden") }
        try peer.send("HTTP/1.1 200 Connection established\r\n\r\n")
        return try relay(peer, to: upstream)
      }
    }
  }

  /// RFC 1928, with passwords by RFC 1929.
  static func socks(upstream: Int, credentials: String? = nil) throws -> TestProxy {
    try TestProxy { peer, note in
      let greeting = try peer.take(2)
      let methods = try peer.take(Int(greeting[1]))
      var sent: String?
      if credentials != nil {
        guard methods.contains(2) else { return try peer.send([5, 0xFF]) }
        try peer.send([5, 2])
        _ = try peer.take(1)
        let name = try peer.take(Int(try peer.take(1)[0]))
        let password = try peer.take(Int(try peer.take(1)[0]))
        sent = String(decoding: name + Array(":".utf8) + password, as: UTF8.self)
        guard sent == credentials else {
          note(Request(line: "", credentials: sent))
          return try peer.send([1, 1])
        }
        try peer.send([1, 0])
      } else {
        try peer.send([5, 0])
      }
      let head = try peer.take(4)
      // Only names: that of an address would have been looked up outside.
      guard head[1] == 1, head[3] == 3 else { return try peer.send([5, 8, 0, 1, 0, 0, 0, 0, 0, 0]) }
      let name = String(decoding: try peer.take(Int(try peer.take(1)[0])), as: UTF8.self)
      let port = try peer.take(2)
      note(Request(line: "CONNECT \(name):\(Int(port[0]) << 8 | Int(port[1]))", credentials: sent))
      try peer.send([5, 0, 0, 1, 127, 0, 0, 1, 0, 0])
      try relay(peer, to: upstream)
    }
  }

  private init(_ script: @escaping @Sendable (Peer, (Request) -> Void) throws -> Void) throws {
    let seen = Locked<[Request]>([])
    self.seen = seen
    server = try ScriptedServer { peer in try script(peer) { request in seen.withLock { $0.append(request) } } }
  }

  var port: Int { server.port }
  var requests: [Request] { seen.withLock { $0 } }

  /// Passes bytes on in both directions until either side is gone.
  private static func relay(_ client: Peer, to port: Int) throws {
    let server = try Peer.connected(to: port)
    let isOver = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      while let bytes = server.receive() { if (try? client.send(bytes)) == nil { break } }
      client.hangUp()
      isOver.signal()
    }
    while let bytes = client.receive() { if (try? server.send(bytes)) == nil { break } }
    server.hangUp()
    // Its descriptors must not become others' while the thread uses them.
    isOver.wait()
    server.end()
  }
}

extension Peer {
  fileprivate static func connected(to port: Int) throws -> Peer {
    #if os(Linux)
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    guard descriptor >= 0 else { throw ServerError.system(errno) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard code == 0 else {
      close(descriptor)
      throw ServerError.system(errno)
    }
    return Peer(descriptor)
  }
}
