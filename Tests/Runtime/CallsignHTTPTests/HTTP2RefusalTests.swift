#if os(Linux)
  import Callsign
  import CallsignAuth
  import CallsignHTTP
  import Foundation
  import HTTPTypes
  import TestSupport
  import Testing

  /// Requests that a server has certainly not processed (RFC 9113 §8.7) are sent again or reported as not sent, and those
  /// that it may have processed are not.
  @Suite(.needs(.openssl, .python)) struct HTTP2RefusalTests {
    private typealias Refusal = TLSServer.HTTP2Refusal

    /// - Parameter number: The number of the request that is refused: 2 goes over a kept connection.
    private func responses(
      _ refusal: TLSServer.HTTP2Refusal, at number: Int, _ method: HTTPRequest.Method, _ body: RequestBody
    ) async throws -> [String] {
      let server = try TLSServer(.refusing(refusal, at: number), name: "IP:127.0.0.1")
      let transport = TLSTests.trusting(server)
      var texts: [String] = []
      for _ in 0..<number {
        let request = try TransportRequest(method, "https://127.0.0.1:\(server.port)/", body: body)
        let response = try await transport.send(request)
        texts.append(String(decoding: try await response.body.collect(), as: UTF8.self))
      }
      return texts
    }

    private static let bodies: [RequestBody] = [
      .data(Data("x".utf8)), .stream(length: 1, open: { PieceSource([Data("x".utf8)]) }),
      .stream(length: nil, open: { PieceSource([Data("x".utf8)]) }),
    ]

    @Test(
      "A refused request is sent once more, whatever its method and body",
      arguments: [TLSServer.HTTP2Refusal.stream, .goAway, .goAwayAndClose], [1, 2])
    func refused(refusal: TLSServer.HTTP2Refusal, at number: Int) async throws {
      for method in [HTTPRequest.Method.post, .patch, .put] {
        for body in Self.bodies {
          #expect(try await responses(refusal, at: number, method, body).last == "\(number + 1) HTTP/2 x")
        }
      }
      #expect(try await responses(refusal, at: number, .get, .none).last == "\(number + 1) HTTP/2 ")
      #expect(try await responses(refusal, at: number, .delete, .none).last == "\(number + 1) HTTP/2 ")
    }

    @Test("A server that wants HTTP/1.1 gets it", arguments: [1, 2]) func http1(at number: Int) async throws {
      for method in [HTTPRequest.Method.post, .put] {
        for body in Self.bodies {
          #expect(try await responses(.http1, at: number, method, body).last == "\(number + 1) HTTP/1.1 x")
        }
      }
      #expect(try await responses(.http1, at: number, .get, .none).last == "\(number + 1) HTTP/1.1 ")
    }

    @Test("A request that is refused repeatedly counts as not sent") func refusedAlways() async throws {
      let error = try await transportError { try await responses(.allStreams, at: 1, .post, Self.bodies[0]) }
      #expect(error.delivery == .notSent)
      #expect(error.kind == .connectionLost)
    }

    @Test(
      "A request that may have been processed is not sent again",
      arguments: [TLSServer.HTTP2Refusal.processed, .closed], [1, 2])
    func processed(refusal: TLSServer.HTTP2Refusal, at number: Int) async throws {
      for method in [HTTPRequest.Method.post, .get] {
        let error = try await transportError { try await responses(refusal, at: number, method, .none) }
        #expect(error.delivery == .unknown)
      }
    }

    @Test("A call that writes succeeds after a refusal") func call() async throws {
      let server = try TLSServer(.refusing(.stream, at: 1), name: "IP:127.0.0.1")
      let client = Client(
        auth: [], configuration: ClientConfiguration(transport: TLSTests.trusting(server), retry: .never))
      let response = try await client.open(
        .post, "https://127.0.0.1:\(server.port)/", body: .data(Data("x".utf8), contentType: "text/plain"), auth: .none)
      #expect(String(decoding: try await response.value.collect(), as: UTF8.self) == "2 HTTP/2 x")
    }
  }
#endif
