import CallsignHTTP
import CallsignJSON
import CallsignSupport

/// Texts that no error, trace or recording may show: the credentials of its request, which a response may repeat.
package struct RedactedTexts: Sendable {
  /// The longest first, so that no replacement leaves a part of another text.
  private let texts: [String]
  private let mark: String

  /// - Parameters:
  ///   - texts: The texts; short ones are not secrets and are left out.
  ///   - mark: The text to show instead.
  ///   - shortest: The length of the shortest secret, in bytes. Default: 5, because a shorter text reveals nothing and
  ///     occurs within other words.
  package init(_ texts: [String], mark: String, shortest: Int = 5) {
    let forms = Set(texts.filter { $0.utf8.count >= shortest }.flatMap(Self.forms))
    self.texts = forms.sorted { $0.utf8.count > $1.utf8.count }
    self.mark = mark
  }

  /// The text as responses may repeat it: as it is, percent-encoded once or twice, in a form, as HTML or JSON has it, and
  /// within base64 such as that of HTTP Basic.
  private static func forms(of text: String) -> [String] {
    let encoded = PercentEncoding.encode(text)
    var forms = [text, encoded, PercentEncoding.encode(encoded), encoded.replacing("%20", with: "+")]
    forms.append(PercentEncoding.encodeIllegal(text))
    forms += forms.filter { $0.contains("%") }.map { $0.lowercasedEscapes }
    let html = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    forms += [
      html, html.replacing("\"", with: "&quot;"), html.replacing("\"", with: "&#34;").replacing("'", with: "&#39;"),
    ]
    let json = JSONValue.string(text).description
    forms += [String(json.dropFirst().dropLast()), String(json.dropFirst().dropLast()).replacing("/", with: "\\/")]
    return forms + base64Forms(of: text) + (encoded == text ? [] : base64Forms(of: encoded))
  }

  /// The base64 encodings of a text at any offset in the encoded data, without the characters at its ends that depend
  /// on neighbouring data.
  private static func base64Forms(of text: String) -> [String] {
    (0..<3).flatMap { offset -> [String] in
      let bytes = Data(repeating: 0, count: offset) + Data(text.utf8)
      let whole = bytes.prefix(bytes.count / 3 * 3).base64EncodedString()
      let middle = String(whole.dropFirst(offset == 0 ? 0 : 4))
      // With a shorter text, too little would be left to distinguish it from other words.
      guard middle.utf8.count >= 8 else { return [] }
      return [middle, middle.replacing("+", with: "-").replacing("/", with: "_")]
    }
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

  /// JSON without the hidden texts, in both names and values.
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

  /// A body without the hidden texts: JSON in any notation, and any other text. Bytes that are not text stay as they
  /// are.
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
      problem.type = problem.type.map { removed(from: $0) }
      return problem
    }
  }
}

extension String {
  /// The text with its percent escapes in lower case.
  fileprivate var lowercasedEscapes: String {
    var result = ""
    var left = 0
    for character in self {
      if character == "%" { left = 3 }
      result += left > 0 ? character.lowercased() : String(character)
      left -= 1
    }
    return result
  }
}

extension APIError {
  /// Removes hidden texts from the description and from the problems' titles and details; the body stays as it arrived.
  package mutating func hide(_ hidden: RedactedTexts) {
    hiddenTexts.append(hidden)
    problems = hidden.removed(from: problems)
  }
}
