import CallsignHTTP
import CallsignSupport

/// A token, and which of those that were kept under its key it is.
public struct VersionedToken: Sendable, Equatable {
  /// The token.
  public var token: StoredToken
  /// Its version.
  public var version: TokenVersion

  /// Makes a pair.
  public init(_ token: StoredToken, version: TokenVersion) {
    self.token = token
    self.version = version
  }
}

extension VersionedToken: RedactedStringConvertible {}

/// A store's mark of one state of a token, such as a number or a hash. It means something only to the store, and only for
/// its key: two tokens that differ have different marks.
public struct TokenVersion: RawRepresentable, Sendable, Hashable {
  /// The mark.
  public let rawValue: String

  /// Wraps a mark.
  public init(rawValue: String) { self.rawValue = rawValue }
}
