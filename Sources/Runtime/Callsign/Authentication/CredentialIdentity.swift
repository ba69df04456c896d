import CallsignHTTP
import CallsignSupport

/// Tells credentials apart without giving them away: rate limits, caches and logs go by it.
///
/// Two authenticators that act for the same account with the same token have the same identity, whatever client they
/// are in. Names are compared byte by byte: two spellings that Swift takes for equal are two accounts.
public struct CredentialIdentity: Sendable, Hashable, CustomStringConvertible {
  /// The scheme, and an account's name or the first digits of a hash. It holds no secret.
  public let description: String
  /// The description's hash: it is looked up several times for each call.
  private let hash: Int

  /// Names credentials by the account that they belong to.
  ///
  /// - Parameters:
  ///   - scheme: The kind of credentials, such as `oauth2`.
  ///   - account: A name that no other account of the scheme has, such as service and account of a `TokenKey`. It must
  ///     not be secret.
  public init(_ scheme: String, account: String) { self.init("\(scheme):\(account.printable)") }

  private init(_ description: String) {
    self.description = description
    var hasher = Hasher()
    hasher.combine(bytesOf: description)
    hash = hasher.finalize()
  }

  /// Names credentials by a hash of what they consist of, for those that belong to no named account.
  ///
  /// The hash is keyed at random by each process: it cannot be guessed from outside, and means nothing to another process.
  ///
  /// - Parameters:
  ///   - scheme: The kind of credentials.
  ///   - parts: All that tells them from others, secrets included; 128 bits of hash are kept.
  public init(_ scheme: String, hashing parts: [String]) {
    let words = [0, 1].map { (half: Int) in
      var hasher = Hasher()
      hasher.combine(half)
      for part in parts { hasher.combine(bytesOf: part) }
      return UInt(bitPattern: hasher.finalize())
    }
    self.init("\(scheme):" + words.map { String($0, radix: 16) }.joined(separator: "-"))
  }

  /// Whether both are the same credentials.
  public static func == (left: Self, right: Self) -> Bool {
    left.hash == right.hash && left.description.hasBytes(of: right.description)
  }

  /// Hashes the hash of the description.
  public func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
