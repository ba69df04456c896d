/// A number from which values and other seeds are derived. The same names always give the same values, whatever came before.
struct Seed: Sendable, Hashable {
  private(set) var value: UInt64

  init(_ value: UInt64) { self.value = Self.mixed(value) }

  /// The seed for a part, such as a member or an element.
  func derived(_ name: String) -> Seed {
    // FNV-1a. Unlike `Hasher`, it gives the same result in every process.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    return Seed(value ^ hash)
  }

  func derived(_ index: Int) -> Seed { Seed(value &+ 0x9E37_79B9_7F4A_7C15 &* UInt64(bitPattern: Int64(index) &+ 1)) }

  var generator: SeededGenerator { SeededGenerator(state: value) }

  fileprivate static func mixed(_ value: UInt64) -> UInt64 {
    var value = value &+ 0x9E37_79B9_7F4A_7C15
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}

/// Random numbers by SplitMix64.
struct SeededGenerator: RandomNumberGenerator {
  fileprivate var state: UInt64

  mutating func next() -> UInt64 {
    defer { state = state &+ 0x9E37_79B9_7F4A_7C15 }
    return Seed.mixed(state)
  }

  /// Returns true with the given probability, from 0 to 1.
  mutating func chance(_ probability: Double) -> Bool { Double.random(in: 0..<1, using: &self) < probability }

  mutating func pick<T>(_ elements: [T]) -> T? { elements.randomElement(using: &self) }
}
