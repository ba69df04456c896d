/// Turns records into the JSON that a request asked for, and gathers what the expansions bring in.
struct Rendering {
  let world: World
  let viewer: Identifier?
  let userFields: Set<String>
  let postFields: Set<String>
  let listFields: Set<String>
  let expansions: Set<String>
  let mediaFields: Set<String>

  private(set) var includedUsers: [JSON] = []
  private(set) var includedPosts: [JSON] = []
  private(set) var includedMedia: [JSON] = []
  private(set) var errors: [MissingResource] = []
  private var seenUsers: Set<Identifier> = []
  private var seenPosts: Set<Identifier> = []
  private var seenMedia: Set<Identifier> = []

  init(_ world: World, _ exchange: Exchange) {
    self.world = world
    viewer = exchange.caller.user
    userFields = Set(exchange.strings("user.fields")).union(["id", "name", "username"])
    postFields = Set(exchange.strings("post.fields")).union(["id", "text"])
    listFields = Set(exchange.strings("list.fields")).union(["id", "name"])
    expansions = Set(exchange.strings("expansions"))
    mediaFields = Set(exchange.strings("media.fields")).union(["media_key", "type"])
  }

  mutating func include(user id: Identifier) {
    guard let user = world.users[id], seenUsers.insert(id).inserted else { return }
    includedUsers.append(fields(of: user))
  }

  mutating func include(post id: Identifier, namedBy parameter: String) {
    guard seenPosts.insert(id).inserted else { return }
    if let post = world.posts[id] {
      includedPosts.append(fields(of: post))
    } else {
      errors.append(MissingResource(kind: .post, parameter: parameter, value: String(id)))
    }
  }

  mutating func include(media id: Identifier) {
    guard let media = world.media[id], seenMedia.insert(id).inserted else { return }
    includedMedia.append(
      Self.select(
        [
          "media_key": .string(media.key), "type": media.isVideo ? "video" : media.isGIF ? "animated_gif" : "photo",
          "alt_text": media.altText.map(JSON.string),
        ], mediaFields))
  }

  mutating func report(missing resource: MissingResource) { errors.append(resource) }

  /// The whole answer: `data`, then what the expansions and the missing resources add.
  func answer(data: JSON?, meta: [String: JSON]? = nil) -> Answer {
    var document: [String: JSON] = [:]
    document["data"] = data
    var includes: [String: JSON] = [:]
    if !includedUsers.isEmpty { includes["users"] = .array(includedUsers) }
    if !includedMedia.isEmpty { includes["media"] = .array(includedMedia) }
    if !includedPosts.isEmpty { includes["posts"] = .array(includedPosts) }
    if !includes.isEmpty { document["includes"] = .object(includes) }
    if !errors.isEmpty { document["errors"] = .array(errors.map(\.document)) }
    if let meta { document["meta"] = .object(meta) }
    return Answer(json: .object(document))
  }

  static func select(_ all: [String: JSON?], _ names: Set<String>) -> JSON {
    .object(all.filter { names.contains($0.key) }.compactMapValues { $0 })
  }
}
