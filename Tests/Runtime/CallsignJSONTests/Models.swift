import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignJSON
import CallsignTesting
import Foundation
import XCore

/// Models in the generator's form, one of each kind.
enum API {
  struct Post: Model, Codable, Hashable, CustomReflectable, CustomDebugStringConvertible, Identifiable {
    var _storage: ModelStorage
    static var _layout: ModelLayout {
      ModelLayout(
        "id:string text:string? likes:int? score:number? pinned:bool? created_at:date? day:date(day)? at:date(seconds)? kind:string? author:#0? quoted:#1? tags:[string]? replies:[#1]? counts:{int}? raw:json? media:bytes? note:string|null? seen:[date(milliseconds)]?",
        User.self, Post.self)
    }
    var id: String {
      get { _storage[string: 0] }
      set { _storage[string: 0] = newValue }
    }
    var text: String? {
      get { _storage[string: 1] }
      set { _storage[string: 1] = newValue }
    }
    var likes: Int? {
      get { _storage[int: 2] }
      set { _storage[int: 2] = newValue }
    }
    var score: Double? {
      get { _storage[number: 3] }
      set { _storage[number: 3] = newValue }
    }
    var pinned: Bool? {
      get { _storage[bool: 4] }
      set { _storage[bool: 4] = newValue }
    }
    var createdAt: Date? {
      get { _storage[date: 5] }
      set { _storage[date: 5] = newValue }
    }
    var day: Date? {
      get { _storage[date: 6] }
      set { _storage[date: 6] = newValue }
    }
    var at: Date? {
      get { _storage[date: 7] }
      set { _storage[date: 7] = newValue }
    }
    var kind: Kind? {
      get { _storage[enum: 8] }
      set { _storage[enum: 8] = newValue }
    }
    var author: User? {
      get { _storage[model: 9] }
      set { _storage[model: 9] = newValue }
    }
    var quoted: Post? {
      get { _storage[model: 10] }
      set { _storage[model: 10] = newValue }
    }
    var tags: [String] {
      get { _storage[list: 11] }
      set { _storage[list: 11] = newValue }
      _modify { yield &_storage[list: 11] }
    }
    var replies: [Post] {
      get { _storage[list: 12] }
      set { _storage[list: 12] = newValue }
      _modify { yield &_storage[list: 12] }
    }
    var counts: [String: Int]? {
      get { _storage[value: 13] }
      set { _storage[value: 13] = newValue }
    }
    var raw: JSONValue? {
      get { _storage[value: 14] }
      set { _storage[value: 14] = newValue }
    }
    var media: Data? {
      get { _storage[value: 15] }
      set { _storage[value: 15] = newValue }
    }
    var note: Nullable<String>? {
      get { _storage[nullable: 16] }
      set { _storage[nullable: 16] = newValue }
    }
    var seen: [Date] {
      get { _storage[list: 17] }
      set { _storage[list: 17] = newValue }
    }

    init(_storage: ModelStorage) { self._storage = _storage }

    init(id: String) {
      _storage = ModelStorage(for: Self.self)
      self.id = id
    }
  }

  /// Of any JSON, which null is too.
  struct Reading: Model, Codable, Hashable, CustomReflectable, CustomDebugStringConvertible {
    var _storage: ModelStorage
    static var _layout: ModelLayout { ModelLayout("value:json note:json?") }
    var value: JSONValue {
      get { _storage[value: 0] }
      set { _storage[value: 0] = newValue }
    }
    var note: JSONValue? {
      get { _storage[value: 1] }
      set { _storage[value: 1] = newValue }
    }
  }

  struct User: Model, Codable, Hashable, CustomReflectable, CustomDebugStringConvertible, Identifiable {
    var _storage: ModelStorage
    static var _layout: ModelLayout {
      ModelLayout("\nid:string\nfullName~full name:string\njoined:date(EEE MMM dd HH:mm:ss Z yyyy)?\n*:{json}")
    }
    var id: String {
      get { _storage[string: 0] }
      set { _storage[string: 0] = newValue }
    }
    var fullName: String {
      get { _storage[string: 1] }
      set { _storage[string: 1] = newValue }
    }
    var joined: Date? {
      get { _storage[date: 2] }
      set { _storage[date: 2] = newValue }
    }
    var extra: [String: JSONValue] {
      get { _storage[extra: 3] }
      set { _storage[extra: 3] = newValue }
    }

    init(_storage: ModelStorage) { self._storage = _storage }

    init(id: String, fullName: String) {
      _storage = ModelStorage(for: Self.self)
      self.id = id
      self.fullName = fullName
    }
  }

