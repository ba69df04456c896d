extension Exchange {
  /// The user that a path names; a missing one is an answer of its own (200 with `errors`).
  func lookUpUser(_ placeholder: String, in world: World) throws(Problem) -> LookUp<UserRecord> {
    let (text, id) = try identifier(placeholder)
    guard let id, let user = world.users[id] else {
      return .missing(MissingResource(kind: .user, parameter: placeholder, value: text))
    }
    return .found(user)
  }

  func lookUpPost(_ placeholder: String, in world: World) throws(Problem) -> LookUp<PostRecord> {
    let (text, id) = try identifier(placeholder)
    guard let id, let post = world.posts[id] else {
      return .missing(MissingResource(kind: .post, parameter: placeholder, value: text))
    }
    return .found(post)
  }

  func lookUpList(_ placeholder: String, in world: World) throws(Problem) -> LookUp<ListRecord> {
    let (text, id) = try identifier(placeholder)
    guard let id, let list = world.list(id, visibleTo: caller.user) else {
      return .missing(MissingResource(kind: .list, parameter: placeholder, value: text))
    }
    return .found(list)
  }

  /// The user that a member of the body names, for a write.
  func requiredUser(_ member: String, in world: World) throws(Problem) -> UserRecord {
    let text = text(member) ?? ""
    guard let user = Identifier(text).flatMap({ world.users[$0] }) else {
      throw .missing(MissingResource(kind: .user, parameter: member, value: text))
    }
    return user
  }

  /// The post that a member of the body names, for a write.
  func requiredPost(_ member: String, in world: World) throws(Problem) -> PostRecord {
    let text = text(member) ?? ""
    guard let post = Identifier(text).flatMap({ world.posts[$0] }) else {
      throw .missing(MissingResource(kind: .post, parameter: member, value: text))
    }
    return post
  }
}

/// What came of looking for a resource that a path names.
enum LookUp<Record: Sendable>: Sendable {
  case found(Record)
  case missing(MissingResource)

  /// The record, for writes: there a missing one is a 404.
  func required() throws(Problem) -> Record {
    switch self {
    case .found(let record): return record
    case .missing(let resource): throw .missing(resource)
    }
  }

  /// For reads: the answer to a missing one is 200 with `errors`.
  func answer(_ present: (Record) throws(Problem) -> Answer) throws(Problem) -> Answer {
    switch self {
    case .found(let record): return try present(record)
    case .missing(let resource): return Answer(json: ["errors": [resource.document]])
    }
  }
}
