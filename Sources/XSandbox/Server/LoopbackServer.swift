import FlyingFox
import FlyingSocks
import Foundation

/// Speaks HTTP on loopback, by FlyingFox; everything else in this module knows only ``IncomingRequest`` and ``Answer``.
struct LoopbackServer: Sendable {
  let port: UInt16
  private let server: HTTPServer
  private let running: Task<Void, Never>

  /// Longer than any answer takes; a delay is ended by stopping the server, not by this.
  private static let handlerTimeout: TimeInterval = 3600
  /// A machine that is busy takes its time; that a port is taken is known at once.
  private static let startTimeout: TimeInterval = 120
  private static let maximumHeaderSize = 16 << 10

  static func start(
    port: UInt16, maximumBodySize: Int, answer: @escaping @Sendable (IncomingRequest) async -> Answer
  ) async throws -> LoopbackServer {
    let server = HTTPServer(
      address: try sockaddr_in.inet(ip4: "127.0.0.1", port: port), timeout: handlerTimeout,
      pool: LoopbackSocketPool(), logger: .disabled,
      handler: ClosureHTTPHandler { request in
        await respond(to: request, maximumBodySize: maximumBodySize, answer: answer)
      })
    await ServerPlaces.shared.take()
    let listening = Task { try await server.waitUntilListening(timeout: startTimeout) }
    let running = Task {
      // It ends with an error when the port is taken, and when the server is stopped; the former must not be waited out.
      try? await server.run()
      listening.cancel()
      await ServerPlaces.shared.giveBack()
    }
    do {
      try await listening.value
    } catch {
      running.cancel()
      throw SandboxError.couldNotListen(port: port)
    }
    guard case .ip4(_, let port) = await server.listeningAddress else {
      running.cancel()
      throw SandboxError.couldNotListen(port: port)
    }
    return LoopbackServer(port: port, server: server, running: running)
  }

  /// Closes the listening socket and all connections, and waits until they are closed.
  func stop() async {
    await server.stop(timeout: 0)
    await running.value
  }

  private static func respond(
    to request: HTTPRequest, maximumBodySize: Int, answer: (IncomingRequest) async -> Answer
  ) async -> HTTPResponse {
    var incoming = IncomingRequest(
      method: request.method.rawValue, path: request.target.path(), query: request.target.query(),
      headers: request.headers.map { .init(name: $0.key.rawValue, value: $0.value) }, body: Data())
    if case .ip4(_, let port)? = request.remoteAddress { incoming.peerPort = port }
    guard incoming.headers.reduce(0, { $0 + $1.name.utf8.count + $1.value.utf8.count }) <= maximumHeaderSize else {
      return response(refusal(status: 431))
    }
    var size = 0
    do {
      // All of it is read, even if it is refused: what is left would be taken for the next request.
      for try await chunk in request.bodySequence {
        size += chunk.count
        if size <= maximumBodySize { incoming.body.append(chunk) }
      }
    } catch {
      return response(refusal(status: 400))
    }
    // What ends early was cut off, by its sender or because the server stops. Nobody could tell an answer from one to the
    // whole request.
    if let announced = incoming.header("Content-Length").flatMap({ Int($0) }), size < announced {
      var cut = Answer(status: 0)
      cut.body = .nothing
      return response(cut)
    }
    guard size <= maximumBodySize else { return response(refusal(status: 413)) }
    return response(await answer(incoming))
  }

  private static func refusal(status: Int) -> Answer {
    let phrase = ReasonPhrase.of(status)
    return Answer(Problem(status: status, title: phrase, detail: phrase))
  }

  private static func response(_ answer: Answer) -> HTTPResponse {
    let status = HTTPStatusCode(answer.status, phrase: ReasonPhrase.of(answer.status))
    var headers = HTTPHeaders()
    for field in answer.headers { headers.setValues([field.value], for: HTTPHeader(field.name)) }
    switch answer.body {
    case .bytes(let bytes): return HTTPResponse(statusCode: status, headers: headers, body: bytes)
    case .cut(let bytes, let total):
      let body = HTTPBodySequence(from: CutBody(bytes: bytes), count: total)
      return HTTPResponse(statusCode: status, headers: headers, body: body)
    case .stream(let stream):
      return HTTPResponse(statusCode: status, headers: headers, body: HTTPBodySequence(from: stream))
    case .chunks(let bytes, let size, let pause):
      let body = HTTPBodySequence(from: PacedBody(bytes: bytes, size: size, pause: pause))
      return HTTPResponse(statusCode: status, headers: headers, body: body)
    case .nothing: return HTTPResponse(webSocket: ConnectionCutter())
    }
  }
}
