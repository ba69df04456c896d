/// The letters of `date(EEE MMM dd HH:mm:ss Z yyyy)`.
enum DatePattern {
  static let fields = ["EEE", "MMM", "MM", "dd", "d", "HH", "mm", "ss", "SSS", "Z", "yyyy"]

  /// The first run of equal letters that is no field, with its offset.
  static func unknownField(in pattern: String) -> (letters: String, offset: Int)? {
    let scalars = Array(pattern.unicodeScalars)
    var index = 0
    while index < scalars.count {
      let first = scalars[index]
      let start = index
      while index < scalars.count, scalars[index] == first { index += 1 }
      let isLetter = ("a"..."z").contains(first) || ("A"..."Z").contains(first)
      let run = String(repeating: String(first), count: index - start)
      // `T` between day and time stands for itself, as ISO 8601 has it.
      if isLetter, run != "T", !fields.contains(run) { return (run, start) }
    }
    return nil
  }
}
