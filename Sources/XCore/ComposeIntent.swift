import Foundation

/// A link that opens a composer with a post to edit and send: in the X app, or on the web. No credentials take part.
///
/// ```swift
/// let intent = ComposeIntent(text: "Reading", url: "https://example.com", hashtags: ["swift"])
/// let url = intent.url { UIApplication.shared.canOpenURL($0) }
/// ```
///
/// On iOS `canOpenURL` asks for `twitter` among `LSApplicationQueriesSchemes` of the app's `Info.plist`.
///
/// Source: https://docs.x.com/x-for-websites/web-intents/overview
public struct ComposeIntent: Sendable, Hashable {
  /// The text to begin with.
  public var text: String?
  /// A link to put after the text.
  public var url: String?
  /// Hashtags to put after the link, with or without `#`.
  public var hashtags: [String]
  /// The account that the post is attributed to, with or without `@`.
  public var via: String?
  /// The id of the post to reply to.
  public var inReplyTo: String?
  /// Accounts to suggest following afterwards, with or without `@`; on the web alone.
  public var related: [String]

  /// Describes a post to edit; all of it may be left out.
  public init(
    text: String? = nil, url: String? = nil, hashtags: [String] = [], via: String? = nil,
    inReplyTo: String? = nil, related: [String] = []
  ) {
    self.text = text
    self.url = url
    self.hashtags = hashtags
    self.via = via
    self.inReplyTo = inReplyTo
    self.related = related
  }

  /// The composer on the web: `https://x.com/intent/post?…`. The system may open it in the app all the same.
  public var webURL: URL? {
    Self.url(
      "https://x.com/intent/post",
      [
        ("text", text), ("url", url), ("hashtags", Self.list(hashtags, without: "#")),
        ("via", via.map { Self.bare($0, without: "@") }), ("in_reply_to", inReplyTo),
        ("related", Self.list(related, without: "@")),
      ])
  }

  /// The composer of the app: `twitter://post?message=…`. Having but one text, it gets link, hashtags and attribution
  /// in it, as the web page would put them.
  public var appURL: URL? {
    var words = [text, url].compactMap { $0 }
    words += hashtags.map { "#" + Self.bare($0, without: "#") }
    if let via { words.append("via @" + Self.bare(via, without: "@")) }
    let message = words.filter { !$0.isEmpty }.joined(separator: " ")
    return Self.url("twitter://post", [("message", message), ("in_reply_to_status_id", inReplyTo)])
  }

  /// The app's composer where it can be opened, else the one on the web.
  ///
  /// - Parameter canOpen: Whether something on this device opens the URL.
  public func url(canOpen: (URL) -> Bool) -> URL? {
    if let appURL, canOpen(appURL) { return appURL }
    return webURL
  }

  private static func url(_ base: String, _ parameters: [(name: String, value: String?)]) -> URL? {
    let pairs = parameters.compactMap { name, value in
      value.flatMap { $0.isEmpty ? nil : "\(name)=\(encode($0))" }
    }
    return URL(string: pairs.isEmpty ? base : "\(base)?\(pairs.joined(separator: "&"))")
  }

  private static func list(_ names: [String], without sign: Character) -> String? {
    names.isEmpty ? nil : names.map { bare($0, without: sign) }.joined(separator: ",")
  }

  private static func bare(_ name: String, without sign: Character) -> String {
    name.first == sign ? String(name.dropFirst()) : name
  }

  /// All but the unreserved characters (RFC 3986 §2.3), so that no reader takes a `+` for a space.
  private static func encode(_ text: String) -> String {
    let unreserved = CharacterSet(
      charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
    return text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
  }
}
