/// Turns a text's entities into HTML links.
public struct Autolink: Sendable {
  /// The class of a URL's link; `nil`, the default, for none.
  public var urlClass: String?
  /// The class of a mention's link.
  public var usernameClass = "tweet-url username"
  /// The class of a list's link.
  public var listClass = "tweet-url list-slug"
  /// The class of a hashtag's link; a hashtag written from right to left also has `rtl`.
  public var hashtagClass = "tweet-url hashtag"
  /// The class of a cashtag's link.
  public var cashtagClass = "tweet-url cashtag"

  /// The beginning of a mention's URL.
  public var usernameBase = "https://x.com/"
  /// The beginning of a list's URL.
  public var listBase = "https://x.com/"
  /// The beginning of a hashtag's URL.
  public var hashtagBase = "https://x.com/search?q=%23"
  /// The beginning of a cashtag's URL.
  public var cashtagBase = "https://x.com/search?q=%24"

  /// Whether links have `rel="nofollow"`. Default: yes.
  public var isNoFollow = true
  /// The `target` of URLs' links; `nil`, the default, for none.
  public var urlTarget: String?
  /// Whether all links have `target="_blank"`. Default: no.
  public var opensNewWindow = false
  /// Whether the `@` is part of the link. Default: no, it is in front of the link.
  public var includesAtSign = false
  /// Whether lists are links to their users only. Default: no.
  public var suppressesLists = false
  /// Whether URLs without a scheme become links, which use `https`. Default: no.
  public var linksURLsWithoutScheme = false
  /// The element around the sign of a mention, hashtag or cashtag; `nil`, the default, for none.
  public var signTag: String?
  /// The element around the name after such a sign; `nil`, the default, for none.
  public var nameTag: String?
  /// Whether the text between the links is also escaped. Default: yes. Turn it off if the text is already HTML.
  public var escapesText = true
  /// Whether the text comes from X's API, which writes `&amp;`, `&lt;` and `&gt;`. They are decoded first, as in
  /// ``PostText/unescaped(_:)``, so nothing is escaped twice. Default: no.
  public var unescapesText = false
  /// The attributes of the elements that hide the parts of a URL that are copied, but not shown.
  public var invisibleAttributes = "style='position:absolute;left:-9999px;'"
  /// Further attributes of all links.
  public var attributes: [(name: String, value: String)] = []
  /// X's entities of URLs that it shortened: how to show them, and where they lead.
  public var urlEntities: [URLEntity] = []
  /// Changes the attributes of a link.
  public var editsAttributes: (@Sendable (PostEntity, inout [(name: String, value: String)]) -> Void)?
  /// Changes the HTML within a link.
  public var editsText: (@Sendable (PostEntity, String) -> String)?

  /// Makes links to x.com, for a text that is not HTML.
  public init() {}

  /// The links that twitter-text makes with only its option for no `rel`: the text is HTML that is already escaped, and
  /// links lead to twitter.com.
  public static var twitterText: Autolink {
    var autolink = Autolink()
    autolink.usernameBase = "https://twitter.com/"
    autolink.listBase = "https://twitter.com/"
    autolink.hashtagBase = "https://twitter.com/search?q=%23"
    autolink.cashtagBase = "https://twitter.com/search?q=%24"
    autolink.isNoFollow = false
    autolink.escapesText = false
    return autolink
  }

  /// X's entity of a URL that it shortened.
  public struct URLEntity: Sendable, Hashable {
    /// The URL in the text.
    public var url: String
    /// A shortened form of the URL to show, with `…` for what is left out.
    public var displayURL: String
    /// The URL that it leads to.
    public var expandedURL: String

    /// Describes a URL.
    ///
    /// - Parameters:
    ///   - url: The URL in the text.
    ///   - displayURL: The URL to show.
    ///   - expandedURL: The URL that it leads to.
    public init(url: String, displayURL: String, expandedURL: String) {
      self.url = url
      self.displayURL = displayURL
      self.expandedURL = expandedURL
    }
  }

  /// Links all entities.
  public func html(_ text: String) -> String {
    let text = unescapesText ? PostText.unescaped(text) : text
    return linked(text, PostEntities(text, urlsWithoutScheme: linksURLsWithoutScheme).all)
  }

  /// Links these entities of a text.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - entities: Entities that were found in the text, or that come from X's response, in any order. If some overlap,
  ///     the first one in the text becomes a link. Their positions are those in this text, even if it is unescaped.
  public func html(_ text: String, linking entities: [PostEntity]) -> String {
    guard unescapesText else { return linked(text, entities) }
    let (unescaped, ranges) = PostText.unescaped(text, shifting: entities.map(\.range.codePoints))
    var cursor = TextRange.Cursor(unescaped)
    var shifted: [PostEntity] = []
    for (entity, range) in zip(entities, ranges).sorted(by: { $0.1.lowerBound < $1.1.lowerBound }) {
      let place = cursor.range(range)
      // An entity that belongs to a longer text.
      guard place.codePoints == range else { continue }
      var kind = entity.kind
      if case .url(let url) = kind { kind = .url(PostText.unescaped(url)) }
      shifted.append(PostEntity(kind: kind, range: place))
    }
    return linked(unescaped, shifted)
  }

