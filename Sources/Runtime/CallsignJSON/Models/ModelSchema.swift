import CallsignSupport

/// A code that says how a member is read and written.
enum MemberCode: UInt8 {
  case string, int, number, bool, rfc3339, date, model, models, strings, value
}

/// A model's layout, compiled once for each type of a process and never freed.
///
/// `@unchecked Sendable`: it is changed only while it is being compiled, under the lock that publishes it.
final class ModelSchema: @unchecked Sendable {
  struct Member {
    let code: MemberCode
    let isRequired: Bool
    /// Whether null is a value of its own.
    let isNullable: Bool
    /// The name's bytes within `names`, as the text has them.
    let nameStart: UnsafePointer<UInt8>
    let nameCount: Int
    /// The name quoted and escaped, and then a colon, which is not counted.
    let quotedStart: UnsafePointer<UInt8>
    let quotedCount: Int
    /// For `MemberCode.model` and `.models`; tables are never freed.
    let model: UnsafeMutablePointer<Plan>?
    /// For `MemberCode.value`; the table holds it.
    let codec: Unmanaged<ValueCodec>?
  }

  /// A further name on the wire of a member.
  struct Alias {
    let nameStart: UnsafePointer<UInt8>
    let nameCount: Int
    /// The member's position.
    let member: Int
  }

  /// All that is looked at for every object that is read. Apart from the class, so that no access is checked for overlap.
  struct Plan {
    /// The schema that the plan is of.
    unowned(unsafe) var table: ModelSchema
    /// Members, without the one that keeps unknown ones.
    var count = 0
    /// All slots, with the one for unknown members.
    var slotCount = 0
    /// One for each of `count`.
    var members: UnsafePointer<Member>
    /// The further names of members; the first one's row is `count`.
    var aliases: UnsafeBufferPointer<Alias>
    /// Rows of members and aliases by the hash of their names, with -1 for free places; a power of two of them.
    var places: UnsafePointer<Int16>
    var placeMask = 0
    /// The positions of the members that must be there.
    var required: UnsafeBufferPointer<Int>
    var keepsUnknown = false
    /// Tells tables apart in what a reader has learned; tables that are used together have neighbouring numbers.
    var number = 0
    /// Whether the type is not what `Model` asks for, so that no value of it can be made.
    var isMisused = false

    /// The position of the member that a row names.
    func index(ofRow row: Int) -> Int { row < count ? row : aliases[row - count].member }
  }

  let plan: UnsafeMutablePointer<Plan>

  /// The Swift type; `nil` for the schema of no type.
  let type: (any Model.Type)?
  /// The type's identity; of the schema of no type, one that no model has.
  let typeID: ObjectIdentifier
  /// The Swift type's name, for descriptions.
  var typeName: String { type.map { String(describing: $0) } ?? "" }
  /// The reason why the type cannot be used, for `JSONError`; empty if it can be.
  private(set) var misuse = ""
  private(set) var names: [String] = []
  private var aliasNames: [String] = []
  /// Swift names that are not the usual ones, by member.
  private var unusualNames: [Int: String] = [:]
  /// The formats that `MemberCode.date` needs, by member.
  private(set) var formats: [CompiledDateFormat?] = []
  private var codecs: [ValueCodec?] = []
  /// The texts of the values that members always have, by member.
  private(set) var constants: [Int: String] = [:]
  /// The enums that texts are of, by member, where their values tell variants of a union apart.
  private(set) var enums: [Int: ValueCodec] = [:]
  /// The member that a whole document is read as where it lacks the member.
  private(set) var bareMember: Int?
  /// Reads and writes the unknown members, if the model keeps them.
  private(set) var extra: ValueCodec?

  var count: Int { plan.pointee.count }
  var members: UnsafePointer<Member> { plan.pointee.members }
  var required: UnsafeBufferPointer<Int> { plan.pointee.required }

