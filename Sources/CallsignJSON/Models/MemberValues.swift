/// The values that a member of a model can have, or those of the members of an object there, as far as they are known.
enum MemberValues: Equatable {
  case constant(String)
  /// Those of an enum.
  case cases(ValueCodec)
  case members([String: MemberValues])

  /// The members of a model of which values are known, by their names.
  static func all(of schema: ModelSchema, mayNest: Bool = true) -> [String: MemberValues] {
    var result: [String: MemberValues] = [:]
    for (index, name) in schema.names.enumerated() {
      let member = schema.members[index]
      if let constant = schema.constants[index] {
        result[name] = .constant(constant)
      } else if let codec = member.codec?.takeUnretainedValue(), codec.hasCases {
        result[name] = .cases(codec)
      } else if mayNest, member.code == .model, let inner = member.model?.pointee.table {
        let values = all(of: inner, mayNest: false)
        if !values.isEmpty { result[name] = .members(values) }
      }
    }
    return result
  }

  /// Whether a value is one of them; of an object, whether those of its members are. `nil` where it is of another kind.
  func contain(_ value: JSONValue) -> Bool? {
    switch self {
    case .constant(let text):
      if let number = value.int { return String(number) == text }
      return value.bool.map { String($0) == text } ?? value.string.map { $0 == text }
    case .cases(let codec): return codec.hasCase(value)
    case .members(let values):
      guard let members = value.object else { return nil }
      var areAll: Bool?
      for (name, values) in values {
        guard let value = members[name], let isOne = values.contain(value) else { continue }
        areAll = isOne && areAll != false
      }
      return areAll
    }
  }

  static func == (left: MemberValues, right: MemberValues) -> Bool {
    switch (left, right) {
    case (.constant(let left), .constant(let right)): left == right
    case (.cases(let left), .cases(let right)): type(of: left) == type(of: right)
    case (.members(let left), .members(let right)): left == right
    default: false
    }
  }
}

extension ModelSchema {
  /// Whether one of both needs a member that the other does not have, so that no value is like both.
  func isToldApart(from other: ModelSchema) -> Bool { needsMore(than: other) || other.needsMore(than: self) }

  private func needsMore(than other: ModelSchema) -> Bool {
    required.contains { index in
      let member = members[index]
      return !member.isNullable && other.index(of: member.nameStart, member.nameCount) < 0
    }
  }
}
