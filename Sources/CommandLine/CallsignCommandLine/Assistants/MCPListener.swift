import FlyingFox
import FlyingSocks
import Foundation
import LoopbackSockets

/// Puts the sessions of an endpoint behind a port of 127.0.0.1.
struct MCPListener: Sendable {
  /// The address for clients, such as `http://127.0.0.1:8931/mcp`.
  let address: String
  private let endpoint: MCPEndpoint
  private let listener: LoopbackListener
  private let ticks: Task<Void, Never>

  /// - Parameter port: The port; 0 for one that is free.
  static func start(
    _ endpoint: MCPEndpoint, port: UInt16
  ) async throws(CommandLineError) -> MCPListener {
    let listener: LoopbackListener
    do throws(LoopbackListener.PortTaken) {
      listener = try await LoopbackListener.start(port: port) { request in await respond(to: request, endpoint) }
    } catch {
      throw CommandLineError("cannot listen on port \(error.port); it is taken, or may not be used", .unavailable)
    }
    let ticks = Task {
      while !Task.isCancelled {
        try? await Task.sleep(for: .seconds(15))
        await endpoint.keepAlive()
      }
    }
    return MCPListener(
      address: "http://127.0.0.1:\(listener.port)\(MCPEndpoint.path)", endpoint: endpoint, listener: listener,
      ticks: ticks)
  }

  func stop() async {
    ticks.cancel()
    await endpoint.endAll()
    await listener.stop()
  }

  private static func respond(
    to request: FlyingFox.HTTPRequest, _ endpoint: MCPEndpoint
  ) async -> FlyingFox.HTTPResponse {
    var headers: [String: String] = [:]
    for (name, value) in request.headers { headers[name.rawValue.lowercased()] = value }
    var body = Data()
    do {
      // All of it is read, even if it is refused: what is left would be taken for the next request. A byte more than
      // allowed is kept, by which the endpoint knows.
      for try await piece in request.bodySequence {
        body.append(piece.prefix(max(0, MCPServer.messageLimit + 1 - body.count)))
      }
    } catch {
      return HTTPResponse(statusCode: .badRequest)
    }
    let response = await endpoint.respond(
      to: .init(method: request.method.rawValue, path: request.target.path(), headers: headers, body: body))
    var fields = HTTPHeaders()
    for field in response.headers { fields.setValues([field.value], for: HTTPHeader(field.name)) }
    let status = HTTPStatusCode(response.status, phrase: phrases[response.status] ?? "Status")
    switch response.body {
    case .text(let text, let type):
      if !text.isEmpty { fields.setValues([type], for: HTTPHeader("Content-Type")) }
      return HTTPResponse(statusCode: status, headers: fields, body: Data(text.utf8))
    case .events(let events):
      fields.setValues(["text/event-stream"], for: HTTPHeader("Content-Type"))
      return HTTPResponse(
        statusCode: status, headers: fields, body: HTTPBodySequence(from: EventBytes(events: events)))
    }
  }

  /// RFC 9110 §15
  private static let phrases = [
    200: "OK", 202: "Accepted", 204: "No Content", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden",
    404: "Not Found", 405: "Method Not Allowed", 406: "Not Acceptable", 413: "Content Too Large",
    415: "Unsupported Media Type", 503: "Service Unavailable",
  ]
}

/// The bytes of events as they come.
private struct EventBytes: AsyncBufferedSequence, Sendable {
  typealias Element = UInt8
  let events: AsyncStream<String>

  func makeAsyncIterator() -> Iterator { Iterator(events: events.makeAsyncIterator()) }

  struct Iterator: AsyncBufferedIteratorProtocol {
    var events: AsyncStream<String>.Iterator
    var rest: ArraySlice<UInt8> = []

    mutating func next() async throws -> UInt8? { try await nextBuffer(suggested: 1)?.first }

    mutating func nextBuffer(suggested count: Int) async throws -> [UInt8]? {
      if rest.isEmpty {
        guard let event = await events.next() else { return nil }
        rest = Array(event.utf8)[...]
      }
      let buffer = Array(rest.prefix(count))
      rest = rest.dropFirst(count)
      return buffer
    }
  }
}
