// What an answer includes, by its id.
extension XAPI.Expansions {
  /// A user by id.
  public func user(_ id: XAPI.UserID?) -> XAPI.User? {
    guard let id else { return nil }
    return users?.first { $0.id == id }
  }

  /// A user by name, in whatever case.
  public func user(named username: String?) -> XAPI.User? {
    guard let username = username?.lowercased() else { return nil }
    return users?.first { $0.username.lowercased() == username }
  }

  /// A post by id.
  public func post(_ id: XAPI.PostID?) -> XAPI.Post? {
    guard let id else { return nil }
    return posts?.first { $0.id == id }
  }

  /// Media by their keys, in the order of these.
  public func media(_ keys: [String]?) -> [XAPI.Media] {
    (keys ?? []).compactMap { key in media?.first { $0.mediaKey == key } }
  }
}
