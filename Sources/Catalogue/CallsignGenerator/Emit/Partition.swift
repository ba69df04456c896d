/// The division of a file's declarations into parts of nearly equal size.
///
/// A build compiles the parts at the same time on several processors.
enum Partition {
  /// The ranges of the parts, which keep the order of the declarations. A part for which nothing is left is empty.
  ///
  /// Of the declarations near an even cut, the longest begins a part. It remains the longest of them while others change a
  /// little, so that an edit seldom moves a declaration from one part to another, and both need not be compiled again.
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
      // A part gets one declaration at least, while there are some.
      let end = min(max(longest, first + 1), sizes.count)
      ranges.append(first..<end)
      first = end
    }
    return ranges + [first..<sizes.count]
  }

  /// The longest of the declarations that begin no later than at `end`; the given one if there is none.
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
