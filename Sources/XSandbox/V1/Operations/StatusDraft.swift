import Foundation

/// What `POST statuses/update` is about to post.
struct StatusDraft {
  private(set) var text: String
  private(set) var repliesTo: PostRecord?
  private(set) var quotes: Identifier?
  /// The length of the mentions that `auto_populate_reply_metadata` put in front, in Unicode scalars.
  private(set) var hiddenPrefix = 0
  private let hasMedia: Bool

  init(_ exchange: Exchange, author: Identifier, hasMedia: Bool, in world: World) throws(Problem) {
    self.hasMedia = hasMedia
    text = hasMedia ? exchange.parameter("status") ?? "" : try exchange.required("status")
    if try exchange.flag("fail_dmcommands") ?? false, Self.isMessageCommand(text) {
      throw .v1(403, 151, "There was an error sending your message: the text is a command for a direct message.")
    }
    if let address = exchange.parameter("attachment_url") { quotes = try Self.quoted(address, in: world) }
    guard let id = try exchange.identifierParameter("in_reply_to_status_id") else { return }
    guard let parent = world.posts[id] else {
      throw .v1(403, 385, "You attempted to reply to a Tweet that is deleted or not visible to you.")
    }
    if try exchange.flag("auto_populate_reply_metadata") ?? false {
      let prefix = try Self.mentions(of: parent, exchange, author: author, in: world)
      hiddenPrefix = prefix.unicodeScalars.count
      text = prefix + text
      repliesTo = parent
    } else if parent.author == author || Self.mentions(parent.author, text, in: world) {
      // Otherwise X ignores the parameter.
      repliesTo = parent
    }
  }

  func check(_ author: Identifier, in world: World) throws(Problem) {
    let written = String(String.UnicodeScalarView(text.unicodeScalars.dropFirst(hiddenPrefix)))
    if hasMedia, written.isEmpty { return }
    guard !written.unicodeScalars.allSatisfy(\.properties.isWhitespace) else { throw .missingParameter("status") }
    guard PostLength.of(written) <= PostLength.maximum else {
      throw .v1(403, 186, "Tweet needs to be a bit shorter.")
    }
    let recent = (world.postsOfUser[author]?.entries.suffix(20) ?? []).compactMap { world.posts[$0.member] }
    if !hasMedia, recent.contains(where: { $0.text == text && $0.repliesTo == repliesTo?.id && $0.quotes == quotes }) {
      throw .v1(403, 187, "Status is a duplicate.")
    }
  }

  /// `d name text`, `m name text`, `dm name text`.
  private static func isMessageCommand(_ text: String) -> Bool {
    let words = text.split(separator: " ", maxSplits: 2)
    return words.count == 3 && ["d", "m", "dm"].contains(words[0].lowercased())
      && Pattern.isUsername(String(words[1].trimmingPrefix("@")))
  }

  /// The id in a permalink such as `https://twitter.com/alice/status/20`.
  private static func quoted(_ address: String, in world: World) throws(Problem) -> Identifier {
    let hosts: Set = ["twitter.com", "www.twitter.com", "mobile.twitter.com", "x.com", "www.x.com"]
    guard let url = URL(string: address), let host = url.host, hosts.contains(host.lowercased()),
      case let parts = url.pathComponents, parts.count == 4, parts[2] == "status", let id = Identifier(parts[3]),
      let post = world.posts[id], world.user(named: parts[1])?.id == post.author
    else { throw .invalidParameter("attachment_url") }
    return id
  }

  private static func mentions(_ user: Identifier, _ text: String, in world: World) -> Bool {
    PostEntities(text).mentions.contains { world.user(named: $0.text)?.id == user }
  }

  /// `@author @others `, without the one who replies and without those who are left out; the author always stays.
  private static func mentions(
    of parent: PostRecord, _ exchange: Exchange, author: Identifier, in world: World
  ) throws(Problem) -> String {
    let excluded = Set((try exchange.listParameter("exclude_reply_user_ids") ?? []).compactMap { Identifier($0) })
    let mentioned = PostEntities(parent.text).mentions.compactMap { world.user(named: $0.text)?.id }
      .filter { !excluded.contains($0) && $0 != parent.author }
    var seen: Set<Identifier> = [author]
    return ([parent.author] + mentioned).filter { seen.insert($0).inserted }
      .compactMap { world.users[$0].map { "@\($0.username) " } }.joined()
  }
}
