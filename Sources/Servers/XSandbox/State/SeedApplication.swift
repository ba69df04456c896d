import Foundation

extension SandboxSeed {
  /// Adds the whole seed to a database that may already contain the first users.
  /// - Throws: ``SandboxError/invalidSeed(_:line:)`` for a user name that does not exist.
  func apply(to database: inout Database, at now: Date) throws(SandboxError) {
    var identifiers = users.compactMap(\.id) + lists.compactMap(\.id) + communities.compactMap(\.id)
    identifiers += posts.compactMap { $0.id.flatMap(Self.identifier) }
    for id in identifiers { database.identifiers.skip(past: id) }
    for seed in places {
      database.places[seed.id] = PlaceRecord(
        id: seed.id, name: seed.name, fullName: seed.fullName ?? seed.name, country: seed.country,
        countryCode: seed.countryCode, kind: seed.kind, area: seed.area)
    }
    for seed in users { add(seed, to: &database, at: now) }
    for seed in users {
      for name in seed.follows { database.follow(try id(name, seed.line, database), by: try own(seed, database)) }
      for name in seed.mutes {
        database.muted[try own(seed, database), default: Relation()].insert(try id(name, seed.line, database))
      }
      for name in seed.blocks { database.block(try id(name, seed.line, database), by: try own(seed, database)) }
    }
    var labels: [String: Identifier] = [:]
    for seed in posts { try add(seed, to: &database, at: now, &labels) }
    for seed in users {
      guard let label = seed.pinned else { continue }
      database.users[try own(seed, database)]?.pinnedPost = try post(label, seed.line, labels)
    }
    for seed in lists { try add(seed, to: &database, at: now) }
    for seed in messages {
      let (sender, recipient) = (
        try id(seed.sender, seed.line, database), try id(seed.recipient, seed.line, database)
      )
      _ = database.addMessage(from: sender, to: recipient, text: seed.text, at: seed.date ?? now)
    }
    for seed in spaces { try add(seed, to: &database, at: now, labels) }
    for seed in communities { try add(seed, to: &database, at: now) }
  }

  /// The numeric ID of a post; `nil` for a label.
  private static func identifier(_ text: String) -> Identifier? {
    Pattern.isIdentifier(text) ? Identifier(text) : nil
  }

  private func add(_ seed: User, to database: inout Database, at now: Date) {
    let known = database.user(named: seed.username)?.id
    let id =
      known
      ?? database.addUser(username: seed.username, name: seed.name ?? seed.username, id: seed.id, at: now).id
    if let name = seed.name { database.users[id]?.name = name }
    if let about = seed.about { database.users[id]?.about = about }
    if let location = seed.location { database.users[id]?.location = location }
    for _ in 0..<seed.followers { database.addFollower(to: id, at: now) }
  }

  private func add(
    _ seed: Post, to database: inout Database, at now: Date, _ labels: inout [String: Identifier]
  ) throws(SandboxError) {
    let author = try id(seed.author, seed.line, database)
    let (parent, quoted) = (
      try seed.repliesTo.map { (label) throws(SandboxError) in try post(label, seed.line, labels) },
      try seed.quotes.map { (label) throws(SandboxError) in try post(label, seed.line, labels) }
    )
    if let label = seed.id, labels[label] != nil {
      throw .invalidSeed("there are two posts `\(label)`", line: seed.line)
    }
    let record = database.addPost(
      by: author, text: seed.text, at: seed.date ?? now, source: "Sandbox App", repliesTo: parent, quotes: quoted,
      language: seed.language, id: seed.id.flatMap(Self.identifier))
    if let label = seed.id { labels[label] = record.id }
    if let key = seed.place {
      guard let place = database.place(key) else {
        throw .invalidSeed("unknown place `\(key)`; add it to `places`", line: seed.line)
      }
      database.posts[record.id]?.place = place.id
    }
    database.posts[record.id]?.point = seed.point
    for name in seed.likes { database.like(record.id, by: try id(name, seed.line, database)) }
    for name in seed.bookmarks { database.bookmark(record.id, by: try id(name, seed.line, database)) }
    for name in seed.reposts {
      _ = database.addRepost(
        of: record, by: try id(name, seed.line, database), at: seed.date ?? now, source: "Sandbox App")
    }
  }

  private func add(_ seed: List, to database: inout Database, at now: Date) throws(SandboxError) {
    let owner = try id(seed.owner, seed.line, database)
    let list = database.addList(
      owner: owner, name: seed.name, about: seed.about, isPrivate: seed.isPrivate, id: seed.id, at: now)
    for name in seed.members { database.addMember(try id(name, seed.line, database), to: list.id) }
    for name in seed.followers { database.follow(list: list.id, by: try id(name, seed.line, database)) }
  }

  private func add(
    _ seed: Space, to database: inout Database, at now: Date, _ labels: [String: Identifier]
  ) throws(SandboxError) {
    var space = SpaceRecord(
      id: seed.id ?? database.identifiers.next(), creator: try id(seed.host, seed.line, database), title: seed.title,
      createdAt: now, starts: seed.starts ?? now)
    if let ends = seed.ends, ends < space.starts {
      throw .invalidSeed("`ends` must not be before `starts`", line: seed.line)
    }
    guard database.spaces[space.id] == nil else {
      throw .invalidSeed("there are two Spaces `\(space.key)`", line: seed.line)
    }
    (space.ends, space.language, space.isTicketed) = (seed.ends, seed.language, seed.isTicketed)
    for name in seed.speakers { space.speakers.append(try id(name, seed.line, database)) }
    for name in seed.invited { space.invited.append(try id(name, seed.line, database)) }
    for name in seed.buyers { space.buyers.insert(try id(name, seed.line, database)) }
    for label in seed.posts { space.posts.insert(try post(label, seed.line, labels)) }
    database.spaces[space.id] = space
  }

  private func add(_ seed: Community, to database: inout Database, at now: Date) throws(SandboxError) {
    var community = CommunityRecord(
      id: seed.id ?? database.identifiers.next(), name: seed.name, about: seed.about, isClosed: seed.isClosed,
      createdAt: now)
    for name in seed.members { community.members.insert(try id(name, seed.line, database)) }
    database.communities[community.id] = community
  }

  private func own(_ seed: User, _ database: Database) throws(SandboxError) -> Identifier {
    try id(seed.username, seed.line, database)
  }

  private func id(_ name: String, _ line: Int, _ database: Database) throws(SandboxError) -> Identifier {
    guard let user = database.user(named: name) else {
      throw .invalidSeed("unknown user `\(name)`; add it to `users`", line: line)
    }
    return user.id
  }

  private func post(
    _ label: String, _ line: Int, _ labels: [String: Identifier]
  ) throws(SandboxError) -> Identifier {
    guard let id = labels[label] else {
      throw .invalidSeed("no post before this one has the label `\(label)`", line: line)
    }
    return id
  }
}
