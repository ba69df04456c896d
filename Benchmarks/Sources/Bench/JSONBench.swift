import Callsign
import Foundation

/// The processor time that this process has had, in seconds: other work on the machine does not count.
func processorTime() -> Double { Double(clock()) / Double(CLOCKS_PER_SEC) }

/// Megabytes a second, from the fastest of several rounds.
private func throughput(of data: Data, rounds: Int = 15, repetitions: Int, _ body: () throws -> Void) rethrows -> Double
{
  var fastest = Double.infinity
  for _ in 0..<rounds {
    let start = processorTime()
    for _ in 0..<repetitions { try body() }
    fastest = min(fastest, processorTime() - start)
  }
  return Double(data.count * repetitions) / fastest / 1_000_000
}

private func line(_ name: String, _ value: Double, _ baseline: Double) {
  let padded = name.padding(toLength: 34, withPad: " ", startingAt: 0)
  print(padded, String(format: "%8.0f MB/s  %6.1fx", value, value / baseline))
}

/// Reading and writing JSON beside Foundation's coders.
enum JSONBench {
  static func run() throws {
    let page = try Page.json(posts: 121, seed: 2_026)
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601

    let ours = try Generated.PostsPage(jsonData: page)
    let theirs = try decoder.decode(Synthesized.PostsPage.self, from: page)
    guard ours.data.count == theirs.data.count, ours.data.map(\.text) == theirs.data.map(\.text),
      ours.data.map(\.createdAt) == theirs.data.map(\.createdAt)
    else {
      print("the two readers disagree about the page")
      exit(1)
    }

    print("a page of \(ours.data.count) posts, \(page.count) bytes")
    let decoding = try throughput(of: page, repetitions: 5) {
      _ = try decoder.decode(Synthesized.PostsPage.self, from: page)
    }
    line("JSONDecoder, synthesized structs", decoding, decoding)
    line("models", try throughput(of: page, repetitions: 40) { _ = try Generated.PostsPage(jsonData: page) }, decoding)
    line("JSONValue", try throughput(of: page, repetitions: 10) { _ = try JSONValue(jsonData: page) }, decoding)
    let encoding = try throughput(of: page, repetitions: 5) { _ = try encoder.encode(theirs) }
    line("JSONEncoder, synthesized structs", encoding, encoding)
    line("models, written", try throughput(of: page, repetitions: 40) { _ = try ours.jsonData() }, encoding)
  }
}
