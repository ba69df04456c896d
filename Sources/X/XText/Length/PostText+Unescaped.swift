// X's API writes `&`, `<` and `>` in the texts of posts as `&amp;`, `&lt;` and `&gt;`, and escapes nothing else.
extension PostText {
  /// A text from X's API as its author wrote it: `&amp;`, `&lt;` and `&gt;` are decoded as `&`, `<` and `>`, once, and
  /// nothing else changes.
  public static func unescaped(_ text: String) -> String { unescaped(text, shifting: []).text }

  /// A text from X's API as its author wrote it, with the new positions of parts of it.
  ///
  /// - Parameters:
  ///   - text: The text as received from X's API.
  ///   - ranges: Parts of it, in code points as X counts, such as the `indices` of an entity; in any order.
  /// - Returns: The text, and the parts in the given order. A part that begins or ends within `&amp;` has the whole
  ///   character.
  public static func unescaped(
    _ text: String, shifting ranges: [Range<Int>]
  ) -> (text: String, ranges: [Range<Int>]) {
    guard text.utf8.contains(UInt8(ascii: "&")) else { return (text, ranges) }
    var result = String.UnicodeScalarView()
    var places = EscapedPlaces()
    var rest = text.unicodeScalars[...]
    var offset = 0
    while let scalar = rest.first {
      let escape = scalar == "&" ? escapes.first { rest.starts(with: $0.escape) } : nil
      let length = escape?.escape.count ?? 1
      if escape != nil { places.add(offset..<offset + length) }
      result.append(escape?.scalar ?? scalar)
      rest = rest.dropFirst(length)
      offset += length
    }
    return (
      String(result),
      ranges.map { range in
        // An empty part within an escape begins before its character, and must not end before it begins.
        let start = places.unescaped(range.lowerBound, isEnd: false)
        return start..<max(start, places.unescaped(range.upperBound, isEnd: !range.isEmpty))
      }
    )
  }

  private static let escapes: [(escape: [Unicode.Scalar], scalar: Unicode.Scalar)] = [
    (["&", "a", "m", "p", ";"], "&"), (["&", "l", "t", ";"], "<"), (["&", "g", "t", ";"], ">"),
  ]
}

/// The positions of a text's escapes, in code points.
private struct EscapedPlaces {
  /// In the text's order, with how many code points are gone at the end of each.
  private var escapes: [(range: Range<Int>, removed: Int)] = []

  mutating func add(_ range: Range<Int>) {
    escapes.append((range, (escapes.last?.removed ?? 0) + range.count - 1))
  }

  /// The position in one form of the text that belongs to a position in the other.
  ///
  /// - Parameter isEnd: Whether a part ends there, rather than begins.
  func unescaped(_ place: Int, isEnd: Bool) -> Int {
    var (low, high) = (0, escapes.count)
    while low < high {
      let middle = (low + high) / 2
      if escapes[middle].range.lowerBound < place { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return place }
    let escape = escapes[low - 1]
    if place >= escape.range.upperBound { return place - escape.removed }
    // The character is the one before the first one after the escape.
    return escape.range.upperBound - escape.removed - (isEnd ? 0 : 1)
  }
}
