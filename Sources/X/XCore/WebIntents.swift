import CallsignHTTP
import CallsignSupport

/// A link that opens a composer with a post to edit and send, in the X app or on the web. It needs no credentials.
///
/// ```swift
/// let intent = ComposeIntent(text: "Reading", url: "https://example.com", hashtags: ["swift"])
/// let url = intent.url { UIApplication.shared.canOpenURL($0) }
/// ```
///
/// On iOS, `canOpenURL` needs `twitter` in `LSApplicationQueriesSchemes` of the app's `Info.plist`.
///
/// Source: https://docs.x.com/x-for-websites/web-intents/overview
public struct ComposeIntent: Sendable, Hashable {
  /// The initial text.
  public var text: String?
  /// A link to put after the text.
  public var url: String?
  /// Hashtags to put after the link, with or without `#`.
  public var hashtags: [String]
  /// The account that the post is attributed to, with or without `@`.
  public var via: String?
  /// The id of the post to reply to.
  public var inReplyTo: String?
  /// Accounts to suggest following afterwards, with or without `@`; only on the web.
  public var related: [String]

  /// Describes a post to edit; every argument is optional.
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

  /// The composer on the web: `https://x.com/intent/post?…`. The system may still open it in the app.
  public var webURL: URL? {
    IntentURL.make(
      "https://x.com/intent/post",
      [
        ("text", text), ("url", url), ("hashtags", IntentURL.list(hashtags, "#")),
        ("via", via.map { IntentURL.bare($0, "@") }), ("in_reply_to", inReplyTo),
        ("related", IntentURL.list(related, "@")),
      ])
  }

  /// The app's composer: `twitter://post?message=…`. It takes only one text, so that text contains the link, the
  /// hashtags and the attribution, in the same order as on the web page.
  public var appURL: URL? {
    var words = [text, url].compactMap { $0 }
    words += hashtags.map { "#" + IntentURL.bare($0, "#") }
    if let via { words.append("via @" + IntentURL.bare(via, "@")) }
    let message = words.filter { !$0.isEmpty }.joined(separator: " ")
    return IntentURL.make("twitter://post", [("message", message), ("in_reply_to_status_id", inReplyTo)])
  }

  /// The app's composer if it can be opened, otherwise the one on the web.
  ///
  /// - Parameter canOpen: Whether something on this device opens the URL.
  public func url(canOpen: (URL) -> Bool) -> URL? {
    if let appURL, canOpen(appURL) { return appURL }
    return webURL
  }
}

/// A link that asks a user to like or repost a post, or to follow or view an account: in the X app, or on the web with
/// the account that is signed in there. It needs no credentials, and does nothing without the user's consent.
///
/// Source: https://docs.x.com/x-for-websites/web-intents/overview
public enum WebIntent: Sendable, Hashable {
  /// Asks to like a post, by its id.
  case like(postID: String)
  /// Asks to repost a post, by its id.
  case repost(postID: String)
  /// Asks to follow a user, by the username with or without `@`.
  case follow(username: String)
  /// Shows a user, by the username with or without `@`.
  case user(username: String)

  /// The page that asks. The system may still open it in the app.
  public var webURL: URL? {
    switch self {
    case .like(let id): IntentURL.make("https://x.com/intent/like", [("tweet_id", id)])
    case .repost(let id): IntentURL.make("https://x.com/intent/retweet", [("tweet_id", id)])
    case .follow(let name): IntentURL.make("https://x.com/intent/follow", [("screen_name", IntentURL.bare(name, "@"))])
    case .user(let name): IntentURL.make("https://x.com/intent/user", [("screen_name", IntentURL.bare(name, "@"))])
    }
  }

  /// The app's view of the post or the account, where the user can do it: the app has no views that only ask.
  public var appURL: URL? {
    switch self {
    case .like(let id), .repost(let id): IntentURL.make("twitter://status", [("id", id)])
    case .follow(let name), .user(let name):
      IntentURL.make("twitter://user", [("screen_name", IntentURL.bare(name, "@"))])
    }
  }

  /// The app's view if it can be opened, otherwise the page on the web.
  ///
  /// - Parameter canOpen: Whether something on this device opens the URL.
  public func url(canOpen: (URL) -> Bool) -> URL? {
    if let appURL, canOpen(appURL) { return appURL }
    return webURL
  }
}

#if canImport(UIKit) && !os(watchOS)
  import UIKit

  extension ComposeIntent {
    /// Opens the composer in the app, otherwise on the web.
    ///
    /// - Returns: Whether something was opened. Neither the app nor the page says whether a post was sent.
    @MainActor
    @available(iOSApplicationExtension, unavailable)
    @available(tvOSApplicationExtension, unavailable)
    @available(visionOSApplicationExtension, unavailable)
    public func open() async -> Bool { await IntentURL.open(appURL, or: webURL) }
  }

  extension WebIntent {
    /// Opens the app, otherwise the page on the web.
    ///
    /// - Returns: Whether something was opened. Neither the app nor the page says what the user did.
    @MainActor
    @available(iOSApplicationExtension, unavailable)
    @available(tvOSApplicationExtension, unavailable)
    @available(visionOSApplicationExtension, unavailable)
    public func open() async -> Bool { await IntentURL.open(appURL, or: webURL) }
  }

  extension IntentURL {
    @MainActor
    @available(iOSApplicationExtension, unavailable)
    @available(tvOSApplicationExtension, unavailable)
    @available(visionOSApplicationExtension, unavailable)
    fileprivate static func open(_ appURL: URL?, or webURL: URL?) async -> Bool {
      if let appURL, await UIApplication.shared.open(appURL) { return true }
      guard let webURL else { return false }
      return await UIApplication.shared.open(webURL)
    }
  }
#endif

/// The URLs of intents.
private enum IntentURL {
  static func make(_ base: String, _ parameters: [(name: String, value: String?)]) -> URL? {
    let pairs = parameters.compactMap { name, value in
      value.flatMap { $0.isEmpty ? nil : "\(name)=\(encode($0))" }
    }
    return URL(string: pairs.isEmpty ? base : "\(base)?\(pairs.joined(separator: "&"))")
  }

  static func list(_ names: [String], _ sign: Character) -> String? {
    names.isEmpty ? nil : names.map { bare($0, sign) }.joined(separator: ",")
  }

  /// The name without its sign.
  static func bare(_ name: String, _ sign: Character) -> String {
    name.first == sign ? String(name.dropFirst()) : name
  }

  /// Encodes all but the unreserved characters (RFC 3986 §2.3), so that no reader takes a `+` for a space.
  private static func encode(_ text: String) -> String {
    PercentEncoding.encode(text)
  }
}
