import Foundation

/// A database as the text of a seed that recreates it: users, posts, lists, messages between two users, Spaces and communities,
/// with their IDs, and with dates to the second.
struct SavedState {
  private let database: Database
  private var lines: [String] = []

  init(_ database: Database) { self.database = database }

  static func text(of database: Database) -> String {
    var state = SavedState(database)
    state.addPlaces()
    state.addUsers()
    state.addPosts()
    state.addLists()
    state.addMessages()
    state.addSpaces()
    state.addCommunities()
    return state.lines.joined(separator: "\n") + "\n"
  }

  /// Adds the places that not every sandbox has.
  private mutating func addPlaces() {
    let places = database.places.values.filter { Database.firstPlaces[$0.id] == nil }.sorted { $0.id < $1.id }
    if !places.isEmpty { lines.append("places:") }
    for place in places {
      lines.append(
        "  - "
          + Self.flow([
            ("id", Self.quoted(place.key)), ("name", Self.quoted(place.name)), ("full", Self.quoted(place.fullName)),
            ("country", Self.quoted(place.country)), ("code", Self.quoted(place.countryCode)),
            ("type", place.kind.rawValue), ("box", "\(place.area.bounds)"),
          ]))
    }
  }

  private mutating func addUsers() {
    lines.append("users:")
    for user in database.users.values.sorted(by: { $0.id < $1.id }) {
      var members = [("id", Self.quoted(String(user.id))), ("name", Self.quoted(user.name))]
      if !user.about.isEmpty { members.append(("about", Self.quoted(user.about))) }
      if !user.location.isEmpty { members.append(("location", Self.quoted(user.location))) }
      members += names("follows", database.following[user.id])
      members += names("blocks", database.blocked[user.id])
      members += names("mutes", database.muted[user.id])
      if let pinned = user.pinnedPost { members.append(("pinned", Self.quoted(String(pinned)))) }
      lines.append("  \(Self.quoted(user.username)): \(Self.flow(members))")
    }
  }

  private mutating func addPosts() {
    lines.append("posts:")
    for entry in database.timeline.entries {
      // A repost is part of its original here.
      guard let post = database.posts[entry.member], post.reposts == nil else { continue }
      var members = [
        ("id", Self.quoted(String(post.id))), ("by", name(post.author)), ("text", Self.quoted(post.text)),
        ("at", Self.quoted(post.createdAt.formatted(.iso8601))),
      ]
      if let id = post.repliesTo, database.posts[id] != nil { members.append(("replies_to", Self.quoted(String(id)))) }
      if let id = post.quotes, database.posts[id] != nil { members.append(("quotes", Self.quoted(String(id)))) }
      if post.language != "und" { members.append(("lang", Self.quoted(post.language))) }
      if let place = post.place { members.append(("place", Self.quoted(PlaceRecord.key(place)))) }
      if let point = post.point { members.append(("point", "[\(point.longitude), \(point.latitude)]")) }
      members += names("likes", database.likingUsers[post.id])
      members += names("reposts", database.repostingUsers[post.id])
      let keepers = database.bookmarks.filter { $0.value.contains(post.id) }.keys.sorted().map(name)
      if !keepers.isEmpty { members.append(("bookmarks", "[\(keepers.joined(separator: ", "))]")) }
      lines.append("  - \(Self.flow(members))")
    }
  }

  private mutating func addLists() {
    lines.append("lists:")
    for list in database.lists.values.sorted(by: { $0.id < $1.id }) {
      var members = [
        ("id", Self.quoted(String(list.id))), ("name", Self.quoted(list.name)), ("owner", name(list.owner)),
      ]
      if !list.about.isEmpty { members.append(("about", Self.quoted(list.about))) }
      if list.isPrivate { members.append(("private", "true")) }
      members += names("members", database.members[list.id])
      members += names("followers", database.listFollowers[list.id])
      lines.append("  - \(Self.flow(members))")
    }
  }

  private mutating func addMessages() {
    lines.append("messages:")
    for message in database.messages.values.sorted(by: { $0.id < $1.id }) {
      guard let recipient = message.recipient else { continue }
      lines.append(
        "  - "
          + Self.flow([
            ("from", name(message.sender)), ("to", name(recipient)), ("text", Self.quoted(message.text)),
            ("at", Self.quoted(message.createdAt.formatted(.iso8601))),
          ]))
    }
  }

  private mutating func addSpaces() {
    if !database.spaces.isEmpty { lines.append("spaces:") }
    for space in database.spaces.values.sorted(by: { $0.id < $1.id }) {
      var members = [
        ("id", Self.quoted(space.key)), ("title", Self.quoted(space.title)), ("host", name(space.creator)),
        ("starts", Self.quoted(space.starts.formatted(.iso8601))),
      ]
      if let ends = space.ends { members.append(("ends", Self.quoted(ends.formatted(.iso8601)))) }
      if let language = space.language { members.append(("lang", Self.quoted(language))) }
      if space.isTicketed { members.append(("ticketed", "true")) }
      for (member, users) in [("speakers", space.speakers), ("invited", space.invited)] where !users.isEmpty {
        members.append((member, "[\(users.map(name).joined(separator: ", "))]"))
      }
      members += names("buyers", space.buyers)
      let posts = space.posts.entries.map(\.member).filter {
        database.posts[$0]?.reposts == nil && database.posts[$0] != nil
      }
      if !posts.isEmpty {
        members.append(("posts", "[\(posts.map { Self.quoted(String($0)) }.joined(separator: ", "))]"))
      }
      lines.append("  - \(Self.flow(members))")
    }
  }

  private mutating func addCommunities() {
    if !database.communities.isEmpty { lines.append("communities:") }
    for community in database.communities.values.sorted(by: { $0.id < $1.id }) {
      var members = [("id", Self.quoted(String(community.id))), ("name", Self.quoted(community.name))]
      if !community.about.isEmpty { members.append(("about", Self.quoted(community.about))) }
      if community.isClosed { members.append(("closed", "true")) }
      members += names("members", community.members)
      lines.append("  - \(Self.flow(members))")
    }
  }

  private func name(_ user: Identifier) -> String { Self.quoted(database.users[user]?.username ?? "") }

  private func names(_ member: String, _ relation: Relation?) -> [(String, String)] {
    let names = (relation?.entries ?? []).map { name($0.member) }
    return names.isEmpty ? [] : [(member, "[\(names.joined(separator: ", "))]")]
  }

  private static func flow(_ members: [(String, String)]) -> String {
    "{" + members.map { "\($0.0): \($0.1)" }.joined(separator: ", ") + "}"
  }

  /// A JSON string is also valid YAML, whatever it contains.
  private static func quoted(_ text: String) -> String { String(decoding: JSON.string(text).bytes, as: UTF8.self) }
}
