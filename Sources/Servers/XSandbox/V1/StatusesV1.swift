import Foundation

/// Posts and deletes tweets.
enum StatusesV1 {
  static let operations: [Operation] = [
    .v1("POST", "statuses/update", .v1Write, respond: update),
    .v1("POST", "statuses/destroy/{id}", .v1Write, respond: destroy),
  ]

  private static func update(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let author = try context.authenticatedUser()
    let media = try attached(context, author, database)
    let draft = try StatusDraft(context, author: author, hasMedia: !media.isEmpty, in: database)
    try draft.check(author, in: database)
    let isSensitive = try context.flag("possibly_sensitive") ?? false
    let (place, point) = try origin(context, database)
    let post = database.addPost(
      by: author, text: draft.wholeText, at: context.now, source: context.source, repliesTo: draft.repliesTo?.id,
      quotes: draft.quotes)
    database.posts[post.id]?.media = media
    database.posts[post.id]?.hiddenPrefix = draft.hiddenPrefix
    database.posts[post.id]?.isSensitive = isSensitive
    database.posts[post.id]?.cardURI = context.parameter("card_uri")
    database.posts[post.id]?.place = place
    database.posts[post.id]?.point = point
    return try context.status(database.posts[post.id] ?? post, in: database)
  }

  /// Where a tweet was posted: the place, or the smallest place around the point, and the point itself if it is to be shown.
  private static func origin(
    _ context: RequestContext, _ database: Database
  ) throws(Problem) -> (place: Identifier?, point: GeographicPoint?) {
    let point = try context.point()
    let isShown = try context.flag("display_coordinates") ?? false
    guard let key = context.parameter("place_id") else {
      return (point.flatMap { database.places(around: $0).first?.id }, isShown ? point : nil)
    }
    guard let place = database.place(key) else { throw .invalidParameter("place_id") }
    return (place.id, isShown ? point : nil)
  }

  private static func attached(
    _ context: RequestContext, _ author: Identifier, _ database: Database
  ) throws(Problem) -> [Identifier] {
    guard let ids = try context.listParameter("media_ids") else { return [] }
    do throws(MediaRefusal) {
      return try database.attachableMedia(ids.map { Identifier($0) }, for: author, at: context.now)
    } catch { throw .v1(400, 324, error.message) }
  }

  private static func destroy(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let post = try context.pathPost(in: database)
    guard post.author == context.principal.user else {
      throw .v1(403, 183, "You may not delete another user's status.")
    }
    let response = try context.status(post, in: database)
    database.removePost(post.id)
    return response
  }
}

extension RequestContext {
  /// The response with one tweet.
  func status(_ post: PostRecord, in database: Database) throws(Problem) -> Response {
    Response(json: try RendererV1(database, self).status(post))
  }
}

/// The tweet in a `POST statuses/update`, before it is posted.
struct StatusDraft {
  private(set) var text: String
  private(set) var repliesTo: PostRecord?
  private(set) var quotes: Identifier?
  /// The length of the mentions that `auto_populate_reply_metadata` adds at the beginning, in Unicode scalars.
  private(set) var hiddenPrefix = 0
  private let hasMedia: Bool
  /// A link for sending its author a message, which X adds after the text.
  private var link: String?

  /// The text as shown.
  var wholeText: String { link.map { "\(text) \($0)" } ?? text }

  init(_ context: RequestContext, author: Identifier, hasMedia: Bool, in database: Database) throws(Problem) {
    self.hasMedia = hasMedia
    text = hasMedia ? context.parameter("status") ?? "" : try context.required("status")
    // X no longer sends messages through commands.
    let (refuses, takes) = (try context.flag("fail_dmcommands"), try context.flag("enable_dmcommands"))
    if refuses ?? takes ?? false, Self.isMessageCommand(text) {
      throw .v1(403, 151, "There was an error sending your message: the text is a command for a direct message.")
    }
    if let address = context.parameter("attachment_url") {
      if MessageLink(address).isValid(in: database) {
        link = address
      } else {
        quotes = try Self.quoted(address, in: database)
      }
    }
    guard let id = try context.identifierParameter("in_reply_to_status_id") else { return }
    guard let parent = database.posts[id] else {
      throw .v1(403, 385, "You attempted to reply to a Tweet that is deleted or not visible to you.")
    }
    if try context.flag("auto_populate_reply_metadata") ?? false {
      let prefix = try Self.mentions(of: parent, context, author: author, in: database)
      hiddenPrefix = prefix.unicodeScalars.count
      text = prefix + text
      repliesTo = parent
    } else if parent.author == author || Self.mentions(parent.author, text, in: database) {
      // Otherwise X ignores the parameter.
      repliesTo = parent
    }
  }

