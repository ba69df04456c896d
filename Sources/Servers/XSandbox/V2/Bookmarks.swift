/// The operations for bookmarks and their folders.
enum Bookmarks {
  static let operations = Operation.catalogued([
    .init("getUsersBookmarks", all), .init("createUsersBookmark", create), .init("deleteUsersBookmark", delete),
    .init("getUsersBookmarkFolders", folders), .init("createUsersBookmarkFolder", createFolder),
    .init("getUsersBookmarksByFolderId", inFolder),
  ])

  private static func all(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let user = try context.actingUser()
    let page = try context.page(of: database.bookmarks[user], defaultSize: 100)
    return context.posts(page, in: database, withBorders: false)
  }

  private static func create(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let user = try context.actingUser()
    let post = try context.requiredPost("tweet_id", in: database)
    let folder = try context.text("folder_id").map { (text) throws(Problem) in
      try Self.folder(text, of: user, parameter: "folder_id", database).id
    }
    database.bookmark(post.id, by: user, in: folder)
    return Response(json: ["data": ["bookmarked": true]])
  }

  private static func delete(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let user = try context.actingUser()
    database.removeBookmark(try context.lookUpPost("tweet_id", in: database).required().id, of: user)
    return Response(json: ["data": ["bookmarked": false]])
  }

  private static func folders(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let user = try context.actingUser()
    let page = try context.page(of: database.foldersOfUser[user], defaultSize: 100)
    let data = page.members.compactMap { database.bookmarkFolders[$0] }.map { folder -> JSON in
      ["id": .string(String(folder.id)), "name": .string(folder.name)]
    }
    return response(data, page)
  }

  private static func createFolder(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let folder = database.addFolder(context.text("name") ?? "", of: try context.actingUser())
    return Response(status: 201, json: ["data": ["id": .string(String(folder.id)), "name": .string(folder.name)]])
  }

  /// As on X, the posts in a folder are returned only as IDs.
  private static func inFolder(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let user = try context.actingUser()
    let folder = try folder(context.path["folder_id"] ?? "", of: user, parameter: "folder_id", database)
    let page = try context.page(of: folder.posts, defaultSize: 100)
    return response(page.members.map { ["id": .string(String($0))] }, page)
  }

  private static func response(_ data: [JSON], _ page: Page) -> Response {
    var meta = page.meta(resultCount: data.count)
    meta["previous_token"] = nil
    var document: [String: JSON] = ["meta": .object(meta)]
    if !data.isEmpty { document["data"] = .array(data) }
    return Response(json: .object(document))
  }

  private static func folder(
    _ text: String, of user: Identifier, parameter: String, _ database: Database
  ) throws(Problem) -> BookmarkFolderRecord {
    guard let folder = Identifier(text).flatMap({ database.bookmarkFolders[$0] }), folder.owner == user else {
      throw .missing(MissingResource(kind: .bookmarkFolder, parameter: parameter, value: text))
    }
    return folder
  }
}
