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
}

extension APIError {
  /// The same error without hidden texts in its description and its problems' titles and details; the body stays as it came.
  package func hiding(_ hidden: HiddenTexts) -> APIError {
    var error = self
    let words = hidden.removed(from: error.words)
    if words != error.words { error.cleanWords = words }
    for index in error.problems.indices {
      error.problems[index].title = error.problems[index].title.map(hidden.removed)
      error.problems[index].detail = error.problems[index].detail.map(hidden.removed)
    }
    return error
  }
}
