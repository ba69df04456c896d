import CallsignJSON

/// A token of an expression.
enum FilterToken: Equatable {
  case identifier(String, isQuoted: Bool)
  case literal(JSONValue)
  case number(Int)
  case comparator(Comparator)
  case dot, star, comma, colon, at, ampersand, and, or, not, pipe
  case leftBracket, rightBracket, leftBrace, rightBrace, leftParenthesis, rightParenthesis
  /// `[?`
  case filter
  /// `[]`
  case flatten
  case end

  /// The name in messages.
  var words: String {
    switch self {
    case .identifier(let name, _): "`\(name)`"
    case .literal: "a literal"
    case .number(let number): "`\(number)`"
    case .comparator(let comparator): "`\(comparator.rawValue)`"
    case .dot: "`.`"
    case .star: "`*`"
    case .comma: "`,`"
    case .colon: "`:`"
    case .at: "`@`"
    case .ampersand: "`&`"
    case .and: "`&&`"
    case .or: "`||`"
    case .not: "`!`"
    case .pipe: "`|`"
    case .leftBracket: "`[`"
    case .rightBracket: "`]`"
    case .leftBrace: "`{`"
    case .rightBrace: "`}`"
    case .leftParenthesis: "`(`"
    case .rightParenthesis: "`)`"
    case .filter: "`[?`"
    case .flatten: "`[]`"
    case .end: "the end"
    }
  }
}

enum Comparator: String {
  case less = "<"
  case lessOrEqual = "<="
  case equal = "=="
  case notEqual = "!="
  case greater = ">"
  case greaterOrEqual = ">="
}

/// Splits an expression into tokens.
struct FilterLexer {
  private let scalars: [Unicode.Scalar]
  private var position = 0

  private init(_ text: String) { scalars = Array(text.unicodeScalars) }

  /// The tokens with their positions, including ``FilterToken/end``.
  static func tokens(of text: String) throws(FilterError) -> [(token: FilterToken, position: Int)] {
    var lexer = FilterLexer(text)
    var tokens: [(token: FilterToken, position: Int)] = []
    while true {
      while let scalar = lexer.current, " \t\n\r".unicodeScalars.contains(scalar) { lexer.position += 1 }
      let start = lexer.position
      guard let scalar = lexer.current else {
        tokens.append((.end, start))
        return tokens
      }
      tokens.append((try lexer.token(beginningWith: scalar), start))
    }
  }

  private var current: Unicode.Scalar? { scalars.indices.contains(position) ? scalars[position] : nil }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard current == scalar else { return false }
    position += 1
    return true
  }

  private mutating func token(beginningWith scalar: Unicode.Scalar) throws(FilterError) -> FilterToken {
    let start = position
    if Self.isLetter(scalar) {
      while let next = current, Self.isLetter(next) || Self.isDigit(next) { position += 1 }
      return .identifier(text(start..<position), isQuoted: false)
    }
    if Self.isDigit(scalar) || scalar == "-" {
      position += 1
      while let next = current, Self.isDigit(next) { position += 1 }
      guard let number = Int(text(start..<position)) else {
        throw FilterError(.syntax("a number needs digits, and not more than 18"), at: start)
      }
      return .number(number)
    }
    position += 1
    switch scalar {
    case ".": return .dot
    case "*": return .star
    case ",": return .comma
    case ":": return .colon
    case "@": return .at
    case "{": return .leftBrace
    case "}": return .rightBrace
    case "(": return .leftParenthesis
    case ")": return .rightParenthesis
    case "]": return .rightBracket
    case "[": return take("?") ? .filter : take("]") ? .flatten : .leftBracket
    case "&": return take("&") ? .and : .ampersand
    case "|": return take("|") ? .or : .pipe
    case "!": return take("=") ? .comparator(.notEqual) : .not
    case "<": return .comparator(take("=") ? .lessOrEqual : .less)
    case ">": return .comparator(take("=") ? .greaterOrEqual : .greater)
    case "=":
      if take("=") { return .comparator(.equal) }
      throw FilterError(.syntax("equality is `==`"), at: start)
    case "'": return .literal(.string(try rawString(start)))
    case "`": return .literal(try literal(start))
    case "\"": return .identifier(try quotedName(start), isQuoted: true)
    default:
      throw FilterError(
        .syntax("`\(String(scalar))` means nothing here; put names with such characters in \"…\""), at: start)
    }
  }

  /// `'…'`, with only `\'` and `\\` as escapes.
  private mutating func rawString(_ start: Int) throws(FilterError) -> String {
    var result = String.UnicodeScalarView()
    while let scalar = current {
      position += 1
      if scalar == "'" { return String(result) }
      if scalar == "\\", let next = current, next == "'" || next == "\\" {
        position += 1
        result.append(next)
      } else {
        result.append(scalar)
      }
    }
    throw FilterError(.syntax("the text in '…' has no end"), at: start)
  }

  /// JSON between backquotes. A backquote in it must be escaped.
  private mutating func literal(_ start: Int) throws(FilterError) -> JSONValue {
    var json = String.UnicodeScalarView()
    while let scalar = current {
      position += 1
      if scalar == "`" {
        guard let value = try? JSONValue(jsonString: String(json)) else {
          throw FilterError(.syntax("what is between ` and ` must be JSON; a text is '…'"), at: start)
        }
        return value
      }
      if scalar == "\\", current == "`" {
        position += 1
        json.append("`")
      } else {
        json.append(scalar)
        // An escaped character does not end the literal.
        if scalar == "\\", let next = current {
          position += 1
          json.append(next)
        }
      }
    }
    throw FilterError(.syntax("the JSON in `…` has no end"), at: start)
  }

  /// A name in quotation marks, with JSON's escapes.
  private mutating func quotedName(_ start: Int) throws(FilterError) -> String {
    while let scalar = current {
      position += 1
      if scalar == "\\" { position += 1 }
      if scalar == "\"" {
        guard position <= scalars.count, let name = (try? JSONValue(jsonString: text(start..<position)))?.string else {
          throw FilterError(.syntax("the name in \"…\" has an escape that JSON has not"), at: start)
        }
        guard position - start > 2 else {
          throw FilterError(.syntax("a name in \"…\" has a character or more"), at: start)
        }
        return name
      }
    }
    throw FilterError(.syntax("the name in \"…\" has no end"), at: start)
  }

  private func text(_ range: Range<Int>) -> String { String(String.UnicodeScalarView(scalars[range])) }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || scalar == "_"
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
}
