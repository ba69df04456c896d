import CallsignYAML
import Foundation

/// The initial state of a sandbox: users, their posts, lists and messages.
///
/// ```swift
/// let seed = try SandboxSeed(yaml: """
///   users:
///     ada: {name: Ada, follows: [alice], followers: 3}
///   posts:
///     - {id: first, by: ada, text: "Hello #world", likes: [alice, bob]}
///     - {by: bob, text: Welcome!, replies_to: first}
///   """)
/// let sandbox = try await Sandbox.start(seed: seed)
/// let ada = await sandbox.user(named: "ada")
/// ```
///
/// `Documentation/Sandbox.md` describes all keys. You can also load the text from ``Sandbox/saved()``.
public struct SandboxSeed: Sendable {
  struct User: Sendable {
    var username: String
    var id: Identifier?
    var name: String?
    var about: String?
    var location: String?
    var followers = 0
    var follows: [String] = []
    var blocks: [String] = []
    var mutes: [String] = []
    var pinned: String?
    var line: Int
  }

  struct Post: Sendable {
    /// The ID, or a label that other entries of the seed refer to.
    var id: String?
    var author: String
    var text: String
    var date: Date?
    var repliesTo: String?
    var quotes: String?
    var language: String
    var likes: [String]
    var reposts: [String]
    var bookmarks: [String]
    /// The ID of a place.
    var place: String?
    var point: GeographicPoint?
    var line: Int
  }

  struct Place: Sendable {
    var id: Identifier
    var name: String
    var fullName: String?
    var country: String
    var countryCode: String
    var kind: PlaceRecord.Kind
    var area: GeographicArea
  }

  struct List: Sendable {
    var id: Identifier?
    var name: String
    var owner: String
    var about: String
    var isPrivate: Bool
    var members: [String]
    var followers: [String]
    var line: Int
  }

  struct Message: Sendable {
    var sender: String
    var recipient: String
    var text: String
    var date: Date?
    var line: Int
  }

  struct Space: Sendable {
    var id: Identifier?
    var title: String
    var host: String
    var speakers: [String]
    var invited: [String]
    var buyers: [String]
    var posts: [String]
    var starts: Date?
    var ends: Date?
    var language: String?
    var isTicketed: Bool
    var line: Int
  }

  struct Community: Sendable {
    var id: Identifier?
    var name: String
    var about: String
    var isClosed: Bool
    var members: [String]
    var line: Int
  }

  var users: [User] = []
  var posts: [Post] = []
  var lists: [List] = []
  var messages: [Message] = []
  var spaces: [Space] = []
  var communities: [Community] = []
  var places: [Place] = []

  /// Creates an empty seed, with only the users that every sandbox has.
  public init() {}

  /// Reads a seed from a file.
  /// - Throws: ``SandboxError/invalidSeed(_:line:)`` with the first mistake, or if the file cannot be read.
  public init(file: String) throws(SandboxError) {
    // Uses a file handle, because `FileManager` cannot read pipes.
    let bytes: Data?
    do { bytes = try FileHandle(forReadingFrom: URL(fileURLWithPath: file)).readToEnd() } catch {
      throw .invalidSeed("\(file) cannot be read", line: 0)
    }
    try self.init(bytes: Array(bytes ?? Data()))
  }

  /// Parses a seed.
  /// - Throws: ``SandboxError/invalidSeed(_:line:)`` with the first mistake.
  public init(yaml: String) throws(SandboxError) { try self.init(bytes: Array(yaml.utf8)) }

  private init(bytes: [UInt8]) throws(SandboxError) {
    let document: YAMLDocument
    do throws(YAMLError) {
      document = try YAMLDocument(bytes, rules: .init(maximumDepth: 16, aliases: .refused))
    } catch { throw .invalidSeed(error.message, line: error.line) }
    if let twice = document.duplicateKeys.first {
      throw .invalidSeed("there are two of `\(twice.name)`", line: twice.second.line)
    }
    guard let root = document.root, !root.isNull else { return }
    let all = try SeedReader(root, knows: ["users", "posts", "lists", "messages", "spaces", "communities", "places"])
    for node in try all.elements("places") { places.append(try Self.place(node)) }
    for (name, node) in try all.members("users") {
      users.append(try Self.user(name, node))
    }
    for node in try all.elements("posts") { posts.append(try Self.post(node)) }
    for node in try all.elements("lists") { lists.append(try Self.list(node)) }
    for node in try all.elements("messages") { messages.append(try Self.message(node)) }
    for node in try all.elements("spaces") { spaces.append(try Self.space(node)) }
    for node in try all.elements("communities") { communities.append(try Self.community(node)) }
  }

