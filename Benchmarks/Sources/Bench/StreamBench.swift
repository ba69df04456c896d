import Callsign
import Foundation
import HTTPTypes
import Workload

/// Streams: how fast records get from a socket to models, compared with only the transport; and whether open silent streams slow
/// other calls. The server is a separate process, so that the processor time is the client's.
enum StreamBench {
  static func work(_ name: String, port: Int) -> Work? {
    guard let port = UInt16(exactly: port) else { return nil }
    switch name {
    case "stream": return stream()
    case "socket-pieces":
      return { guard try await readPieces(port, upTo: $0 * PostStream.recordSize) > 0 else { throw Unexpected() } }
    case "socket-posts":
      return {
        guard try await readPosts(port, upTo: $0 * PostStream.recordSize).records == $0 else { throw Unexpected() }
      }
    default: return nil
    }
  }

  // MARK: From a socket to models

  /// Prints rates, processor time and memory.
  ///
  /// - Parameter words: The number of megabytes per round; default: 200. The number of rounds; default: 3.
  static func run(_ words: [String]) async throws {
    let megabytes = words.first.flatMap { Int($0) } ?? 200
    let rounds = words.dropFirst().first.flatMap { Int($0) } ?? 3
    let server = try ServerProcess("serve")
    defer { server.stop() }
    var fastest: [(name: String, rate: Double, use: Double)] = [("transport alone", 0, 0), ("typed posts", 0, 0)]
    var records = 0
    // Interleaved, so that other work on the machine affects both.
    for _ in 0..<rounds {
      for index in fastest.indices {
        let (start, used) = (ContinuousClock.now, processorTime())
        var count = 0
        if index == 0 {
          count = try await readPieces(server.port, upTo: megabytes << 20)
        } else {
          (count, records) = try await readPosts(server.port, upTo: megabytes << 20)
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let megabytes = Double(count) / 1e6
        guard megabytes / seconds > fastest[index].rate else { continue }
        fastest[index].rate = megabytes / seconds
        fastest[index].use = megabytes / (processorTime() - used)
      }
    }
    print("| from socket to | MB/s | MB for each second of a processor |\n|---|---|---|")
    for line in fastest { print("| \(line.name) | \(Int(line.rate)) | \(Int(line.use)) |") }
    print("\(records) records in the last round; at most \(peakMemory() >> 20) MB of memory")
  }

  private static func request(_ port: UInt16, _ path: String) -> TransportRequest {
    TransportRequest(head: HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1:\(port)", path: path))
  }

  private static func readPieces(_ port: UInt16, upTo limit: Int) async throws -> Int {
    let response = try await DefaultTransport.shared.send(request(port, "/2/tweets/search/stream"))
    var count = 0
    for try await piece in response.body {
      count += piece.count
      if count >= limit { break }
    }
    return count
  }

  private static func readPosts(_ port: UInt16, upTo limit: Int) async throws -> (bytes: Int, records: Int) {
    let configuration = ClientConfiguration(hosts: .all(to: "http://127.0.0.1:\(port)"))
    let api = BenchAPI(auth: .bearer("token"), configuration)
    var (left, count) = (limit / PostStream.recordSize, 0)
    for try await post in api.streamPosts().values {
      guard post.data.id.utf8.count == 19 else { throw Unexpected() }
      count += 1
      left -= 1
      if left == 0 { break }
    }
    return (count * PostStream.recordSize, count)
  }

  // MARK: Records in memory

  private struct StreamTransport: Transport {
    /// Pieces of 16 KB, as libcurl delivers them. Records do not begin and end with them.
    static let pieces: [Data] = {
      let page = try? JSONValue(jsonData: Page.json(posts: 1_000, seed: 7))
      var whole = Data()
      for post in page?["data"]?.array ?? [] {
        whole += Data(
          (#"{"data":\#(post),"matching_rules":[{"id":"1346889436626259968","tag":"release"}]}"# + "\r\n").utf8)
      }
      return stride(from: 0, to: whole.count, by: 16_384).map { whole[$0..<min($0 + 16_384, whole.count)] }
    }()

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
      TransportResponse(
        head: HTTPResponse(status: .ok, headerFields: Responses.headerFields), body: ResponseBody(Pieces()))
    }
  }

  /// The same pieces repeatedly. Repeated IDs are skipped, so no more records are read than exist. One task reads it.
  private final class Pieces: ResponseBodySource, @unchecked Sendable {
    private var next = 0

    func next() async throws(TransportError) -> Data? {
      defer { next = (next + 1) % StreamTransport.pieces.count }
      return StreamTransport.pieces[next]
    }
  }

  private static func stream() -> Work {
    { count in
      var left = count
      while left > 0 {
        // In a separate client: repeated records are recognized by their IDs, and there are few different ones.
        let api = BenchAPI(auth: .bearer("token"), ClientConfiguration(transport: StreamTransport()))
        let end = max(0, left - 900)
        for try await post in api.streamPosts().values {
          guard !post.data.id.isEmpty else { throw Unexpected() }
          left -= 1
          if left == end { break }
        }
      }
    }
  }

  // MARK: Calls with open streams

  /// Prints the rate of calls without and with open streams.
  ///
  /// - Parameter words: The number of streams; default: 500.
  static func runBeside(_ words: [String]) async throws {
    let streams = words.first.flatMap { Int($0) } ?? 500
    let server = try ServerProcess("serve")
    defer { server.stop() }
    let transport = DefaultTransport.shared
    var rates: [[Double]] = [[], []]
    for _ in 0..<5 {
      rates[0].append(try await callRate(transport, server.port))
      var open: [TransportResponse] = []
      for _ in 0..<streams { open.append(try await transport.send(request(server.port, "/silent"))) }
      rates[1].append(try await callRate(transport, server.port))
      guard open.allSatisfy({ $0.head.status == .ok }) else { throw Unexpected() }
    }
    let middle = rates.map { $0.sorted()[$0.count / 2] }
    print("| 32 calls in flight | calls/s, median of 5 | of the first |\n|---|---|---|")
    print("| alone | \(Int(middle[0])) | 100 % |")
    print("| beside \(streams) open streams | \(Int(middle[1])) | \(Int(100 * middle[1] / middle[0])) % |")
  }

  private static func callRate(_ transport: any Transport, _ port: UInt16) async throws -> Double {
    let request = request(port, "/2/users/me")
    let (tasks, each) = (32, 250)
    let start = ContinuousClock.now
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<tasks {
        group.addTask {
          for _ in 0..<each {
            let response = try await transport.send(request)
            guard try await response.body.collect().count == Responses.user.count else { throw Unexpected() }
          }
        }
      }
      try await group.waitForAll()
    }
    return Double(tasks * each) / ((ContinuousClock.now - start) / .seconds(1))
  }
}

/// Runs this program as a server until it is stopped.
private final class ServerProcess {
  let port: UInt16
  private let process = Process()
  private let input = Pipe()

  init(_ word: String) throws {
    let output = Pipe()
    process.executableURL = Bundle.main.executableURL
    process.arguments = [word]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard let port = UInt16(line.trimmingCharacters(in: .whitespacesAndNewlines)) else { throw POSIXError(.EPIPE) }
    self.port = port
  }

  func stop() {
    input.fileHandleForWriting.closeFile()
    process.waitUntilExit()
  }
}
