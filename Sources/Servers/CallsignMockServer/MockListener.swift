import CallsignHTTP
import CallsignMock
import FlyingFox
import Foundation
import HTTPTypes
import LoopbackSockets

/// A mock that listens on loopback. At ``url`` itself is a console: a page that shows what arrives, and lets a person try
/// operations and faults.
///
/// ```swift
/// let listener = try await MockServer(folder: "Sources/Petstore/Catalogue").listen()
/// let hosts = BaseURLOverrides.all(to: listener.url.absoluteString)
/// // … a client with `ClientConfiguration(hosts: hosts)`, or a program in any language
/// await listener.stop()
/// ```
public final class MockListener: Sendable {
  /// The server, for replies, faults and the requests so far.
  public let mock: MockServer
  /// The address, such as `http://127.0.0.1:49152`.
  public let url: URL
  /// The port that it listens on.
  public let port: UInt16
  private let listener: LoopbackListener

  fileprivate init(mock: MockServer, url: URL, listener: LoopbackListener) {
    self.mock = mock
    self.url = url
    self.listener = listener
    port = listener.port
  }

  /// Closes the socket and all connections, and waits until they are closed.
  public func stop() async { await listener.stop() }
}

extension MockServer {
  /// Listens on 127.0.0.1.
  ///
  /// - Parameter port: The port; 0, the default, for one that is free.
  /// - Returns: The listener, which must be stopped.
  /// - Throws: `MockError.couldNotListen(port:)`.
  public func listen(port: UInt16 = 0) async throws(MockError) -> MockListener {
    let console = ConsoleServer(MockConsole(self))
    let listener: LoopbackListener
    do throws(LoopbackListener.PortTaken) {
      // A stream's handler ends with its head, so this is no bound for streams. The latency is not to be cut short.
      let latency = TimeInterval(min(max(0, configuration.latency.components.seconds), 86_400))
      listener = try await LoopbackListener.start(port: port, timeout: 300 + latency) { request in
        await self.respond(to: request, console)
      }
    } catch {
      throw .couldNotListen(port: port)
    }
    guard let url = URL(string: "http://127.0.0.1:\(listener.port)") else {
      await listener.stop()
      throw .couldNotListen(port: port)
    }
    return MockListener(mock: self, url: url, listener: listener)
  }

  private func respond(to request: FlyingFox.HTTPRequest, _ console: ConsoleServer) async -> FlyingFox.HTTPResponse {
    var headers = HTTPFields()
    for (name, value) in request.headers {
      if let name = HTTPField.Name(name.rawValue) { headers.append(HTTPField(name: name, value: value)) }
    }
    var body = Data()
    var size = 0
    do {
      // All of it is read, even if it is refused: what is left would be taken for the next request. One byte more than
      // allowed is kept, by which the mock knows.
      for try await piece in request.bodySequence {
        size += piece.count
        let room = configuration.maximumBodySize - body.count
        body.append(piece.prefix(room < 0 ? 0 : room < piece.count ? room + 1 : piece.count))
      }
    } catch {
      return .connectionClosed
    }
    if let announced = headers[.contentLength].flatMap({ Int($0) }), size < announced { return .connectionClosed }
    let incoming = IncomingRequest(
      method: request.method.rawValue,
      origin: "http://" + (HTTPField.Name("Host").flatMap { headers[$0] } ?? "127.0.0.1"),
      path: request.target.path(), query: request.target.query(), headers: headers, body: body)
    // An API's own operation at `/` is not hidden by the console, which then has no page.
    if incoming.path != "/" || !hasOperation(for: incoming), let found = await console.response(.init(incoming)) {
      return Self.response(found)
    }
    do throws(TransportError) {
      return Self.response(try await respond(to: incoming))
    } catch {
      return .connectionClosed
    }
  }

  private static func response(_ response: ConsoleServer.Response) -> FlyingFox.HTTPResponse {
    var headers = HTTPHeaders()
    for field in response.headers { headers.setValues([field.value], for: HTTPHeader(field.name)) }
    let status = HTTPStatusCode(response.status, phrase: ReasonPhrase.of(response.status))
    return FlyingFox.HTTPResponse(statusCode: status, headers: headers, body: response.body)
  }

  private static func response(_ response: OutgoingResponse) -> FlyingFox.HTTPResponse {
    let status = HTTPStatusCode(response.status, phrase: ReasonPhrase.of(response.status))
    var headers = HTTPHeaders()
    var names: [String: [String]] = [:]
    for field in response.headers { names[field.name.rawName, default: []].append(field.value) }
    for (name, values) in names { headers.setValues(values, for: HTTPHeader(name)) }
    let pieces = BodyPieces(response.body)
    // A 204 and a 304 have no body (RFC 9110 §6.4.1): it would be taken for the next response.
    if response.length == 0 || response.status == 204 || response.status == 304 {
      // Where there is nothing to cut, the connection is lost before the response.
      if response.isCut { return .connectionClosed }
      return FlyingFox.HTTPResponse(statusCode: status, headers: headers)
    }
    let body = response.length.map { HTTPBodySequence(from: pieces, count: $0) } ?? HTTPBodySequence(from: pieces)
    return FlyingFox.HTTPResponse(statusCode: status, headers: headers, body: body)
  }
}
