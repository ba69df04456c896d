import CallsignHTTP

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
    guard let url = CallbackURL(text), url.query.isReadable else {
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
    guard let redirect = CallbackURL(redirect), url.isCompleted(by: redirect) else { return nil }
    return RedirectParameters(fields: redirect.query)
  }
}

/// The parameters of a redirect.
struct RedirectParameters: Sendable {
  fileprivate let fields: FormFields

  /// The value of a parameter; `nil` when it is missing or empty, which means the same (RFC 6749 §3.1).
  ///
  /// - Throws: ``LoginError/unexpectedResponse(_:_:)`` if it occurs twice, so that it is ambiguous, or cannot be decoded.
  subscript(name: String) -> String? {
    get throws(LoginError) {
      let values = fields.pairs.filter { $0.name == name }.map(\.value)
      guard values.count < 2 else {
        throw .unexpectedResponse("the redirect has \(name) more than once; discard it and begin again", nil)
      }
      guard let value = values.first else { return nil }
      guard let value else {
        throw .unexpectedResponse("the redirect's \(name) cannot be decoded; discard it and begin again", nil)
      }
      return value.isEmpty ? nil : value
    }
  }
}
