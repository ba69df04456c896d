import CallsignCatalogue
import Foundation

/// Searches operations for the words of a request, such as `list the pull requests of a repo`. The best matches come first.
///
/// Words match by their beginnings and in the singular. A word counts more the rarer it is in the list, more in a summary than in a
/// name, and more in a name than in a path. An operation with many other words matches less well, above all if its path is long:
/// what a person calls `a repo` is at `/repos`, not somewhere below it.
struct OperationSearch {
  /// A line of the list, with the words in its columns.
  private struct Entry {
    let line: OperationList.Line
    let name: [String]
    let summary: [String]
    let path: [String]

    init(_ line: OperationList.Line) {
      self.line = line
      name = OperationSearch.words(line.name)
      summary = OperationSearch.words(line.summary)
      path = OperationSearch.words(line.path)
    }

    var length: Int { 1 + name.count + summary.count + 2 * path.count }

    /// The score of a word, at least 0.
    func points(_ word: String) -> Double {
      3 * OperationSearch.likeness(of: word, in: summary) + 2 * OperationSearch.likeness(of: word, in: name)
        + OperationSearch.likeness(of: word, in: path) + (isMethod(word) ? 1 : 0)
    }

    /// Whether a word only states the operation's method.
    private func isMethod(_ word: String) -> Bool {
      word == line.method.lowercased() && !OperationSearch.synonyms.contains { $0.contains(word) }
    }
  }

  /// Words that do not describe an operation.
  private static let stopWords: Set<String> = [
    "about", "all", "an", "and", "any", "are", "as", "at", "be", "by", "can", "do", "does", "for", "from", "how", "in",
    "into", "is", "it", "its", "of", "on", "one", "or", "our", "please", "some", "that", "the", "their", "them",
    "there", "this", "to", "want", "was", "what", "which", "with", "you", "your",
  ]
  /// Words that APIs and people use for the same thing.
  private static let synonyms: [Set<String>] = [
    ["get", "fetch", "read", "show", "retrieve", "find", "view", "list"],
    ["create", "add", "make", "new", "post", "send", "start"],
    ["delete", "remove", "destroy"],
    ["update", "edit", "change", "modify", "set", "replace", "rename", "put"],
  ]

  /// The maximum number of words of a request to search for.
  private static let mostWords = 50
  /// The maximum number of characters of a request to read.
  static let mostCharacters = 1_000

  private let entries: [Entry]

  init(_ lines: [OperationList.Line]) { entries = lines.map(Entry.init) }

  /// Whether a request contains no word that could find anything.
  static func saysNothing(_ query: String) -> Bool {
    // Punctuation on its own would be read as words by its names.
    let query = beginning(of: query)
    return !query.contains { $0.isLetter || $0.isNumber } || words(query).isEmpty
  }

  /// The operations that contain some of the words, best matches first.
  func matches(_ query: String) -> [OperationList.Line] {
    let words = Set(Self.words(Self.beginning(of: query)).prefix(Self.mostWords)).sorted()
    var scores = [Double](repeating: 0, count: entries.count)
    var hits = [Int](repeating: 0, count: entries.count)
    for word in words {
      let points = entries.map { $0.points(word) }
      let count = points.count { $0 > 0 }
      let rarity = log(1 + Double(entries.count) / Double(max(1, count)))
      for (index, points) in points.enumerated() where points > 0 {
        scores[index] += points * rarity
        hits[index] += 1
      }
    }
    let found = entries.indices.filter { hits[$0] > 0 }.map { index in
      (index, scores[index] * Double(hits[index]) / Double(entries[index].length))
    }
    return found.sorted { ($1.1, $0.0) < ($0.1, $1.0) }.map { entries[$0.0].line }
  }

  private static func beginning(of query: String) -> String {
    String(String.UnicodeScalarView(query.unicodeScalars.prefix(mostCharacters)))
  }

  /// How similar a word is to the closest one in a column: 1 if they are the same, 0 if there is none.
  private static func likeness(of word: String, in column: [String]) -> Double {
    var best = 0.0
    for other in column {
      if other == word { return 1 }
      // A prefix of one or two letters would match too many words.
      if word.count > 2, other.hasPrefix(word) {
        best = max(best, 0.75)
      } else if synonyms.contains(where: { $0.contains(word) && $0.contains(other) }) {
        best = max(best, 0.3)
      }
    }
    return best
  }

  /// The meaningful words of a text or name, in lowercase and in the singular.
  private static func words(_ text: String) -> [String] {
    NameWords(text).list.map { $0.lowercased() }.filter { $0.count > 1 && !stopWords.contains($0) }.map(singular)
  }

  private static func singular(_ word: String) -> String {
    guard word.count > 3, word.hasSuffix("s"), !word.hasSuffix("ss") else { return word }
    if word.hasSuffix("ies") { return word.dropLast(3) + "y" }
    let isLong = ["xes", "ches", "shes", "sses"].contains { word.hasSuffix($0) }
    return String(word.dropLast(isLong ? 2 : 1))
  }
}
