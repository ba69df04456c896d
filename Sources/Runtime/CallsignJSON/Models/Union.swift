// Sound: the addresses are the reader's: the start of a value, and `cursor` behind it.

import CallsignSupport

extension Union {
  /// Writes exactly one value.
  public func write(json writer: inout JSONWriter) { _value.write(json: &writer) }

  /// Reads the value's JSON through any of Swift's decoders.
  public init(from decoder: any Decoder) throws { try self.init(through: decoder) }

  /// Writes the value's JSON through any of Swift's encoders.
  public func encode(to encoder: any Encoder) throws { try encode(through: encoder) }

  /// Whether both hold equal values of the same type.
  public static func == (left: Self, right: Self) -> Bool { AnyEquality.isEqual(left._value, right._value) }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) { AnyEquality.hash(_value, into: &hasher) }

  /// A member that all variants have, by its name on the wire; of an unknown variant, the member of its JSON.
  public func _member<T: JSONCodable & Sendable>(_ name: StaticString) -> T? {
    if let model = _value as? any Model {
      return ModelSchema.of(type(of: model)).index(of: name.description).flatMap { model._storage.read($0) }
    }
    guard case .object(let members)? = _value as? JSONValue else { return nil }
    return try? members[name.description]?.decode()
  }
}

/// Without this the compiler would derive a `hashValue` for each union.
extension Union where Self: Hashable {
  /// A hash of what `==` compares.
  public var hashValue: Int {
    var hasher = Hasher()
    hash(into: &hasher)
    return hasher.finalize()
  }
}

