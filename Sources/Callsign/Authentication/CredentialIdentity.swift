import Foundation

/// Tells credentials apart without giving them away: rate limits, caches and logs go by it.
///
/// Two authenticators that act for the same account with the same token have the same identity, whatever client they
/// are in.
public struct CredentialIdentity: Sendable, Hashable, CustomStringConvertible {
  /// The scheme, and an account's name or the first digits of a hash. It holds no secret.
  public let description: String

  /// Names credentials by the account that they belong to.
  ///
  /// - Parameters:
  ///   - scheme: The kind of credentials, such as `oauth2`.
  ///   - account: What tells the account from all others of the scheme, such as service and account of a
  ///     ``TokenKey``. It must be no secret.
  public init(_ scheme: String, account: String) { description = "\(scheme):\(account.printable)" }

  /// Names credentials by a hash of what they consist of, for those that belong to no named account.
  ///
  /// - Parameters:
  ///   - scheme: The kind of credentials.
  ///   - parts: All that tells them from others, secrets included; the first 64 bits of their SHA-256 are kept.
  public init(_ scheme: String, hashing parts: [String]) {
    let text = parts.map { "\($0.utf8.count):\($0)" }.joined()
    // Where even SHA-256 is refused, sharing nothing is better than sharing with a stranger.
    let name = (try? Digest.hash(text.utf8, .sha256).prefix(8).hexadecimal) ?? UUID().uuidString
    description = "\(scheme):\(name)"
  }
}
