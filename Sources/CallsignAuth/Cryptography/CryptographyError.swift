/// Why a signature or random number could not be made.
public struct CryptographyError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What to do about it, in one sentence. It names no key.
  public let description: String

  init(_ description: String) { self.description = description }
}
