extension String {
  /// The text in Normalization Form C (Unicode Standard Annex #15): a letter and its accents are one character if Unicode
  /// has one.
  package var composed: String {
    var result = String.UnicodeScalarView()
    for case let scalar? in NormalizedText(unicodeScalars.map(\.value)).values.lazy.map(Unicode.Scalar.init) {
      result.append(scalar)
    }
    return String(result)
  }
}

/// A text in Normalization Form C, with the place in the original of each code point.
///
/// Swift's standard library has no public normalization, and FoundationEssentials has none. Unicode Standard Annex #15.
package struct NormalizedText {
  /// The code points of the normalized text.
  package private(set) var values: [CodePoint]
  /// For each of ``values``, the end in the original of the run that it was made from; `nil` if nothing changed.
  package private(set) var ends: [Int32]?

  /// Normalizes a text, in linear time.
  package init(_ text: [CodePoint]) {
    values = text
    guard text.contains(where: { $0 >= 0x300 }) else { return }
    let composition = CanonicalComposition.shared
    var next = composition.firstUnstable(in: text, from: 0)
    guard next < text.count else { return }
    var result: [CodePoint] = []
    var ends: [Int32] = []
    var parts: [CanonicalComposition.Part] = []
    result.reserveCapacity(text.count * 2)
    ends.reserveCapacity(text.count * 2)
    var start = 0
    while start < text.count {
      // A run is a code point and the following ones that may combine with the text before them.
      let run = next < text.count && !composition.continuesRun(text[next]) ? next : max(next - 1, start)
      while start < run {
        result.append(text[start])
        start += 1
        ends.append(Int32(truncatingIfNeeded: start))
      }
      start = min(next + 1, text.count)
      while start < text.count, composition.continuesRun(text[start]) { start += 1 }
      composition.append(text, run..<start, to: &result, by: &parts)
      while ends.count < result.count { ends.append(Int32(truncatingIfNeeded: start)) }
      next = start
      if start < text.count, !composition.isUnstable(text[start]) {
        next = composition.firstUnstable(in: text, from: start + 1)
      }
    }
    values = result
    self.ends = ends
  }

  /// Whether the original may be cut after a number of code points of the normalized text.
  package func isBoundary(_ offset: Int) -> Bool {
    guard let ends, offset > 0, offset < ends.count else { return true }
    return ends[offset - 1] != ends[offset]
  }

  /// The place in the original after a number of code points of the normalized text: the last that they make up fully.
  package func originalOffset(of offset: Int) -> Int {
    guard let ends else { return offset }
    guard offset > 0 else { return 0 }
    guard offset < ends.count else { return Int(ends.last ?? 0) }
    var last = offset - 1
    // A run that is only partly in counts as out.
    while last >= 0, ends[last] == ends[offset] { last -= 1 }
    return last < 0 ? 0 : Int(ends[last])
  }
}

/// Decomposes and composes runs of code points.
private struct CanonicalComposition: Sendable {
  static let shared = CanonicalComposition()

  /// For each code point, its combining class, and the bits below.
  private var classes = CodePointTable()
  /// For each code point, its number in ``decomposed`` plus one; 0 if it does not decompose.
  private var decompositions = CodePointTable()
  /// The parts of all composed code points, one after the other, and for each the position where its parts begin.
  private var decomposed: [Part] = []
  private var starts: [Int] = []
  /// For each of them, whether its parts stay as they are.
  private var staysApart: [Bool] = []
  private var compositions = PairMap()

  /// A code point that may change, or may change the text before it.
  private static let isUnstable: UInt16 = 0x100
  /// One that may combine with the text before it.
  private static let mayCompose: UInt16 = 0x200
  /// One that is a mark, or may combine with the text before it, or whose first part is such a code point.
  private static let continuesRun: UInt16 = 0x400

