/// A folder of bookmarks in the database.
struct BookmarkFolderRecord: Sendable {
  let id: Identifier
  var owner: Identifier
  var name: String
  var posts = Relation()
}

extension Database {
  mutating func addFolder(_ name: String, of owner: Identifier) -> BookmarkFolderRecord {
    let folder = BookmarkFolderRecord(id: identifiers.next(), owner: owner, name: name)
    bookmarkFolders[folder.id] = folder
    foldersOfUser[owner, default: Relation()].insert(folder.id)
    return folder
  }

  /// - Parameter folder: A folder to add it to, in addition to the list of all bookmarks.
  mutating func bookmark(_ post: Identifier, by user: Identifier, in folder: Identifier? = nil) {
    bookmarks[user, default: Relation()].insert(post)
    if let folder { bookmarkFolders[folder]?.posts.insert(post) }
  }

  mutating func removeBookmark(_ post: Identifier, of user: Identifier) {
    bookmarks[user]?.remove(post)
    for entry in foldersOfUser[user]?.entries ?? [] { bookmarkFolders[entry.member]?.posts.remove(post) }
  }

  func bookmarkCount(of post: Identifier) -> Int { bookmarks.values.count { $0.contains(post) } }
}
