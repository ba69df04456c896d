import FlyingFox
import Foundation

/// A server on loopback that sends each request back as its response.
struct EchoServer {
  /// Where it listens, such as `http://127.0.0.1:40123`.
  let baseURL: String
  private let running: Task<Void, any Error>

  /// Starts a server on any free port.
  static func start() async throws -> EchoServer {
    let server = HTTPServer(
      address: try .inet(ip4: "127.0.0.1", port: 0), logger: .disabled,
      handler: ClosureHTTPHandler { request in
        let received = [
          "method": request.method.rawValue,
          "target": request.target.rawValue,
          "content": String(decoding: try await request.bodyData, as: UTF8.self),
        ]
        let body = try JSONSerialization.data(withJSONObject: received)
        return HTTPResponse(statusCode: .ok, headers: [.contentType: "application/json"], body: body)
      })
    let running = Task { try await server.run() }
    try await server.waitUntilListening(timeout: 120)
    guard case .ip4(_, let port)? = await server.listeningAddress else { throw CancellationError() }
    return EchoServer(baseURL: "http://127.0.0.1:\(port)", running: running)
  }

  func stop() { running.cancel() }
}