  private init() {
    HexadecimalList.forEach(in: NormalizationData.unstable) { bounds, _ in
      guard let first = bounds.first, let last = bounds.last else { return }
      for value in first...max(first, last) {
        let combining = Unicode.Scalar(value)?.properties.canonicalCombiningClass.rawValue ?? 0
        classes[value] = UInt16(combining) | Self.isUnstable
      }
    }
    // The parts that the data name may themselves be composed.
    var pairs: [(CodePoint, CodePoint, CodePoint)] = []
    var numbers = CodePointTable()
    HexadecimalList.forEach(in: NormalizationData.decompositions) { parts, sign in
      guard parts.count >= 2 else { return }
      pairs.append((parts[0], parts[1], parts.count > 2 ? parts[2] : 0))
      numbers[parts[0]] = UInt16(pairs.count)
      guard sign == UInt8(ascii: "="), parts.count > 2 else { return }
      compositions[parts[1], parts[2]] = parts[0]
      classes[parts[2]] |= Self.mayCompose
    }
    func decompose(_ value: CodePoint) {
      let number = Int(numbers[value])
      guard number > 0 else {
        return decomposed.append((value, UInt8(truncatingIfNeeded: classes[value])))
      }
      decompose(pairs[number - 1].1)
      if pairs[number - 1].2 != 0 { decompose(pairs[number - 1].2) }
    }
    for (index, pair) in pairs.enumerated() {
      decompositions[pair.0] = UInt16(index + 1)
      starts.append(decomposed.count)
      decompose(pair.0)
    }
    starts.append(decomposed.count)
    HexadecimalList.forEach(in: NormalizationData.unstable) { bounds, _ in
      guard let first = bounds.first, let last = bounds.last else { return }
      for value in first...max(first, last) {
        let number = Int(decompositions[value])
        let (part, combining) =
          number > 0 ? decomposed[starts[number - 1]] : (value, UInt8(truncatingIfNeeded: classes[value]))
        if combining != 0 || classes[part] & Self.mayCompose != 0 || Hangul.mayContinue(part) {
          classes[value] |= Self.continuesRun
        }
      }
    }
    for pair in pairs {
      var (parts, composed): ([Part], [CodePoint]) = ([], [])
      appendComposed([pair.0], 0..<1, to: &composed, by: &parts)
      staysApart.append(composed.elementsEqual(parts.map(\.value)))
    }
  }

  /// Whether a code point may change, or may change the text before it.
  func isUnstable(_ value: CodePoint) -> Bool { value >= 0x300 && classes[value] & Self.isUnstable != 0 }

  /// Whether a code point may combine with the text before it, or change places with it.
  func continuesRun(_ value: CodePoint) -> Bool { value >= 0x300 && classes[value] & Self.continuesRun != 0 }

  /// The place of the next code point that may change, or the text's end.
  func firstUnstable(in text: [CodePoint], from start: Int) -> Int {
    var index = start
    while index < text.count, !isUnstable(text[index]) { index += 1 }
    return index
  }

  /// A code point and its combining class.
  typealias Part = (value: CodePoint, combining: UInt8)

  /// Appends a run's composition, and leaves its parts in an array that the next run uses again.
  func append(_ text: [CodePoint], _ run: Range<Int>, to result: inout [CodePoint], by parts: inout [Part]) {
    if run.count == 1 {
      let value = text[run.lowerBound]
      let number = value < 0xC0 ? 0 : Int(decompositions[value])
      if number == 0 { return result.append(value) }
      if staysApart[number - 1] {
        for place in starts[number - 1]..<starts[number] { result.append(decomposed[place].value) }
        return
      }
    }
    appendComposed(text, run, to: &result, by: &parts)
  }

  private func appendComposed(
    _ text: [CodePoint], _ run: Range<Int>, to result: inout [CodePoint], by parts: inout [Part]
  ) {
    parts.removeAll(keepingCapacity: true)
    parts.reserveCapacity(run.count * 2)
    for index in run { decompose(text[index], into: &parts) }
    reorder(&parts)
    compose(parts, into: &result)
  }

