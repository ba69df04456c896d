import CallsignJSON

/// A place in a body that two parsers read as different values.
struct ReadingDifference: Sendable, Equatable {
  /// The path to it: `$.poll.options[0]`.
  let path: String
  /// The sandbox's value as JSON, cut after 60 characters; `nothing` if it has none.
  let own: String
  /// The other parser's value, in the same form.
  let other: String

  fileprivate init(_ path: String, _ own: JSON?, _ other: JSONValue?) {
    self.path = path
    self.own = Self.shown(own.map { String(decoding: $0.bytes, as: UTF8.self) })
    self.other = Self.shown(other?.description)
  }

  private static func shown(_ text: String?) -> String {
    guard let text else { return "nothing" }
    return text.count > 60 ? String(text.prefix(60)) + "…" : text
  }
}

extension JSON {
  /// The first place that another parser read differently from the same text; `nil` if there is none. Numbers written with a
  /// decimal point may be whole here, and numbers with many digits may differ in the last digits.
  func difference(from other: JSONValue, at path: String = "$") -> ReadingDifference? {
    switch (self, other) {
    case (.null, .null): return nil
    case (.boolean(let value), .bool(let otherValue)) where value == otherValue: return nil
    case (.string(let text), .string(let otherText)) where text.utf8.elementsEqual(otherText.utf8): return nil
    case (.integer(let number), .integer(let otherNumber)) where number.magnitude < 100_000_000_000_000_000:
      return number == otherNumber ? nil : ReadingDifference(path, self, other)
    case (.integer, _), (.number, _):
      if let number = double, let otherNumber = other.double, Self.areClose(number, otherNumber) { return nil }
      return ReadingDifference(path, self, other)
    case (.array(let elements), .array(let otherElements)) where elements.count == otherElements.count:
      for (index, element) in elements.enumerated() {
        if let found = element.difference(from: otherElements[index], at: "\(path)[\(index)]") { return found }
      }
      return nil
    case (.object(let members), .object(let otherMembers)):
      for name in Set(members.keys).union(otherMembers.keys).sorted() {
        let place = "\(path).\(name)"
        guard let member = members[name], let otherMember = otherMembers[name] else {
          return ReadingDifference(place, members[name], otherMembers[name])
        }
        if let found = member.difference(from: otherMember, at: place) { return found }
      }
      return nil
    default: return ReadingDifference(path, self, other)
    }
  }

  /// For more than 17 digits, Foundation makes a `Double` through a decimal number, in steps that may each round.
  private static func areClose(_ first: Double, _ second: Double) -> Bool {
    abs(first - second) <= max(abs(first), abs(second)) * 1e-12
  }
}
