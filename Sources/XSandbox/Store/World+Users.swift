import Foundation

extension World {
  func user(named username: String) -> UserRecord? { usernames[username.lowercased()].flatMap { users[$0] } }

  mutating func addUser(username: String, name: String, about: String = "", at date: Date) -> UserRecord {
    let user = UserRecord(id: identifiers.next(), username: username, name: name, about: about, createdAt: date)
    users[user.id] = user
    usernames[username.lowercased()] = user.id
    return user
  }

  /// - Returns: whether this is new.
  @discardableResult
  mutating func follow(_ target: Identifier, by user: Identifier) -> Bool {
    followers[target, default: Relation()].insert(user)
    return following[user, default: Relation()].insert(target)
  }

  @discardableResult
  mutating func unfollow(_ target: Identifier, by user: Identifier) -> Bool {
    followers[target]?.remove(user)
    return following[user]?.remove(target) ?? false
  }
}
