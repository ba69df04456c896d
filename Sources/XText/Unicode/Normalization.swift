/// A text in Normalization Form C, in which posts are counted, with the place in the original of each code point.
///
/// Written out here, because Swift's standard library has no public normalization and XText does without Foundation.
/// Unicode Standard Annex #15.
struct NormalizedText {
  /// The code points of the normalized text.
  private(set) var values: [CodePoint]
  /// For each of ``values``, the end in the original of the run that it was made from; `nil` where nothing changed.
  private(set) var ends: [Int]?

  /// Normalizes a text, in linear time but for sorting runs of combining marks.
  init(_ text: [CodePoint]) {
    values = text
    guard text.contains(where: { $0 >= 0x300 }) else { return }
    let composition = CanonicalComposition.shared
    guard let first = text.firstIndex(where: composition.isUnstable) else { return }
    var result: [CodePoint] = []
    var ends: [Int] = []
    var parts: [CanonicalComposition.Part] = []
    result.reserveCapacity(text.count)
    ends.reserveCapacity(text.count)
    // A run is a code point that stands for itself, and those after it that may change.
    var start = 0
    var next = max(first - 1, 0)
    while start < text.count {
      while start < next {
        result.append(text[start])
        start += 1
        ends.append(start)
      }
      guard start < text.count else { break }
      var end = start + 1
      while end < text.count, composition.isUnstable(text[end]) { end += 1 }
      if end == start + 1, !composition.isUnstable(text[start]) {
        result.append(text[start])
      } else {
        composition.append(text[start..<end], to: &result, by: &parts)
      }
      while ends.count < result.count { ends.append(end) }
      start = end
      next = start
    }
    values = result
    self.ends = ends
  }

  /// Whether the original may be cut after a number of code points of the normalized text.
  func isBoundary(_ offset: Int) -> Bool {
    guard let ends, offset > 0, offset < ends.count else { return true }
    return ends[offset - 1] != ends[offset]
  }

  /// The place in the original after a number of code points of the normalized text: the last that they make up fully.
  func originalOffset(of offset: Int) -> Int {
    guard let ends else { return offset }
    guard offset > 0 else { return 0 }
    guard offset < ends.count else { return ends.last ?? 0 }
    var last = offset - 1
    // A run that is only partly in counts as out.
    while last >= 0, ends[last] == ends[offset] { last -= 1 }
    return last < 0 ? 0 : ends[last]
  }
}

/// Decomposes and composes runs of code points.
private struct CanonicalComposition: Sendable {
  static let shared = CanonicalComposition()

  /// By a code point, the two that it is made of; the second is 0 where it is one.
  private var decompositions: [CodePoint: (CodePoint, CodePoint)] = [:]
  private var compositions: [UInt64: CodePoint] = [:]
  /// A bit for each code point of the Basic Multilingual Plane.
  private var unstableBits = [UInt64](repeating: 0, count: 0x10000 / 64)
  private var unstableBeyond: Set<CodePoint> = []

  private init() {
    for entry in NormalizationData.decompositions.split(whereSeparator: \.isWhitespace) {
      let parts = entry.split(whereSeparator: { "=>+".contains($0) }).compactMap { CodePoint($0, radix: 16) }
      guard parts.count >= 2 else { continue }
      decompositions[parts[0]] = (parts[1], parts.count > 2 ? parts[2] : 0)
      if entry.contains("="), parts.count > 2 { compositions[Self.key(parts[1], parts[2])] = parts[0] }
    }
    for entry in NormalizationData.unstable.split(whereSeparator: \.isWhitespace) {
      let bounds = entry.split(separator: "-").compactMap { CodePoint($0, radix: 16) }
      guard let first = bounds.first, let last = bounds.last else { continue }
      for value in first...last {
        if value < 0x10000 {
          unstableBits[Int(value / 64)] |= 1 << UInt64(value % 64)
        } else {
          unstableBeyond.insert(value)
        }
      }
    }
  }

  /// Whether a code point may change, or may change what stands before it.
  func isUnstable(_ value: CodePoint) -> Bool {
    if value < 0x300 { return false }
    if value < 0x10000 { return unstableBits[Int(value / 64)] & (1 << UInt64(value % 64)) != 0 }
    return value < 0xE0000 && unstableBeyond.contains(value)
  }

  private static func key(_ first: CodePoint, _ second: CodePoint) -> UInt64 { UInt64(first) << 32 | UInt64(second) }

  private static func combiningClass(_ value: CodePoint) -> UInt8 {
    Unicode.Scalar(value)?.properties.canonicalCombiningClass.rawValue ?? 0
  }

  /// A code point and its combining class.
  typealias Part = (value: CodePoint, combining: UInt8)

  /// Appends a run's composition, and leaves its parts in an array that the next run uses again.
  func append(_ run: ArraySlice<CodePoint>, to result: inout [CodePoint], by parts: inout [Part]) {
    parts.removeAll(keepingCapacity: true)
    for value in run { decompose(value, into: &parts) }
    reorder(&parts)
    compose(parts, into: &result)
  }

  private func decompose(_ value: CodePoint, into parts: inout [Part]) {
    if value >= Hangul.first, value <= Hangul.last {
      for part in Hangul.parts(of: value) { parts.append((part, 0)) }
    } else if let (first, second) = decompositions[value] {
      decompose(first, into: &parts)
      if second != 0 { decompose(second, into: &parts) }
    } else {
      parts.append((value, Self.combiningClass(value)))
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
      if !isSorted {
        let sorted = parts[start..<end].enumerated().sorted {
          ($0.element.combining, $0.offset) < ($1.element.combining, $1.offset)
        }
        for (offset, part) in sorted.enumerated() { parts[start + offset] = part.element }
      }
      start = end
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
    Hangul.composite(first, second) ?? compositions[Self.key(first, second)]
  }
}

/// The syllables of Korean, whose composition is arithmetic. The Unicode Standard, section 3.12.
private enum Hangul {
  static let first: CodePoint = 0xAC00
  static let last: CodePoint = 0xD7A3
  private static let leading: CodePoint = 0x1100
  private static let vowel: CodePoint = 0x1161
  private static let trailing: CodePoint = 0x11A7

  static func parts(of syllable: CodePoint) -> [CodePoint] {
    let index = syllable - first
    let end = index % 28
    let open = [leading + index / 588, vowel + index % 588 / 28]
    return end == 0 ? open : open + [trailing + end]
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
