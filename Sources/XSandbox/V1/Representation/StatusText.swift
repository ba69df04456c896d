/// A post's text as v1.1 shows it: whole, or in compatible mode cut to 140 characters with a link to the whole.
struct StatusText {
  private(set) var text: String
  private(set) var isTruncated = false
  /// Where the link of a truncated text leads.
  private(set) var expandedURL: String?

  var entities: PostEntities

  private static let limit = 140

  init(_ post: PostRecord, isExtended: Bool) {
    text = post.text
    let isTooLong = post.text.unicodeScalars.count > Self.limit
    if isTooLong, post.reposts != nil {
      // A retweet is cut in either mode: the whole text is in `retweeted_status`.
      text = Self.prefix(of: post.text, Self.limit - 1) + "…"
    } else if isTooLong, !isExtended {
      let link = "https://t.co/" + Self.code(of: post.id)
      isTruncated = true
      expandedURL = "https://twitter.com/i/web/status/\(post.id)"
      text = Self.withoutLinks(Self.prefix(of: post.text, Self.limit - link.unicodeScalars.count - 2)) + "… " + link
    }
    entities = PostEntities(text)
  }

  private static func prefix(of text: String, _ count: Int) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.prefix(count)))
  }

  /// A link that the cut may have gone through would lead nowhere: the text ends before the first link.
  private static func withoutLinks(_ text: String) -> String {
    guard let first = PostEntities(text).urls.first else { return text }
    return prefix(of: text, first.start)
  }

  /// The ten characters of a short link.
  private static func code(of id: Identifier) -> String {
    let digits = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
    var rest = id
    return String(
      (0..<10).map { _ in
        defer { rest /= 62 }
        return digits[Int(rest % 62)]
      })
  }
}
