import CallsignHTTP
import Foundation

/// The question of a shell when the person presses the tabulator: how the line up to the cursor may go on.
///
/// The shell's script gives the line whole, and the program takes it apart: so every shell asks the same, and a program that
/// knows its operations needs no list of them in the script.
package struct CompletionRequest: Sendable {
  /// The first word of such a question, which no operation has for a name.
  package static let command = "__complete"

  /// The words before the cursor's, without the program's name.
  package let words: [String]
  /// The word at the cursor, as far as it is typed.
  package let current: String

  /// - Parameter line: The line up to the cursor, with the program's name.
  package init(line: String) {
    var all = Self.words(of: line)
    current = all.popLast() ?? ""
    words = Array(all.dropFirst())
  }

  /// The words of a line by the rules that shells share. The last is empty where the line ends between words.
  static func words(of line: String) -> [String] {
    var words: [String] = []
    var word = ""
    var quote: Character?
    var isEscaped = false
    for character in line {
      if isEscaped {
        word.append(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if let open = quote {
        if character == open { quote = nil } else { word.append(character) }
      } else if character == "'" || character == "\"" {
        quote = character
      } else if character.isWhitespace {
        if !word.isEmpty { words.append(word) }
        word = ""
      } else if "|;&".contains(character) {
        // Another command begins.
        words = []
        word = ""
      } else {
        word.append(character)
      }
    }
    return words + [word]
  }
}

/// The words that a line may go on with: whole words, each with what it is, or files.
package struct CompletionResponse: Sendable, Equatable {
  /// A word.
  package struct Candidate: Sendable, Equatable {
    package let word: String
    package let summary: String

    package init(_ word: String, _ summary: String = "") {
      self.word = word
      self.summary = summary
    }
  }

  package var candidates: [Candidate] = []
  /// Whether files are asked for; the shell knows them.
  package var wantsFiles = false
  /// Whether the person goes on with the same word, as behind `--name=` or in a list.
  package var goesOn = false

  package init(_ candidates: [Candidate] = [], wantsFiles: Bool = false, goesOn: Bool = false) {
    self.candidates = candidates
    self.wantsFiles = wantsFiles
    self.goesOn = goesOn
  }

  package static let files = CompletionResponse(wantsFiles: true)

  /// Only the words that begin as what is typed.
  package func beginning(with text: String) -> CompletionResponse {
    var response = self
    response.candidates = candidates.filter { $0.word.hasPrefix(text) }
    return response
  }

  /// The response as the scripts read it: a line a word, a tabulator before what it is, and directives that begin with a
  /// colon. Words with control characters or invisible ones are left out, since nobody could type them.
  package var text: String {
    let words = candidates.filter { $0.word.printable == $0.word }
    var lines = words.map { candidate in
      let summary = candidate.summary.map { $0.isNewline ? " " : $0 }
      let line = String(summary).replacingControlCharacters(with: " ").printable.prefix(100)
      return line.isEmpty ? candidate.word : "\(candidate.word)\t\(line)"
    }
    if wantsFiles { lines.append(":files") }
    if goesOn { lines.append(":goes-on") }
    return lines.map { $0 + "\n" }.joined()
  }
}
