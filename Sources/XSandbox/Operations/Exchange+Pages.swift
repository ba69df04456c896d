extension Exchange {
  /// The part of a list that the request asks for.
  func page(
    of relation: Relation?, defaultSize: Int, isIncluded: (Identifier) -> Bool = { _ in true }
  ) throws(Problem) -> Page {
    try Page(
      of: relation, size: integer("max_results") ?? defaultSize, token: string("pagination_token"), scope: pageScope,
      isIncluded: isIncluded)
  }

  /// The answer with the users of a page.
  func users(
    _ relation: Relation?, in world: World, defaultSize: Int = 100
  ) throws(Problem) -> Answer {
    let page = try page(of: relation, defaultSize: defaultSize)
    var rendering = Rendering(world, self)
    var data: [JSON] = []
    for id in page.members {
      if let user = world.users[id] { data.append(rendering.user(user)) }
    }
    return rendering.answer(data: data.isEmpty ? nil : .array(data), meta: page.meta(resultCount: data.count))
  }

  /// The answer with the lists of a page, of which the caller sees those that it may see.
  func lists(_ relation: Relation?, in world: World) throws(Problem) -> Answer {
    let viewer = caller.user
    let page = try page(of: relation, defaultSize: 100) { world.list($0, visibleTo: viewer) != nil }
    var rendering = Rendering(world, self)
    var data: [JSON] = []
    for id in page.members {
      if let list = world.lists[id] { data.append(rendering.list(list)) }
    }
    return rendering.answer(data: data.isEmpty ? nil : .array(data), meta: page.meta(resultCount: data.count))
  }

  /// The answer with the posts of a page.
  func posts(_ page: Page, in world: World, withBorders: Bool = true) -> Answer {
    var rendering = Rendering(world, self)
    var data: [JSON] = []
    for id in page.members {
      if let post = world.posts[id] { data.append(rendering.post(post)) }
    }
    var meta = page.meta(resultCount: data.count)
    if withBorders {
      meta["newest_id"] = page.members.first.map { .string(String($0)) }
      meta["oldest_id"] = page.members.last.map { .string(String($0)) }
    }
    return rendering.answer(data: data.isEmpty ? nil : .array(data), meta: meta)
  }
}
