import CallsignJSON
import CallsignSupport

/// Texts that no error, trace or recording may show: the credentials of its request, which a response may repeat.
package struct RedactedTexts: Sendable {
  /// The longest first, so that none leaves a part of another.
  private let texts: [String]
  private let mark: String

  /// - Parameters:
  ///   - texts: The texts; short ones are no secrets and are left out.
  ///   - mark: What is shown in place of one.
  ///   - shortest: The length of the shortest secret, in bytes. Default: 5, as a shorter text tells nothing, and is found
  ///     within other words.
  package init(_ texts: [String], mark: String, shortest: Int = 5) {
    self.texts = texts.filter { $0.utf8.count >= shortest }.sorted { $0.utf8.count > $1.utf8.count }
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

  /// JSON without the hidden texts, in names as well as in values.
  package func removed(from value: JSONValue) -> JSONValue {
    switch value {
    case .string(let text): return .string(removed(from: text))
    case .integer, .number, .literal:
      let text = value.description
      let clean = removed(from: text)
      return clean == text ? value : .string(clean)
    case .array(let elements): return .array(elements.map { removed(from: $0) })
    case .object(let members):
      let clean = members.map { (removed(from: $0.key), removed(from: $0.value)) }
      return .object(Dictionary(clean) { $1 })
    case .null, .bool: return value
    }
  }

  /// A body without the hidden texts: JSON however it writes them, and any other text. Bytes that are no text stay.
  package func removed(from body: Data) -> Data {
    if texts.isEmpty { return body }
    if let value = try? JSONValue(jsonData: body) {
      let clean = removed(from: value)
      return clean == value ? body : (try? clean.jsonData()) ?? Data()
    }
    guard let text = String(data: body, encoding: .utf8) else { return body }
    return Data(removed(from: text).utf8)
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
  package mutating func hide(_ hidden: RedactedTexts) {
    let words = cleanWords ?? words
    let clean = hidden.removed(from: words)
    if clean != words { cleanWords = clean }
    problems = hidden.removed(from: problems)
  }
}
