import CallsignHTTP
import CallsignSupport

/// The condition for saving or deleting.
public enum TokenPrecondition: Sendable, Hashable {
  /// Anything may be stored, even a token that cannot be read. For a login, which replaces it.
  case any
  /// The token must not exist.
  case absent
  /// The token of that version must be stored.
  case version(TokenVersion)

  /// Expects the result of a load.
  public init(_ loaded: VersionedToken?) { self = loaded.map { .version($0.version) } ?? .absent }

  /// Whether it is met.
  ///
  /// - Parameter current: The stored version; `nil` if there is no token.
  public func isMet(by current: TokenVersion?) -> Bool {
    switch self {
    case .any: true
    case .absent: current == nil
    case .version(let version): current == version
    }
  }
}
