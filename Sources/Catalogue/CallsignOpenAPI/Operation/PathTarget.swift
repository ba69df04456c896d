import Foundation

/// A path from a document, in the catalogue's form, and the part of it that belongs in the query.
struct PathTarget: Equatable {
  /// The path, which begins with a slash. `{+name}` is a placeholder whose value can contain slashes.
  private(set) var path = ""
  /// The parameters of a query written in the path, as in `/search?type=pets`.
  private(set) var query: [(name: String, value: String)] = []
  /// The names of query parameters from an expression such as `{?name,age}`.
  private(set) var expanded: [String] = []

  /// Reads a key of `paths`.
  ///
  /// A fragment is never sent. Documents use it to give several operations one path (`/#Action=Create`).
  init(_ key: String) {
    var rest = key[...]
    var literal = ""
    var isQuery = false
    while let character = rest.first {
      if character == "{", let close = Self.end(ofExpression: rest) {
        let name = rest[rest.index(after: rest.startIndex)..<close]
        if name.first == "?" || name.first == "&" {
          expanded += name.dropFirst().split(separator: ",").map(Self.name).filter { !$0.isEmpty }
        } else if isQuery {
          literal += "{\(name)}"
        } else {
          append(literal, expression: name, &literal)
        }
        rest = rest[rest.index(after: close)...]
      } else if character == "#" {
        break
      } else if character == "?", !isQuery {
        path += Self.encoded(literal)
        (literal, isQuery) = ("", true)
        rest = rest.dropFirst()
      } else {
        literal.append(character)
        rest = rest.dropFirst()
      }
    }
    if isQuery {
      query = literal.split(separator: "&").map { pair in
        let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (Self.decoded(parts[0]), parts.count > 1 ? Self.decoded(parts[1]) : "")
      }.filter { !$0.0.isEmpty }
    } else {
      path += Self.encoded(literal)
    }
    if !path.hasPrefix("/") { path = "/" + path }
  }

  /// The position of the last brace of the expression at the start of a text. A pattern may contain braces, as in
  /// `{id:[a-z]{2,3}}`.
  private static func end(ofExpression text: Substring) -> Substring.Index? {
    var depth = 0
    var isPattern = false
    for index in text.indices {
      switch text[index] {
      case ":": isPattern = true
      case "{" where depth == 0 || isPattern: depth += 1
      case "}":
        depth -= 1
        if depth == 0 { return index }
      default: break
      }
    }
    return text.firstIndex(of: "}")
  }

  static func == (left: Self, right: Self) -> Bool {
    left.path == right.path && left.expanded == right.expanded && left.query.elementsEqual(right.query) { $0 == $1 }
  }

  /// Adds an RFC 6570 expression after the text before it.
  private mutating func append(_ before: String, expression: Substring, _ literal: inout String) {
    path += Self.encoded(before)
    literal = ""
    switch expression.first {
    case ";":
      let name = Self.name(expression.dropFirst())
      path += ";\(name)={\(name)}"
    case ".", "/":
      path += expression.prefix(1) + "{\(Self.name(expression.dropFirst()))}"
    default: path += "{\(Self.isReserved(expression) ? "+" : "")\(Self.name(expression))}"
    }
  }

  /// Whether a value can contain slashes: `{+name}`, and what gateways and frameworks write for it: `{name+}`, `{name=a/*}`,
  /// `{name:.*}`.
  private static func isReserved(_ expression: Substring) -> Bool {
    expression.hasPrefix("+") || expression.hasSuffix("+") && !expression.contains(":") || expression.contains("=")
      || expression.contains(":.*") || expression.contains(":.+") || expression.hasPrefix("*")
  }

  /// The name in an expression, without its modifiers and patterns. Each character that a path cannot contain becomes `_`; the name
  /// is not sent.
  private static func name(_ expression: Substring) -> String {
    let name = expression.drop { "+* ".contains($0) }.prefix { !":=".contains($0) }
    var result = ""
    for scalar in String(name.reversed().drop { "*+? ".contains($0) }.reversed()).unicodeScalars {
      result.unicodeScalars.append(isUsable(scalar) && !"?#".unicodeScalars.contains(scalar) ? scalar : "_")
    }
    return result
  }

  /// Whether a path can contain a character. Excluded are characters that begin a query or a fragment, and those outside ASCII.
  private static func isUsable(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value > 0x20 && scalar != "\u{7F}" && scalar != "\"" && scalar != "\\"
  }

  /// The name in a text that is exactly one placeholder; `nil` for any other text.
  static func placeholder(_ text: String) -> String? {
    guard text.hasPrefix("{"), text.hasSuffix("}"), text.count > 2 else { return nil }
    let inner = text.dropFirst().dropLast()
    return inner.contains { "{}".contains($0) } ? nil : name(inner)
  }

  /// A part of a query in decoded form. It is encoded again for sending.
  private static func decoded(_ text: Substring) -> String { text.removingPercentEncoding ?? String(text) }

  /// Percent-encodes the characters of a text between placeholders that a path cannot contain. It works on scalars, because a space
  /// with a combining accent is a single character.
  private static func encoded(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if isUsable(scalar) {
        result.unicodeScalars.append(scalar)
      } else {
        result += String(format: "%%%02X", scalar.value)
      }
    }
    return result
  }
}
