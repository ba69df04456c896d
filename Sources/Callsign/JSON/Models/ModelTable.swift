import Foundation

/// What reading and writing do with a member.
enum MemberCode: UInt8 {
  case string, int, number, bool, date, model, value
}

/// A layout, compiled once for each model type of a process and never freed.
///
/// `@unchecked Sendable`: it is changed only while it is being compiled, under the lock that publishes it.
final class ModelTable: @unchecked Sendable {
  struct Member {
    let code: MemberCode
    let isRequired: Bool
    /// Whether null is a value of its own.
    let isNullable: Bool
    /// The name's bytes within `names`, as the text has them.
    let nameStart: UnsafePointer<UInt8>
    let nameCount: Int
    /// The name quoted and escaped.
    let quotedStart: UnsafePointer<UInt8>
    let quotedCount: Int
  }

  /// The Swift type's name, for descriptions.
  let typeName: String
  private(set) var names: [String] = []
  /// Without the member that keeps unknown ones.
  private(set) var count = 0
  /// All slots, with the one for unknown members.
  private(set) var slotCount = 0
  /// One for each of `count`.
  private(set) var members: UnsafePointer<Member>
  private(set) var required: [Int] = []
  /// What `MemberCode.date`, `.model` and `.value` need, by member.
  private(set) var formats: [DateFormat?] = []
  private(set) var models: [ModelTable?] = []
  private(set) var codecs: [ValueCodec?] = []
  /// Reads and writes the unknown members, if the model keeps them.
  private(set) var extra: ValueCodec?

  /// Positions of members by the hash of their names, with -1 for free places; a power of two of them.
  private var places: UnsafePointer<Int16>
  private var placeMask = 0

  private init(typeName: String) {
    self.typeName = typeName
    members = UnsafePointer(UnsafeMutablePointer<Member>.allocate(capacity: 0))
    places = UnsafePointer(UnsafeMutablePointer<Int16>.allocate(capacity: 0))
  }

  // MARK: Cache

  private static let cache = Locked<[ObjectIdentifier: ModelTable]>([:])

  /// The table of a type, compiled at the first use together with the tables of all types that it can hold.
  static func of(_ type: any Model.Type) -> ModelTable {
    cache.withLock { cache in table(type, &cache) }
  }

  private static func table(_ type: any Model.Type, _ cache: inout [ObjectIdentifier: ModelTable]) -> ModelTable {
    if let table = cache[ObjectIdentifier(type)] { return table }
    let table = ModelTable(typeName: String(describing: type))
    // In the cache before it is compiled, because a model may hold itself.
    cache[ObjectIdentifier(type)] = table
    table.compile(type.layout, &cache)
    return table
  }

  // MARK: Compiling

  /// The colon between a field's name and its type. A date's pattern has colons of its own: `at:date(HH:mm)?`.
  private static func separator(in field: Substring) -> Substring.Index? {
    if let open = field.lastIndex(of: "("), field[..<open].hasSuffix("date") {
      return field[..<open].lastIndex(of: ":")
    }
    return field.lastIndex(of: ":")
  }

  private func compile(_ layout: ModelLayout, _ cache: inout [ObjectIdentifier: ModelTable]) {
    var members: [Member] = []
    for field in WordList.words(layout.text) {
      guard let colon = Self.separator(in: field) else { continue }
      let name = String(field[..<colon])
      var parser = LayoutTypeParser(field[field.index(after: colon)...], layout.types)
      if name == "*" {
        extra = parser.mapElement()?.codec.map
        continue
      }
      let type = parser.type()
      let (start, nameCount) = Self.immortal(Array(name.utf8))
      let (quotedStart, quotedCount) = Self.immortal(Self.quoted(name))
      if !parser.isOptional { required.append(members.count) }
      members.append(
        Member(
          code: type.code, isRequired: !parser.isOptional, isNullable: parser.isNullable, nameStart: start,
          nameCount: nameCount, quotedStart: quotedStart, quotedCount: quotedCount))
      names.append(name)
      formats.append(type.format)
      models.append(type.model.map { Self.table($0, &cache) })
      codecs.append(type.codecIfNeeded)
    }
    count = members.count
    slotCount = extra == nil ? count : count + 1
    let memory = UnsafeMutablePointer<Member>.allocate(capacity: count)
    memory.initialize(from: members, count: count)
    self.members = UnsafePointer(memory)

    var capacity = 4
    while capacity < count * 2 { capacity *= 2 }
    let places = UnsafeMutablePointer<Int16>.allocate(capacity: capacity)
    places.initialize(repeating: -1, count: capacity)
    placeMask = capacity - 1
    for (index, member) in members.enumerated() {
      var place = Self.hash(member.nameStart, member.nameCount) & placeMask
      while places[place] >= 0 { place = (place + 1) & placeMask }
      places[place] = Int16(truncatingIfNeeded: index)
    }
    self.places = UnsafePointer(places)
  }

  private static func immortal(_ bytes: [UInt8]) -> (UnsafePointer<UInt8>, Int) {
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: max(1, bytes.count))
    memory.initialize(from: bytes, count: bytes.count)
    return (UnsafePointer(memory), bytes.count)
  }

  private static func quoted(_ name: String) -> [UInt8] {
    var writer = JSONWriter()
    writer.string(name)
    return writer.bytes
  }

  // MARK: Lookup

  /// The position of the member with this name, -1 if there is none. `expected` is looked at first: members mostly
  /// come in the order of the catalogue.
  @inline(__always)
  func index(of start: UnsafePointer<UInt8>, _ nameCount: Int, expected: Int) -> Int {
    if expected < count {
      let member = members[expected]
      if member.nameCount == nameCount, memcmp(member.nameStart, start, nameCount) == 0 { return expected }
    }
    return find(start, nameCount)
  }

  @inline(never)
  private func find(_ start: UnsafePointer<UInt8>, _ nameCount: Int) -> Int {
    var place = Self.hash(start, nameCount) & placeMask
    while true {
      let index = Int(places[place])
      if index < 0 { return -1 }
      let member = members[index]
      if member.nameCount == nameCount, memcmp(member.nameStart, start, nameCount) == 0 { return index }
      place = (place + 1) & placeMask
    }
  }

  /// The table is always at most half full and never grows, so a hash that is easy to collide with does no harm.
  @inline(__always)
  private static func hash(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int {
    var hash = UInt64(truncatingIfNeeded: count)
    var index = 0
    while index < count {
      hash = (hash ^ UInt64(start[index])) &* 0x100_0000_01B3
      index += 1
    }
    return Int(truncatingIfNeeded: hash ^ (hash &>> 32)) & Int.max
  }
}
