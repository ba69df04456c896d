import Foundation

extension Sequence<UInt8> {
  /// Base64 with the alphabet for URLs and without padding (RFC 4648 §5, RFC 7636 appendix A).
  var base64URL: String {
    let text = Data(self).base64EncodedString()
    return String(
      text.compactMap { character in
        switch character {
        case "+": "-"
        case "/": "_"
        case "=": nil
        default: character
        }
      })
  }
}
