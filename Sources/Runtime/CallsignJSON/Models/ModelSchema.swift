// Sound: names are read only in the closure that gets their bytes, and within their count.

import CallsignSupport

/// A model's layout, taken apart once for each type of a process.
///
/// `@unchecked Sendable`: nothing changes after it was made, and codecs have no state.
final class ModelSchema: @unchecked Sendable {
  /// The most members of a model. The checks of a catalogue say the same.
  static let memberLimit = 32_767

  let type: any Model.Type
  let members: [LayoutMember]
  /// The positions of the members that must be there.
  let required: [Int]
  /// The member that the whole document is read as, if the document lacks that member.
  let bareMember: Int?
  /// The member that distinguishes a value from others of the type: a required `id`.
  let identity: Int?
  /// Reads and writes each of the unknown members, if the model keeps them.
  let extra: ValueCodec?
  /// The reason why no value of the type can be read, if there is one.
  let problem: String?
  private let aliases: [(name: String, member: Int)]
  private let rows: NameTable

  /// Members, without the one that keeps unknown ones.
  var count: Int { members.count }
  /// A storage whose members are all left out.
  var empty: ModelStorage { ModelStorage(count: extra == nil ? members.count : members.count + 1) }

  fileprivate init(_ type: any Model.Type, _ schemas: SchemaTable) {
    let layout = LayoutParser(type._layout, schemas)
    self.type = type
    members = layout.members
    aliases = layout.aliases
    bareMember = layout.bareMember
    extra = layout.extra
    required = members.indices.filter { layout.members[$0].isRequired }
    identity = required.first { index in
      (layout.members[index].property ?? PropertyName.usual(of: layout.members[index].name)) == "id"
    }
    rows = NameTable(members.map(\.name) + layout.aliases.map(\.name))
    let tooMany = "\(type) has \(members.count) members, and a model has at most \(Self.memberLimit)"
    problem = members.count > Self.memberLimit ? tooMany : nil
  }

  // MARK: Missing members

  /// Whether a value of the type may be without a required member, which then reads as its type's empty value.
  func canBeEmpty(_ index: Int) -> Bool { index != identity && members[index].type.hasEmptyValue }

  /// Whether a member is the content that the type only wraps, such as `data` of a response: without it, a document is
  /// empty.
  func isContent(_ index: Int) -> Bool {
    guard identity == nil, case .model(let link) = members[index].type else { return false }
    return link.schema.identity != nil
  }

  // MARK: Names

  /// The Swift name of a member, or of the unknown members.
  func propertyName(_ index: Int) -> String {
    guard members.indices.contains(index) else { return "extra" }
    return members[index].property ?? PropertyName.usual(of: members[index].name)
  }

  /// The row with this name: a member's position, or one behind all members for an alias; `nil` if there is none.
  func row(of name: UnsafeBufferPointer<UInt8>) -> Int? { rows.row(of: name) }

  /// The position of the member that a row names.
  func index(ofRow row: Int) -> Int { row < count ? row : aliases[row - count].member }

  /// The name of a member on the wire, or of the member that an alias's row refers to.
  func name(ofRow row: Int) -> String { row < count ? members[row].name : aliases[row - count].name }

  /// The position of the member with this name or alias; `nil` if there is none.
  func index(of name: String) -> Int? {
    var name = name
    return name.withUTF8 { row(of: $0) }.map { index(ofRow: $0) }
  }

  /// Whether a member has the name, apart from aliases.
  func hasMember(_ name: String) -> Bool { members.contains { $0.name == name } }

  /// The schema of a type, made at the first use together with the schemas of all types that it can hold.
  static func of(_ type: any Model.Type) -> ModelSchema { SchemaTable.shared.withLock { $0.link(to: type).schema } }
}

/// The schemas of all types of models that were used so far. One thread at a time may use it.
final class SchemaTable {
  fileprivate static let shared = Locked(SchemaTable())

  private var links: [ObjectIdentifier: SchemaLink] = [:]

  func link(to type: any Model.Type) -> SchemaLink {
    if let link = links[ObjectIdentifier(type)] { return link }
    let link = SchemaLink(type)
    // Known before the schema is made, because a model may hold itself.
    links[ObjectIdentifier(type)] = link
    link.made = ModelSchema(type, self)
    return link
  }
}

/// The schema of a type of model, for the schemas that hold it.
///
/// `@unchecked Sendable`: `made` is set once, before the lock that was held when the link was made is released.
final class SchemaLink: @unchecked Sendable {
  let type: any Model.Type
  fileprivate var made: ModelSchema?

  fileprivate init(_ type: any Model.Type) { self.type = type }

  var schema: ModelSchema {
    // Not reachable from outside data: schemas are made whole before the lock of their table is given up.
    guard let made else { preconditionFailure("a schema was asked for while it was being made") }
    return made
  }
}

/// The rows of names, found by their bytes.
private struct NameTable {
  private let names: [SchemaName]
  /// Rows by the hash of their names, -1 for a free place. Their number is a power of two, and at most half of them are
  /// taken.
  private let places: [Int32]
  /// The number of bytes at the end of a name that its hash includes.
  private let hashedBytes: Int

  init(_ names: [String]) {
    self.names = names.map { SchemaName(Array($0.utf8)) }
    // The length and the last bytes distinguish most names of one model; not those of thousands of numbered members.
    hashedBytes = names.count > 64 ? .max : 6
    var capacity = 4
    while capacity < names.count * 2 { capacity *= 2 }
    var places = [Int32](repeating: -1, count: capacity)
    for (row, name) in self.names.enumerated() {
      var place = Self.hash(name.bytes, hashedBytes) & (capacity - 1)
      while places[place] >= 0 { place = (place + 1) & (capacity - 1) }
      places[place] = Int32(row)
    }
    self.places = places
  }

  func row(of name: UnsafeBufferPointer<UInt8>) -> Int? {
    var place = Self.hash(name, hashedBytes) & (places.count - 1)
    while places[place] >= 0 {
      let row = Int(places[place])
      if names[row].bytes.elementsEqual(name) { return row }
      place = (place + 1) & (places.count - 1)
    }
    return nil
  }

  /// Of the length and the last bytes. The names of a table never change, so a hash that is easy to collide with does no harm.
  private static func hash(_ name: UnsafeBufferPointer<UInt8>, _ hashedBytes: Int) -> Int {
    var hash = name.count
    for place in max(0, name.count - hashedBytes)..<name.count { hash = hash &* 31 &+ Int(name[place]) }
    return hash
  }
}
