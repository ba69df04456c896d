extension String {
  /// The text in lines of limited length, broken between words. A longer word has a separate line.
  ///
  /// - Parameters:
  ///   - width: The maximum number of characters in a line; `nil` for a single line of any length.
  ///   - indent: The spaces before each line.
  ///   - first: The text in the first line, in place of its indentation.
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
