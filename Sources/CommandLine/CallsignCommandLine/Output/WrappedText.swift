extension String {
  /// The text in lines of at most so many characters, broken between words. A word that is longer has a line of its own.
  ///
  /// - Parameters:
  ///   - width: The most characters of a line; `nil` for one line however long.
  ///   - indent: The spaces before each line.
  ///   - first: The text that stands in the first line in place of its spaces.
  package func wrapped(to width: Int?, indent: Int, first: String? = nil) -> String {
    let margin = String(repeating: " ", count: indent)
    guard let width else { return (first ?? margin) + self + "\n" }
    var lines: [String] = []
    var line = ""
    for word in split(separator: " ", omittingEmptySubsequences: true) {
      if !line.isEmpty, indent + line.count + 1 + word.count > width {
        lines.append(line)
        line = ""
      }
      line += line.isEmpty ? String(word) : " \(word)"
    }
    lines.append(line)
    return lines.enumerated().map { ($0.offset == 0 ? first ?? margin : margin) + $0.element + "\n" }.joined()
  }
}