extension JSONReader {
  /// Finds the variant of a union that the next value is, by the value of a member; nothing is read.
  ///
  /// - Parameters:
  ///   - tag: The member's name; if there are several, the first one counts.
  ///   - values: Its known values, separated by spaces (by newlines, if the text begins with one).
  /// - Returns: The position of the value, or -1 if it is none of them, or if the value is not an object with a string,
  ///   a number or a flag there.
  public mutating func variant(tag: StaticString, _ values: StaticString) throws(JSONError) -> Int {
    guard cursor < end, cursor.pointee == UInt8(ascii: "{"), !isUnreadableUnion else { return -1 }
    let begin = cursor
    let beginDepth = depth
    defer {
      cursor = begin
      depth = beginDepth
    }
    guard try beginObject() else { return -1 }
    let wanted = tag.description.utf8
    repeat {
      guard cursor < end, cursor.pointee == UInt8(ascii: "\"") else { throw unexpected("a member's name") }
      let name = try rawString()
      try takeColon()
      if name.withBytes({ $0.elementsEqual(wanted) }) {
        guard cursor < end else { return -1 }
        switch cursor.pointee {
        case UInt8(ascii: "\""): return EnumNames(values).index(of: try string())
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "n"): return -1
        default:
          let start = cursor
          try skip()
          return EnumNames(values).index(of: UnsafeBufferPointer(start: start, count: cursor - start))
        }
      }
      try skip()
    } while try nextMember()
    return -1
  }

  /// Finds the type of the next value by its shape, without reading the value.
  ///
  /// For an object, it is a model whose required members all exist. Models whose constants have the right values come
  /// first, then those that know most of the members, then those whose enums have the values. For an array, if there
  /// are several array types, it is the one whose elements are of the first element's kind. If several types are
  /// equally good, and for everything else, it is the first that fits the kind of value, and for numbers and texts the
  /// first that can read them. A text is a decimal number only if no other type is a text.
  ///
  /// - Returns: The position of the type, or -1 if none fits.
  public mutating func variant(of variants: UnionVariants) throws(JSONError) -> Int {
    let kind = try kind()
    if isUnreadableShape { return -1 }
    if kind == .array, variants.arrays.count > 1 { return try array(of: variants) }
    guard kind == .object, !variants.models.isEmpty else {
      if !variants.attempts.isEmpty, let candidates = variants.attempts[kind] {
        return candidates.first { canRead($0.type) }?.position ?? variants.first(fitting: kind)
      }
      return variants.first(fitting: kind)
    }
    let begin = cursor
    let beginDepth = depth
    defer {
      cursor = begin
      depth = beginDepth
    }
    var seen = variants.noMembers
    var fits = variants.noFits
    if try beginObject() {
      repeat {
        guard cursor < end, cursor.pointee == UInt8(ascii: "\"") else { throw unexpected("a member's name") }
        let name = try rawString()
        try takeColon()
        // A null member counts as missing.
        if cursor < end, cursor.pointee != UInt8(ascii: "n") { variants.mark(name, in: &seen) }
        if variants.hasValues {
          try compare(Self.decode(name), of: variants, &fits)
        } else {
          try skip()
        }
      } while try nextMember()
    }
    return variants.best(for: seen, fits)
  }

  /// Reads a member's value, and compares it if it may distinguish models.
  private mutating func compare(
    _ name: String, of variants: UnionVariants, _ fits: inout [UnionVariants.Fit]
  ) throws(JSONError) {
    guard variants.names.contains(name) else { return try skip() }
    variants.compare(try JSONValue(json: &self), of: name, &fits)
  }

  /// Finds the one of several types of arrays that the next value is, by the first element that is not null.
  private mutating func array(of variants: UnionVariants) throws(JSONError) -> Int {
    let begin = cursor
    let beginDepth = depth
    defer {
      cursor = begin
      depth = beginDepth
    }
    var candidates = variants.arrays
    while let first = candidates.first {
      let (list, listDepth) = (cursor, depth)
      guard try beginArray() else { break }
      var kind = try kind()
      while kind == .null {
        try skip()
        guard try nextElement() else { return first.position }
        kind = try self.kind()
      }
      candidates.removeAll { !UnionVariants.fits($0.element, kind) }
      guard candidates.count > 1 else { break }
      if kind == .number || kind == .string {
        (cursor, depth) = (list, listDepth)
        if kind == .string { candidates = UnionVariants.decimalsLast(candidates) { $0.element } }
        try narrow(&candidates)
      }
      guard kind == .array else { break }
      // Arrays of arrays are distinguished by the elements of the inner arrays.
      candidates = candidates.map { ($0.position, UnionVariants.element(of: $0.element) ?? $0.element) }
    }
    return candidates.first?.position ?? variants.anyArray ?? -1
  }

  /// Keeps only the array types that can read the next value's elements. An element that fits none of them is ignored.
  private mutating func narrow(_ candidates: inout [(position: Int, element: Any.Type)]) throws(JSONError) {
    guard try beginArray() else { return }
    repeat {
      let readable = candidates.filter { canRead($0.element) }
      if !readable.isEmpty { candidates = readable }
      if candidates.count == 1 { return }
      try skip()
    } while try nextElement()
  }

  /// Whether the next value, which is of the type's kind or null, can be read as the type.
  private mutating func canRead(_ type: Any.Type) -> Bool {
    let isNull = cursor < end && cursor.pointee == UInt8(ascii: "n")
    guard isNull || UnionVariants.mayFail(type), let type = type as? any JSONCodable.Type else { return true }
    let begin = cursor
    let beginDepth = depth
    defer {
      cursor = begin
      depth = beginDepth
    }
    func read<T: JSONCodable>(_: T.Type) -> Bool { (try? T(json: &self)) != nil }
    return read(type)
  }
}

/// The types of a union whose variants are distinguished by their shapes, analysed once.
///
/// `@unchecked Sendable`: it holds types and schemas, and never changes.
public final class UnionVariants: @unchecked Sendable {
  /// A variant that is a model, with the position of its bits among those of all variants.
  struct Candidate {
    let position: Int
    let schema: ModelSchema
    let firstWord: Int
    /// The members that must be there and not null, one bit each.
    let required: [UInt64]
    /// The members whose values distinguish the model from a similar one.
    var values: [String: MemberValues] = [:]
  }

  /// The fit of the members of a value to those of a model that have known values.
  struct Fit {
    /// The number of members that have another value than the constant, or than the only one of an enum.
    var contradictions = 0
    /// The number of members that have the constant's value.
    var constants = 0
    /// The number of members with a value that is not in the enum, which an API may extend.
    var others = 0
    /// The number of members that have a value of the enum.
    var cases = 0
  }

