import AsyncHTTPClient
import Foundation
import NIOCore

// Gets a URL with AsyncHTTPClient, in rounds that Benchmarks/bench requests: a line contains the work, the number of repetitions
// and the number of concurrent requests. The response is the wall-clock time and the processor time in seconds. The first line is
// empty, because nothing is signed.

struct Unexpected: Error {}

func exchange(_ url: String, times: Int) async throws {
  for _ in 0..<times {
    var request = HTTPClientRequest(url: url)
    request.headers.add(name: "Accept", value: "application/json")
    request.headers.add(name: "User-Agent", value: "Callsign/0.1")
    request.headers.add(name: "Authorization", value: "Bearer token")
    let response = try await HTTPClient.shared.execute(request, timeout: .seconds(60))
    let body = try await response.body.collect(upTo: 1 << 20)
    guard response.status == .ok, body.readableBytes > 0 else { throw Unexpected() }
  }
}

guard CommandLine.arguments.count == 2 else { throw Unexpected() }
let url = CommandLine.arguments[1]
print()
fflush(nil)
while let line = readLine() {
  let parts = line.split(separator: " ")
  guard parts.count == 3, let repetitions = Int(parts[1]), let inFlight = Int(parts[2]), inFlight > 0 else {
    throw Unexpected()
  }
  let (start, processor) = (ContinuousClock.now, clock())
  try await withThrowingTaskGroup(of: Void.self) { group in
    for _ in 0..<inFlight { group.addTask { try await exchange(url, times: repetitions / inFlight) } }
    try await group.waitForAll()
  }
  print((ContinuousClock.now - start) / .seconds(1), Double(clock() - processor) / Double(CLOCKS_PER_SEC))
  fflush(nil)
}
