extension Rendering {
  mutating func list(_ list: ListRecord) -> JSON {
    if expansions.contains("owner_id") { include(user: list.owner) }
    let all: [String: JSON?] = [
      "id": .string(String(list.id)), "name": .string(list.name), "description": .string(list.about),
      "private": .boolean(list.isPrivate), "created_at": .string(Timestamp.text(list.createdAt)),
      "member_count": .integer(world.members[list.id]?.count ?? 0),
      "follower_count": .integer(world.listFollowers[list.id]?.count ?? 0),
      "owner_id": .string(String(list.owner)),
    ]
    return Self.select(all, listFields.union(expansions.intersection(Fields.listExpansions)))
  }
}
