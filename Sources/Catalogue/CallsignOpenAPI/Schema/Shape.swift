import CallsignCatalogue

/// The description of a value by its schema, free of the document's spelling: an `allOf` is merged, an `anyOf` with null is
/// nullable, a `oneOf` of constants is an enumeration.
struct Use: Hashable, Sendable {
  var shape: Shape
  var isNullable = false
  var constraints = Constraints()

  init(_ shape: Shape, isNullable: Bool = false, constraints: Constraints = Constraints()) {
    self.shape = shape
    self.isNullable = isNullable
    self.constraints = constraints
  }

  static let json = Use(.scalar(.json))
}

indirect enum Shape: Hashable, Sendable {
  case scalar(Scalar)
  /// A schema that has a name, by its pointer.
  case named(String)
  case list(Use)
  case map(Use)
  case object(ObjectShape)
  case enumeration(EnumerationShape)
  case union(UnionShape)

  /// Whether the catalogue can only speak of it by a name.
  var isNominal: Bool {
    switch self {
    case .object, .enumeration, .union: true
    case .scalar, .named, .list, .map: false
    }
  }

  /// The shape with what it and an equal one, of another place, both say of its members or values.
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
  /// The type of members that are not listed, where the document allows them by name.
  var extra: Use?
  /// Demands on several members together.
  var rules: [MemberRule] = []

  subscript(name: String) -> Member? { members.first { $0.name == name } }

  /// Whether one of both needs a member that the other does not have, so that no value is like both.
  func isToldApart(from other: ObjectShape) -> Bool {
    members.contains { $0.isRequired && other[$0.name] == nil }
      || other.members.contains { $0.isRequired && self[$0.name] == nil }
  }

  /// Whether all of the shapes are objects, of which no value is like two.
  static func areToldApart(_ shapes: [Shape]) -> Bool {
    var objects: [ObjectShape] = []
    for shape in shapes {
      guard case .object(let object) = shape, objects.allSatisfy(object.isToldApart) else { return false }
      objects.append(object)
    }
    return true
  }
}

struct Member: Hashable, Sendable {
  var name: String
  var use: Use
  var isRequired = false
  var annotations = Annotations()
}

/// Facts that do not change a member's type. Of these only the one value that is sent is a part of comparisons.
struct Annotations: Hashable, Sendable {
  var isDeprecated = false
  var isReadOnly = false
  var isWriteOnly = false
  /// Whether the document has it, or its elements, in base64.
  var isBase64 = false
  /// The one value that the member has in a request.
  var constant: String?
  /// The document's words on it.
  var text: String?
  /// The document's `default`.
  var fallback: DefaultValue?
  var examples: [DocumentValue] = []
  /// Whether every response has it, be it as null.
  var isPresent = false
  /// The one value that the member has in a response.
  var onlyValue: DocumentValue?

  /// The facts of a member that two places describe: what both of them say.
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

/// Values of an enum. Two with the same values are equal, whatever their order, if the document calls them the same.
struct EnumerationShape: Hashable, Sendable {
  var values: [String]
  /// Whether the values are whole numbers.
  var isInteger = false
  /// Whether the document says that there will never be others.
  var isClosed = false
  /// Whether the document says that any other value may be sent.
  var isExtensible = false
  /// The document's names of values that say nothing by themselves, by the value.
  var names: [String: String] = [:]
  /// The document's sentences on the values. Never part of a comparison.
  var summaries: [String: String] = [:]

  static func == (left: Self, right: Self) -> Bool {
    left.values.count == right.values.count && left.isInteger == right.isInteger && left.isClosed == right.isClosed
      && left.isExtensible == right.isExtensible
      && left.names == right.names && Set(left.values) == Set(right.values)
  }
  func hash(into hasher: inout Hasher) { hasher.combine(Set(values)) }

  /// Whether its values are numbers of which nothing is known.
  var isNameless: Bool { isInteger && names.isEmpty }

  /// The type of a single value.
  var scalar: Scalar { isInteger ? .int : .string }
}

struct UnionShape: Hashable, Sendable {
  /// The member whose value tells the variants apart.
  var tag: String?
  var variants: [Variant]

  /// Removes the combination of alternatives if one of these has all of its members by now.
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
    /// Whether it is the class that the others extend, under the name of the union itself.
    var isBaseClass = false
    /// The name of an object that is several of the alternatives at once.
    var combination: String?
  }
}
