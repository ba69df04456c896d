import CallsignHTTP
import Foundation

/// A shell's request when the user presses the tab key: how the line up to the cursor can continue.
///
/// The shell's script passes the whole line and the program parses it. All shells therefore ask in the same way, and the script
/// needs no list of operations.
package struct CompletionRequest: Sendable {
  /// The first word of such a request. No operation has this name.
  package static let command = "__complete"

  /// The words before the one at the cursor, without the program's name.
  package let words: [String]
  /// The word at the cursor, as typed so far.
  package let current: String

  /// - Parameter line: The line up to the cursor, with the program's name.
  package init(line: String) {
    var all = Self.words(of: line)
    current = all.popLast() ?? ""
    words = Array(all.dropFirst())
  }

  /// Splits a line into words by the rules that all shells share. The last word is empty if the line ends between words.
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
        // Another command begins here.
        words = []
        word = ""
      } else {
        word.append(character)
      }
    }
    return words + [word]
  }
}

/// The possible continuations of a line: whole words with descriptions, or files.
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
  /// Whether to complete files, which the shell does.
  package var wantsFiles = false
  /// Whether the user continues with the same word, as after `--name=` or in a list.
  package var goesOn = false

  package init(_ candidates: [Candidate] = [], wantsFiles: Bool = false, goesOn: Bool = false) {
    self.candidates = candidates
    self.wantsFiles = wantsFiles
    self.goesOn = goesOn
  }

  package static let files = CompletionResponse(wantsFiles: true)

  /// Only the words that begin with the typed text.
  package func beginning(with text: String) -> CompletionResponse {
    var response = self
    response.candidates = candidates.filter { $0.word.hasPrefix(text) }
    return response
  }

  /// The response in the scripts' format: one word per line, with its description after a tab, and directives that begin with a
  /// colon. Words with control or invisible characters are left out, because nobody could type them.
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
