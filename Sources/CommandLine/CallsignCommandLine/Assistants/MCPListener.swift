import Foundation
import LoopbackSockets

/// Serves the sessions of an endpoint on a port of 127.0.0.1.
struct MCPListener: Sendable {
  /// The URL for clients, such as `http://127.0.0.1:8931/mcp`.
  let address: String
  private let endpoint: MCPEndpoint
  private let listener: LoopbackListener
  private let ticks: Task<Void, Never>

  /// - Parameter port: The port; 0 takes a free one.
  static func start(
    _ endpoint: MCPEndpoint, port: UInt16
  ) async throws(CommandLineError) -> MCPListener {
    let listener: LoopbackListener
    do throws(LoopbackListener.PortTaken) {
      listener = try await LoopbackListener.start(port: port, limits: RequestLimits(body: MCPServer.messageLimit)) {
        await respond(to: $0, endpoint)
      }
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

  private static func respond(to request: LoopbackRequest, _ endpoint: MCPEndpoint) async -> LoopbackResponse {
    var headers: [String: String] = [:]
    for field in request.fields { headers[field.name.canonicalName] = request.fields[field.name] }
    let response = await endpoint.respond(
      to: .init(method: request.method, path: request.path, headers: headers, body: request.body))
    var outgoing = LoopbackResponse(status: response.status, fields: response.headers.map { ($0.name, $0.value) })
    switch response.body {
    case .text(let text, let type):
      if !text.isEmpty { outgoing.fields.append(("Content-Type", type)) }
      outgoing.body = .bytes(Data(text.utf8))
    case .events(let events):
      outgoing.fields.append(("Content-Type", "text/event-stream"))
      outgoing.body = .pieces(length: nil) { writer in
        for await event in events { try await writer.write(Data(event.utf8)) }
      }
    }
    return outgoing
  }
}
