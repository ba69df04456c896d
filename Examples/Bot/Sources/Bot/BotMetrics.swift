import CallsignX

/// Counts for monitoring the bot, in Prometheus' text format.
struct BotMetrics: Sendable {
  var received = 0
  var repeated = 0
  var replied = 0
  var failed = 0
  var gaps = 0
  var lastReply = Duration.zero

  func text(_ calls: ClientStatistics) -> String {
    var lines: [String] = []
    func add(_ name: String, _ type: String, _ help: String, _ values: [(labels: String, value: String)]) {
      lines.append("# HELP bot_\(name) \(help)")
      lines.append("# TYPE bot_\(name) \(type)")
      lines += values.map { "bot_\(name)\($0.labels) \($0.value)" }
    }
    add("posts_total", "counter", "Posts that the stream has sent.", [("", "\(received)")])
    add("posts_repeated_total", "counter", "Posts that were replied before.", [("", "\(repeated)")])
    add("replies_total", "counter", "Replies that were posted.", [("", "\(replied)")])
    add("replies_failed_total", "counter", "Replies that could not be posted.", [("", "\(failed)")])
    add("stream_gaps_total", "counter", "Holes in the stream that nothing fills.", [("", "\(gaps)")])
    let seconds = Double(lastReply.components.seconds) + Double(lastReply.components.attoseconds) / 1e18
    add("reply_seconds", "gauge", "The time that the last reply took.", [("", "\(seconds)")])
    let endpoints = calls.endpoints.sorted { $0.key < $1.key }
    func labels(_ name: String) -> String { "{endpoint=\"\(name.replacing("\"", with: "\\\""))\"}" }
    add("calls_total", "counter", "Calls of the API.", endpoints.map { (labels($0.key), "\($0.value.calls)") })
    add(
      "calls_failed_total", "counter", "Calls that ended with an error.",
      endpoints.map { (labels($0.key), "\($0.value.failures)") })
    add(
      "requests_total", "counter", "Requests, repetitions among them.",
      endpoints.map { (labels($0.key), "\($0.value.attempts)") })
    return lines.joined(separator: "\n") + "\n"
  }
}
