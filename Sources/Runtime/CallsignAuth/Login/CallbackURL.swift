import CallsignHTTP
import CallsignJSON

/// The URL at which a login ends: an app's own scheme, a web address, or one of this machine.
///
/// Nothing is decoded or normalized but the case of scheme and host, so that what is compared is what was registered.
package struct CallbackURL: Sendable, Hashable {
  /// The part before the query, scheme and host in lower case.
  private let address: String
  /// The pairs of the query.
  package let query: FormFields

  /// `nil` when it has no scheme, or a character that no URL has.
  package init?(_ text: String) {
    guard let colon = text.firstIndex(of: ":"), let first = text.utf8.first, Self.isLetter(first),
      text[..<colon].utf8.allSatisfy({ Self.isLetter($0) || "0123456789+-.".utf8.contains($0) }),
      text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { return nil }
    let text = text.prefix { $0 != "#" }
    let beforeQuery = text.prefix { $0 != "?" }
    guard let query = FormFields(text.dropFirst(beforeQuery.count + 1)) else { return nil }
    self.query = query
    address = Self.normalized(beforeQuery)
  }

  /// Whether a redirect leads here: the same address, and with what this URL's own query has.
  package func isAnswered(by redirect: CallbackURL) -> Bool {
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

/// The URL that a provider sends the person back to: of a scheme of the app's own, of loopback, or of the app's site.
struct RedirectURI: Sendable, Hashable {
  /// As it was given, which is how the provider must get it.
  let text: String
  private let url: CallbackURL

  /// In lower case.
  var scheme: String { text.prefix { $0 != ":" }.lowercased() }

  /// - Throws: ``LoginError/invalidSetup(_:)`` when it is not absolute, has a fragment (RFC 6749 §3.1.2), or would
  ///   carry the code unencrypted over a network (RFC 9700 §2.6).
  init(checking text: String) throws(LoginError) {
    func invalid(_ why: String) -> LoginError { .invalidSetup("the redirect URI \(why)") }
    guard let url = CallbackURL(text) else {
      throw invalid("is not absolute; write it as registered with the provider, such as myapp://login")
    }
    guard !text.contains("#") else { throw invalid("has a fragment, which no redirect URI may have; leave it out") }
    self.text = text
    self.url = url
    guard scheme == "http" || scheme == "https" else { return }
    guard let address = AbsoluteURL(text) else {
      throw invalid("has no host; write it as registered with the provider")
    }
    guard scheme == "https" || address.isLoopback else {
      throw invalid("is unencrypted; use https, a scheme of the app's own, or a loopback address")
    }
  }

  /// The parameters of a redirect (RFC 6749 §4.1.2); `nil` when it leads elsewhere.
  func parameters(of redirect: String) -> RedirectParameters? {
    guard let redirect = CallbackURL(redirect), url.isAnswered(by: redirect) else { return nil }
    return RedirectParameters(fields: redirect.query)
  }
}

/// The parameters of a redirect.
struct RedirectParameters: Sendable {
  fileprivate let fields: FormFields

  /// The value of a parameter; `nil` when it is missing or empty, which means the same (RFC 6749 §3.1).
  ///
  /// - Throws: ``LoginError/unexpectedAnswer(_:_:)`` when it is there twice, so that nobody can know which is meant.
  subscript(name: String) -> String? {
    get throws(LoginError) {
      let values = fields.pairs.filter { $0.name == name }.map(\.value)
      guard values.count < 2 else {
        throw .unexpectedAnswer("the redirect has \(name) more than once; discard it and begin again", nil)
      }
      return values.first.flatMap { $0.isEmpty ? nil : $0 }
    }
  }
}

/// The pairs of `application/x-www-form-urlencoded`, decoded, in their order.
package struct FormFields: Sendable, Hashable {
  struct Pair: Sendable, Hashable {
    let name: String
    let value: String
  }

  let pairs: [Pair]

  /// `nil` when it has a broken escape, a character that no such text has, or bytes that are no UTF-8.
  package init?(_ text: some StringProtocol) { self.init(whole: Substring(text)) }

  private init?(whole text: Substring) {
    var pairs: [Pair] = []
    for piece in text.utf8.split(separator: UInt8(ascii: "&")) {
      let name = piece.prefix { $0 != UInt8(ascii: "=") }
      guard let decodedName = Self.decode(name), let value = Self.decode(piece.dropFirst(name.count + 1)) else {
        return nil
      }
      pairs.append(Pair(name: decodedName, value: value))
    }
    self.pairs = pairs
  }

  /// The value of a name; `nil` when it is missing, or there with different values.
  package func value(_ name: String) -> String? {
    let values = Set(pairs.lazy.filter { $0.name == name }.map(\.value))
    return values.count == 1 ? values.first : nil
  }

  /// Whether a name is there with different values.
  func isContradictory(_ name: String) -> Bool {
    Set(pairs.lazy.filter { $0.name == name }.map(\.value)).count > 1
  }

  /// The pairs of a dictionary, by name.
  static func sorted(_ fields: [String: String]) -> [(name: String, value: String)] {
    fields.sortedNames.map { ($0, fields[$0] ?? "") }
  }

  /// Writes pairs, every byte that is not unreserved as `%XX`, so that all readers agree on it.
  package static func encode(_ pairs: [(name: String, value: String)]) -> String {
    pairs.map { "\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))" }.joined(separator: "&")
  }

  private static func decode(_ text: some Collection<UInt8>) -> String? {
    let isLegal = text.allSatisfy { byte in
      switch byte {
      case ...0x20, 0x7F..., UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""): false
      default: true
      }
    }
    return isLegal ? PercentEncoding.decode(text, isForm: true) : nil
  }
}
