import CallsignSupport

/// The first sentence of a CommonMark text: of its first paragraph, regardless of line breaks.
enum FirstSentence {
  /// - Returns: The sentence on one line; `nil` if the text has no words.
  static func of(_ text: String?) -> String? {
    guard let text, let paragraph = paragraph(of: text) else { return nil }
    return sentence(of: paragraph)
  }

  /// The lines of the first paragraph joined with single spaces.
  private static func paragraph(of text: String) -> String? {
    var words: [Substring] = []
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      let content = line.split(whereSeparator: \.isWhitespace)
      if words.isEmpty {
        words = heading(content)
      } else if let first = content.first, !beginsBlock(first) {
        words += content
      } else {
        break
      }
    }
    return words.isEmpty ? nil : words.joined(separator: " ")
  }

  /// The words of a line that may be a heading; none for a line of only punctuation.
  private static func heading(_ words: [Substring]) -> [Substring] {
    let rest = words.first.map { word in word.allSatisfy { $0 == "#" } } == true ? Array(words.dropFirst()) : words
    return rest.contains { $0.contains { $0.isLetter || $0.isNumber } } ? rest : []
  }

  /// Whether a line that begins with the word starts a new block: a list, a heading, a table or code.
  private static func beginsBlock(_ word: Substring) -> Bool {
    if ["-", "*", "+"].contains(word) || word.hasPrefix("```") || word.hasPrefix("|") { return true }
    if word.allSatisfy({ $0 == "#" }) || word.count > 2 && word.allSatisfy({ "-=_*".contains($0) }) { return true }
    return word.dropLast().allSatisfy(\.isNumber) && word.count > 1 && [".", ")"].contains(word.last)
  }

  /// Words that end in a dot without ending a sentence.
  private static let abbreviations: Set<Substring> = [
    "approx.", "ca.", "cf.", "co.", "dr.", "e.g.", "eg.", "esp.", "fig.", "i.e.", "ie.", "inc.", "incl.", "jr.", "ltd.",
    "max.", "min.", "mr.", "mrs.", "ms.", "no.", "nr.", "resp.", "sr.", "st.", "u.k.", "u.s.", "viz.", "vs.",
  ]

  private static func sentence(of paragraph: String) -> String {
    var isCode = false
    var start = paragraph.startIndex
    for index in paragraph.indices {
      switch paragraph[index] {
      case "`": isCode.toggle()
      case " ": start = paragraph.index(after: index)
      // These end a sentence even without a space after them.
      case "。", "！", "？": if !isCode { return String(paragraph[...index]) }
      case ".", "!", "?":
        guard !isCode, let end = end(of: paragraph, at: index) else { continue }
        let word = paragraph[start...index].drop { "([\"'“".contains($0) }
        if paragraph[index] == ".", abbreviations.contains(Substring(word.lowercased())) { continue }
        // An initial, as in `J. Smith`.
        if paragraph[index] == ".", word.count == 2, word.first?.isUppercase == true { continue }
        return String(paragraph[...end])
      default: break
      }
    }
    return paragraph
  }

  /// The last character of a sentence that ends with punctuation, including a closing bracket or quote after it; `nil` if the
  /// sentence continues.
  private static func end(of text: String, at sign: String.Index) -> String.Index? {
    var last = sign
    var next = text.index(after: sign)
    while next < text.endIndex, ")]\"'”*".contains(text[next]) {
      last = next
      next = text.index(after: next)
    }
    guard next < text.endIndex else { return last }
    guard text[next] == " ", let after = text[text.index(after: next)...].first else { return nil }
    return after.isLowercase ? nil : last
  }
}
