/// A part of a text, with its position counted in three ways.
public struct TextRange: Sendable, Hashable {
  /// In the string itself.
  public let indices: Range<String.Index>
  /// In UTF-16 code units, as `NSRange` and JavaScript count.
  public let utf16: Range<Int>
  /// In Unicode code points, as X counts the positions of entities.
  public let codePoints: Range<Int>
}

extension TextRange {
  /// The part of a text at a position from X's response: `start` and `end` of an entity of v2, or the two `indices` of
  /// an entity of v1.1.
  ///
  /// ```swift
  /// for url in post.entities?.urls ?? [] {
  ///   guard let range = TextRange(codePointsFrom: url.start, to: url.end, in: post.text) else { continue }
  ///   print(post.text[range.indices])
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - start: The first code point, counted from 0.
  ///   - end: The code point after the last one.
  ///   - text: The text, as received.
  /// - Returns: `nil` if the text has no such position.
  public init?(codePointsFrom start: Int, to end: Int, in text: String) {
    guard start >= 0, start <= end else { return nil }
    var cursor = Cursor(text)
    let range = cursor.range(start..<end)
    guard range.codePoints == start..<end else { return nil }
    self = range
  }

  /// The beginning of a text whose code points are given.
  init(beginningOf text: String, _ values: ArraySlice<CodePoint>) {
    var utf8 = 0
    var utf16 = 0
    for value in values {
      utf8 += value < 0x80 ? 1 : value < 0x800 ? 2 : value < 0x10000 ? 3 : 4
      utf16 += value < 0x10000 ? 1 : 2
    }
    self.init(
      indices: text.startIndex..<text.utf8.index(text.startIndex, offsetBy: utf8), utf16: 0..<utf16,
      codePoints: 0..<values.count)
  }

  /// Converts positions to ranges in a single loop over the text. The positions must be in the text's order.
  struct Cursor {
    private let text: String
    private var index: String.Index
    private var utf16 = 0
    private var codePoints = 0

    init(_ text: String) {
      self.text = text
      index = text.startIndex
    }

    /// The range of code points that neither begin nor end before the beginning of the last requested range.
    mutating func range(_ offsets: Range<Int>) -> TextRange {
      move(to: offsets.lowerBound)
      let start = self
      var end = self
      end.move(to: offsets.upperBound)
      return TextRange(
        indices: start.index..<end.index, utf16: start.utf16..<end.utf16,
        codePoints: start.codePoints..<end.codePoints)
    }

    private mutating func move(to offset: Int) {
      let scalars = text.unicodeScalars
      while codePoints < offset, index < scalars.endIndex {
        utf16 += scalars[index].value > 0xFFFF ? 2 : 1
        codePoints += 1
        index = scalars.index(after: index)
      }
    }
  }
}
