import CallsignCatalogue

/// The facts that a schema states about a value, independent of how the document writes it: an `allOf` is merged, an `anyOf` with
/// null is nullable, and a `oneOf` of constants is an enumeration.
struct Use: Hashable, Sendable {
  var shape: Shape { didSet { size = shape.size } }
  var isNullable = false
  var constraints = Constraints()
  /// Whether the document says `format: binary`: raw bytes. JSON cannot hold these, so there it is a text.
  var isBinary = false
  /// The number of members, values and alternatives at any depth, without following named schemas. A shape can be a part of others
  /// many times, so a few schemas can make one that is far larger than the document.
  private(set) var size: Int

  init(_ shape: Shape, isNullable: Bool = false, constraints: Constraints = Constraints()) {
    self.shape = shape
    size = shape.size
    self.isNullable = isNullable
    self.constraints = constraints
  }

  static let json = Use(.scalar(.json))
}

indirect enum Shape: Hashable, Sendable {
  case scalar(Scalar)
  /// A named schema, by its pointer.
  case named(String)
  case list(Use)
  case map(Use)
  case object(ObjectShape)
  case enumeration(EnumerationShape)
  case union(UnionShape)

  /// Like ``Use/size``, up to a bound that no shape of a real document comes close to.
  fileprivate var size: Int {
    let parts: Int
    switch self {
    case .scalar, .named: parts = 0
    case .enumeration(let enumeration): parts = enumeration.values.count
    case .list(let element), .map(let element): parts = element.size
    case .object(let object): parts = object.members.reduce(object.extra?.size ?? 0) { $0 + $1.use.size }
    case .union(let union): parts = union.variants.reduce(0) { $0 + $1.use.size }
    }
    return min(parts, Self.maximumSize) + 1
  }

  private static let maximumSize = 1 << 32

  /// Whether the catalogue can only refer to it by name.
  var isNominal: Bool {
    switch self {
    case .object, .enumeration, .union: true
    case .scalar, .named, .list, .map: false
    }
  }

  /// The shape with the texts for members or values that it shares with an equal shape in another place.
  func described(also other: Shape) -> Shape {
    switch (self, other) {
    case (.object(var object), .object(let other)):
      for (index, member) in zip(object.members.indices, other.members) {
        object.members[index].annotations = object.members[index].annotations.joined(with: member.annotations)
      }
      return .object(object)
    case (.enumeration(var enumeration), .enumeration(let other)):
      enumeration.summaries = enumeration.summaries.filter { $0.value == other.summaries[$0.key] }
      return .enumeration(enumeration)
    default: return self
    }
  }
}

struct ObjectShape: Hashable, Sendable {
  var members: [Member] = []
  /// The type of members that are not listed, if the document allows such members.
  var extra: Use?
  /// Rules for several members together.
  var rules: [MemberRule] = []

  subscript(name: String) -> Member? { members.first { $0.name == name } }

  /// Whether all shapes are objects and no value can be two of them: of any two, one requires a member that the other does not
  /// have. Very many shapes are not compared.
  static func areToldApart(_ shapes: [Shape]) -> Bool {
    guard shapes.count <= 256 else { return false }
    var known: [(names: Set<String>, needed: Set<String>)] = []
    for shape in shapes {
      guard case .object(let object) = shape else { return false }
      let names = Set(object.members.map(\.name))
      let needed = Set(object.members.filter(\.isRequired).map(\.name))
      let isLike = known.contains { needed.isSubset(of: $0.names) && $0.needed.isSubset(of: names) }
      if isLike { return false }
      known.append((names, needed))
    }
    return true
  }
}

/// An object that combines the descriptions of several.
struct ObjectSum {
  private(set) var object: ObjectShape
  private var places: [String: Int]
  private var rules: Set<MemberRule>

  init(_ object: ObjectShape) {
    self.object = object
    places = Dictionary(object.members.enumerated().map { ($1.name, $0) }) { first, _ in first }
    rules = Set(object.rules)
  }

