/// Divides the declarations of a file into parts of nearly equal size.
///
/// A build compiles the parts in parallel on several processors.
enum Partition {
  /// The ranges of the parts, in the order of the declarations. A part is empty if nothing is left for it.
  ///
  /// Of the declarations near an even cut, the longest starts a part. It usually stays the longest while others change a little, so
  /// an edit rarely moves a declaration from one part to another, which would recompile both.
  ///
  /// - Parameter sizes: The size of each declaration.
  static func ranges(of sizes: [Int], parts: Int) -> [Range<Int>] {
    let total = sizes.reduce(0, +)
    let reach = total / max(parts, 1) / 4
    var ranges: [Range<Int>] = []
    var first = 0
    var index = 0
    var start = 0
    for part in 1..<max(parts, 1) {
      let place = total * part / parts
      while index < sizes.count, start < place - reach {
        start += sizes[index]
        index += 1
      }
      let longest = longest(of: sizes, from: index, at: start, to: place + reach)
      // Each part gets at least one declaration while there are any left.
      let end = min(max(longest, first + 1), sizes.count)
      ranges.append(first..<end)
      first = end
    }
    return ranges + [first..<sizes.count]
  }

  /// The longest of the declarations that start at or before `end`; the given one if there is none.
  private static func longest(of sizes: [Int], from index: Int, at start: Int, to end: Int) -> Int {
    var longest = index
    var start = start
    for candidate in index..<sizes.count {
      if start > end { break }
      if sizes[candidate] > sizes[longest] { longest = candidate }
      start += sizes[candidate]
    }
    return longest
  }
}
