import Callsign
import CallsignJSON

/// Models of typical API responses, to test the effect of one odd part.
extension API {
  struct TolerantUserResponse: Model, Codable, Hashable {
    var _storage: ModelStorage
    static var _layout: ModelLayout { ModelLayout("data:#0 errors:[#1]?", User.self, Trouble.self) }
    var data: User {
      get { _storage[model: 0] }
      set { _storage[model: 0] = newValue }
    }
    var errors: [Trouble] {
      get { _storage[list: 1] }
      set { _storage[list: 1] = newValue }
    }
  }

  struct TolerantUsersResponse: Model, Codable, Hashable {
    var _storage: ModelStorage
    static var _layout: ModelLayout {
      ModelLayout("data:[#0]? errors:[#1]? meta:{json}?", User.self, Trouble.self)
    }
    var data: [User] {
      get { _storage[list: 0] }
      set { _storage[list: 0] = newValue }
    }
  }

  /// A model whose kind and version are constant.
  struct Receipt: Model, Codable, Hashable {
    var _storage: ModelStorage
    static var _layout: ModelLayout {
      ModelLayout(#"object:string=a\u003ab version:int=-2 type isFinal~is_final:bool=true id:string"#)
    }
    var object: String {
      get { _storage[string: 0] }
      set { _storage[string: 0] = newValue }
    }
    var version: Int {
      get { _storage[int: 1] }
      set { _storage[int: 1] = newValue }
    }
    var isFinal: Bool {
      get { _storage[bool: 2] }
      set { _storage[bool: 2] = newValue }
    }
    var id: String {
      get { _storage[string: 3] }
      set { _storage[string: 3] = newValue }
    }
  }

  /// Another object with an `id`.
  struct Refund: Model, Codable, Hashable {
    var _storage: ModelStorage
    static var _layout: ModelLayout { ModelLayout("object:string=refund id:string amount:int") }
  }

  /// Distinguished by its shape.
  enum ShapedRecord: Union, Codable, Hashable {
    case receipt(Receipt)
    case refund(Refund)
    case unknown(JSONValue)
    private static let variants = UnionVariants(Receipt.self, Refund.self)

    init(json reader: inout JSONReader) throws(JSONError) {
      switch try reader.variant(of: Self.variants) {
      case 0: self = .receipt(try Receipt(json: &reader))
      case 1: self = .refund(try Refund(json: &reader))
      default: self = .unknown(try JSONValue(json: &reader))
      }
    }

    var _value: any JSONCodable & Sendable {
      switch self {
      case .receipt(let value): value
      case .refund(let value): value
      case .unknown(let value): value
      }
    }
  }

  /// Distinguished by its `object`.
  enum TaggedRecord: Union, Codable, Hashable {
    case receipt(Receipt)
    case unknown(JSONValue)

    init(json reader: inout JSONReader) throws(JSONError) {
      switch try reader.variant(tag: "object", "a:b") {
      case 0: self = .receipt(try Receipt(json: &reader))
      default: self = .unknown(try JSONValue(json: &reader))
      }
    }

    var _value: any JSONCodable & Sendable {
      switch self {
      case .receipt(let value): value
      case .unknown(let value): value
      }
    }
  }

  struct Trouble: Model, Codable, Hashable {
    var _storage: ModelStorage
    static var _layout: ModelLayout { ModelLayout("title:string resource_type:string") }
    var title: String {
      get { _storage[string: 0] }
      set { _storage[string: 0] = newValue }
    }
  }

  /// Every kind of member once, some of them also under older names.
  struct Collection: Model, Codable, Hashable {
    var _storage: ModelStorage
    static var _layout: ModelLayout {
      ModelLayout(
        "posts:[#0]? tweets statuses events:[#1]? event:#1? best:#1 top users:{#2}? name:string|null? counts:[int]? own:#3? size:int? length",
        Post.self, Event.self, User.self, Point.self)
    }
    var posts: [Post] {
      get { _storage[list: 0] }
      set { _storage[list: 0] = newValue }
    }
    var events: [Event] {
      get { _storage[list: 1] }
      set { _storage[list: 1] = newValue }
    }
    var event: Event? {
      get { _storage[value: 2] }
      set { _storage[value: 2] = newValue }
    }
    var best: Event {
      get { _storage[value: 3] }
      set { _storage[value: 3] = newValue }
    }
    var users: [String: User]? {
      get { _storage[value: 4] }
      set { _storage[value: 4] = newValue }
    }
    var counts: [Int] {
      get { _storage[list: 6] }
      set { _storage[list: 6] = newValue }
    }
    var own: Point? {
      get { _storage[value: 7] }
      set { _storage[value: 7] = newValue }
    }
    var size: Int? {
      get { _storage[int: 8] }
      set { _storage[int: 8] = newValue }
    }
  }

  /// A custom type that reads models within.
  struct Point: JSONCodable, Hashable, Sendable {
    var users: [User] = []
    var x = 0.0

    init(json reader: inout JSONReader) throws(JSONError) {
      var users: [User] = []
      var x = 0.0
      try reader.object { (name, reader) throws(JSONError) in
        switch name {
        case "users": users = try reader.value()
        case "x": x = try reader.number()
        default: break
        }
      }
      (self.users, self.x) = (users, x)
    }

    func write(json writer: inout JSONWriter) {
      let (users, x) = (users, x)
      writer.object {
        $0.member("users", users)
        $0.member("x", x)
      }
    }
  }
}
