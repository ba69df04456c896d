import CallsignHTTP
import CallsignSupport
import Dispatch

/// The names of the files of ``FileTokenStore``. They are safe for any text, and different for different keys, even if
/// the file system ignores case or normalizes letters.
enum TokenFileName {
  static let suffix = ".json"
  /// File systems take 255 bytes; the rest is for suffixes.
  private static let lengthLimit = 200

  /// The name without suffix: the encoded service, scheme, client and account, or a hash if that is too long.
  static func base(of key: TokenKey) throws(TokenStoreError) -> String {
    let readable = text(of: key)
    if readable.utf8.count <= lengthLimit { return readable }
    do { return "~" + (try Digest.hash(readable.utf8, .sha256)).hexadecimal } catch {
      throw TokenStoreError(.system, advice: "the key's name is too long: \(error); shorten service and account")
    }
  }

  /// The encoded parts of a key with commas between them: two for keys without scheme, four for others.
  static func text(of key: TokenKey) -> String {
    let parts = key.scheme.map { [key.service, $0.rawValue, key.clientID ?? "", key.account] }
    return (parts ?? [key.service, key.account]).map(encode).joined(separator: ",")
  }

  /// The key whose ``text(of:)`` it is; `nil` for other texts.
  static func key(ofParts text: String) -> TokenKey? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).compactMap(PercentEncoding.decode)
    var key: TokenKey?
    if parts.count == 2 { key = TokenKey(service: parts[0], account: parts[1]) }
    if parts.count == 4, let scheme = StoredToken.Kind(rawValue: parts[1]) {
      key = TokenKey(service: parts[0], scheme: scheme, clientID: parts[2], account: parts[3])
    }
    return key.flatMap { self.text(of: $0) == text ? $0 : nil }
  }

  /// The key that a name represents; `nil` for a hash, and for a name that does not belong to a token's file.
  static func key(ofBase base: String) -> TokenKey? {
    guard let key = key(ofParts: base), (try? self.base(of: key)) == base else { return nil }
    return key
  }

  static func isHash(_ base: String) -> Bool {
    base.hasPrefix("~") && base.utf8.count == 65
      && base.utf8.dropFirst().allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  /// Leaves lower-case letters, digits, `-`, `_` and `.`, except at the beginning, as they are.
  private static func encode(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      let character = Character(Unicode.Scalar(byte))
      switch character {
      case "a"..."z", "0"..."9", "-", "_": result.append(character)
      case "." where !result.isEmpty: result.append(character)
      default: result += "%" + [byte].hexadecimal.uppercased()
      }
    }
    return result
  }
}
