/// Texts that no error may show: the credentials of its request, which an answer may repeat.
package struct HiddenTexts: Sendable {
  /// The longest first, so that none leaves a part of another.
  private let texts: [String]
  private let mark: String
  /// The length of the shortest secret, in bytes: a shorter text tells nothing, and is found within other words.
  private static let shortest = 5

  /// - Parameters:
  ///   - texts: The texts; short ones are no secrets and are left out.
  ///   - mark: What is shown in place of one.
  package init(_ texts: [String], mark: String) {
    self.texts = texts.filter { $0.utf8.count >= Self.shortest }.sorted { $0.utf8.count > $1.utf8.count }
    self.mark = mark
  }

  /// The text without the hidden ones. By bytes, as an accent behind a text makes another character of its end.
  package func removed(from text: String) -> String {
    texts.reduce(text) { text, hidden in
      var result = ""
      var rest = text[...]
      while let range = rest.utf8.firstRange(of: hidden.utf8) {
        result += rest[..<range.lowerBound] + mark
        rest = rest[range.upperBound...]
      }
      return result.isEmpty ? String(rest) : result + rest
    }
  }

  /// The problems with titles and details without the hidden texts.
  package func removed(from problems: [ProblemDetails]) -> [ProblemDetails] {
    problems.map { problem in
      var problem = problem
      problem.title = problem.title.map { removed(from: $0) }
      problem.detail = problem.detail.map { removed(from: $0) }
      return problem
    }
  }
}

extension APIError {
  /// Takes hidden texts out of the description and out of the problems' titles and details; the body stays as it came.
  package mutating func hide(_ hidden: HiddenTexts) {
    let words = cleanWords ?? words
    let clean = hidden.removed(from: words)
    if clean != words { cleanWords = clean }
    problems = hidden.removed(from: problems)
  }
}
