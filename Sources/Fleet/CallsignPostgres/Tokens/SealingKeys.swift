import CallsignAuth
import CallsignHTTP
import CallsignSupport

/// The keys for stored tokens: one that seals, and previous ones that can still open.
///
/// To change the key: First give all processes the new one as a previous key, so that everyone can open what it seals. Then make it
/// the current one. Then run ``PostgresTokenStore/reseal()``. Then remove the old key.
public struct SealingKeys: Sendable {
  let current: SealingKey
  let currentMark: String
  private let keys: [String: SealingKey]

  /// Creates a set of keys.
  ///
  /// - Parameters:
  ///   - current: The key that seals.
  ///   - previous: The keys that open what they sealed before.
  /// - Throws: ``CryptographyError`` if the system cannot hash.
  public init(_ current: SealingKey, previous: [SealingKey] = []) throws(CryptographyError) {
    self.current = current
    currentMark = try current.mark
    var keys: [String: SealingKey] = [:]
    for key in previous + [current] { keys[try key.mark] = key }
    self.keys = keys
  }

  subscript(mark: String) -> SealingKey? { keys[mark] }
}

extension SealingKeys: RedactedStringConvertible {}
