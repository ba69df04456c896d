import CallsignJSON
import Foundation

extension Problem {
  /// What an XML body says is wrong: its `error` elements, with a number in the attribute `code`, as X's v1.1 sends
  /// them where it takes the caller for one that reads XML.
  ///
  /// `<errors><error code="32">Could not authenticate you.</error></errors>`
  ///
  /// No XML parser: the few lines that such a body has are searched, and what is not understood is passed over.
  static func all(inXML body: Data) -> [Problem] {
    var problems: [Problem] = []
    var rest = Substring(String(decoding: body, as: UTF8.self))
    while let start = rest.range(of: "<error") {
      rest = rest[start.upperBound...]
      // `<errors>` and others that begin alike.
      guard let next = rest.first, next == ">" || next == "/" || next.isWhitespace else { continue }
      guard let end = rest.firstIndex(of: ">") else { break }
      let attributes = rest[..<end]
      rest = rest[rest.index(after: end)...]
      var text: Substring = ""
      if attributes.last != "/" {
        text = rest.range(of: "</error").map { rest[..<$0.lowerBound] } ?? rest
        rest = rest[text.endIndex...]
      }
      let code = XMLText.attribute("code", in: attributes).flatMap { Int($0) }
      let message = XMLText.plain(text).trimmingCharacters(in: .whitespacesAndNewlines)
      guard code != nil || !message.isEmpty else { continue }
      var document: [String: JSONValue] = [:]
      if let code { document["code"] = .integer(code) }
      if !message.isEmpty { document["message"] = .string(message) }
      problems.append(
        Problem(code: code, detail: message.isEmpty ? nil : message, document: .object(document)))
    }
    return problems
  }
}

/// The little of XML 1.0 that an error's text needs.
private enum XMLText {
  /// The value of an attribute, quoted or not.
  static func attribute(_ name: String, in tag: Substring) -> String? {
    var rest = tag
    while let start = rest.range(of: name) {
      let isWhole = start.lowerBound == rest.startIndex || rest[rest.index(before: start.lowerBound)].isWhitespace
      rest = rest[start.upperBound...].drop(while: \.isWhitespace)
      guard isWhole, rest.first == "=" else { continue }
      rest = rest.dropFirst().drop(while: \.isWhitespace)
      guard let quote = rest.first, quote == "\"" || quote == "'" else {
        return String(rest.prefix { !$0.isWhitespace && $0 != "/" })
      }
      return plain(rest.dropFirst().prefix { $0 != quote })
    }
    return nil
  }

  private static let entities = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]

  /// Character data without its references; what is no reference stays.
  static func plain(_ text: Substring) -> String {
    var result = ""
    var rest = text
    while let start = rest.firstIndex(of: "&") {
      result += rest[..<start]
      rest = rest[start...]
      guard let end = rest.prefix(12).firstIndex(of: ";"),
        let character = character(rest[rest.index(after: start)..<end])
      else {
        result += "&"
        rest = rest.dropFirst()
        continue
      }
      result += character
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }

  private static func character(_ name: Substring) -> String? {
    guard name.first == "#" else { return entities[String(name)] }
    let digits = name.dropFirst()
    let number = digits.first == "x" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    return number.flatMap(Unicode.Scalar.init).map { String(Character($0)) }
  }
}