  let models: [Candidate]
  /// The types of arrays, each with the type of its elements.
  let arrays: [(position: Int, element: Any.Type)]
  let noMembers: [UInt64]
  /// One for each of `models`; empty if values do not distinguish models.
  let noFits: [Fit]
  /// The members whose values distinguish models.
  let names: Set<String>
  var hasValues: Bool { !noFits.isEmpty }
  private let firstByKind: [JSONKind: Int]
  /// The types that a number or a text may be, if the first of them cannot read every one.
  let attempts: [JSONKind: [(position: Int, type: any JSONCodable.Type)]]
  /// The first variant that is not a model and accepts objects.
  private let anyObject: Int?
  /// The first variant that is not an array type and accepts arrays.
  let anyArray: Int?

  /// Looks at the types of the variants, in their order.
  public init(_ types: any JSONCodable.Type...) {
    var models: [Candidate] = []
    var wordCount = 0
    var firstByKind: [JSONKind: Int] = [:]
    for (position, type) in types.enumerated() {
      for kind in JSONKind.allCases where firstByKind[kind] == nil && Self.fits(type, kind) {
        firstByKind[kind] = position
      }
      guard let model = type as? any Model.Type else { continue }
      let schema = ModelSchema.of(model)
      var required = [UInt64](repeating: 0, count: (schema.count + 63) / 64)
      for index in schema.required where !schema.members[index].isNullable { required[index / 64] |= 1 << (index % 64) }
      models.append(Candidate(position: position, schema: schema, firstWord: wordCount, required: required))
      wordCount += required.count
    }
    names = Self.takeValues(&models)
    self.models = models
    arrays = types.enumerated().compactMap { position, type in Self.element(of: type).map { (position, $0) } }
    anyObject = types.firstIndex { !($0 is any Model.Type) && Self.fits($0, .object) }
    anyArray = types.firstIndex { Self.element(of: $0) == nil && Self.fits($0, .array) }
    var attempts: [JSONKind: [(position: Int, type: any JSONCodable.Type)]] = [:]
    for kind in [JSONKind.number, .string] {
      var candidates = types.enumerated().filter { Self.fits($1, kind) }.map { (position: $0, type: $1) }
      if kind == .string { candidates = Self.decimalsLast(candidates) { $0.type } }
      // No type is tried after one that accepts everything.
      if let last = candidates.firstIndex(where: { !Self.mayFail($0.type) }) {
        candidates.removeSubrange((last + 1)...)
      }
      firstByKind[kind] = candidates.first?.position
      if candidates.count > 1 { attempts[kind] = candidates }
    }
    self.attempts = attempts
    self.firstByKind = firstByKind
    noFits = names.isEmpty ? [] : [Fit](repeating: Fit(), count: models.count)
    noMembers = [UInt64](repeating: 0, count: wordCount)
  }

  /// Finds the values that distinguish models whose required members do not.
  ///
  /// - Returns: The names of the members that have such values.
  private static func takeValues(_ models: inout [Candidate]) -> Set<String> {
    var names: Set<String> = []
    var all: [Int: [String: MemberValues]] = [:]
    func values(_ index: Int, of schema: ModelSchema) -> [String: MemberValues] {
      if let values = all[index] { return values }
      let values = MemberValues.all(of: schema)
      all[index] = values
      return values
    }
    for second in models.indices {
      for first in models[..<second].indices {
        let (one, other) = (models[first].schema, models[second].schema)
        guard !one.isToldApart(from: other) else { continue }
        let (left, right) = (values(first, of: one), values(second, of: other))
        for name in Set(left.keys).union(right.keys)
        where one.hasMember(name) && other.hasMember(name) && left[name] != right[name] {
          names.insert(name)
          models[first].values[name] = left[name]
          models[second].values[name] = right[name]
        }
      }
    }
    return names
  }

  func first(fitting kind: JSONKind) -> Int { firstByKind[kind] ?? -1 }

