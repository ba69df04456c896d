import Foundation
import TestSupport
import Testing

@Suite("Servers of the command lines that are busy")
struct BusyServerTests {
  /// Long lines, half-sent requests, and clients that do not read: all at once.
  private static func keepBusy(_ port: UInt16) throws -> [RawClient] {
    let long = String(repeating: "a", count: 100_000)
    return try (0..<24).map { number in
      let client = try RawClient(port: port)
      switch number % 4 {
      case 0: client.send("GET /\(long) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
      case 1: client.send("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: \(long)\r\n\r\n")
      case 2: client.send("POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n")
      default: client.send(String(repeating: "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", count: 100))
      }
      return client
    }
  }

  @Test(
    "It still responds, and a signal ends it",
    arguments: [
      ("xapi", ["sandbox"]), ("callsign", ["mock", "CATALOGUE", "--quiet"]),
      ("xapi", ["mcp", "--http", "0", "--base-url", "http://127.0.0.1:9"]),
    ])
  func signals(program: String, arguments: [String]) async throws {
    let home = try TemporaryFolder()
    try home.write(
      "api: {name: Shop, hosts: {api: https://shop.example}, schemes: {none: null}, auth: [none]}\n"
        + "endpoints: {pay: {call: POST /payments}}\n", to: "catalogue/shop.yaml")
    let server = try LiveProgram(
      program, arguments.map { $0 == "CATALOGUE" ? home.path + "/catalogue" : $0 }, home: home)
    var port: UInt16?
    try await eventually("it says where it listens") {
      let address = (server.output + server.error).components(separatedBy: "http://127.0.0.1:").dropFirst().last
      port = address.flatMap { UInt16($0.prefix(while: \.isNumber)) }
      return port != nil
    }
    let found = try #require(port)
    let response = try await onThread {
      let busy = try Self.keepBusy(found)
      let client = try RawClient(port: found)
      client.send("GET / HTTP/1.1\r\nHost: 127.0.0.1:\(found)\r\nConnection: close\r\n\r\n")
      let response = client.receiveAll()
      server.signal(SIGTERM)
      _ = busy.count
      return response
    }
    #expect(response.hasPrefix("HTTP/1.1 "))
    let start = ContinuousClock.now
    #expect(await server.status() == 0)
    #expect(start.duration(to: .now) < .seconds(20))
  }
}
