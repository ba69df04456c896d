import CallsignJSON

/// Parses tokens by binding power, as the grammar's ABNF groups them.
struct FilterParser {
  private let tokens: [(token: FilterToken, position: Int)]
  private var index = 0
  private var depth = 0

  init(_ tokens: [(token: FilterToken, position: Int)]) { self.tokens = tokens }

  /// The expression for all tokens.
  mutating func wholeExpression() throws(FilterError) -> Expression {
    if current == .end { throw FilterError(.syntax("the expression is empty"), at: position) }
    let expression = try self.expression(0)
    guard current == .end else { throw unexpected() }
    return expression
  }

  private var current: FilterToken { token(0) }

  private func token(_ distance: Int) -> FilterToken {
    tokens.indices.contains(index + distance) ? tokens[index + distance].token : .end
  }

  private var position: Int { tokens.indices.contains(index) ? tokens[index].position : tokens.last?.position ?? 0 }

  private mutating func advance() { index += 1 }

  private mutating func expect(_ token: FilterToken) throws(FilterError) {
    guard current == token else { throw unexpected("; \(token.words) is missing") }
    advance()
  }

  private func unexpected(_ more: String = "") -> FilterError {
    let words = current == .end ? "the expression ends too early" : "\(current.words) does not belong here"
    return FilterError(.syntax(words + more), at: position)
  }

  /// How strongly a token binds what is before it to what is after it.
  private static func power(_ token: FilterToken) -> Int {
    switch token {
    case .pipe: 1
    case .or: 2
    case .and: 3
    case .comparator: 5
    case .flatten: 9
    case .star: 20
    case .filter: 21
    case .dot: 40
    case .leftBrace: 50
    case .leftBracket: 55
    case .leftParenthesis: 60
    default: 0
    }
  }
  /// `!a.b` and `!a[?b]` negate the whole expression; `!a == b` negates only `a`.
  private static let negation = 8
  /// An operator with a lower binding power ends a projection.
  private static let projectionEnd = 10

  private mutating func expression(_ power: Int) throws(FilterError) -> Expression {
    depth += 1
    defer { depth -= 1 }
    guard depth <= FilterExpression.depthLimit else { throw FilterError(.tooDeep, at: position) }
    var left = try beginning()
    while power < Self.power(current) {
      let place = position
      left = try continuation(of: left)
      // The evaluation of a long chain recurses as deeply as the chain is long.
      guard left.depth <= FilterExpression.depthLimit else { throw FilterError(.tooDeep, at: place) }
    }
    return left
  }

  // MARK: Beginnings of expressions

  private mutating func beginning() throws(FilterError) -> Expression {
    let start = position
    let token = current
    switch token {
    case .literal(let value):
      advance()
      return Expression(.literal(value))
    case .at:
      advance()
      return Expression(.current)
    case .identifier(let name, let isQuoted):
      advance()
      guard current == .leftParenthesis else { return Expression(.field(name)) }
      if isQuoted { throw FilterError(.syntax("a function's name is not in quotation marks"), at: start) }
      return try call(name, start)
    case .star:
      advance()
      return Expression(.valueProjection(Expression(.current), try projected(Self.power(.star))))
    case .not:
      advance()
      return Expression(.not(try expression(Self.negation)))
    case .leftBrace:
      advance()
      return try members()
    case .leftParenthesis:
      advance()
      let inner = try expression(0)
      try expect(.rightParenthesis)
      // Parentheses end a projection.
      return Expression(.pipe(inner, Expression(.current)))
    case .flatten:
      advance()
      return Expression(.projection(Expression(.flatten(Expression(.current))), try projected(Self.power(.flatten))))
    case .filter:
      advance()
      return try filter(Expression(.current))
    case .leftBracket:
      advance()
      switch current {
      case .number, .colon: return try indexOrSlice(of: Expression(.current))
      case .star where self.token(1) == .rightBracket:
        index += 2
        return Expression(.projection(Expression(.current), try projected(Self.power(.star))))
      default: return try elements()
      }
    case .ampersand: throw FilterError(.syntax("write `&` only before an argument of a function"), at: start)
    default: throw unexpected()
    }
  }

  private mutating func call(_ name: String, _ start: Int) throws(FilterError) -> Expression {
    guard let function = FilterFunction(rawValue: name) else {
      throw FilterError(.unknownFunction(name, suggestion: FilterFunction.suggestion(for: name)), at: start)
    }
    try expect(.leftParenthesis)
    var arguments: [Argument] = []
    while current != .rightParenthesis {
      if current == .ampersand {
        advance()
        arguments.append(.reference(try expression(0)))
      } else {
        arguments.append(.value(try expression(0)))
      }
      guard current == .comma else { break }
      advance()
      if current == .rightParenthesis { throw unexpected() }
    }
    try expect(.rightParenthesis)
    try function.checkCount(arguments.count, at: start)
    return Expression(.call(function, arguments, position: start))
  }

