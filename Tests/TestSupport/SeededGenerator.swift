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
}
