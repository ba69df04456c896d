import Callgrind
import Callsign
import Foundation
import HTTPTypes

/// Does work in rounds that `Scripts/compare` asks for, so that it can interleave them with those of other programs.
///
/// A line asks by a name, a number of repetitions, and how many are in flight at once. The line that answers has the
/// seconds of the clock and of this process's processor time. The first line of all is a signature, by which peers show that
/// they sign alike.
enum Measurements {
  private struct Unexpected: Error {}

  static func run(_ words: [String]) async throws {
    guard words.count == 1, let port = Int(words[0]) else { throw Unexpected() }
    print(try SigningBench.sign().signature)
    fflush(nil)
    var known: [Substring: Counts.Work] = [:]
    while let line = readLine() {
      let parts = line.split(separator: " ")
      guard parts.count == 3, let repetitions = Int(parts[1]), let inFlight = Int(parts[2]), inFlight > 0 else {
        throw Unexpected()
      }
      let work = try known[parts[0]] ?? work(String(parts[0]), port: port)
      known[parts[0]] = work
      let (clock, processor) = (ContinuousClock.now, processorTime())
      if inFlight == 1 {
        try await work(repetitions)
      } else {
        try await withThrowingTaskGroup(of: Void.self) { group in
          for _ in 0..<inFlight { group.addTask { try await work(repetitions / inFlight) } }
          try await group.waitForAll()
        }
      }
      let seconds = (ContinuousClock.now - clock) / .seconds(1)
      print(seconds, processorTime() - processor)
      fflush(nil)
    }
  }

  /// The work of a name; that of peers, or what is counted too.
  private static func work(_ name: String, port: Int) throws -> Counts.Work {
    switch name {
    case "bare-hmac": return try bareHMAC()
    case "json-decoder": return try decoder()
    case "json-encoder": return try encoder()
    case "http-urlsession": return Counts.exchange(port, by: URLSessionTransport())
    default: return try Counts.work(name, port: port)
    }
  }

  /// libcrypto's HMAC of the same text, its key schedule kept, which no signature can beat.
  private static func bareHMAC() throws -> Counts.Work {
    let message = Array(try SigningBench.sign().baseString.utf8)
    return { count in
      guard let context = SigningBench.bareContext() else { throw Unexpected() }
      defer { bare_hmac_free(context) }
      var code = [UInt8](repeating: 0, count: 20)
      for _ in 0..<count { _ = bare_hmac_sign(context, message, message.count, &code) }
    }
  }

  private static func decoder() throws -> Counts.Work {
    let page = try Page.json(posts: 121, seed: 2_026)
    return { count in
      let decoder = JSONDecoder()
      decoder.dateDecodingStrategy = .iso8601
      for _ in 0..<count { _ = try decoder.decode(Synthesized.PostsPage.self, from: page) }
    }
  }

  private static func encoder() throws -> Counts.Work {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    let page = try decoder.decode(Synthesized.PostsPage.self, from: Page.json(posts: 121, seed: 2_026))
    return { count in
      let encoder = JSONEncoder()
      encoder.dateEncodingStrategy = .iso8601
      for _ in 0..<count { _ = try encoder.encode(page) }
    }
  }
}
