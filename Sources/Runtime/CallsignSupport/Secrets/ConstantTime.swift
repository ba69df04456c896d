/// Comparison of secrets.
package enum ConstantTime {
  /// Whether two byte strings are equal, in a time that depends only on their lengths.
  package static func areEqual(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Bool {
    guard left.count == right.count else { return false }
    var difference: UInt8 = 0
    for (one, other) in zip(left, right) { difference |= one ^ other }
    return difference == 0
  }
}
