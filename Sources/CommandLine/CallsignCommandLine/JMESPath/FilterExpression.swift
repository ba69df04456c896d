import CallsignJSON

/// A JMESPath expression (jmespath.org/specification.html), which selects parts of a JSON value or makes a new value from them.
///
/// ```swift
/// let names = try FilterExpression("data[?public_metrics.followers_count > `100`].username")
/// print(try names.search(response))
/// ```
///
/// It supports the whole grammar and all functions of the specification. Members of an object are ordered by name; the
/// specification leaves the order open.
package struct FilterExpression: Sendable {
  /// The original text.
  package let text: String
  private let root: Expression

  /// The limits for an expression: its length in characters, and its depth of nesting.
  package static let lengthLimit = 100_000
  package static let depthLimit = 200

  /// Parses an expression.
  ///
  /// - Throws: ``FilterError`` with the position of the mistake. An unknown function is also reported here.
  package init(_ text: String) throws(FilterError) {
    guard text.unicodeScalars.count <= Self.lengthLimit else { throw FilterError(.tooLong, at: Self.lengthLimit) }
    self.text = text
    var parser = FilterParser(try FilterLexer.tokens(of: text))
    root = try parser.wholeExpression()
  }

  /// The result for a value: `null` if nothing is found.
  ///
  /// - Throws: ``FilterError`` if a function does not accept a value, or a slice's step is 0.
  package func search(_ value: JSONValue) throws(FilterError) -> JSONValue { try root.value(for: value) }
}

/// A mistake in an expression, or in the value that it was applied to.
package struct FilterError: Error, Sendable, Equatable {
  /// The kinds of mistakes. Those in the specification have the same names.
  package enum Problem: Sendable, Equatable {
    /// `syntax`: the text is not an expression.
    case syntax(String)
    /// `unknown-function`
    case unknownFunction(String, suggestion: String?)
    /// `invalid-arity`
    case invalidArity(String, expected: String, given: Int)
    /// `invalid-type`: an argument of a function.
    case invalidType(String, expected: String, found: String)
    /// `invalid-value`: a slice's step.
    case invalidValue(String)
    /// Parts are nested too deeply.
    case tooDeep
    /// The expression has too many characters.
    case tooLong
  }

  package let problem: Problem
  /// The index of the character with the mistake, counted from 0.
  package let position: Int

  init(_ problem: Problem, at position: Int) {
    self.problem = problem
    self.position = position
  }
}

extension FilterError: CustomStringConvertible {
  /// The problem on one line, with its position.
  package var description: String {
    let words =
      switch problem {
      case .syntax(let words): words
      case .unknownFunction(let name, let suggestion):
        "unknown function \(name)()" + (suggestion.map { "; did you mean \($0)()?" } ?? "")
      case .invalidArity(let name, let expected, let given): "\(name)() takes \(expected), and has \(given)"
      case .invalidType(let name, let expected, let found): "\(name)() takes \(expected), and got \(found)"
      case .invalidValue(let words): words
      case .tooDeep: "parts are more than \(FilterExpression.depthLimit) levels inside one another"
      case .tooLong: "it has more than \(FilterExpression.lengthLimit) characters"
      }
    return "\(words) (at character \(position + 1))"
  }

  /// The expression with a mark below the position, for a terminal. A long expression is shortened to the part around it.
  package func excerpt(of text: String) -> String {
    let scalars = Array(text.unicodeScalars).map { $0.value < 32 || (127..<160).contains($0.value) ? " " : $0 }
    let start = max(0, position - 50)
    let shown = scalars[min(start, scalars.count)..<min(scalars.count, start + 100)]
    return "  " + String(String.UnicodeScalarView(shown)) + "\n  " + String(repeating: " ", count: position - start)
      + "^"
  }
}
