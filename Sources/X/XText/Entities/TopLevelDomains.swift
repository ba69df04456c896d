/// The names that a domain can end with.
struct TopLevelDomains: Sendable {
  static let shared = TopLevelDomains()

  /// All names, one after the other, and where each name begins; the last position is where all end.
  private var letters: [CodePoint] = []
  private var starts: [Int] = [0]
  /// For each hash of a name, its number plus one; open addressing.
  private var slots: [Int32]
  private var longest = 0

  private init() {
    for scalar in TopLevelDomainData.names.unicodeScalars {
      if scalar.value > 0x20 {
        letters.append(scalar.value)
      } else if letters.count > starts[starts.count - 1] {
        starts.append(letters.count)
      }
    }
    if letters.count > starts[starts.count - 1] { starts.append(letters.count) }
    // A power of two, mostly empty.
    slots = [Int32](repeating: 0, count: 8192)
    while slots.count < starts.count * 4 { slots = [Int32](repeating: 0, count: slots.count * 2) }
    for index in 0..<starts.count - 1 {
      let name = letters[starts[index]..<starts[index + 1]]
      longest = max(longest, name.count)
      var slot = Int(truncatingIfNeeded: name.reduce(Self.seed, Self.hash)) & (slots.count - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = Int32(index + 1)
    }
  }

  private static let seed: UInt64 = 0xCBF2_9CE4_8422_2325

  /// Fowler–Noll–Vo, with its high bits mixed in.
  private static func hash(_ hash: UInt64, _ value: CodePoint) -> UInt64 {
    let product = (hash ^ UInt64(value)) &* 0x100_0000_01B3
    return product ^ (product >> 29)
  }

  /// The end of the longest top-level domain that begins at a position and is not followed by more of a name; `nil` if
  /// there is none.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - start: The position after a full stop.
  func end(in text: [CodePoint], at start: Int) -> Int? {
    var hash = Self.seed
    var end: Int?
    var index = start
    let limit = min(start + longest, text.count)
    while index < limit {
      let value = text[index].lowercased
      if value < 0x80, !value.isASCIILetter { break }
      hash = Self.hash(hash, value)
      index += 1
      if index < text.count, Self.continuesName(text[index]) { continue }
      if contains(text, start..<index, hash) { end = index }
    }
    return end ?? punycodeEnd(in: text, at: start)
  }

  /// The end of an encoded name: `xn--` and the rest.
  private func punycodeEnd(in text: [CodePoint], at start: Int) -> Int? {
    guard start + 4 < text.count, text[start].lowercased == 0x78, text[start + 1].lowercased == 0x6E,
      text[start + 2] == 0x2D, text[start + 3] == 0x2D
    else { return nil }
    var end = start + 4
    while end < text.count, text[end].isASCIIAlphanumeric || text[end] == 0x2D { end += 1 }
    return end > start + 4 ? end : nil
  }

  /// A letter, a digit, or a sign that turns what stands before it into a name or an address.
  private static func continuesName(_ value: CodePoint) -> Bool {
    value.isASCIIAlphanumeric || value == 0x40 || value == 0x2B || value == 0x2D
  }

  private func contains(_ text: [CodePoint], _ range: Range<Int>, _ hash: UInt64) -> Bool {
    var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while slots[slot] != 0 {
      let name = Int(slots[slot]) - 1
      if isName(name, text, range) { return true }
      slot = (slot + 1) & (slots.count - 1)
    }
    return false
  }

  private func isName(_ name: Int, _ text: [CodePoint], _ range: Range<Int>) -> Bool {
    let start = starts[name]
    guard starts[name + 1] - start == range.count else { return false }
    for offset in 0..<range.count where letters[start + offset] != text[range.lowerBound + offset].lowercased {
      return false
    }
    return true
  }
}
