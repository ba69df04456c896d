import CallsignHTTP
import CallsignMock
import Foundation
import HTTPTypes
import LoopbackSockets

/// A mock that listens on loopback. The page at ``url`` is a console: it shows the received requests and lets you try operations
/// and faults.
///
/// ```swift
/// let listener = try await MockServer(folder: "Sources/Petstore/Catalogue").listen()
/// let hosts = BaseURLOverrides.all(to: listener.url.absoluteString)
/// // … a client with `ClientConfiguration(hosts: hosts)`, or a program in any language
/// await listener.stop()
/// ```
public final class MockListener: Sendable {
  /// The server, for replies, faults and the recorded requests.
  public let mock: MockServer
  /// The address, such as `http://127.0.0.1:49152`.
  public let url: URL
  /// The port number.
  public let port: UInt16
  private let listener: LoopbackListener

  fileprivate init(mock: MockServer, url: URL, listener: LoopbackListener) {
    self.mock = mock
    self.url = url
    self.listener = listener
    port = listener.port
  }

  /// Closes the socket and all connections, and waits for them to close.
  public func stop() async { await listener.stop() }
}

extension MockServer {
  /// Listens on 127.0.0.1.
  ///
  /// - Parameter port: The port; 0, the default, takes a free one.
  /// - Returns: The listener, which you must stop.
  /// - Throws: `MockError.couldNotListen(port:)`.
  public func listen(port: UInt16 = 0) async throws(MockError) -> MockListener {
    let console = ConsoleServer(MockConsole(self))
    let listener: LoopbackListener
    do throws(LoopbackListener.PortTaken) {
      listener = try await LoopbackListener.start(
        port: port, limits: RequestLimits(body: configuration.maximumBodySize)
      ) { request in await self.respond(to: request, console) }
    } catch {
      throw .couldNotListen(port: port)
    }
    guard let url = URL(string: "http://127.0.0.1:\(listener.port)") else {
      await listener.stop()
      throw .couldNotListen(port: port)
    }
    return MockListener(mock: self, url: url, listener: listener)
  }

  private func respond(to request: LoopbackRequest, _ console: ConsoleServer) async -> LoopbackResponse? {
    let incoming = IncomingRequest(
      method: request.method, origin: "http://" + (request.host.isEmpty ? "127.0.0.1" : request.host),
      path: request.path, query: request.query, headers: request.fields, body: request.body)
    // The console does not hide the API's own operation at `/`. It then has no page.
    if incoming.path != "/" || !hasOperation(for: incoming), let found = await console.response(.init(incoming)) {
      return LoopbackResponse(status: found.status, fields: found.headers, body: .bytes(found.body))
    }
    do throws(TransportError) {
      return await Self.response(try await respond(to: incoming), isHead: request.method == "HEAD")
    } catch {
      return nil
    }
  }

  private static func response(_ response: OutgoingResponse, isHead: Bool) async -> LoopbackResponse? {
    var result = LoopbackResponse(
      status: response.status, fields: response.headers.map { ($0.name.rawName, $0.value) })
    // Responses with 204 and 304 have no body (RFC 9110 §6.4.1). A client would read one as the next response.
    if response.length == 0 || response.status == 204 || response.status == 304 {
      // If there is nothing to cut off, the connection closes before the response.
      return response.isCut ? nil : result
    }
    if isHead, let length = response.length {
      result.body = .announced(length)
      return result
    }
    if response.length != nil, !response.isCut, let bytes = try? await response.body.collect() {
      result.body = .bytes(bytes)
      return result
    }
    result.body = .pieces(length: response.length) { [body = response.body] writer in
      for try await piece in body { try await writer.write(piece) }
    }
    return result
  }
}
