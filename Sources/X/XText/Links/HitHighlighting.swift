/// Marks search hits in a text that already has links.
public enum HitHighlighting {
  /// Puts an element around each hit.
  ///
  /// - Parameters:
  ///   - html: A text. Its tags do not count in the positions of hits.
  ///   - hits: The positions, in code points of the text without its tags, in order and without overlaps. A hit that
  ///     ends after the text ends with the text.
  ///   - tag: The element's name. Default: `em`.
  public static func highlight(_ html: String, hits: [Range<Int>], tag: String = "em") -> String {
    guard !hits.isEmpty else { return html }
    // Texts and tags alternate.
    let pieces = html.unicodeScalars.split(omittingEmptySubsequences: false) { $0 == "<" || $0 == ">" }
    var result = ""
    var boundaries: ArraySlice<(offset: Int, isStart: Bool)> = []
    for hit in hits { boundaries += [(hit.lowerBound, true), (hit.upperBound, false)] }
    var offset = 0
    for (index, piece) in pieces.enumerated() {
      if index % 2 == 1 {
        result += "<\(String(piece))>"
        continue
      }
      var position = piece.startIndex
      var length = piece.count
      var beginsHere = false
      // A hit that begins in a text ends at the end of that text; everything else waits for the text after the tag.
      while let next = boundaries.first, next.offset < offset + length || (beginsHere && next.offset == offset + length)
      {
        let place = piece.index(position, offsetBy: max(0, next.offset - offset), limitedBy: piece.endIndex)
        let end = place ?? piece.endIndex
        result += String(piece[position..<end])
        length -= max(0, min(next.offset - offset, length))
        offset = max(offset, next.offset)
        position = end
        result += next.isStart ? "<\(tag)>" : "</\(tag)>"
        beginsHere = next.isStart
        boundaries.removeFirst()
      }
      result += String(piece[position...])
      offset += length
    }
    for boundary in boundaries { result += boundary.isStart ? "<\(tag)>" : "</\(tag)>" }
    return result
  }
}
