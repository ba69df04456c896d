import FlyingFox
import FlyingSocks
import Foundation

/// An HTTP server on 127.0.0.1 that has begun to listen.
///
/// FlyingFox reads a body of up to 4 KiB that has a `Content-Length` before anybody can be asked for it, so that a client
/// which asks before it sends one (`Expect: 100-continue`) still waits.
package struct LoopbackListener: Sendable {
  /// The port could not be had.
  package struct PortTaken: Error {
    package let port: UInt16
  }

  /// The port that it listens on.
  package let port: UInt16
  private let pool: LoopbackSocketPool
  private let running: Task<Void, Never>

  /// Begins to listen.
  ///
  /// - Parameters:
  ///   - port: The port; 0 for one that is free.
  ///   - timeout: The seconds that a handler may take to the head of its response. FlyingFox starts a timer for each request,
  ///     and the system keeps a timer's memory until its time has come, also when it is cancelled.
  ///   - respond: Responses a request.
  package static func start(
    port: UInt16, timeout: TimeInterval = 300,
    respond: @escaping @Sendable (FlyingFox.HTTPRequest) async -> FlyingFox.HTTPResponse
  ) async throws(PortTaken) -> LoopbackListener {
    let address: sockaddr_in
    do { address = try .inet(ip4: "127.0.0.1", port: port) } catch { throw PortTaken(port: port) }
    let pool = LoopbackSocketPool()
    let handler = ClosureHTTPHandler { request in
      guard let client = Self.waitingClient(request) else { return await respond(request) }
      pool.invite(client)
      defer { pool.forget(client) }
      return await respond(request)
    }
    let server = HTTPServer(address: address, timeout: timeout, pool: pool, logger: .disabled, handler: handler)
    await server.appendRoute(HTTPRoute(methods: Self.furtherMethods, path: "*"), to: handler)
    let listening = Task { try await server.waitUntilListening(timeout: 120) }
    let running = Task {
      // It ends with an error when the port is taken, which must not be waited out, and when it is stopped.
      try? await server.run()
      pool.stop()
      listening.cancel()
    }
    do { try await listening.value } catch {
      running.cancel()
      throw PortTaken(port: port)
    }
    guard case .ip4(_, let bound) = await server.listeningAddress else {
      running.cancel()
      throw PortTaken(port: port)
    }
    return LoopbackListener(port: bound, pool: pool, running: running)
  }

  /// The methods of the registry (RFC 9110 §16.1) that a server of FlyingFox does not know by itself, and `PURGE`. It
  /// responses others by an empty 404.
  private static let furtherMethods = Set(
    [
      "ACL", "BASELINE-CONTROL", "BIND", "CHECKIN", "CHECKOUT", "COPY", "LABEL", "LINK", "LOCK", "MERGE", "MKACTIVITY",
      "MKCALENDAR", "MKCOL", "MKREDIRECTREF", "MKWORKSPACE", "MOVE", "ORDERPATCH", "PRI", "PROPFIND", "PROPPATCH",
      "PURGE", "QUERY", "REBIND", "REPORT", "SEARCH", "UNBIND", "UNCHECKOUT", "UNLINK", "UNLOCK", "UPDATE",
      "UPDATEREDIRECTREF", "VERSION-CONTROL",
    ].map { HTTPMethod($0) })

  /// The port of a client that sends its body when it is asked to (RFC 9110 §10.1.1).
  private static func waitingClient(_ request: FlyingFox.HTTPRequest) -> UInt16? {
    guard request.headers[HTTPHeader("Expect")]?.lowercased() == "100-continue",
      case .ip4(_, let port)? = request.remoteAddress
    else { return nil }
    return port
  }

  /// Takes no more connections, and waits until all are closed.
  ///
  /// Every wait ends, and with them the server, which closes its socket last. `HTTPServer.stop` closes it first: whoever
  /// waits to accept then does so on another server's, which has been given the same descriptor.
  ///
  /// - Parameter grace: How long connections may take to end by themselves; none by default.
  package func stop(within grace: Duration = .zero) async {
    if grace > .zero { pool.stopAccepting() } else { pool.stop() }
    let timer = Task { [pool] in
      // Cancelled when all have ended.
      if (try? await Task.sleep(for: grace)) != nil { pool.stop() }
    }
    await running.value
    timer.cancel()
  }

  /// The same, for who cannot wait.
  package func cancel() { pool.stop() }
}
