/// Where a provider sends the person back to: a URL of a scheme of the app's own, of loopback, or of the app's site.
struct RedirectURI: Sendable, Hashable {
  /// As it was given, which is how the provider must get it.
  let text: String
  /// In lower case.
  let scheme: String
  /// Scheme and host in lower case, with the path.
  private let place: String
  private let query: [RedirectParameters.Pair]

  /// - Throws: ``LoginError/invalidSetup(_:)`` when it is not absolute, has a fragment (RFC 6749 §3.1.2), or would
  ///   carry the code unencrypted over a network (RFC 9700 §2.6).
  init(checking text: String) throws(LoginError) {
    func invalid(_ why: String) -> LoginError { .invalidSetup("the redirect URI \(why)") }
    guard let uri = RedirectURI(text) else {
      throw invalid("is not absolute; write it as registered with the provider, such as myapp://login")
    }
    guard !text.contains("#") else { throw invalid("has a fragment, which no redirect URI may have; leave it out") }
    if uri.scheme == "http", AbsoluteURL(text)?.isLoopback != true {
      throw invalid("is unencrypted; use https, a scheme of the app's own, or a loopback address")
    }
    if uri.scheme == "http" || uri.scheme == "https", AbsoluteURL(text) == nil {
      throw invalid("has no host; write it as registered with the provider")
    }
    self = uri
  }

  /// Takes a redirect apart; `nil` when it has no scheme. A fragment is dropped: some providers append one.
  init?(_ text: String) {
    self.text = text
    let whole = text.prefix { $0 != "#" }
    guard let colon = whole.firstIndex(of: ":"), let first = whole.first, first.isASCII, first.isLetter,
      whole[..<colon].allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) })
    else { return nil }
    scheme = whole[..<colon].lowercased()
    let question = whole.firstIndex(of: "?")
    let rest = whole[whole.index(after: colon)..<(question ?? whole.endIndex)]
    query = RedirectParameters.pairs(question.map { String(whole[whole.index(after: $0)...]) } ?? "")
    guard rest.hasPrefix("//") else {
      place = "\(scheme):\(rest)"
      return
    }
    let authorityEnd = rest.dropFirst(2).firstIndex(of: "/") ?? rest.endIndex
    let path = rest[authorityEnd...]
    place = "\(scheme):\(rest[..<authorityEnd].lowercased())\(path.isEmpty ? "/" : path)"
  }

  /// The parameters that a redirect has beyond this URI's own; `nil` when it leads elsewhere.
  func parameters(of redirect: String) -> RedirectParameters? {
    guard let redirect = RedirectURI(redirect), redirect.place == place else { return nil }
    var added = redirect.query
    for own in query {
      guard let index = added.firstIndex(of: own) else { return nil }
      added.remove(at: index)
    }
    return RedirectParameters(pairs: added)
  }
}

/// What a redirect carries (RFC 6749 §4.1.2).
struct RedirectParameters: Sendable {
  struct Pair: Sendable, Hashable {
    var name: String
    var value: String
  }

  let pairs: [Pair]

  /// Reads a query.
  static func pairs(_ query: String) -> [Pair] {
    query.split(separator: "&").map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return Pair(name: decode(parts[0]), value: parts.count == 2 ? decode(parts[1]) : "")
    }
  }

  /// The value of a parameter; `nil` when it is missing or empty, which means the same (RFC 6749 §3.1).
  ///
  /// - Throws: ``LoginError/unexpectedAnswer(_:_:)`` when it is there twice, so that nobody can know which is meant.
  subscript(name: String) -> String? {
    get throws(LoginError) {
      let values = pairs.filter { $0.name == name }.map(\.value)
      guard values.count < 2 else {
        throw .unexpectedAnswer("the redirect has \(name) more than once; discard it and begin again", nil)
      }
      return values.first.flatMap { $0.isEmpty ? nil : $0 }
    }
  }

  /// Undoes form-encoding. What is not encoded rightly stays as it is.
  private static func decode(_ text: Substring) -> String {
    func digit(_ byte: UInt8) -> UInt8? {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
      case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
      case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
      default: nil
      }
    }
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "+") {
        bytes.append(UInt8(ascii: " "))
      } else if byte == UInt8(ascii: "%"), rest.count >= 2, let high = digit(rest[rest.startIndex]),
        let low = digit(rest[rest.startIndex + 1])
      {
        bytes.append(high << 4 | low)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
