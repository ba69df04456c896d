/// Makes keys and secrets that look like X's and are the same in every run: nothing that they protect leaves loopback.
struct CredentialGenerator: Sendable {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func text(length: Int) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
    return String((0..<length).map { _ in alphabet[Int(next() % UInt64(alphabet.count))] })
  }

  /// SplitMix64.
  private mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
