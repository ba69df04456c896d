import Callsign
import Foundation
import Testing
@Test func smoke() async throws {
  let server = try ScriptedServer.answering { r, p in try p.answer("200 OK", ["X: y"], Array("hello \(r.method) \(r.target)".utf8) + r.body) }
  let t = CurlTransport()
  let r = try await t.send(TransportRequest(.post, server.url("/a/../b?x=1"), body: .data(Data("body".utf8))))
  print(r.head, r.protocolVersion as Any)
  print(String(decoding: try await r.body.collect(), as: UTF8.self))
}
