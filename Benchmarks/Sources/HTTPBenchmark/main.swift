import Callsign
import Foundation
import HTTPTypes

// Requests that one transport after the other makes of the same server: its own, or the one at the URL that is given.

signal(SIGPIPE, SIG_IGN)

/// About what a single post with its author is.
let body = Data(
  #"{"data":[\#(Array(repeating: #"{"id":"1346889436626259968"}"#, count: 40).joined(separator: ","))]}"#.utf8)
let given = CommandLine.arguments.dropFirst().first.flatMap { URLComponents(string: $0) }
let server = given == nil ? try LoopbackServer(body: body) : nil
let authority =
  given.map { "\($0.host ?? "127.0.0.1")\($0.port.map { ":\($0)" } ?? "")" } ?? "127.0.0.1:\(server?.port ?? 0)"
let path = given.map { $0.path.isEmpty ? "/" : $0.path } ?? "/2/tweets?ids=1346889436626259968"
let request = TransportRequest(
  head: HTTPRequest(method: .get, scheme: given?.scheme ?? "http", authority: authority, path: path))

struct Unexpected: Error {}

func exchange(_ transport: any Transport) async throws {
  let response = try await transport.send(request)
  let data = try await response.body.collect()
  guard response.head.status == .ok, given != nil || data.count == body.count else { throw Unexpected() }
}

/// Requests a second, from the fastest of several rounds.
func rate(_ transport: any Transport, inFlight: Int, requests: Int) async throws -> Double {
  var fastest = Double.infinity
  for _ in 0..<5 {
    let start = ContinuousClock.now
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<inFlight {
        group.addTask { for _ in 0..<requests / inFlight { try await exchange(transport) } }
      }
      try await group.waitForAll()
    }
    fastest = min(fastest, (ContinuousClock.now - start) / .seconds(1))
  }
  return Double(requests / inFlight * inFlight) / fastest
}

var transports: [(name: String, transport: any Transport)] = [("URLSessionTransport", URLSessionTransport())]
#if os(Linux)
  transports.append(("CurlTransport", CurlTransport()))
#endif
for (inFlight, requests) in [(1, 1000), (32, 3200)] {
  var baseline: Double?
  for (name, transport) in transports {
    let rate = try await rate(transport, inFlight: inFlight, requests: requests)
    let base = baseline ?? rate
    baseline = base
    print(
      "\(name), \(inFlight) at a time".padding(toLength: 34, withPad: " ", startingAt: 0),
      String(format: "%8.0f requests/s  %6.1fx", rate, rate / base))
  }
}
