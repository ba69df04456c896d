import Callsign
import CallsignJSON
import Foundation
import TestSupport
import Testing

@Suite("Methods whose response has no type") struct ContentTests {
  @Test("The header decides what a method returns")
  func content() async throws {
    let types = ["text/csv", "application/json", "image/png", "text/event-stream"]
    let bodies = ["a,b\n", "[1]", "\u{1}\u{2}", "data: {\"n\":1}\n\n"]
    let server = try ShopServer { _, peer, number in
      try peer.respond("200 OK", ["Content-Type: \(types[number - 1])"], Array(bodies[number - 1].utf8))
    }
    defer { server.stop() }
    let shop = server.petstore()
    #expect(try await shop.getDownload().value.text == "a,b\n")
    #expect(try await shop.getDownload().value.json == [1])
    #expect(try await shop.getDownload().value.bytes == Data([1, 2]))
    let records = try #require(try await shop.getDownload().value.records)
    var found: [JSONValue] = []
    for try await record in records { found.append(record["data"] ?? .null) }
    #expect(found == [["n": 1]])
    #expect(server.requests.allSatisfy { $0["Accept"] == "application/json, */*;q=0.8" })
  }
}
