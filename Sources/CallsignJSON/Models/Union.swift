/// A value that is one of several types, as the generator makes them; what fits none is kept as `.unknown`.
public protocol Union: JSONCodable, Sendable {}

extension Union {
  /// Reads the value's JSON through any of Swift's decoders.
  public init(from decoder: any Decoder) throws { try self.init(through: decoder) }

  /// Writes the value's JSON through any of Swift's encoders.
  public func encode(to encoder: any Encoder) throws { try encode(through: encoder) }

  /// Whether both would be written alike.
  public static func == (left: Self, right: Self) -> Bool {
    ExactJSON.bytes(left.write) == ExactJSON.bytes(right.write)
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(ExactJSON.bytes(write)) }
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
  /// Which variant of a union the next value is, by the value of a member; nothing is read.
  ///
  /// - Parameters:
  ///   - tag: The member's name; of several, the first one counts.
  ///   - values: Its known values, separated by spaces (by newlines, if the text begins with one).
  /// - Returns: The position of the value, or -1 if it is none of them or the value is no object with a string there.
  public mutating func variant(tag: StaticString, _ values: StaticString) throws(JSONError) -> Int {
    guard cursor < end, cursor.pointee == UInt8(ascii: "{") else { return -1 }
    let begin = cursor
    let beginDepth = depth
    defer {
      cursor = begin
      depth = beginDepth
    }
    guard try beginObject() else { return -1 }
    let wanted = UnsafeBufferPointer(start: tag.utf8Start, count: tag.utf8CodeUnitCount)
    repeat {
      guard cursor < end, cursor.pointee == UInt8(ascii: "\"") else { throw unexpected("a member's name") }
      let name = try rawString()
      try takeColon()
      if Self.decode(name).utf8.elementsEqual(wanted) {
        guard cursor < end, cursor.pointee == UInt8(ascii: "\"") else { return -1 }
        return EnumNames(values).index(of: try string())
      }
      try skip()
    } while try nextMember()
    return -1
  }

  /// Which of the types the next value is by its shape; nothing is read.
  ///
  /// For an object it is the model whose required members are all there and that knows the most of the members; of equal
  /// ones, and for everything else, the first that the kind of value fits.
  ///
  /// - Returns: The position of the type, or -1 if none fits.
  public mutating func variant(of types: any JSONCodable.Type...) throws(JSONError) -> Int {
    let kind = try kind()
    guard kind == .object else {
      return types.firstIndex { VariantShape($0).fits(kind) } ?? -1
    }
    let names = try memberNames()
    var best = -1
    var bestKnown = -1
    for (index, type) in types.enumerated() {
      guard let known = VariantShape(type).knownMembers(names), known > bestKnown else { continue }
      best = index
      bestKnown = known
    }
    return best
  }

  /// The names of the object's members whose values are not null; nothing is read.
  private mutating func memberNames() throws(JSONError) -> Set<String> {
    let begin = cursor
    let beginDepth = depth
    defer {
      cursor = begin
      depth = beginDepth
    }
    var names: Set<String> = []
    guard try beginObject() else { return names }
    repeat {
      let name = try string(expecting: "a member's name")
      try takeColon()
      if cursor < end, cursor.pointee != UInt8(ascii: "n") { names.insert(name) }
      try skip()
    } while try nextMember()
    return names
  }
}

/// What a type looks like in JSON.
private struct VariantShape {
  private let type: any JSONCodable.Type

  init(_ type: any JSONCodable.Type) { self.type = type }

  func fits(_ kind: JSONKind) -> Bool {
    if let shaped = type as? any JSONShaped.Type { return shaped.jsonKind == kind }
    if type is any Model.Type { return kind == .object }
    if type is any OpenEnum.Type { return kind == .string }
    return true
  }

  /// How many of these members the type knows; `nil` if it is not made for an object with them.
  func knownMembers(_ names: Set<String>) -> Int? {
    guard let model = type as? any Model.Type else { return fits(.object) ? 0 : nil }
    let table = ModelSchema.of(model)
    guard table.required.allSatisfy({ names.contains(table.names[$0]) || table.members[$0].isNullable }) else {
      return nil
    }
    return table.names.count { names.contains($0) }
  }
}

/// A type all of whose values are of one JSON kind.
protocol JSONShaped {
  static var jsonKind: JSONKind { get }
}
