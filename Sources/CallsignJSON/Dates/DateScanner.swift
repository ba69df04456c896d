/// Reads the parts of a date from ASCII text.
package struct DateScanner {
  private let utf8: UnsafeBufferPointer<UInt8>
  private var position = 0

  package init(_ utf8: UnsafeBufferPointer<UInt8>) { self.utf8 = utf8 }

  package var isAtEnd: Bool { position == utf8.count }

  package var next: UInt8? { position < utf8.count ? utf8[position] : nil }

  package mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    position += 1
    return true
  }

  /// A number of `minimum` to `maximum` digits.
  package mutating func digits(_ minimum: Int, _ maximum: Int) -> Int? {
    var value = 0
    var count = 0
    while count < maximum, let byte = next, 0x30...0x39 ~= byte {
      value = value * 10 + Int(byte - 0x30)
      count += 1
      position += 1
    }
    return count >= minimum ? value : nil
  }

  package mutating func digits(_ count: Int) -> Int? { digits(count, count) }

  /// Digits after a decimal point, as many as there are, as a fraction of one.
  package mutating func fraction() -> Double? {
    var numerator = 0.0
    var denominator = 1.0
    var count = 0
    while let byte = next, 0x30...0x39 ~= byte {
      // Further digits are beyond what a date can hold.
      if count < 15 {
        numerator = numerator * 10 + Double(byte - 0x30)
        denominator *= 10
      }
      count += 1
      position += 1
    }
    return count > 0 ? numerator / denominator : nil
  }

  /// `Z`, `z`, `+hh:mm` or `+hhmm`, in seconds east of UTC.
  package mutating func offset() -> Int? {
    if take(UInt8(ascii: "Z")) || take(UInt8(ascii: "z")) { return 0 }
    let isWest = take(UInt8(ascii: "-"))
    guard isWest || take(UInt8(ascii: "+")), let hours = digits(2), hours < 24 else { return nil }
    _ = take(UInt8(ascii: ":"))
    guard let minutes = digits(2), minutes < 60 else { return nil }
    return (isWest ? -1 : 1) * (hours * 3600 + minutes * 60)
  }

  /// The position in the list of the name that is next, whatever its case.
  package mutating func name(among names: [String]) -> Int? {
    guard utf8.count - position >= 3 else { return nil }
    for (index, name) in names.enumerated()
    where zip(name.utf8, utf8[position..<position + 3]).allSatisfy({ $0 | 0x20 == $1 | 0x20 }) {
      position += 3
      return index
    }
    return nil
  }
}