  private init(_ type: (any Model.Type)?) {
    self.type = type
    typeID = type.map { ObjectIdentifier($0) } ?? ObjectIdentifier(ModelSchema.self)
    plan = UnsafeMutablePointer.allocate(capacity: 1)
    plan.initialize(
      to: Plan(
        table: self, members: UnsafePointer(UnsafeMutablePointer<Member>.allocate(capacity: 1)),
        aliases: UnsafeBufferPointer(start: nil, count: 0),
        places: UnsafePointer(UnsafeMutablePointer<Int16>.allocate(capacity: 1)),
        required: UnsafeBufferPointer(start: nil, count: 0)))
  }

  /// The table of no type and no members.
  static let empty = ModelSchema(nil)

  // MARK: Cache

  private static let cache = SchemaCache()

  /// The schema of a type, compiled at the first use together with the schemas of all types that it can hold.
  ///
  /// Each thread remembers the schemas that it used, so that only the first use of a type on a thread takes a lock.
  static func of(_ type: any Model.Type) -> ModelSchema {
    guard let state = ModelThreadState.current else { return cache.withLock { cache in table(type, &cache) } }
    if let schema = state.schema(of: type) { return schema }
    let schema = cache.withLock { cache in table(type, &cache) }
    state.remember(schema, of: type)
    return schema
  }

  private static func table(_ type: any Model.Type, _ cache: inout [ObjectIdentifier: ModelSchema]) -> ModelSchema {
    if let table = cache[ObjectIdentifier(type)] { return table }
    let table = ModelSchema(type)
    table.plan.pointee.number = cache.count
    // In the cache before it is compiled, because a model may hold itself.
    cache[ObjectIdentifier(type)] = table
    if let misuse = ModelRepresentation.misuse(type) {
      table.misuse = misuse
      table.plan.pointee.isMisused = true
    }
    table.compile(type._layout, &cache)
    return table
  }

  // MARK: Compiling

  /// Among the further names of a member: the object that the member would be in.
  private static let wholeObject: Substring = "."

  /// The colon between a field's name and its type. A date's pattern has colons of its own: `at:date(HH:mm)?`. Behind it is
  /// none, which tells it from a name such as `update(s)`.
  private static func separator(in field: Substring) -> Substring.Index? {
    guard let open = field.lastIndex(of: "("), field[..<open].hasSuffix("date"),
      let close = field[open...].firstIndex(of: ")"), !field[close...].contains(":")
    else { return field.lastIndex(of: ":") }
    return field[..<open].lastIndex(of: ":")
  }

  private func compile(_ layout: ModelLayout, _ cache: inout [ObjectIdentifier: ModelSchema]) {
    var members: [Member] = []
    var required: [Int] = []
    var aliases: [Alias] = []
    for field in WordList.words(layout.text) {
      guard let colon = Self.separator(in: field) else {
        if members.isEmpty { continue }
        if field == Self.wholeObject {
          bareMember = members.count - 1
          continue
        }
        let (start, count) = Self.immortal(Array(field.utf8))
        aliases.append(Alias(nameStart: start, nameCount: count, member: members.count - 1))
        aliasNames.append(String(field))
        continue
      }
      var name = String(field[..<colon])
      if let tilde = name.firstIndex(of: "~") {
        unusualNames[members.count] = String(name[..<tilde])
        name = String(name[name.index(after: tilde)...])
      }
      var parser = LayoutTypeParser(field[field.index(after: colon)...], layout.types)
      // A field that is called so has a property's name before it.
      if field.hasPrefix("*:{") {
        extra = parser.mapElement()?.codec.map
        continue
      }
      let type = parser.type()
      let (start, nameCount) = Self.immortal(Array(name.utf8))
      let quoted = Self.quoted(name) + [UInt8(ascii: ":")]
      let quotedCount = quoted.count
      // Padded, so that it can be copied by words.
      let (quotedStart, _) = Self.immortal(quoted + [UInt8](repeating: 0, count: 8))
      if !parser.isOptional { required.append(members.count) }
      if let constant = parser.constant { constants[members.count] = constant }
      if let enumeration = parser.enumeration { enums[members.count] = enumeration }
      let codec = type.codecIfNeeded
      codecs.append(codec)
      let model = type.model.map { Self.table($0, &cache) }
      members.append(
        Member(
          code: type.code, isRequired: !parser.isOptional, isNullable: parser.isNullable, nameStart: start,
          nameCount: nameCount, quotedStart: quotedStart, quotedCount: quotedCount - 1,
          model: model?.plan, codec: codec.map(Unmanaged.passUnretained)))
      names.append(name)
      formats.append(type.format)
    }
    var capacity = 4
    while capacity < (members.count + aliases.count) * 2 { capacity *= 2 }
    let places = UnsafeMutableBufferPointer<Int16>.allocate(capacity: capacity)
    places.initialize(repeating: -1)
    let rows = members.map { ($0.nameStart, $0.nameCount) } + aliases.map { ($0.nameStart, $0.nameCount) }
    for (row, name) in rows.enumerated() {
      var place = Self.hash(name.0, name.1) & (capacity - 1)
      while places[place] >= 0 { place = (place + 1) & (capacity - 1) }
      places[place] = Int16(truncatingIfNeeded: row)
    }
    guard let first = places.baseAddress else { return }
    plan.pointee.places.deallocate()
    plan.pointee.members.deallocate()
    plan.pointee.places = UnsafePointer(first)
    plan.pointee.placeMask = capacity - 1
    plan.pointee.count = members.count
    plan.pointee.slotCount = extra == nil ? members.count : members.count + 1
    plan.pointee.keepsUnknown = extra != nil
    plan.pointee.members = Self.immortal(members).0
    let (firstAlias, aliasCount) = Self.immortal(aliases)
    plan.pointee.aliases = UnsafeBufferPointer(start: firstAlias, count: aliasCount)
    let (start, count) = Self.immortal(required)
    plan.pointee.required = UnsafeBufferPointer(start: start, count: count)
  }

