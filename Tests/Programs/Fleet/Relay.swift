import Foundation

/// `Fleet --relay ADDRESS PORT ADDRESS PORT MILLISECONDS`: accepts connections at the first address, and carries their bytes to the
/// second and back, with a delay in each direction, until standard input ends. While nobody listens at the second address, the
/// relay does not listen either, so clients see the same as without it.
struct Relay {
  private let source: sockaddr_in
  private let target: sockaddr_in
  private let delay: UInt32

  init(_ arguments: [String]) throws {
    guard arguments.count == 5, let port = UInt16(arguments[1]), let targetPort = UInt16(arguments[3]),
      let milliseconds = UInt32(arguments[4])
    else { throw FleetFailure(description: "a relay takes two addresses with ports, and a delay") }
    source = Self.address(arguments[0], port)
    target = Self.address(arguments[2], targetPort)
    delay = milliseconds * 1000
  }

  func run() throws {
    Thread.detachNewThread {
      while readLine() != nil {}
      exit(0)
    }
    FileHandle.standardOutput.write(try JSONEncoder().encode(SandboxLine()) + [UInt8(ascii: "\n")])
    var listener: Int32?
    while true {
      if isRefused() {
        if let open = listener { close(open) }
        listener = nil
      } else if listener == nil {
        listener = listen()
      }
      guard let listener, Self.waits(for: listener, Int16(POLLIN), milliseconds: 300) else {
        if listener == nil { usleep(100_000) }
        continue
      }
      let connection = accept(listener, nil, nil)
      if connection >= 0 { Thread.detachNewThread { carry(connection) } }
    }
  }

  private func listen() -> Int32? {
    let listener = Self.streamSocket()
    var yes: Int32 = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    let isBound = Self.with(source) { bind(listener, $0, $1) } == 0
    if isBound, Foundation.listen(listener, 512) == 0 { return listener }
    close(listener)
    return nil
  }

  /// Whether the target's host says that nobody listens there. A host that does not respond may be cut off.
  private func isRefused() -> Bool {
    let probe = Self.streamSocket()
    defer { close(probe) }
    _ = fcntl(probe, F_SETFL, O_NONBLOCK)
    if Self.with(target, { connect(probe, $0, $1) }) == 0 { return false }
    if errno == ECONNREFUSED { return true }
    guard Self.waits(for: probe, Int16(POLLOUT), milliseconds: 200) else { return false }
    var problem: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    getsockopt(probe, SOL_SOCKET, SO_ERROR, &problem, &length)
    return problem == ECONNREFUSED
  }

  private static func waits(for descriptor: Int32, _ event: Int16, milliseconds: Int32) -> Bool {
    var wait = pollfd(fd: descriptor, events: event, revents: 0)
    return poll(&wait, 1, milliseconds) > 0
  }

  private func carry(_ connection: Int32) {
    let other = Self.streamSocket()
    guard Self.with(target, { connect(other, $0, $1) }) == 0 else {
      close(other)
      close(connection)
      return
    }
    var yes: Int32 = 1
    for end in [connection, other] {
      setsockopt(end, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    }
    let back = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      copy(other, connection)
      back.signal()
    }
    copy(connection, other)
    back.wait()
    close(connection)
    close(other)
  }

  private func copy(_ source: Int32, _ destination: Int32) {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = read(source, &buffer, buffer.count), count > 0 {
      usleep(delay)
      var sent = 0
      while sent < count {
        let written = buffer[sent..<count].withUnsafeBytes { send(destination, $0.baseAddress, $0.count, 0) }
        guard written > 0 else {
          shutdown(source, Int32(SHUT_RDWR))
          return
        }
        sent += written
      }
    }
    shutdown(destination, Int32(SHUT_WR))
  }

  private static func streamSocket() -> Int32 {
    #if canImport(Glibc)
      socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      socket(AF_INET, SOCK_STREAM, 0)
    #endif
  }

  private static func address(_ text: String, _ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    inet_pton(AF_INET, text, &address.sin_addr)
    return address
  }

  private static func with<Result>(
    _ address: sockaddr_in, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    var address = address
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    }
  }
}
