import FlyingFox
import Foundation

/// A server on loopback that answers with what it was sent.
struct EchoServer {
  private let server = HTTPServer(address: .loopback(port: 0)) { request in
    let received = [
      "method": request.method.rawValue,
      "target": request.target.rawValue,
      "body": String(decoding: try await request.bodyData, as: UTF8.self),
    ]
    let body = try JSONSerialization.data(withJSONObject: received)
    return HTTPResponse(statusCode: .ok, headers: [.contentType: "application/json"], body: body)
  }

  /// Runs the server while `body` runs, and hands it the server's base URL.
  func run(_ body: (String) async throws -> Void) async throws {
    let running = Task { try await server.run() }
    defer { running.cancel() }
    try await server.waitUntilListening()
    guard case .ip4(_, let port)? = await server.listeningAddress else { throw CocoaError(.featureUnsupported) }
    try await body("http://127.0.0.1:\(port)")
  }
}