  struct Page: Model, Codable, Hashable {
    var _storage: ModelStorage
    static var _layout: ModelLayout {
      ModelLayout("data:[#0] meta:{#1}? clear:#2|null?", Post.self, User.self, User.self)
    }
    var data: [Post] {
      get { _storage[list: 0] }
      set { _storage[list: 0] = newValue }
    }
    var meta: [String: User]? {
      get { _storage[value: 1] }
      set { _storage[value: 1] = newValue }
    }
    var clear: Nullable<User>? {
      get { _storage[nullable: 2] }
      set { _storage[nullable: 2] = newValue }
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
    var rawValue: String {
      switch self {
      case .post: "post"
      case .longPost: "long-post"
      case .unknown(let text): text
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
    var _value: any JSONCodable & Sendable {
      switch self {
      case .post(let value): value
      case .user(let value): value
      case .unknown(let value): value
      }
    }
  }

  enum Target: Union, Codable, Hashable {
    case user(User)
    case post(Post)
    case name(String)
    case point([Double])
    case unknown(JSONValue)
    private static let variants = UnionVariants(User.self, Post.self, String.self, [Double].self)
    init(json reader: inout JSONReader) throws(JSONError) {
      switch try reader.variant(of: Self.variants) {
      case 0: self = .user(try User(json: &reader))
      case 1: self = .post(try Post(json: &reader))
      case 2: self = .name(try String(json: &reader))
      case 3: self = .point(try [Double](json: &reader))
      default: self = .unknown(try JSONValue(json: &reader))
      }
    }
    var _value: any JSONCodable & Sendable {
      switch self {
      case .user(let value): value
      case .post(let value): value
      case .name(let value): value
      case .point(let value): value
      case .unknown(let value): value
      }
    }
  }
}

extension API {
  /// Arrays that are distinguished by the kind of their elements.
  enum Lists: Union, Codable, Hashable {
    case names([String])
    case points([[Double]])
    case posts([Post])
    case rows([[Post]])
    case flags([Bool])
    case unknown(JSONValue)
    private static let variants = UnionVariants(
      [String].self, [[Double]].self, [Post].self, [[Post]].self, [Bool].self)
    init(json reader: inout JSONReader) throws(JSONError) {
      switch try reader.variant(of: Self.variants) {
      case 0: self = .names(try [String](json: &reader))
      case 1: self = .points(try [[Double]](json: &reader))
      case 2: self = .posts(try [Post](json: &reader))
      case 3: self = .rows(try [[Post]](json: &reader))
      case 4: self = .flags(try [Bool](json: &reader))
      default: self = .unknown(try JSONValue(json: &reader))
      }
    }
    var _value: any JSONCodable & Sendable {
      switch self {
      case .names(let value): value
      case .points(let value): value
      case .posts(let value): value
      case .rows(let value): value
      case .flags(let value): value
      case .unknown(let value): value
      }
    }
  }
}

extension API {
  /// Models that differ only in the values of one member each: a constant, an enum, a number, and a nested constant.
  struct Draft: Model, Codable, Hashable {
    var _storage: ModelStorage
    static var _layout: ModelLayout { ModelLayout("kind:string=draft id:string") }
  }
  struct Note: Model, Codable, Hashable {
    var _storage: ModelStorage
    static var _layout: ModelLayout { ModelLayout("kind:string=note id:string") }
  }
  struct Publication: Model, Codable, Hashable {
    var _storage: ModelStorage
    static var _layout: ModelLayout { ModelLayout("kind:#0 id:string", Kind.self) }
  }
  struct Anything: Model, Codable, Hashable {
    var _storage: ModelStorage
    static var _layout: ModelLayout { ModelLayout("kind:string id:string") }
  }
  struct First: Model, Codable, Hashable {
    var _storage: ModelStorage
    static var _layout: ModelLayout { ModelLayout("version:int=1 isOld:bool=true id:string?") }
  }
  struct Second: Model, Codable, Hashable {
    var _storage: ModelStorage
    static var _layout: ModelLayout { ModelLayout("version:int=2 isOld:bool=false id:string?") }
  }
  struct DraftEnvelope: Model, Codable, Hashable {
    var _storage: ModelStorage
    static var _layout: ModelLayout { ModelLayout("data:#0 next:string?", Draft.self) }
  }
  struct NoteEnvelope: Model, Codable, Hashable {
    var _storage: ModelStorage
    static var _layout: ModelLayout { ModelLayout("data:#0 next:string?", Note.self) }
  }

  /// Which of models it is that are mostly alike.
  struct Alternative: VariantPosition {
    var position: Int
    static let variants = UnionVariants(
      Anything.self, Draft.self, Note.self, Publication.self, First.self, Second.self, DraftEnvelope.self,
      NoteEnvelope.self)
  }
}

extension API {
  struct LongNote: Model, Codable, Hashable {
    var _storage: ModelStorage
    static var _layout: ModelLayout { ModelLayout("kind:string=note id:string text:string?") }
  }
  struct PlacedPublication: Model, Codable, Hashable {
    var _storage: ModelStorage
    static var _layout: ModelLayout { ModelLayout("kind:#0 id:string place:string?", Kind.self) }
  }

  struct NewThing: Model, Codable, Hashable {
    var _storage: ModelStorage
    static var _layout: ModelLayout { ModelLayout("id:string state:#0?", New.self) }
  }
  struct MovedThing: Model, Codable, Hashable {
    var _storage: ModelStorage
    static var _layout: ModelLayout { ModelLayout("id:string state:#0? to:string?", Moved.self) }
  }
  enum New: String, ClosedEnum, Codable { case new }
  enum Moved: OpenEnum, Codable, Hashable {
    case moved
    case unknown(String)
    static var names: StaticString { "moved" }
    init(index: Int, text: String) { self = index == 0 ? .moved : .unknown(text) }
    var rawValue: String { if case .unknown(let text) = self { text } else { "moved" } }
  }

  /// Which of models it is that know more members from one to the next.
  struct Growing: VariantPosition {
    var position: Int
    static let variants = UnionVariants(
      Draft.self, LongNote.self, PlacedPublication.self, NewThing.self, MovedThing.self)
  }
}

/// Which of some types a value is.
protocol VariantPosition: JSONCodable, Hashable {
  static var variants: UnionVariants { get }
  var position: Int { get }
  init(position: Int)
}

extension VariantPosition {
  init(json reader: inout JSONReader) throws(JSONError) {
    self.init(position: try reader.variant(of: Self.variants))
    try reader.skip()
  }
  func write(json writer: inout JSONWriter) { writer.int(position) }
}

/// Reads any value by skipping it.
struct Skipped: JSONCodable {
  init(json reader: inout JSONReader) throws(JSONError) { try reader.skip() }
  func write(json writer: inout JSONWriter) { writer.null() }
}
