import Foundation

/// The names of the files in which ``FileTokenStore`` keeps tokens: safe for any text, and different for keys that
/// differ, also where the file system ignores case or normalizes letters.
enum TokenFileName {
  static let suffix = ".json"
  static let lockSuffix = ".lock"
  /// File systems take 255 bytes; the rest is for suffixes.
  private static let lengthLimit = 200

  /// The name without suffix: the encoded service and account, or a hash where that is too long.
  static func base(of key: TokenKey) throws(TokenStoreError) -> String {
    let readable = "\(encode(key.service)),\(encode(key.account))"
    if readable.utf8.count <= lengthLimit { return readable }
    do { return "~" + (try Digest.hash(readable.utf8, .sha256)).hexadecimal } catch {
      throw TokenStoreError(.system, advice: "the key's name is too long: \(error); shorten service and account")
    }
  }

  /// The key that a name stands for; `nil` for a hash, and for what is no name of a token's file.
  static func key(ofBase base: String) -> TokenKey? {
    let parts = base.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, let service = String(parts[0]).removingPercentEncoding,
      let account = String(parts[1]).removingPercentEncoding
    else { return nil }
    let key = TokenKey(service: service, account: account)
    return (try? self.base(of: key)) == base ? key : nil
  }

  static func isHash(_ base: String) -> Bool { base.hasPrefix("~") }

  /// Leaves lower-case letters, digits, `-`, `_` and `.`, except at the beginning, as they are. Two keys that Swift
  /// takes for equal can consist of different bytes, so their letters are composed first.
  private static func encode(_ text: String) -> String {
    var result = ""
    for byte in text.precomposedStringWithCanonicalMapping.utf8 {
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
