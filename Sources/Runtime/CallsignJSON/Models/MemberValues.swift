/// The values that a member of a model can have, or those of the members of an object there, as far as they are known.
enum MemberValues: Equatable {
  case constant(String)
  /// Those of an enum. One of a single value is how a constant is written that may be left out.
  case cases(ValueCodec, isSingle: Bool)
  case members([String: MemberValues])

  /// The members of a model that have known values, by their names.
  static func all(of schema: ModelSchema, mayNest: Bool = true) -> [String: MemberValues] {
    var result: [String: MemberValues] = [:]
    for member in schema.members {
      if let constant = member.constant {
        result[member.name] = .constant(constant)
      } else if let codec = member.enumeration ?? member.type.valueCodec, let count = codec.caseCount, count > 0 {
        result[member.name] = .cases(codec, isSingle: count == 1)
      } else if mayNest, case .model(let link) = member.type {
        let values = all(of: link.schema, mayNest: false)
        if !values.isEmpty { result[member.name] = .members(values) }
      }
    }
    return result
  }

  /// Compares a value with them; for an object, each of its members. A value of another kind is ignored.
  func compare(_ value: JSONValue, _ fit: inout UnionVariants.Fit) {
    switch self {
    case .constant(let text):
      let written = value.int.map { String($0) } ?? value.bool.map { String($0) } ?? value.string
      guard let written else { return }
      if written == text { fit.constants += 1 } else { fit.contradictions += 1 }
    case .cases(let codec, let isSingle):
      guard let isCase = codec.hasCase(value) else { return }
      switch (isCase, isSingle) {
      case (true, true): fit.constants += 1
      case (false, true): fit.contradictions += 1
      case (true, false): fit.cases += 1
      case (false, false): fit.others += 1
      }
    case .members(let values):
      guard let members = value.object else { return }
      for (name, values) in values {
        if let value = members[name] { values.compare(value, &fit) }
      }
    }
  }

  static func == (left: MemberValues, right: MemberValues) -> Bool {
    switch (left, right) {
    case (.constant(let left), .constant(let right)): left == right
    case (.cases(let left, _), .cases(let right, _)): type(of: left) == type(of: right)
    case (.members(let left), .members(let right)): left == right
    default: false
    }
  }
}

extension ModelSchema {
  /// Whether one of both needs a member that the other does not have, so that no value is like both.
  func isToldApart(from other: ModelSchema) -> Bool { needsMore(than: other) || other.needsMore(than: self) }

  private func needsMore(than other: ModelSchema) -> Bool {
    required.contains { !members[$0].isNullable && other.index(of: members[$0].name) == nil }
  }
}
