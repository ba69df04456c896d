/// A constant value of a member that identifies which alternative of a union an object is.
struct DiscriminatorValue: Hashable {
  /// The schema or operation that contains the member.
  var owner: String
  var text: String
}

/// Compares the alternatives of unions without a tag: which constants distinguish them, and which alternatives nothing
/// distinguishes.
///
/// A client chooses the alternative whose required members all exist and whose constants match. If several do, it takes the one
/// that knows most of the members, and then the one whose enums contain the values.
struct AlternativeComparison {
  /// An alternative that no value is ever read as.
  struct Unreadable {
    var place: String
    var first: String
    var second: String
  }

  private let schemas: SchemaReader
  private(set) var constants: Set<DiscriminatorValue> = []
  private(set) var unreadable: [Unreadable] = []

  /// An object that is an alternative, with the schema that contains it.
  private struct Alternative {
    var name: String?
    var owner: String
    var object: ObjectShape
    /// The positions of the members, by name.
    let positions: [String: Int]

    init(name: String? = nil, owner: String, object: ObjectShape) {
      self.name = name
      self.owner = owner
      self.object = object
      positions = Dictionary(object.members.enumerated().map { ($1.name, $0) }) { first, _ in first }
    }

    subscript(name: String) -> Member? { positions[name].map { object.members[$0] } }

    /// Whether either of them requires a member that the other does not have, so that no value can be both.
    func isToldApart(from other: Alternative) -> Bool {
      object.members.contains { $0.isRequired && other[$0.name] == nil }
        || other.object.members.contains { $0.isRequired && self[$0.name] == nil }
    }
  }

  /// The maximum number of alternatives to compare in pairs. In a larger union, all constants count as distinguishing.
  private static let maximumCompared = 256

  init(_ schemas: SchemaReader) { self.schemas = schemas }

  /// Examines all unnamed unions in a use.
  ///
  /// - Parameter place: The schema or operation that contains the use.
  mutating func look(at use: Use, in place: String, isReceived: Bool) {
    switch use.shape {
    case .scalar, .enumeration, .named: break
    case .list(let element), .map(let element): look(at: element, in: place, isReceived: isReceived)
    case .object(let object):
      for member in object.members { look(at: member.use, in: place, isReceived: isReceived) }
      if let extra = object.extra { look(at: extra, in: place, isReceived: isReceived) }
    case .union(let union):
      for variant in union.variants { look(at: variant.use, in: place, isReceived: isReceived) }
      guard union.tag == nil else { return }
      var visited: Set<String> = []
      let all = alternatives(of: union, in: place, &visited)
      guard all.count <= Self.maximumCompared else { return keepConstants(of: all) }
      for (index, second) in all.enumerated() {
        for first in all[..<index] { compare(first, second, at: place, isReceived: isReceived) }
      }
    }
  }

  private mutating func keepConstants(of alternatives: [Alternative]) {
    for alternative in alternatives {
      for member in alternative.object.members {
        let (shape, owner, _) = followed(member.use, in: alternative.owner)
        if case .enumeration(let enumeration) = shape, enumeration.values.count == 1,
          let text = enumeration.values.first
        {
          constants.insert(DiscriminatorValue(owner: owner, text: text))
        }
      }
    }
  }

  /// The alternatives that are objects. Untagged unions are replaced by their own alternatives.
  private func alternatives(
    of union: UnionShape, in place: String, _ visited: inout Set<String>
  ) -> [Alternative] {
    var result: [Alternative] = []
    for variant in union.variants {
      let (shape, owner, name) = followed(variant.use, in: place)
      switch shape {
      case .object(let object): result.append(Alternative(name: name, owner: owner, object: object))
      case .union(let inner) where inner.tag == nil:
        if visited.insert(owner).inserted { result += alternatives(of: inner, in: owner, &visited) }
      default: break
      }
    }
    return result
  }

  /// The shape that a use refers to, with the schema that contains it and that schema's name.
  private func followed(_ use: Use, in place: String) -> (shape: Shape, owner: String, name: String?) {
    var result: (shape: Shape, owner: String, name: String?) = (use.shape, place, nil)
    var visited: Set<String> = []
    while case .named(let pointer) = result.shape, visited.insert(pointer).inserted,
      let target = schemas.components[pointer]
    {
      result = (target.shape, pointer, Pointer.lastName(of: pointer))
    }
    return result
  }

  private mutating func compare(_ first: Alternative, _ second: Alternative, at place: String, isReceived: Bool) {
    guard !first.isToldApart(from: second) else { return }
    let found = telling(first, second, mayNest: true)
    constants.formUnion(found.constants)
    guard !found.isTold, isReceived, let name = first.name, let other = second.name else { return }
    let isPart = second.object.members.allSatisfy { first[$0.name] != nil }
    let isComplete = first.object.members.allSatisfy { !$0.isRequired || second[$0.name]?.isRequired == true }
    if isPart, isComplete { unreadable.append(Unreadable(place: place, first: name, second: other)) }
  }

  /// The constants of members whose values differ between the two objects, including the members of objects nested in both.
  private func telling(
    _ first: Alternative, _ second: Alternative, mayNest: Bool
  ) -> (isTold: Bool, constants: [DiscriminatorValue]) {
    var isTold = false
    var constants: [DiscriminatorValue] = []
    for member in first.object.members {
      guard let other = second[member.name] else { continue }
      let (left, leftOwner, _) = followed(member.use, in: first.owner)
      let (right, rightOwner, _) = followed(other.use, in: second.owner)
      switch (left, right) {
      case (.object(let left), .object(let right)) where mayNest && left != right:
        let found = telling(
          Alternative(owner: leftOwner, object: left), Alternative(owner: rightOwner, object: right), mayNest: false)
        isTold = isTold || found.isTold
        constants += found.constants
      default:
        if left == right { continue }
        for (shape, owner, isKept) in [
          (left, leftOwner, mayNest && first.name != nil && member.isRequired),
          (right, rightOwner, mayNest && second.name != nil && other.isRequired),
        ] {
          // For numbers, a client checks a member's constant but not the values of an enum.
          guard case .enumeration(let enumeration) = shape,
            !enumeration.isInteger || isKept && enumeration.values.count == 1
          else { continue }
          isTold = true
          if enumeration.values.count == 1, let text = enumeration.values.first {
            constants.append(DiscriminatorValue(owner: owner, text: text))
          }
        }
      }
    }
    return (isTold, constants)
  }
}
