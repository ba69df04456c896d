import CallsignX
import Foundation

/// The settings, from the environment. Secrets come from it, or from files that it names: `X_CLIENT_SECRET_FILE` for
/// `X_CLIENT_SECRET`, as systemd's credentials and Docker's secrets are given.
public struct Settings: Sendable {
  /// The app's identifier of OAuth 2.0.
  public var clientID: String
  /// The app's OAuth 2.0 secret. X also uses it to sign webhook deliveries.
  public var clientSecret: Secret
  /// The app's consumer secret, which X used for signatures before; `nil` if the app has none.
  public var consumerSecret: Secret?
  /// Seals cookies; the same for all servers.
  public var key: SealingKey
  /// The users' tokens; the same for all servers.
  public var store: FileTokenStore
  /// The public address of the servers, without a slash at the end. `/callback` on it is registered with X.
  public var publicURL: String
  /// The port of this server, which is reachable only from this machine: a TLS proxy runs in front of it.
  public var port: Int
  /// The settings of calls.
  public var configuration = ClientConfiguration()

  /// A variable that the environment lacks.
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
    // To try it with a sandbox.
    if let url = environment["WEB_BASE_URL"] { configuration.hosts = .all(to: url) }
  }

  /// Whether browsers connect over TLS, which is required except for a trial on your own machine.
  var isSecure: Bool { publicURL.hasPrefix("https://") }
}