  /// Adds the description of another object.
  ///
  /// - Parameters:
  ///   - both: Combines two descriptions of a member; `nil` if the later one applies.
  ///   - noteTwice: Called for members that the two describe differently.
  mutating func add(
    _ more: ObjectShape, both: (Use, Use) throws(ImportError) -> Use?, noteTwice: (String) -> Void
  ) throws(ImportError) {
    for member in more.members {
      guard let index = places[member.name] else {
        places[member.name] = object.members.count
        object.members.append(member)
        continue
      }
      let old = object.members[index]
      var new = member
      new.isRequired = old.isRequired || member.isRequired
      if member.use == .json {
        // It may only be required, without a description.
        new.use = old.use
        if member.annotations.text == nil { new.annotations = old.annotations }
      } else if old.use != member.use, let joined = try both(old.use, member.use) {
        new.use = joined
      } else if old.use != .json, old.use != member.use {
        // The later part narrows the earlier one, for example a string to a few values.
        noteTwice(member.name)
      }
      new.annotations.isReadOnly = old.annotations.isReadOnly || member.annotations.isReadOnly
      new.annotations.isWriteOnly = old.annotations.isWriteOnly || member.annotations.isWriteOnly
      object.members[index] = new
    }
    object.extra = more.extra ?? object.extra
    for rule in more.rules where rules.insert(rule).inserted { object.rules.append(rule) }
  }
}

struct Member: Hashable, Sendable {
  var name: String
  var use: Use
  var isRequired = false
  var annotations = Annotations()
}

/// Facts that do not change a member's type. Comparisons include only the constant that is sent.
struct Annotations: Hashable, Sendable {
  var isDeprecated = false
  var isReadOnly = false
  var isWriteOnly = false
  /// Whether the document encodes it, or its elements, in base64.
  var isBase64 = false
  /// The only value of the member in a request.
  var constant: String?
  /// The document's text about it.
  var text: String?
  /// The document's `default`.
  var fallback: DefaultValue?
  var examples: [DocumentValue] = []
  /// Whether every response has it, possibly as null.
  var isPresent = false
  /// The only value of the member in a response.
  var onlyValue: DocumentValue?

  /// Combines the facts about a member from two places: keeps what both state.
  func joined(with other: Annotations) -> Annotations {
    var result = self
    result.isDeprecated = isDeprecated && other.isDeprecated
    result.isReadOnly = isReadOnly && other.isReadOnly
    result.isWriteOnly = isWriteOnly && other.isWriteOnly
    result.isPresent = isPresent && other.isPresent
    result.examples += other.examples.filter { !examples.contains($0) }
    if onlyValue != other.onlyValue { result.onlyValue = nil }
    if text != other.text { result.text = nil }
    if fallback != other.fallback { result.fallback = nil }
    return result
  }

  static func == (left: Self, right: Self) -> Bool { left.constant == right.constant }
  func hash(into hasher: inout Hasher) { hasher.combine(constant) }
}

struct MemberRule: Hashable, Sendable {
  var kind: ParameterRule.Kind
  var names: [String]
}

/// The values of an enum. Two enums with the same values are equal in any order, if the document gives the values the same names.
struct EnumerationShape: Hashable, Sendable {
  var values: [String]
  /// Whether the values are whole numbers.
  var isInteger = false
  /// Whether the document says that there will never be others.
  var isClosed = false
  /// Whether the document says that you can send any other value.
  var isExtensible = false
  /// The document's names for values that mean nothing by themselves, by value.
  var names: [String: String] = [:]
  /// The document's sentences about the values. Never part of a comparison.
  var summaries: [String: String] = [:]

  static func == (left: Self, right: Self) -> Bool {
    left.values.count == right.values.count && left.isInteger == right.isInteger && left.isClosed == right.isClosed
      && left.isExtensible == right.isExtensible
      && left.names == right.names && Set(left.values) == Set(right.values)
  }
  func hash(into hasher: inout Hasher) { hasher.combine(Set(values)) }

  /// Whether its values are numbers without names.
  var isNameless: Bool { isInteger && names.isEmpty }

  /// The type of a single value.
  var scalar: Scalar { isInteger ? .int : .string }
}

struct UnionShape: Hashable, Sendable {
  /// The member whose value selects the variant.
  var tag: String?
  var variants: [Variant]

  /// Removes the combination of alternatives if one of them now has all of its members.
  mutating func removeNeedlessCombination() {
    func names(_ variant: Variant) -> Set<String> {
      guard case .object(let object) = variant.use.shape else { return [] }
      return Set(object.members.map(\.name))
    }
    guard let index = variants.firstIndex(where: { $0.combination != nil }) else { return }
    let all = names(variants[index])
    if variants.contains(where: { $0.combination == nil && names($0) == all }) { variants.remove(at: index) }
  }

  struct Variant: Hashable, Sendable {
    var tags: [String] = []
    var use: Use
    /// Whether it is the base class of the others, under the name of the union itself.
    var isBaseClass = false
    /// The name of an object that combines several alternatives.
    var combination: String?
  }
}