  private func decompose(_ value: CodePoint, into parts: inout [Part]) {
    let number = value < 0xC0 ? 0 : Int(decompositions[value])
    if number > 0 {
      for place in starts[number - 1]..<starts[number] { parts.append(decomposed[place]) }
    } else if value >= Hangul.first, value <= Hangul.last {
      let (leading, vowel, trailing) = Hangul.parts(of: value)
      parts.append((leading, 0))
      parts.append((vowel, 0))
      if let trailing { parts.append((trailing, 0)) }
    } else {
      parts.append((value, value < 0x300 ? 0 : UInt8(truncatingIfNeeded: classes[value])))
    }
  }

  /// Puts marks between two starters in the order of their classes, marks of one class in the order they have.
  private func reorder(_ parts: inout [Part]) {
    var start = 0
    while start < parts.count {
      guard parts[start].combining != 0 else {
        start += 1
        continue
      }
      var end = start + 1
      var isSorted = true
      while end < parts.count, parts[end].combining != 0 {
        if parts[end].combining < parts[end - 1].combining { isSorted = false }
        end += 1
      }
      if !isSorted { sort(&parts, start..<end) }
      start = end
    }
  }

  private func sort(_ parts: inout [Part], _ range: Range<Int>) {
    guard range.count > 16 else {
      for index in range.dropFirst() {
        var place = index
        while place > range.lowerBound, parts[place].combining < parts[place - 1].combining {
          parts.swapAt(place, place - 1)
          place -= 1
        }
      }
      return
    }
    // By counting, so that no number of marks takes more than linear time.
    var places = [Int](repeating: 0, count: 257)
    let marks = Array(parts[range])
    for mark in marks { places[Int(mark.combining) + 1] += 1 }
    for combining in 1...256 { places[combining] += places[combining - 1] }
    for mark in marks {
      let place = places[Int(mark.combining)]
      parts[range.lowerBound + place] = mark
      places[Int(mark.combining)] = place + 1
    }
  }

  private func compose(_ parts: [Part], into result: inout [CodePoint]) {
    var starter: Int?
    var lastClass: UInt8 = 0
    var isAdjacent = false
    for (value, combining) in parts {
      if let starter, isAdjacent || (lastClass != 0 && lastClass < combining),
        let composite = composite(result[starter], value)
      {
        result[starter] = composite
        continue
      }
      result.append(value)
      if combining == 0 {
        starter = result.count - 1
        isAdjacent = true
      } else {
        isAdjacent = false
      }
      lastClass = combining
    }
  }

  private func composite(_ first: CodePoint, _ second: CodePoint) -> CodePoint? {
    guard second >= 0x300 else { return nil }
    if second < 0x1200 || second >= 0xA000, let syllable = Hangul.composite(first, second) { return syllable }
    return classes[second] & Self.mayCompose == 0 ? nil : compositions[first, second]
  }
}

/// The syllables of Korean, whose composition is arithmetic. The Unicode Standard, section 3.12.
private enum Hangul {
  static let first: CodePoint = 0xAC00
  static let last: CodePoint = 0xD7A3
  private static let leading: CodePoint = 0x1100
  private static let vowel: CodePoint = 0x1161
  private static let trailing: CodePoint = 0x11A7

  static func parts(of syllable: CodePoint) -> (CodePoint, CodePoint, CodePoint?) {
    let index = syllable - first
    let end = index % 28
    return (leading + index / 588, vowel + index % 588 / 28, end == 0 ? nil : trailing + end)
  }

  /// Whether a code point is a vowel or an end of a syllable.
  static func mayContinue(_ value: CodePoint) -> Bool {
    value &- vowel < 21 || (value > trailing && value - trailing < 28)
  }

  static func composite(_ before: CodePoint, _ after: CodePoint) -> CodePoint? {
    if before &- leading < 19, after &- vowel < 21 {
      return first + ((before - leading) * 21 + (after - vowel)) * 28
    }
    if before >= first, before <= last, (before - first) % 28 == 0, after > trailing, after &- trailing < 28 {
      return before + (after - trailing)
    }
    return nil
  }
}
