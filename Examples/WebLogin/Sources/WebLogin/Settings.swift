import CallsignX
import Foundation

/// The settings, from the environment. Secrets come from it, or from files that it names: `X_CLIENT_SECRET_FILE` for
/// `X_CLIENT_SECRET`, as systemd's credentials and Docker's secrets are given.
public struct Settings: Sendable {
  /// The app's identifier of OAuth 2.0.
  public var clientID: String
  /// The app's secret of OAuth 2.0, by which X signs what it delivers to the webhook, too.
  public var clientSecret: Secret
  /// The app's consumer secret, by which X has signed deliveries before; `nil` for an app that has none.
  public var consumerSecret: Secret?
  /// Seals cookies; the same for all servers.
  public var key: SealingKey
  /// The users' tokens; the same for all servers.
  public var store: FileTokenStore
  /// The address at which browsers reach the servers, without a slash at the end. `/callback` on it is registered with X.
  public var publicURL: String
  /// The port of this server, on this machine alone: what speaks TLS stands before it.
  public var port: Int
  /// How calls are made.
  public var configuration = ClientConfiguration()

  /// Something that the environment lacks.
  public struct Missing: Error, CustomStringConvertible {
    let name: String
    /// The variables to set.
    public var description: String { "set \(name), or \(name)_FILE to a file that has it" }
  }

  /// Reads the settings.
  ///
  /// - Throws: ``Missing``, or an error of a file or of the key.
  public init(_ environment: [String: String]) throws {
    func optionalValue(_ name: String) throws -> String? {
      if let value = environment[name], !value.isEmpty { return value }
      guard let path = environment["\(name)_FILE"] else { return nil }
      return try String(contentsOfFile: path, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
    }
    func value(_ name: String) throws -> String {
      guard let value = try optionalValue(name) else { throw Missing(name: name) }
      return value
    }
    clientID = try value("X_CLIENT_ID")
    clientSecret = Secret(try value("X_CLIENT_SECRET"))
    consumerSecret = try optionalValue("X_CONSUMER_SECRET").map { Secret($0) }
    key = try SealingKey(Secret(try value("WEB_SEALING_SECRET")))
    store = FileTokenStore(folder: URL(fileURLWithPath: environment["WEB_TOKENS"] ?? "tokens"))
    port = environment["WEB_PORT"].flatMap { Int($0) } ?? 8080
    publicURL = environment["WEB_PUBLIC_URL"] ?? "http://127.0.0.1:\(port)"
    // For trying it against a sandbox.
    if let url = environment["WEB_BASE_URL"] { configuration.hosts = .all(to: url) }
  }

  /// Whether browsers come over TLS, as they must but for a try on one's own machine.
  var isSecure: Bool { publicURL.hasPrefix("https://") }
}