  private func linked(_ text: String, _ entities: [PostEntity]) -> String {
    let displays = Dictionary(urlEntities.map { ($0.url, $0) }) { first, _ in first }
    var result = ""
    var position = text.startIndex
    for entity in entities.sorted(by: { $0.range.indices.lowerBound < $1.range.indices.lowerBound }) {
      let range = entity.range.indices
      guard range.lowerBound >= position, range.upperBound <= text.endIndex else { continue }
      let before = text[position..<range.lowerBound]
      result += escapesText ? Self.escaped(before) : String(before)
      result += link(entity, text[range], displays)
      position = range.upperBound
    }
    let rest = text[position...]
    return result + (escapesText ? Self.escaped(rest) : String(rest))
  }

  private typealias Attributes = [(name: String, value: String)]

  private func link(_ entity: PostEntity, _ written: Substring, _ displays: [String: URLEntity]) -> String {
    let sign = written.unicodeScalars.first.map { String($0) } ?? ""
    switch entity.kind {
    case .url(let url):
      var attributes: Attributes = [("href", Self.address(url))]
      let display = displays[url]
      if let display { attributes.append(("title", display.expandedURL)) }
      if let urlClass { attributes.append(("class", urlClass)) }
      if let urlTarget { attributes.append(("target", urlTarget)) }
      return element(entity, attributes, display.map(shown) ?? Self.escaped(url))
    case .mention(let username):
      return mention(entity, sign, username, [("class", usernameClass), ("href", usernameBase + username)])
    case .list(let username, let name):
      let path = "\(username)/\(name)"
      if suppressesLists {
        return mention(entity, sign, username, [("class", usernameClass), ("href", usernameBase + username)]) + "/"
          + name
      }
      return mention(entity, sign, path, [("class", listClass), ("href", listBase + path)])
    case .hashtag(let name):
      let isRightToLeft = name.unicodeScalars.contains { $0.value.isRightToLeft }
      let attributes: Attributes = [
        ("href", hashtagBase + name), ("title", "#" + name), ("class", hashtagClass + (isRightToLeft ? " rtl" : "")),
      ]
      return element(entity, attributes, tagged(sign, signTag) + tagged(Self.escaped(name), nameTag))
    case .cashtag(let name):
      let attributes: Attributes = [("href", cashtagBase + name), ("title", "$" + name), ("class", cashtagClass)]
      return element(entity, attributes, tagged(sign, signTag) + tagged(Self.escaped(name), nameTag))
    }
  }

  /// A URL that leads to the Web. Without a scheme it would lead to a path on the same site, and a caller's entity may
  /// have a URL that runs a script.
  static func address(_ url: String) -> String {
    let start = url.prefix(8).lowercased()
    return start.hasPrefix("http://") || start.hasPrefix("https://") ? url : "https://" + url
  }

  private func mention(_ entity: PostEntity, _ sign: String, _ name: String, _ attributes: Attributes) -> String {
    let sign = tagged(sign, signTag)
    let name = tagged(Self.escaped(name), nameTag)
    return includesAtSign ? element(entity, attributes, sign + name) : sign + element(entity, attributes, name)
  }

  private func tagged(_ html: String, _ tag: String?) -> String { tag.map { "<\($0)>\(html)</\($0)>" } ?? html }

  private func element(_ entity: PostEntity, _ attributes: Attributes, _ html: String) -> String {
    var attributes = attributes
    if isNoFollow { attributes.append(("rel", "nofollow")) }
    if opensNewWindow {
      attributes.removeAll { $0.name == "target" }
      attributes.append(("target", "_blank"))
    }
    attributes += self.attributes
    editsAttributes?(entity, &attributes)
    let written = attributes.map { " \(Self.escaped($0.name))=\"\(Self.escaped($0.value))\"" }.joined()
    return "<a\(written)>\(editsText?(entity, html) ?? html)</a>"
  }

  /// The URL as X shows it. The parts that X leaves out are hidden, so that they are included when the URL is copied.
  private func shown(_ entity: URLEntity) -> String {
    let core = entity.displayURL.filter { $0 != "…" }
    guard !core.isEmpty, let range = Self.range(of: core, in: entity.expandedURL) else {
      return Self.escaped(entity.displayURL)
    }
    let before = entity.displayURL.hasPrefix("…") ? "…" : ""
    let after = entity.displayURL.hasSuffix("…") ? "…" : ""
    let hidden = "<span \(invisibleAttributes)>"
    return "<span class='tco-ellipsis'>\(before)\(hidden)&nbsp;</span></span>"
      + "\(hidden)\(Self.escaped(entity.expandedURL[..<range.lowerBound]))</span>"
      + "<span class='js-display-url'>\(Self.escaped(core))</span>"
      + "\(hidden)\(Self.escaped(entity.expandedURL[range.upperBound...]))</span>"
      + "<span class='tco-ellipsis'>\(hidden)&nbsp;</span>\(after)</span>"
  }

  /// The first position of a text in another.
  private static func range(of part: String, in text: String) -> Range<String.Index>? {
    var start = text.startIndex
    while start < text.endIndex {
      if text[start...].hasPrefix(part) {
        return start..<text.index(start, offsetBy: part.count)
      }
      start = text.index(after: start)
    }
    return nil
  }

  /// A text escaped for HTML.
  public static func escaped(_ text: some StringProtocol) -> String {
    var result = ""
    result.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