  func check(_ author: Identifier, in database: Database) throws(Problem) {
    let written = String(String.UnicodeScalarView(text.unicodeScalars.dropFirst(hiddenPrefix)))
    if hasMedia, written.isEmpty { return }
    guard !written.unicodeScalars.allSatisfy(\.properties.isWhitespace) else { throw .missingParameter("status") }
    guard PostLength.of(written) <= PostLength.maximum else {
      throw .v1(403, 186, "Tweet needs to be a bit shorter.")
    }
    if !hasMedia, database.hasRecentPost(by: author, text: wholeText, repliesTo: repliesTo?.id, quotes: quotes) {
      throw .v1(403, 187, "Status is a duplicate.")
    }
  }

  /// Whether a text is a command to send a direct message: `d name text`, `m name text`, `dm name text`.
  private static func isMessageCommand(_ text: String) -> Bool {
    let words = text.split(separator: " ", maxSplits: 2)
    return words.count == 3 && ["d", "m", "dm"].contains(words[0].lowercased())
      && Pattern.isUsername(String(words[1].trimmingPrefix("@")))
  }

  /// The ID in a permalink such as `https://twitter.com/alice/status/20`.
  private static func quoted(_ address: String, in database: Database) throws(Problem) -> Identifier {
    let hosts: Set = ["twitter.com", "www.twitter.com", "mobile.twitter.com", "x.com", "www.x.com"]
    guard let url = URL(string: address), let host = url.host, hosts.contains(host.lowercased()),
      case let parts = url.pathComponents, parts.count == 4, parts[2] == "status", let id = Identifier(parts[3]),
      let post = database.posts[id], database.user(named: parts[1])?.id == post.author
    else { throw .invalidParameter("attachment_url") }
    return id
  }

  private static func mentions(_ user: Identifier, _ text: String, in database: Database) -> Bool {
    PostEntities(text).mentions.contains { database.user(named: $0.text)?.id == user }
  }

  /// The mentions `@author @others `, without the replying user and the excluded users. The author is always included.
  private static func mentions(
    of parent: PostRecord, _ context: RequestContext, author: Identifier, in database: Database
  ) throws(Problem) -> String {
    let excluded = Set((try context.listParameter("exclude_reply_user_ids") ?? []).compactMap { Identifier($0) })
    let mentioned = PostEntities(parent.text).mentions.compactMap { database.user(named: $0.text)?.id }
      .filter { !excluded.contains($0) && $0 != parent.author }
    var seen: Set<Identifier> = [author]
    return ([parent.author] + mentioned).filter { seen.insert($0).inserted }
      .compactMap { database.users[$0].map { "@\($0.username) " } }.joined()
  }
}

/// The operations that look up tweets by ID.
enum StatusLookupV1 {
  static let operations: [Operation] = [
    .v1("GET", "statuses/show/{id}", .v1Read, respond: show),
    .v1("GET", "statuses/lookup", .v1Read, respond: lookup),
    .v1("POST", "statuses/lookup", .v1Read, respond: lookup),
  ]

  private static func show(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    try context.status(try context.pathPost(in: database), in: database)
  }

  private static func lookup(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    guard let texts = try context.listParameter("id") else { throw .missingParameter("id") }
    guard texts.allSatisfy(Pattern.isIdentifier) else { throw .invalidParameter("id") }
    let renderer = try RendererV1(database, context)
    var seen: Set<String> = []
    let found = texts.filter { seen.insert($0).inserted }.map { text in
      (text, Identifier(text).flatMap { database.posts[$0] }.map { renderer.status($0) })
    }
    if try context.flag("map") ?? false {
      let byIdentifier = Dictionary(found.map { ($0.0, JSON.nullable($0.1)) }) { first, _ in first }
      return Response(json: ["id": .object(byIdentifier)])
    }
    return Response(json: .array(found.compactMap(\.1)))
  }
}
