/// A Unicode code point. Texts are scanned as arrays of them.
package typealias CodePoint = UInt32

/// Sixteen bits for each code point, in pages. All empty pages are one.
package struct CodePointTable: Sendable {
  /// For each page, its place among ``bits`` in pages.
  private var pages = [UInt16](repeating: 0, count: 0x110000 >> pageShift)
  private var bits = [UInt16](repeating: 0, count: 1 << pageShift)

  private static let pageShift: CodePoint = 7

  package init() {}

  /// The bits of a code point; setting them makes its page.
  package subscript(value: CodePoint) -> UInt16 {
    get { bits[Int(pages[Int(value >> Self.pageShift)]) << Int(Self.pageShift) | Int(value & 0x7F)] }
    set {
      let page = Int(value >> Self.pageShift)
      if pages[page] == 0 {
        pages[page] = UInt16(bits.count >> Int(Self.pageShift))
        bits.append(contentsOf: repeatElement(0, count: 1 << Int(Self.pageShift)))
      }
      bits[Int(pages[page]) << Int(Self.pageShift) | Int(value & 0x7F)] = newValue
    }
  }
}

/// A value for each of some pairs of numbers. Nobody but the data's author chooses the pairs, so they need no hash that
/// withstands an attack, which would cost more than the rest of counting.
package struct PairMap: Sendable {
  /// The first number in the upper half; 0, which is not a pair, if there is none.
  private var keys: [UInt64]
  private var values: [UInt32]
  private var count = 0

  package init() {
    keys = [UInt64](repeating: 0, count: 4096)
    values = [UInt32](repeating: 0, count: 4096)
  }

  /// The value of a pair, which must not be 0 and 0.
  package subscript(first: UInt32, second: UInt32) -> UInt32? {
    get {
      let slot = slot(of: UInt64(first) << 32 | UInt64(second))
      return keys[slot] == 0 ? nil : values[slot]
    }
    set {
      guard let newValue else { return }
      let key = UInt64(first) << 32 | UInt64(second)
      if count * 2 >= keys.count { grow() }
      let slot = slot(of: key)
      if keys[slot] == 0 { count += 1 }
      keys[slot] = key
      values[slot] = newValue
    }
  }

  /// The position of a pair, or the one where it would be. The number of positions is a power of two, and half of them are free.
  private func slot(of key: UInt64) -> Int {
    let mask = keys.count - 1
    var slot = Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
    while keys[slot] != 0, keys[slot] != key { slot = (slot + 1) & mask }
    return slot
  }

  private mutating func grow() {
    let (oldKeys, oldValues) = (keys, values)
    keys = [UInt64](repeating: 0, count: oldKeys.count * 2)
    values = [UInt32](repeating: 0, count: oldKeys.count * 2)
    for (key, value) in zip(oldKeys, oldValues) where key != 0 {
      let slot = slot(of: key)
      keys[slot] = key
      values[slot] = value
    }
  }
}

/// Reads the data's lists of hexadecimal numbers, without Swift's rules for characters in a text.
package enum HexadecimalList {
  /// Calls a function for each entry of a list that is separated by spaces.
  ///
  /// - Parameters:
  ///   - text: Numbers in hexadecimal, joined by single signs to entries.
  ///   - body: Called with the entry's numbers, and the sign after the first; 0 if there is only one number.
  package static func forEach(in text: String, _ body: ([CodePoint], _ sign: UInt8) -> Void) {
    var numbers: [CodePoint] = []
    var sign: UInt8 = 0
    var number: CodePoint?
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39: number = (number ?? 0) << 4 | CodePoint(byte - 0x30)
      case 0x41...0x46: number = (number ?? 0) << 4 | CodePoint(byte - 0x37)
      default:
        if let number { numbers.append(number) }
        number = nil
        if byte > 0x20 {
          if sign == 0 { sign = byte }
        } else if !numbers.isEmpty {
          body(numbers, sign)
          numbers.removeAll(keepingCapacity: true)
          sign = 0
        }
      }
    }
    if let number { numbers.append(number) }
    if !numbers.isEmpty { body(numbers, sign) }
  }
}