  private static func immortal<Element>(_ elements: [Element]) -> (UnsafePointer<Element>, Int) {
    let memory = UnsafeMutablePointer<Element>.allocate(capacity: max(1, elements.count))
    memory.initialize(from: elements, count: elements.count)
    return (UnsafePointer(memory), elements.count)
  }

  private static func quoted(_ name: String) -> [UInt8] {
    var writer = JSONWriter()
    writer.string(name)
    return writer.bytes
  }

  // MARK: Lookup

  /// The Swift name of a member, or of the unknown members.
  func propertyName(_ index: Int) -> String {
    guard names.indices.contains(index) else { return "extra" }
    return unusualNames[index] ?? PropertyName.usual(of: names[index])
  }

  /// The name on the wire of a member, or the one that an alias's row stands for.
  func name(ofRow row: Int) -> String { row < count ? names[row] : aliasNames[row - count] }

  /// The position of the member with this name or alias, -1 if there is none.
  func index(of start: UnsafePointer<UInt8>, _ nameCount: Int) -> Int {
    let row = row(of: start, nameCount)
    return row < 0 ? row : plan.pointee.index(ofRow: row)
  }

  /// The row with this name: a member's position, or one behind all members for an alias; -1 if there is none.
  func row(of start: UnsafePointer<UInt8>, _ nameCount: Int) -> Int {
    let plan = plan
    let mask = plan.pointee.placeMask
    var place = Self.hash(start, nameCount) & mask
    while true {
      let row = Int(plan.pointee.places[place])
      if row < 0 { return -1 }
      if row < plan.pointee.count {
        let member = plan.pointee.members + row
        if member.pointee.nameCount == nameCount, Self.isEqual(member.pointee.nameStart, start, nameCount) {
          return row
        }
      } else {
        let alias = plan.pointee.aliases[row - plan.pointee.count]
        if alias.nameCount == nameCount, Self.isEqual(alias.nameStart, start, nameCount) { return row }
      }
      place = (place + 1) & mask
    }
  }

