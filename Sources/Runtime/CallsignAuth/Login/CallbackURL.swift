import CallsignHTTP
import CallsignJSON

/// The URL where a login ends: one with an app's own scheme, a web URL, or one on this machine.
///
/// Only the case of scheme and host is normalized, and nothing is decoded, so that comparisons use the registered form.
package struct CallbackURL: Sendable, Hashable {
  /// The part before the query, scheme and host in lower case.
  private let address: String
  /// The pairs of the query.
  package let query: FormFields

  /// `nil` when it has no scheme, or a character before its query that no URL has.
  package init?(_ text: String) {
    guard let colon = text.firstIndex(of: ":"), let first = text.utf8.first, Self.isLetter(first),
      text[..<colon].utf8.allSatisfy({ Self.isLetter($0) || "0123456789+-.".utf8.contains($0) })
    else { return nil }
    // By bytes: a character may begin with one of these and continue with an accent.
    let whole = text.utf8.prefix { $0 != UInt8(ascii: "#") }
    let beforeQuery = whole.prefix { $0 != UInt8(ascii: "?") }
    guard beforeQuery.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
    query = FormFields(String(decoding: whole.dropFirst(beforeQuery.count + 1), as: UTF8.self))
    address = Self.normalized(Substring(beforeQuery))
  }

  /// Whether a redirect leads here: the same address, and with what this URL's own query has.
  package func isCompleted(by redirect: CallbackURL) -> Bool {
    redirect.address == address
      && query.pairs.allSatisfy { pair in redirect.query.pairs.contains { $0 == pair } }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func normalized(_ text: Substring) -> String {
    let scheme = text.prefix { $0 != ":" }
    let rest = text.dropFirst(scheme.count + 1)
    guard rest.hasPrefix("//") else { return "\(scheme.lowercased()):\(rest)" }
    let authority = rest.dropFirst(2).prefix { $0 != "/" }
    let path = rest.dropFirst(2 + authority.count)
    return "\(scheme.lowercased())://\(authority.lowercased())\(path.isEmpty ? "/" : path)"
  }
}