  func mark(_ name: RawString, in seen: inout [UInt64]) {
    name.withBytes { bytes in
      for model in models {
        guard let row = model.schema.row(of: bytes) else { continue }
        let index = model.schema.index(ofRow: row)
        seen[model.firstWord + index / 64] |= 1 << (index % 64)
      }
    }
  }

  /// Compares a member's value with those that it can have in the models.
  func compare(_ value: JSONValue, of name: String, _ fits: inout [Fit]) {
    for (index, model) in models.enumerated() {
      model.values[name]?.compare(value, &fits[index])
    }
  }

  /// The order of preference of models: the lowest first, compared by the first number that differs.
  private static func order(_ fit: Fit, known: Int) -> (Int, Int, Int, Int, Int) {
    (fit.contradictions, -fit.constants, -known, fit.others, -fit.cases)
  }

  func best(for seen: [UInt64], _ fits: [Fit]) -> Int {
    // A type that takes any object knows none of its members.
    var best = anyObject ?? -1
    var bestOrder = anyObject == nil ? nil : Self.order(Fit(), known: 0)
    for (index, model) in models.enumerated() {
      var known = 0
      var isComplete = true
      for (offset, required) in model.required.enumerated() {
        let word = seen[model.firstWord + offset]
        known += word.nonzeroBitCount
        isComplete = isComplete && word & required == required
      }
      guard isComplete else { continue }
      let order = Self.order(fits.isEmpty ? Fit() : fits[index], known: known)
      if let bestOrder, order > bestOrder || (order == bestOrder && model.position > best) { continue }
      best = model.position
      bestOrder = order
    }
    return best
  }

  /// The type of an array's elements; `nil` for other types.
  static func element(of type: Any.Type) -> (Any.Type)? { (type as? any JSONArrayType.Type)?.element }

  static func fits(_ type: Any.Type, _ kind: JSONKind) -> Bool {
    switch type {
    case is String.Type, is Date.Type, is Data.Type, is URL.Type, is UUID.Type, is any OpenEnum.Type: kind == .string
    case is Int.Type, is Int32.Type, is UInt64.Type, is Double.Type, is any IntegerEnum.Type: kind == .number
    case let type as any ClosedEnum.Type: Self.fits(Self.raw(type), kind)
    case is Decimal.Type, is Duration.Type: kind == .number || kind == .string
    case is Bool.Type: kind == .bool
    case is any Model.Type, is any JSONObjectType.Type: kind == .object
    case is any JSONArrayType.Type: kind == .array
    case let type as any JSONNullableType.Type: kind == .null || Self.fits(type.wrapped, kind)
    default: true
    }
  }

  /// Whether some numbers or texts cannot be read as the type, which takes that kind of value.
  static func mayFail(_ type: Any.Type) -> Bool {
    switch type {
    case is Int.Type, is Int32.Type, is UInt64.Type, is Double.Type, is Decimal.Type, is Duration.Type, is Date.Type,
      is Data.Type,
      is URL.Type, is UUID.Type, is any IntegerEnum.Type, is any ClosedEnum.Type:
      true
    case let type as any JSONNullableType.Type: mayFail(type.wrapped)
    default: false
    }
  }

  /// Decimal numbers behind all others: of a text such as `007` they would lose the form.
  static func decimalsLast<Candidate>(
    _ candidates: [Candidate], _ type: (Candidate) -> Any.Type
  ) -> [Candidate] {
    candidates.filter { !(type($0) is Decimal.Type) } + candidates.filter { type($0) is Decimal.Type }
  }
}

extension UnionVariants {
  private static func raw<T: ClosedEnum>(_: T.Type) -> any JSONCodable.Type { T.RawValue.self }
}

private protocol JSONArrayType {
  static var element: Any.Type { get }
}
extension Array: JSONArrayType {
  static var element: Any.Type { Element.self }
}
private protocol JSONNullableType {
  static var wrapped: Any.Type { get }
}
extension Nullable: JSONNullableType {
  static var wrapped: Any.Type { Value.self }
}
private protocol JSONObjectType {}
extension Dictionary: JSONObjectType {}
