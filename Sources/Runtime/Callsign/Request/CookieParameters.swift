import CallsignHTTP
import CallsignSupport
import HTTPTypes

/// The text of cookies.
enum CookieText {
  /// The text with what ends a cookie, or has a meaning in an encoded one, percent-encoded.
  static func encoded(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      if (0x21...0x7E).contains(byte), !"\",;\\%".utf8.contains(byte) {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let code = String(byte, radix: 16, uppercase: true)
        result += code.count == 1 ? "%0\(code)" : "%\(code)"
      }
    }
    return result
  }
}

extension HTTPFields {
  /// Sets the cookies of a call; there is one field for all of them (RFC 6265 §5.4).
  mutating func setCookies(_ cookies: [String]) {
    guard !cookies.isEmpty else { return }
    // Set as text, they would become several fields.
    let own = self[.cookie].map { [$0] } ?? []
    self[fields: .cookie] = [HTTPField(name: .cookie, value: (own + cookies).joined(separator: "; "))]
  }
}
