/// Generates keys and secrets in X's format. They are the same in every run, and protect nothing beyond loopback.
struct CredentialGenerator: Sendable {
  /// A text in the middle of each secret, so that a search through logs and responses can find leaks.
  static let secretMarker = "s3cr3t"

  private var numbers: SplitMix64

  init(seed: UInt64) { numbers = SplitMix64(seed: seed) }

  /// Letters and digits, for keys and other public values.
  mutating func text(length: Int) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
    return String((0..<length).map { _ in alphabet[Int(numbers.next() % UInt64(alphabet.count))] })
  }

  /// Letters and digits with ``secretMarker`` in the middle, for secrets.
  mutating func secret(length: Int) -> String {
    let others = max(0, length - Self.secretMarker.count)
    return text(length: others / 2) + Self.secretMarker + text(length: others - others / 2)
  }

  /// Seven digits that a user can type.
  mutating func pin() -> String { String((0..<7).map { _ in Character(String(numbers.next() % 10)) }) }
}

/// Pseudorandom numbers that are the same for the same seed, from the SplitMix64 algorithm (Steele, Lea and Flood, 2014). They are
/// predictable, so use them only in a sandbox.
struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
