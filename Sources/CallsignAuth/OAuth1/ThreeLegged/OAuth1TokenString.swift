import CallsignHTTP
import Foundation

extension OAuth1Token {
  /// Reads a token in the form in which providers give it out and older apps cached it:
  /// `oauth_token=…&oauth_token_secret=…&user_id=…&screen_name=…`, in any order, with or without the last two.
  ///
  /// - Parameter tokenString: The text. White space round it, and a `?` before it, do not matter; `+` is a space.
  /// - Throws: ``OAuth1TokenStringError``.
  public init(tokenString: Secret) throws(OAuth1TokenStringError) {
    var text = tokenString.reveal().trimmingCharacters(in: .whitespacesAndNewlines)
    if text.hasPrefix("?") { text.removeFirst() }
    guard let fields = FormFields(text) else { throw .unreadable }
    self = try OAuth1Token(fields)
  }

  /// The token in the form that ``init(tokenString:)`` reads. It is as secret as the token.
  public var tokenString: Secret {
    var pairs: [(name: String, value: String)] = [
      ("oauth_token", token.reveal()), ("oauth_token_secret", secret.reveal()),
    ]
    if let userID { pairs.append(("user_id", userID)) }
    if let screenName { pairs.append(("screen_name", screenName)) }
    let named = Set(pairs.map(\.name))
    pairs += fields.filter { !named.contains($0.key) }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    return Secret(FormFields.encode(pairs))
  }

  /// Reads the fields of a provider's answer or of a cached text. Flickr says `user_nsid` and `username`.
  init(_ fields: FormFields) throws(OAuth1TokenStringError) {
    func required(_ name: String) throws(OAuth1TokenStringError) -> Secret {
      if fields.isContradictory(name) { throw .contradictory(name) }
      guard let value = fields.value(name), !value.isEmpty else { throw .missing(name) }
      return Secret(value)
    }
    func first(_ names: [String]) -> (name: String, value: String)? {
      for name in names { if let value = fields.value(name), !value.isEmpty { return (name, value) } }
      return nil
    }
    token = try required("oauth_token")
    secret = try required("oauth_token_secret")
    let user = first(["user_id", "user_nsid"])
    let name = first(["screen_name", "username"])
    userID = user?.value
    screenName = name?.value
    let known = Set(["oauth_token", "oauth_token_secret", user?.name, name?.name].compactMap { $0 })
    self.fields = Dictionary(
      fields.pairs.filter { !known.contains($0.name) }.map { ($0.name, $0.value) },
      uniquingKeysWith: { first, _ in first })
  }
}

/// Why a text is no token.
public enum OAuth1TokenStringError: Error, Sendable, Hashable {
  /// It is not made of pairs `name=value`, or has a broken `%` escape.
  case unreadable
  /// It lacks this field, or the field is empty.
  case missing(String)
  /// It has this field twice, with different values.
  case contradictory(String)
}

extension OAuth1TokenStringError: CustomStringConvertible, LocalizedError {
  /// What is wrong and what to do, without the text itself.
  public var description: String {
    switch self {
    case .unreadable: "the cached token is not a text of pairs name=value; discard it and log in again"
    case .missing(let name): "the token has no \(name); discard it and log in again"
    case .contradictory(let name): "the token has two different values of \(name); discard it and log in again"
    }
  }
  /// The same as ``description``.
  public var errorDescription: String? { description }
}
