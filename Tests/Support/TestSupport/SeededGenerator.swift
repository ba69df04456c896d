import CallsignJSON

/// A random number generator that yields the same numbers for the same seed (SplitMix64), so that a failure comes again.
package struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A text with a taste for the characters that make trouble.
  package mutating func text(length: ClosedRange<Int>) -> String {
    let troublesome = Array("%+& =/?#;:@!$'()*,[]{}<>\"\\^`|~-._\u{0}\r\n\té漢😀👩‍👩‍👧ﬀ\u{301}")
    return String(
      (0..<Int.random(in: length, using: &self)).map { _ in
        Bool.random(using: &self)
          ? troublesome.randomElement(using: &self) ?? "a"
          : Character(Unicode.Scalar(UInt8.random(in: 0x20...0x7E, using: &self)))
      })
  }

  /// Any JSON, at most six levels deep.
  ///
  /// - Parameter text: Makes a string or a name. Default: one with a taste for trouble.
  package mutating func json(
    text: (inout SeededGenerator) -> String = { $0.text(length: 0...12) }, depth: Int = 0
  ) -> JSONValue {
    switch Int.random(in: 0..<(depth < 5 ? 8 : 6), using: &self) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &self))
    case 2: return .integer(Int(truncatingIfNeeded: next()) >> Int.random(in: 0..<63, using: &self))
    case 3: return .number(Double(Int.random(in: -1_000_000...1_000_000, using: &self)) / 1024)
    case 4, 5: return .string(text(&self))
    case 6: return .array((0..<Int.random(in: 0..<6, using: &self)).map { _ in json(text: text, depth: depth + 1) })
    default:
      var members: [String: JSONValue] = [:]
      for _ in 0..<Int.random(in: 0..<6, using: &self) { members[text(&self)] = json(text: text, depth: depth + 1) }
      return .object(members)
    }
  }
}
