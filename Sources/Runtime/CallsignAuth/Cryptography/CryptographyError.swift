import CallsignSupport

#if !canImport(CryptoKit)
  import CCrypto
#endif

/// The failure to make a signature, a hash or a random number.
public struct CryptographyError: Error, Sendable, Hashable {
  /// The operation that failed, and the words of the system's library about it, in one line. It names no key.
  public let description: String

  init(_ description: String) { self.description = description }
}

extension CryptographyError: CallsignError {
  /// The same as ``description``.
  public var errorDescription: String? { description }
  /// The same as ``advice``.
  public var recoverySuggestion: String? { advice as String }
  /// Advice on where to look: the reason is the system's.
  public var advice: String { "check the key, and the system's cryptographic policy" }
}

#if !canImport(CryptoKit)
  extension CryptographyError {
    /// Takes libcrypto's own words from this thread's queue of errors, and empties it.
    ///
    /// - Parameter what: The failed operation, such as "libcrypto cannot sign".
    static func libcrypto(_ what: String) -> CryptographyError {
      var reasons: [String] = []
      while case let code = ERR_get_error(), code != 0 {
        var text = [CChar](repeating: 0, count: 256)
        ERR_error_string_n(code, &text, text.count)
        let reason = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        // The first is the cause; the later ones say who passed it on.
        if reasons.count < 3, !reasons.contains(reason) { reasons.append(reason) }
      }
      let words = reasons.isEmpty ? "it gives no reason" : reasons.joined(separator: ", ")
      return CryptographyError("\(what): \(words)")
    }
  }
#endif
