import CallsignHTTP
import CallsignSupport

/// The name of a token in a store: whose it is, for which service, and with which scheme and client. Programs with
/// different clients, and logins of different kinds, therefore have different tokens even in a shared store.
///
/// Two keys are the same if all their texts have the same bytes. Texts that are equal in Swift, such as `K` and the
/// sign of the unit kelvin, or two spellings of `é`, name different accounts.
public struct TokenKey: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The service that the token is for; by default the API's host, such as `api.example.com`.
  public var service: String
  /// The kind of token; `nil` in an app's own keys that have none.
  public var scheme: StoredToken.Kind?
  /// The client ID or consumer key that it was issued to, which is not secret; `nil` in an app's own keys without one.
  public var clientID: String?
  /// The account that the token belongs to, in the app's own words; `default` if there is only one.
  public var account: String

  /// Makes a key.
  ///
  /// - Parameters:
  ///   - service: The service that the token is for.
  ///   - scheme: The kind of token.
  ///   - clientID: The client or consumer key that it was issued to.
  ///   - account: Whose it is.
  public init(service: String, scheme: StoredToken.Kind, clientID: String, account: String = "default") {
    self.service = service
    self.scheme = scheme
    self.clientID = clientID
    self.account = account
  }

  /// Makes a key without scheme and client, for tokens that an app keeps itself.
  ///
  /// - Parameters:
  ///   - service: The service that the token is for.
  ///   - account: Whose it is.
  public init(service: String, account: String = "default") {
    self.service = service
    self.account = account
  }

  /// `service/account (scheme, client id)`
  public var description: String {
    let kind = scheme.map { " (\($0.rawValue), client \(clientID ?? ""))" } ?? ""
    return "\(service)/\(account)\(kind)".printable
  }

  /// By service, account, scheme and client.
  public static func < (left: TokenKey, right: TokenKey) -> Bool {
    func parts(_ key: TokenKey) -> [String] {
      [key.service, key.account, key.scheme?.rawValue ?? "", key.clientID ?? ""]
    }
    return parts(left).lexicographicallyPrecedes(parts(right)) { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Whether all texts have the same bytes.
  public static func == (left: TokenKey, right: TokenKey) -> Bool {
    left.scheme == right.scheme && left.service.hasBytes(of: right.service) && left.account.hasBytes(of: right.account)
      && (left.clientID == nil) == (right.clientID == nil) && (left.clientID ?? "").hasBytes(of: right.clientID ?? "")
  }

  /// Hashes the bytes that `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(scheme)
    for text in [service, account, clientID ?? ""] { hasher.combine(bytesOf: text) }
  }

  /// Whether the key is of a service, by its bytes; `nil` matches any.
  func isOf(service: String?) -> Bool { service.map { $0.hasBytes(of: self.service) } ?? true }
}
