import Foundation

extension World {
  mutating func addList(
    owner: Identifier, name: String, about: String = "", isPrivate: Bool = false, at date: Date
  ) -> ListRecord {
    let list = ListRecord(
      id: identifiers.next(), owner: owner, name: name, about: about, isPrivate: isPrivate, createdAt: date)
    lists[list.id] = list
    ownedLists[owner, default: Relation()].insert(list.id)
    return list
  }

  mutating func removeList(_ id: Identifier) {
    guard let list = lists.removeValue(forKey: id) else { return }
    ownedLists[list.owner]?.remove(id)
    for entry in members.removeValue(forKey: id)?.entries ?? [] { memberships[entry.member]?.remove(id) }
    for entry in listFollowers.removeValue(forKey: id)?.entries ?? [] { followedLists[entry.member]?.remove(id) }
  }

  /// A list as `viewer` may see it: private lists show to their owners only.
  func list(_ id: Identifier, visibleTo viewer: Identifier?) -> ListRecord? {
    guard let list = lists[id], !list.isPrivate || list.owner == viewer else { return nil }
    return list
  }

  mutating func addMember(_ user: Identifier, to list: Identifier) {
    members[list, default: Relation()].insert(user)
    memberships[user, default: Relation()].insert(list)
  }

  mutating func removeMember(_ user: Identifier, from list: Identifier) {
    members[list]?.remove(user)
    memberships[user]?.remove(list)
  }

  mutating func follow(list: Identifier, by user: Identifier) {
    listFollowers[list, default: Relation()].insert(user)
    followedLists[user, default: Relation()].insert(list)
  }

  mutating func unfollow(list: Identifier, by user: Identifier) {
    listFollowers[list]?.remove(user)
    followedLists[user]?.remove(list)
  }
}