  private static func user(_ name: String, _ node: YAMLNode) throws(SandboxError) -> User {
    guard Pattern.isUsername(name) else {
      throw .invalidSeed("`\(name)` is not a user name: 1 to 15 letters, digits and underscores", line: node.line)
    }
    let reader = try SeedReader(
      node, knows: ["id", "name", "about", "location", "followers", "follows", "blocks", "mutes", "pinned"])
    return User(
      username: name, id: try reader.identifier("id"), name: try reader.text("name"), about: try reader.text("about"),
      location: try reader.text("location"), followers: try reader.count("followers"),
      follows: try reader.texts("follows"),
      blocks: try reader.texts("blocks"), mutes: try reader.texts("mutes"), pinned: try reader.text("pinned"),
      line: node.line)
  }

  private static func post(_ node: YAMLNode) throws(SandboxError) -> Post {
    let reader = try SeedReader(
      node,
      knows: [
        "id", "by", "text", "at", "replies_to", "quotes", "lang", "likes", "reposts", "bookmarks", "place", "point",
      ])
    return Post(
      id: try reader.text("id"), author: try reader.required("by"), text: try reader.required("text"),
      date: try reader.date("at"), repliesTo: try reader.text("replies_to"), quotes: try reader.text("quotes"),
      language: try reader.text("lang") ?? "und", likes: try reader.texts("likes"),
      reposts: try reader.texts("reposts"), bookmarks: try reader.texts("bookmarks"), place: try reader.text("place"),
      point: try reader.point("point"), line: node.line)
  }

  private static func place(_ node: YAMLNode) throws(SandboxError) -> Place {
    let reader = try SeedReader(node, knows: ["id", "name", "full", "country", "code", "type", "box"])
    guard let id = PlaceRecord.identifier(try reader.required("id")) else {
      throw .invalidSeed("`id` must be 16 hexadecimal digits", line: node.line)
    }
    let type = try reader.text("type") ?? "city"
    guard let kind = PlaceRecord.Kind(rawValue: type) else {
      throw .invalidSeed("`type` must be neighborhood, city, admin or country", line: node.line)
    }
    guard let area = GeographicArea(try reader.numbers("box")) else {
      throw .invalidSeed("`box` must be west, south, east and north in degrees", line: node.line)
    }
    return Place(
      id: id, name: try reader.required("name"), fullName: try reader.text("full"),
      country: try reader.required("country"), countryCode: try reader.required("code"), kind: kind, area: area)
  }

  private static func list(_ node: YAMLNode) throws(SandboxError) -> List {
    let reader = try SeedReader(node, knows: ["id", "name", "owner", "about", "private", "members", "followers"])
    return List(
      id: try reader.identifier("id"), name: try reader.required("name"), owner: try reader.required("owner"),
      about: try reader.text("about") ?? "", isPrivate: try reader.flag("private"),
      members: try reader.texts("members"), followers: try reader.texts("followers"), line: node.line)
  }

  private static func message(_ node: YAMLNode) throws(SandboxError) -> Message {
    let reader = try SeedReader(node, knows: ["from", "to", "text", "at"])
    return Message(
      sender: try reader.required("from"), recipient: try reader.required("to"), text: try reader.required("text"),
      date: try reader.date("at"), line: node.line)
  }

  private static func space(_ node: YAMLNode) throws(SandboxError) -> Space {
    let reader = try SeedReader(
      node,
      knows: ["id", "title", "host", "speakers", "invited", "buyers", "posts", "starts", "ends", "lang", "ticketed"])
    return Space(
      id: try reader.text("id").map { (text) throws(SandboxError) in
        guard let id = SpaceRecord.identifier(text) else {
          throw .invalidSeed("`id` must be 1 to 13 small letters and digits", line: node.line)
        }
        return id
      }, title: try reader.required("title"), host: try reader.required("host"),
      speakers: try reader.texts("speakers"), invited: try reader.texts("invited"), buyers: try reader.texts("buyers"),
      posts: try reader.texts("posts"), starts: try reader.date("starts"), ends: try reader.date("ends"),
      language: try reader.text("lang"), isTicketed: try reader.flag("ticketed"), line: node.line)
  }

  private static func community(_ node: YAMLNode) throws(SandboxError) -> Community {
    let reader = try SeedReader(node, knows: ["id", "name", "about", "closed", "members"])
    return Community(
      id: try reader.identifier("id"), name: try reader.required("name"), about: try reader.text("about") ?? "",
      isClosed: try reader.flag("closed"), members: try reader.texts("members"), line: node.line)
  }
}
