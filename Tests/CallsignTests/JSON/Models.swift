import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignJSON
import CallsignTesting
import Foundation
import XCore

/// Models in the generator's form, one of each kind that it writes.
enum API {
  struct Post: Model, Codable, Hashable {
    let storage: ModelStorage
    static var layout: ModelLayout {
      ModelLayout(
        "id:string text:string? likes:int? score:number? pinned:bool? created_at:date? day:date(day)? at:date(seconds)? kind:string? author:#0? quoted:#1? tags:[string]? replies:[#1]? counts:{int}? raw:json? media:bytes? note:string|null? seen:[date(milliseconds)]?",
        User.self, Post.self)
    }
    var id: String {
      get { self[string: 0] }
      set { self[string: 0] = newValue }
    }
    var text: String? {
      get { self[string: 1] }
      set { self[string: 1] = newValue }
    }
    var likes: Int? {
      get { self[int: 2] }
      set { self[int: 2] = newValue }
    }
    var score: Double? {
      get { self[number: 3] }
      set { self[number: 3] = newValue }
    }
    var pinned: Bool? {
      get { self[bool: 4] }
      set { self[bool: 4] = newValue }
    }
    var createdAt: Date? {
      get { self[date: 5] }
      set { self[date: 5] = newValue }
    }
    var day: Date? {
      get { self[date: 6] }
      set { self[date: 6] = newValue }
    }
    var at: Date? {
      get { self[date: 7] }
      set { self[date: 7] = newValue }
    }
    var kind: Kind? {
      get { self[enum: 8] }
      set { self[enum: 8] = newValue }
    }
    var author: User? {
      get { self[model: 9] }
      set { self[model: 9] = newValue }
    }
    var quoted: Post? {
      get { self[model: 10] }
      set { self[model: 10] = newValue }
    }
    var tags: [String]? {
      get { self[value: 11] }
      set { self[value: 11] = newValue }
    }
    var replies: [Post]? {
      get { self[value: 12] }
      set { self[value: 12] = newValue }
    }
    var counts: [String: Int]? {
      get { self[value: 13] }
      set { self[value: 13] = newValue }
    }
    var raw: JSONValue? {
      get { self[value: 14] }
      set { self[value: 14] = newValue }
    }
    var media: Data? {
      get { self[value: 15] }
      set { self[value: 15] = newValue }
    }
    var note: Nullable<String>? {
      get { self[nullable: 16] }
      set { self[nullable: 16] = newValue }
    }
    var seen: [Date]? {
      get { self[value: 17] }
      set { self[value: 17] = newValue }
    }

    init(id: String) {
      self.init(blank: ())
      self.id = id
    }
  }

  struct User: Model, Codable, Hashable {
    let storage: ModelStorage
    static var layout: ModelLayout {
      ModelLayout("\nid:string\nfull name:string\njoined:date(EEE MMM dd HH:mm:ss Z yyyy)?\n*:{json}")
    }
    var id: String {
      get { self[string: 0] }
      set { self[string: 0] = newValue }
    }
    var fullName: String {
      get { self[string: 1] }
      set { self[string: 1] = newValue }
    }
    var joined: Date? {
      get { self[date: 2] }
      set { self[date: 2] = newValue }
    }
    var extra: [String: JSONValue] {
      get { self[extra: 3] }
      set { self[extra: 3] = newValue }
    }

    init(id: String, fullName: String) {
      self.init(blank: ())
      self.id = id
      self.fullName = fullName
    }
  }

  struct Page: Model, Codable, Hashable {
    let storage: ModelStorage
    static var layout: ModelLayout {
      ModelLayout("data:[#0] meta:{#1}? clear:#2|null?", Post.self, User.self, User.self)
    }
    var data: [Post] {
      get { self[value: 0] }
      set { self[value: 0] = newValue }
    }
    var meta: [String: User]? {
      get { self[value: 1] }
      set { self[value: 1] = newValue }
    }
    var clear: Nullable<User>? {
      get { self[nullable: 2] }
      set { self[nullable: 2] = newValue }
    }
  }

  enum Kind: OpenEnum, Codable, Hashable {
    case post
    case longPost
    case unknown(String)
    static var names: StaticString { "post long-post" }
    init(index: Int, text: String) {
      switch index {
      case 0: self = .post
      case 1: self = .longPost
      default: self = .unknown(text)
      }
    }
    var position: EnumPosition {
      switch self {
      case .post: .known(0)
      case .longPost: .known(1)
      case .unknown(let text): .unknown(text)
      }
    }
  }

  enum Event: Union, Codable, Hashable {
    case post(Post)
    case user(User)
    case unknown(JSONValue)
    init(json reader: inout JSONReader) throws(JSONError) {
      switch try reader.variant(tag: "type", "post user account") {
      case 0: self = .post(try Post(json: &reader))
      case 1, 2: self = .user(try User(json: &reader))
      default: self = .unknown(try JSONValue(json: &reader))
      }
    }
    func write(json writer: inout JSONWriter) {
      switch self {
      case .post(let value): value.write(json: &writer)
      case .user(let value): value.write(json: &writer)
      case .unknown(let value): value.write(json: &writer)
      }
    }
  }

  enum Target: Union, Codable, Hashable {
    case user(User)
    case post(Post)
    case name(String)
    case point([Double])
    case unknown(JSONValue)
    init(json reader: inout JSONReader) throws(JSONError) {
      switch try reader.variant(of: User.self, Post.self, String.self, [Double].self) {
      case 0: self = .user(try User(json: &reader))
      case 1: self = .post(try Post(json: &reader))
      case 2: self = .name(try String(json: &reader))
      case 3: self = .point(try [Double](json: &reader))
      default: self = .unknown(try JSONValue(json: &reader))
      }
    }
    func write(json writer: inout JSONWriter) {
      switch self {
      case .user(let value): value.write(json: &writer)
      case .post(let value): value.write(json: &writer)
      case .name(let value): value.write(json: &writer)
      case .point(let value): value.write(json: &writer)
      case .unknown(let value): value.write(json: &writer)
      }
    }
  }
}

/// Reads any value by skipping it.
struct Skipped: JSONCodable {
  init(json reader: inout JSONReader) throws(JSONError) { try reader.skip() }
  func write(json writer: inout JSONWriter) { writer.null() }
}