  // MARK: Continuations

  private mutating func continuation(of left: Expression) throws(FilterError) -> Expression {
    let token = current
    let place = position
    advance()
    switch token {
    case .dot:
      if current == .star {
        advance()
        return Expression(.valueProjection(left, try projected(Self.power(.star))))
      }
      return Expression(.pipe(left, try afterDot(Self.power(.dot))))
    case .pipe: return Expression(.pipe(left, try expression(Self.power(.pipe))))
    case .or: return Expression(.or(left, try expression(Self.power(.or))))
    case .and: return Expression(.and(left, try expression(Self.power(.and))))
    case .comparator(let comparator):
      return Expression(.comparison(comparator, left, try expression(Self.power(token))))
    case .flatten: return Expression(.projection(Expression(.flatten(left)), try projected(Self.power(.flatten))))
    case .filter: return try filter(left)
    case .leftBracket:
      switch current {
      case .number, .colon: return try indexOrSlice(of: left)
      case .star:
        advance()
        try expect(.rightBracket)
        return Expression(.projection(left, try projected(Self.power(.star))))
      default: throw unexpected("; write a dot before a list of expressions: `.[a, b]`")
      }
    default:
      index -= 1
      throw FilterError(.syntax("\(token.words) does not belong here"), at: place)
    }
  }

  private mutating func afterDot(_ power: Int) throws(FilterError) -> Expression {
    switch current {
    case .identifier, .star: return try expression(power)
    case .leftBracket:
      advance()
      return try elements()
    case .leftBrace:
      advance()
      return try members()
    default: throw unexpected("; write a name, `*`, `[…]` or `{…}` after a dot")
    }
  }

  /// The expression to apply to each element of a projection.
  private mutating func projected(_ power: Int) throws(FilterError) -> Expression {
    if Self.power(current) < Self.projectionEnd { return Expression(.current) }
    switch current {
    case .leftBracket, .filter: return try expressionOnCurrent(power)
    case .dot:
      advance()
      return try afterDot(power)
    default: throw unexpected()
    }
  }

  /// `[0]` and `[?…]` after a projection apply to its elements.
  private mutating func expressionOnCurrent(_ power: Int) throws(FilterError) -> Expression {
    if current == .leftBracket {
      switch token(1) {
      case .number, .colon, .star: break
      default:
        advance()
        throw unexpected("; write a dot before a list of expressions: `.[a, b]`")
      }
    }
    return try expression(power)
  }

  private mutating func filter(_ left: Expression) throws(FilterError) -> Expression {
    let condition = try expression(0)
    try expect(.rightBracket)
    let right = current == .flatten ? Expression(.current) : try projected(Self.power(.filter))
    return Expression(.filter(left, condition, right))
  }

  /// An index or a slice, after `[`.
  private mutating func indexOrSlice(of left: Expression) throws(FilterError) -> Expression {
    if case .number(let number) = current, token(1) == .rightBracket {
      index += 2
      return Expression(.index(left, number))
    }
    let start = position
    var parts: [Int?] = [nil, nil, nil]
    var count = 0
    while current != .rightBracket {
      switch current {
      case .colon where count < 2:
        count += 1
        advance()
      case .number(let number) where parts[count] == nil:
        parts[count] = number
        advance()
      default: throw unexpected("; a slice is `[start:stop:step]`")
      }
    }
    advance()
    guard parts[2] != 0 else { throw FilterError(.invalidValue("a slice's step cannot be 0"), at: start) }
    let slice = Expression(.slice(left, start: parts[0], stop: parts[1], step: parts[2] ?? 1))
    return Expression(.projection(slice, try projected(Self.power(.star))))
  }

  private mutating func elements() throws(FilterError) -> Expression {
    var expressions: [Expression] = []
    while true {
      expressions.append(try expression(0))
      if current == .rightBracket { break }
      try expect(.comma)
    }
    advance()
    return Expression(.list(expressions))
  }

  private mutating func members() throws(FilterError) -> Expression {
    var members: [(name: String, value: Expression)] = []
    while true {
      guard case .identifier(let name, _) = current else { throw unexpected("; a member is `name: expression`") }
      advance()
      try expect(.colon)
      members.append((name, try expression(0)))
      if current == .rightBrace { break }
      try expect(.comma)
    }
    advance()
    return Expression(.object(members))
  }
}
