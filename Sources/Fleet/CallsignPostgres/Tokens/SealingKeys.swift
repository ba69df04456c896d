import CallsignAuth
import CallsignHTTP
import CallsignSupport

/// The keys that seal stored tokens: one that seals, and those of before, which still open.
///
/// To change the key: give all processes the new one as a previous key first, so that everyone can open what it seals; then
/// make it the current one; then run ``PostgresTokenStore/reseal()``; then leave the old one out.
public struct SealingKeys: Sendable {
  let current: SealingKey
  let currentMark: String
  private let keys: [String: SealingKey]

  /// Collects keys.
  ///
  /// - Parameters:
  ///   - current: Seals.
  ///   - previous: Open what they have sealed before.
  /// - Throws: ``CryptographyError`` when the system cannot hash.
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
