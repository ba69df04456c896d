/// Makes keys and secrets that look like X's and are the same in every run: nothing that they protect leaves loopback.
struct CredentialGenerator: Sendable {
  /// In the middle of each secret, so that a search through logs and answers finds those that leaked.
  static let secretMarker = "s3cr3t"

  private var numbers: SplitMix64

  init(seed: UInt64) { numbers = SplitMix64(seed: seed) }

  /// Letters and digits: for keys, names and other values that may be seen.
  mutating func text(length: Int) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
    return String((0..<length).map { _ in alphabet[Int(numbers.next() % UInt64(alphabet.count))] })
  }

  /// Letters and digits with ``secretMarker`` among them: for what nobody but its owner may see.
  mutating func secret(length: Int) -> String {
    let others = max(0, length - Self.secretMarker.count)
    return text(length: others / 2) + Self.secretMarker + text(length: others - others / 2)
  }

  /// Seven digits, as a person types them.
  mutating func pin() -> String { String((0..<7).map { _ in Character(String(numbers.next() % 10)) }) }
}
