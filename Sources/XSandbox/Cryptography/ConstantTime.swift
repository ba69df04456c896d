/// Comparison whose time does not depend on where two values differ.
enum ConstantTime {
  static func equal(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Bool {
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
