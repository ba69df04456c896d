import Callsign
import Foundation
import HTTPTypes

/// Requests that one transport after the other makes of the same server: its own, or the one at the URL that is given.
enum HTTPBench {
  private struct Unexpected: Error {}

  /// About what a single post with its author is.
  private static let body = Data(
    #"{"data":[\#(Array(repeating: #"{"id":"1346889436626259968"}"#, count: 40).joined(separator: ","))]}"#.utf8)

  static func run(_ words: [String]) async throws {
    let given = words.first.flatMap { URLComponents(string: $0) }
    let server = given == nil ? try LoopbackServer(body: body) : nil
    let authority =
      given.map { "\($0.host ?? "127.0.0.1")\($0.port.map { ":\($0)" } ?? "")" } ?? "127.0.0.1:\(server?.port ?? 0)"
    let path = given.map { $0.path.isEmpty ? "/" : $0.path } ?? "/2/tweets?ids=1346889436626259968"
    let request = TransportRequest(
      head: HTTPRequest(method: .get, scheme: given?.scheme ?? "http", authority: authority, path: path))
    let length = given == nil ? body.count : nil

    var transports: [(name: String, transport: any Transport)] = [("URLSessionTransport", URLSessionTransport())]
    #if os(Linux)
      transports.append(("CurlTransport", CurlTransport()))
    #endif
    for (inFlight, requests) in [(1, 1000), (32, 3200)] {
      var fastest = transports.map { _ in Double.infinity }
      // Interleaved, so that what else the machine does falls upon all.
      for _ in 0..<5 {
        for (index, transport) in transports.enumerated() {
          let seconds = try await time(transport.transport, request, length, inFlight: inFlight, requests: requests)
          fastest[index] = min(fastest[index], seconds)
        }
      }
      let rates = fastest.map { Double(requests / inFlight * inFlight) / $0 }
      for (index, transport) in transports.enumerated() {
        print(
          "\(transport.name), \(inFlight) at a time".padding(toLength: 34, withPad: " ", startingAt: 0),
          String(format: "%8.0f requests/s  %6.1fx", rates[index], rates[index] / rates[0]))
      }
    }
  }

  /// The seconds that so many requests take.
  private static func time(
    _ transport: any Transport, _ request: TransportRequest, _ length: Int?, inFlight: Int, requests: Int
  ) async throws -> Double {
    let start = ContinuousClock.now
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<inFlight {
        group.addTask {
          for _ in 0..<requests / inFlight {
            let response = try await transport.send(request)
            let data = try await response.body.collect()
            guard response.head.status == .ok, length == nil || data.count == length else { throw Unexpected() }
          }
        }
      }
      try await group.waitForAll()
    }
    return (ContinuousClock.now - start) / .seconds(1)
  }
}