  @inline(__always)
  static func isEqual(_ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    let left = UnsafeRawPointer(left)
    let right = UnsafeRawPointer(right)
    if count >= 8 {
      // The last word overlaps the one before.
      let last = count - 8
      var place = 0
      while place < last {
        if left.loadUnaligned(fromByteOffset: place, as: UInt64.self)
          != right.loadUnaligned(fromByteOffset: place, as: UInt64.self)
        {
          return false
        }
        place += 8
      }
      return left.loadUnaligned(fromByteOffset: last, as: UInt64.self)
        == right.loadUnaligned(fromByteOffset: last, as: UInt64.self)
    }
    if count >= 4 {
      return left.loadUnaligned(as: UInt32.self) == right.loadUnaligned(as: UInt32.self)
        && left.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
          == right.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
    }
    for place in 0..<count
    where left.load(fromByteOffset: place, as: UInt8.self) != right.load(fromByteOffset: place, as: UInt8.self) {
      return false
    }
    return true
  }

  /// The table is always at most half full and never grows, so a hash that is easy to collide with does no harm.
  @inline(__always)
  private static func hash(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int {
    let raw = UnsafeRawPointer(start)
    var word: UInt64 = 0
    if count >= 8 {
      word = raw.loadUnaligned(as: UInt64.self) &* 31 ^ raw.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
    } else {
      for index in 0..<count { word = word &<< 8 | UInt64(start[index]) }
    }
    let hash = (word ^ UInt64(truncatingIfNeeded: count)) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: hash &>> 32)
  }
}

/// The compiled schemas by model type.
///
/// `@unchecked Sendable`: every access to `schemas` is made while `lock` is held.
private final class SchemaCache: @unchecked Sendable {
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var schemas: [ObjectIdentifier: ModelSchema] = [:]

  init() { pthread_mutex_init(lock, nil) }

  deinit {
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  func withLock<Result>(_ body: (inout [ObjectIdentifier: ModelSchema]) -> Result) -> Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return body(&schemas)
  }
}

/// The schemas that one thread used last, and how many missing lists it has read.
final class ModelThreadState {
  private typealias Entry = (type: ObjectIdentifier?, schema: Unmanaged<ModelSchema>?)
  private static let entryCount = 128

  /// For `Model.isMissing(_:)`.
  var missingListsRead = 0
  /// For `Model.leaveOut(_:)`.
  var leavesEmptyListsOut = false
  /// Left by the last reader of the thread, for the next one.
  var workspace: UnsafeMutablePointer<ModelWorkspace>?
  private let entries: UnsafeMutablePointer<Entry>

  private init() {
    entries = .allocate(capacity: Self.entryCount)
    entries.initialize(repeating: (nil, nil), count: Self.entryCount)
  }

  deinit {
    entries.deallocate()
    if let workspace { ModelWorkspace.destroy(workspace) }
  }

  /// `nil` if the process has no room for it; then nothing is remembered.
  private static let key: pthread_key_t? = {
    var key = pthread_key_t()
    return pthread_key_create(&key) { ModelThreadState.end($0) } == 0 ? key : nil
  }()

  private static func end(_ state: UnsafeMutableRawPointer?) {
    if let state { Unmanaged<ModelThreadState>.fromOpaque(state).release() }
  }

  /// The state of this thread.
  static var current: ModelThreadState? {
    guard let key else { return nil }
    if let state = pthread_getspecific(key) {
      return Unmanaged<ModelThreadState>.fromOpaque(state).takeUnretainedValue()
    }
    let state = ModelThreadState()
    let retained = Unmanaged.passRetained(state)
    guard pthread_setspecific(key, retained.toOpaque()) == 0 else {
      retained.release()
      return nil
    }
    return state
  }

  /// Metadata is aligned, so its lowest bits tell nothing.
  private func entry(of type: any Model.Type) -> UnsafeMutablePointer<Entry> {
    entries + Int((UInt(bitPattern: ObjectIdentifier(type)) >> 5) % UInt(Self.entryCount))
  }

  func schema(of type: any Model.Type) -> ModelSchema? {
    let entry = entry(of: type)
    // Schemas are never freed.
    return entry.pointee.type == ObjectIdentifier(type) ? entry.pointee.schema?.takeUnretainedValue() : nil
  }

  func remember(_ schema: ModelSchema, of type: any Model.Type) {
    entry(of: type).pointee = (ObjectIdentifier(type), Unmanaged.passUnretained(schema))
  }
}
