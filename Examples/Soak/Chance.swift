/// SplitMix64: the same seed gives the same numbers on every system.
struct Chance: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// - Parameters:
  ///   - seed: The run's.
  ///   - purpose: Keeps those who draw apart, so that one who draws more changes nothing for the others.
  init(seed: UInt64, for purpose: String) {
    state = purpose.utf8.reduce(seed &+ 0x51_7C_C1_B7_27_22_0A_95) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func happens(_ probability: Double) -> Bool { Double.random(in: 0..<1, using: &self) < probability }
  mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }
  mutating func seconds(_ range: ClosedRange<Double>) -> Duration { .seconds(Double.random(in: range, using: &self)) }
}
