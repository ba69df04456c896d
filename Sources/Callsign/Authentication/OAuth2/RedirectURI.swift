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
