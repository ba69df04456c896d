import CallsignJSON

/// An expression of JMESPath (jmespath.org/specification.html), which picks from a JSON value and makes another of it.
///
/// ```swift
/// let names = try FilterExpression("data[?public_metrics.followers_count > `100`].username")
/// print(try names.search(response))
/// ```
///
/// All of the specification's grammar and functions are there. Members of an object come in the order of their names, which
/// the specification leaves open.
package struct FilterExpression: Sendable {
  /// As it was written.
  package let text: String
  private let root: Expression

  /// The most that one expression may have: characters, and levels that one part is inside another.
  package static let lengthLimit = 100_000
  package static let depthLimit = 200

  /// Reads an expression.
  ///
  /// - Throws: ``FilterError`` with the position of the mistake. That of an unknown function comes here, too.
  package init(_ text: String) throws(FilterError) {
    guard text.unicodeScalars.count <= Self.lengthLimit else { throw FilterError(.tooLong, at: Self.lengthLimit) }
    self.text = text
    var parser = FilterParser(try FilterLexer.tokens(of: text))
    root = try parser.wholeExpression()
  }

  /// The result for a value: `null` where nothing is found.
  ///
  /// - Throws: ``FilterError`` where a function does not take a value, or a slice's step is 0.
  package func search(_ value: JSONValue) throws(FilterError) -> JSONValue { try root.value(for: value) }
}

/// A mistake in an expression, or in what it was applied to.
package struct FilterError: Error, Sendable, Equatable {
  /// The kinds of mistake. Those of the specification are named as there.
  package enum Problem: Sendable, Equatable {
    /// `syntax`: the text is no expression.
    case syntax(String)
    /// `unknown-function`
    case unknownFunction(String, suggestion: String?)
    /// `invalid-arity`
    case invalidArity(String, expected: String, given: Int)
    /// `invalid-type`: an argument of a function.
    case invalidType(String, expected: String, found: String)
    /// `invalid-value`: a slice's step.
    case invalidValue(String)
    /// Parts are too deep inside one another.
    case tooDeep
    /// It has too many characters.
    case tooLong
  }

  package let problem: Problem
  /// The character at which it is, counted from 0.
  package let position: Int

  init(_ problem: Problem, at position: Int) {
    self.problem = problem
    self.position = position
  }
}

extension FilterError: CustomStringConvertible {
  /// The problem in one line, with its place.
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

  /// The expression with a mark below the place, for a terminal. Of a long one, what is about the place.
  package func excerpt(of text: String) -> String {
    let scalars = Array(text.unicodeScalars).map { $0.value < 32 || (127..<160).contains($0.value) ? " " : $0 }
    let start = max(0, position - 50)
    let shown = scalars[min(start, scalars.count)..<min(scalars.count, start + 100)]
    return "  " + String(String.UnicodeScalarView(shown)) + "\n  " + String(repeating: " ", count: position - start)
      + "^"
  }
}
