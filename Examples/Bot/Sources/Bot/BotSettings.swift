import CallsignX
import Foundation

/// The settings, from the environment. Secrets come from it, or from files that it names: `X_CONSUMER_SECRET_FILE` for
/// `X_CONSUMER_SECRET`, as systemd's credentials and Docker's secrets are given.
struct BotSettings: Sendable {
  /// The rule of the stream.
  var rule = "#callsignbot -is:retweet"
  /// The file with the posts that the bot replied to.
  var memory = URL(fileURLWithPath: "bot-memory.json")
  /// The file for the metrics, such as one that Prometheus' node exporter collects.
  var metrics: URL?
  /// How many minutes of missed posts X sends again after a lost connection, if your access level includes that.
  var backfillMinutes: Int?

  struct Missing: Error, CustomStringConvertible {
    let name: String
    var description: String { "set \(name), or \(name)_FILE to a file that has it" }
  }

  init() {}

  init(_ environment: [String: String]) throws {
    if let rule = environment["BOT_RULE"] { self.rule = rule }
    if let path = environment["BOT_MEMORY"] { memory = URL(fileURLWithPath: path) }
    metrics = environment["BOT_METRICS"].map { URL(fileURLWithPath: $0) }
    backfillMinutes = environment["BOT_BACKFILL_MINUTES"].flatMap { Int($0) }
  }

  /// The app's credentials for the stream, and the account's for the replies.
  static func client(_ environment: [String: String]) throws -> XAPI {
    func value(_ name: String) throws -> String {
      if let value = environment[name], !value.isEmpty { return value }
      guard let path = environment["\(name)_FILE"] else { throw Missing(name: name) }
      return try String(contentsOfFile: path, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
    }
    let (key, secret) = (try value("X_CONSUMER_KEY"), try value("X_CONSUMER_SECRET"))
    let account = OAuth1(
      consumerKey: key, consumerSecret: Secret(secret), token: try value("X_ACCESS_TOKEN"),
      tokenSecret: Secret(try value("X_ACCESS_TOKEN_SECRET")))
    var configuration = ClientConfiguration(rateLimitPolicy: .wait(upTo: .seconds(900)))
    // To try the bot with a sandbox.
    if let url = environment["BOT_BASE_URL"] { configuration.hosts = .all(to: url) }
    return XAPI(
      auth: [.oauth1(account), .appOnly(AppOnly(consumerKey: key, consumerSecret: Secret(secret)))],
      configuration: configuration)
  }
}
