import Callsign
import CallsignJSON
import CallsignSupport

extension ProblemDetails {
  /// Reads the `error` elements of an XML body, with the number in their attribute `code`. X's endpoints for OAuth 1.0a and
  /// its oldest endpoints send these.
  ///
  /// `<errors><error code="32">Could not authenticate you.</error></errors>`
  ///
  /// This searches the few lines of such a body instead of parsing XML, and skips anything else.
  static func all(inXML body: Data) -> [ProblemDetails] {
    var problems: [ProblemDetails] = []
    var rest = Substring(String(decoding: body, as: UTF8.self))
    while let start = rest.firstRange(of: "<error") {
      rest = rest[start.upperBound...]
      // `<errors>` and others that begin alike.
      guard let next = rest.first, next == ">" || next == "/" || next.isWhitespace else { continue }
      guard let end = rest.firstIndex(of: ">") else { break }
      let attributes = rest[..<end]
      rest = rest[rest.index(after: end)...]
      var text: Substring = ""
      if attributes.last != "/" {
        text = rest.firstRange(of: "</error").map { rest[..<$0.lowerBound] } ?? rest
        rest = rest[text.endIndex...]
      }
      let code = XMLText.attribute("code", in: attributes).flatMap { Int($0) }
      let message = CharacterReferences.resolve(text).trimmingWhitespace()
      guard code != nil || !message.isEmpty else { continue }
      var document: [String: JSONValue] = [:]
      if let code { document["code"] = .integer(code) }
      if !message.isEmpty { document["message"] = .string(message) }
      problems.append(
        ProblemDetails(code: code, detail: message.isEmpty ? nil : message, document: .object(document)))
    }
    return problems
  }
}

/// The part of XML 1.0 that an error's text needs.
private enum XMLText {
  /// The value of an attribute, quoted or not.
  static func attribute(_ name: String, in tag: Substring) -> String? {
    var rest = tag
    while let start = rest.firstRange(of: name) {
      let isWhole = start.lowerBound == rest.startIndex || rest[rest.index(before: start.lowerBound)].isWhitespace
      rest = rest[start.upperBound...].drop(while: \.isWhitespace)
      guard isWhole, rest.first == "=" else { continue }
      rest = rest.dropFirst().drop(while: \.isWhitespace)
      guard let quote = rest.first, quote == "\"" || quote == "'" else {
        return String(rest.prefix { !$0.isWhitespace && $0 != "/" })
      }
      return CharacterReferences.resolve(rest.dropFirst().prefix { $0 != quote })
    }
    return nil
  }
}
