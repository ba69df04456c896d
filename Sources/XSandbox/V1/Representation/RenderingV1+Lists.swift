import Foundation

extension ListRecord {
  /// The name as it stands in an address.
  var slug: String {
    let words = name.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "_" }
    return words.joined(separator: "-")
  }
}

extension RenderingV1 {
  func list(_ list: ListRecord) -> JSON {
    let owner = world.users[list.owner]
    let place = "\(owner?.username ?? "")/lists/\(list.slug)"
    return [
      "id": .number(list.id), "id_str": .text(list.id), "name": .string(list.name), "slug": .string(list.slug),
      "uri": .string("/\(place)"), "full_name": .string("@\(owner?.username ?? "")/\(list.slug)"),
      "description": .string(list.about), "mode": list.isPrivate ? "private" : "public",
      "subscriber_count": .integer(world.listFollowers[list.id]?.count ?? 0),
      "member_count": .integer(world.members[list.id]?.count ?? 0),
      "created_at": .string(Timestamp.v1(list.createdAt)),
      "following": .boolean(viewer.map { world.listFollowers[list.id]?.contains($0) == true } ?? false),
      "user": .nullable(owner.map { user($0, hasStatus: false) }),
    ]
  }
}
