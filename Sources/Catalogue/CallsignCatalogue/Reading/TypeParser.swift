import CallsignSupport

/// A mistake in the text of a type.
public struct TypeSyntaxError: Error, Sendable, Hashable {
  /// Describes the mistake and how to fix it.
  public var message: String
  /// The offset in the parsed text, counted from 0.
  public var offset: Int

  /// Creates an error.
  public init(message: String, offset: Int) {
    self.message = message
    self.offset = offset
  }
}

extension TypeSyntaxError: CallsignError {
  /// The mistake, how to fix it, and its location, in one line.
  public var description: String { "\(message) (at offset \(offset))" }
}

extension TypeReference {
  /// Parses a type of the catalogue's type language, such as `string(1..25)?` or `[User] | null`.
  ///
  /// - Throws: ``TypeSyntaxError`` with the location in the text.
  public init(parsing text: String) throws(TypeSyntaxError) {
    var parser = TypeParser(text) { _ in .none }
    self = try parser.wholeText()
  }
}

/// Parses the type language of `spec/README.md`.
///
///     type    = ["indirect"] core ["(" bounds ")"] *( "| null" / "?" )
///     core    = "[" type "]" / "{" type "}" / name [ "<" argument *( "," argument ) ">" ]
///     argument = type / words
///     bounds  = bound *( "," bound )
///     bound   = [number] ".." [number] / number / "/" regular expression "/" / name of a pattern
package struct TypeParser {
  static let maximumDepth = 32

  private let scalars: [Unicode.Scalar]
  private let locate: (Int) -> SourceLocation
  private let parts: ReusableParts
  /// The types for a template's names.
  private let types: [String: TypeReference]
  private(set) var index = 0
  private var depth = 0

  package init(
    _ text: String, parts: ReusableParts = ReusableParts(), types: [String: TypeReference] = [:],
    locate: @escaping (Int) -> SourceLocation
  ) {
    scalars = Array(text.unicodeScalars)
    self.parts = parts
    self.types = types
    self.locate = locate
  }

  /// Parses a whole text that is a template with its arguments, or just a name: `Response<[Post]>`.
  package mutating func wholeUse() throws(TypeSyntaxError) -> (name: String, arguments: [TemplateArgument]) {
    skipSpace()
    let start = index
    while let next = peek, Self.isNamePart(next) { index += 1 }
    let name = text(start..<index)
    let arguments = peek == "<" ? try arguments(of: name) : []
    skipSpace()
    guard !name.isEmpty, index == scalars.count else {
      throw problem("this is a name, or a template such as `Response<Post>`")
    }
    return (name, arguments)
  }

  /// Parses `<Post, [User]>`, or `<Post, pictures and videos>` if the template's second name stands for words.
  private mutating func arguments(of template: String) throws(TypeSyntaxError) -> [TemplateArgument] {
    let open = index
    let parameters = parts.templates[template]?.parameters ?? []
    var arguments: [TemplateArgument] = []
    repeat {
      index += 1
      if arguments.count < parameters.count, TemplateNames.isForWords(parameters[arguments.count]) {
        arguments.append(.words(try words()))
      } else {
        arguments.append(.type(try type()))
        skipSpace()
      }
    } while peek == ","
    guard take(">") else {
      throw TypeSyntaxError(
        message: "the `<` is never closed; write the types with commas between, and `>`", offset: open)
    }
    return arguments
  }

  /// Takes words up to the next comma or the end of the template's arguments.
  private mutating func words() throws(TypeSyntaxError) -> String {
    skipSpace()
    let start = index
    while let next = peek, next != ",", next != ">" { index += 1 }
    let words = text(start..<index).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    if words.isEmpty { throw problem("words are missing here, which the template's texts have in the place of a name") }
    return words
  }

  /// Parses the whole text as a type.
  mutating func wholeText() throws(TypeSyntaxError) -> TypeReference {
    let type = try type()
    skipSpace()
    guard index == scalars.count else { throw trailing() }
    return type
  }

  /// Parses the types in the brackets of `union [A, B]`, or the words of `enum [a, b]`, from the current position.
  package mutating func bracketed<Element>(
    _ what: String, _ element: (inout TypeParser) throws(TypeSyntaxError) -> Element
  ) throws(TypeSyntaxError) -> [Element] {
    skipSpace()
    guard take("[") else { throw problem("after `\(what)` comes a list in brackets: `\(what) [a, b]`") }
    var elements: [Element] = []
    skipSpace()
    while !take("]") {
      elements.append(try element(&self))
      skipSpace()
      if take(",") {
        skipSpace()
      } else if peek != "]" {
        throw problem("write `,` to continue the list, or `]` to end it")
      }
    }
    skipSpace()
    guard index == scalars.count else { throw problem("nothing can follow the list of `\(what)`; remove this") }
    return elements
  }

  /// Takes the word if the text continues with it and the word ends there.
  package mutating func takeWord(_ word: String) -> Bool {
    skipSpace()
    let letters = Array(word.unicodeScalars)
    guard index + letters.count <= scalars.count, Array(scalars[index..<(index + letters.count)]) == letters else {
      return false
    }
    if index + letters.count < scalars.count, Self.isNamePart(scalars[index + letters.count]) { return false }
    index += letters.count
    return true
  }

  /// Takes an enum value: up to a comma or bracket, or in quotes.
  package mutating func enumValue() throws(TypeSyntaxError) -> (text: String, offset: Int) {
    let start = index
    if let quote = peek, quote == "\"" || quote == "'" {
      index += 1
      var view = String.UnicodeScalarView()
      while let next = peek, next != quote { view.append(next); index += 1 }
      guard take(quote) else { throw TypeSyntaxError(message: "the quote is never closed", offset: start) }
      return (String(view), start)
    }
    while let next = peek, next != ",", next != "]", next != "[" { index += 1 }
    var end = index
    while end > start, isSpace(scalars[end - 1]) { end -= 1 }
    guard end > start else { throw problem("a value is missing here; put a value with `,` or brackets in quotes") }
    return (text(start..<end), start)
  }

  // MARK: The grammar

  package mutating func type() throws(TypeSyntaxError) -> TypeReference {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth else { throw problem("types nest at most \(Self.maximumDepth) deep; name one") }
    skipSpace()
    let start = index
    var isIndirect = false
    if takeWord("indirect") {
      skipSpace()
      // A type may also be called `indirect`.
      if let next = peek, Self.isNameStart(next) || next == "[" || next == "{" {
        isIndirect = true
      } else {
        index = start
      }
    }
    let coreStart = index
    var type = TypeReference(try core(), isIndirect: isIndirect, location: locate(start))
    // A template's name stands for a type including its marks and bounds.
    var bound: TypeReference?
    if !types.isEmpty, case .named(let name) = type.kind { bound = types[name] }
    if let bound { (type.kind, type.constraints) = (bound.kind, bound.constraints) }
    if peek == "(" { try readParentheses(of: &type, from: coreStart) }
    try readMarks(of: &type)
    if let bound {
      type.isOptional = type.isOptional || bound.isOptional
      type.isNullable = type.isNullable || bound.isNullable
    }
    return type
  }

  private mutating func core() throws(TypeSyntaxError) -> TypeReference.Kind {
    let start = index
    if take("[") {
      skipSpace()
      if peek == "]" { throw problem("a list names the type of its elements: `[string]`") }
      let element = try type()
      try close("]", openedAt: start, as: "list")
      return .list(element)
    }
    if take("{") {
      skipSpace()
      if peek == "}" { throw problem("a map names the type of its values: `{string}`; for any object write `{json}`") }
      let value = try type()
      try close("}", openedAt: start, as: "map")
      return .map(value)
    }
    guard let first = peek, Self.isNameStart(first) else {
      throw problem(
        peek == nil
          ? "a type is missing here; write one such as `string`"
          : "a type cannot begin with `\(text(index..<(index + 1)))`; write one such as `string`, `[User]` or `{int}`")
    }
    while let next = peek, Self.isNamePart(next) { index += 1 }
    let name = text(start..<index)
    if peek == "<" { return .named(try model(of: name, at: start)) }
    return Scalar(name).map(TypeReference.Kind.scalar) ?? .named(name)
  }

  /// The model that a template makes from the types after its name.
  private mutating func model(of name: String, at start: Int) throws(TypeSyntaxError) -> String {
    let arguments = try arguments(of: name)
    guard let template = parts.templates[name] else {
      var suggestions = Suggestions()
      let advice =
        suggestions.clause(for: name, among: Array(parts.templates.keys))
        ?? "; declare one under `models:`, such as `\(name)<T>`"
      throw TypeSyntaxError(message: "unknown template `\(name)`\(advice)", offset: start)
    }
    guard arguments.count == template.parameters.count else {
      let form = "`\(name)<\(template.parameters.joined(separator: ", "))>`"
      let what = template.parameters.contains(where: TemplateNames.isForWords) ? "parts" : "types"
      throw TypeSyntaxError(
        message: "the template is \(form), and this gives it \(arguments.count) \(what)", offset: start)
    }
    guard let model = parts.model(template, arguments, at: locate(start)) else {
      throw TypeSyntaxError(
        message: "the template `\(name)` asks for itself without end; give a part of it a name", offset: start)
    }
    return model
  }

  private mutating func close(
    _ bracket: Unicode.Scalar, openedAt start: Int, as what: String
  ) throws(TypeSyntaxError) {
    skipSpace()
    if take(bracket) { return }
    if peek == nil { throw TypeSyntaxError(message: "the \(what) is never closed; add `\(bracket)`", offset: start) }
    throw problem("the \(what) holds one type and ends with `\(bracket)`")
  }

  private mutating func readMarks(of type: inout TypeReference) throws(TypeSyntaxError) {
    while true {
      skipSpace()
      let start = index
      if take("?") {
        if type.isOptional { throw TypeSyntaxError(message: "one `?` is enough; remove this one", offset: start) }
        type.isOptional = true
      } else if take("|") {
        guard takeWord("null") else {
          throw problem("only `null` can follow `|`; for one of several types declare a union under `models:`")
        }
        if type.isNullable {
          throw TypeSyntaxError(message: "one `| null` is enough; remove this one", offset: start)
        }
        type.isNullable = true
      } else {
        return
      }
    }
  }

  private mutating func readParentheses(of type: inout TypeReference, from start: Int) throws(TypeSyntaxError) {
    let open = index
    index += 1
    if case .scalar(.date) = type.kind {
      type.kind = .scalar(.date(try dateFormat(openedAt: open)))
      return
    }
    if let scalar = try form(of: type.kind, openedAt: open) {
      type.kind = .scalar(scalar)
      return
    }
    switch type.kind {
    case .scalar(.bool), .scalar(.json), .scalar(.url), .scalar(.uuid), .map:
      throw TypeSyntaxError(message: "`\(text(start..<open))` has no bounds; remove the parentheses", offset: open)
    default: break
    }
    skipSpace()
    while !take(")") {
      try readBound(into: &type.constraints, of: type.kind)
      skipSpace()
      if take(",") {
        skipSpace()
      } else if peek == nil {
        throw TypeSyntaxError(
          message: "the `(` is never closed; inside YAML's `{…}` and `[…]` put a type with a comma in quotes",
          offset: open)
      } else if peek != ")" {
        throw problem("bounds are `1..25`, `1..`, `..25`, `7` or `/regular expression/`, with commas between")
      }
    }
    if type.constraints == Constraints() {
      throw TypeSyntaxError(message: "the parentheses are empty; write bounds such as `(1..25)`", offset: open)
    }
  }

  /// Parses `decimal(text)`, `duration(seconds)`, `bytes(base64url)`; `nil` for a type without such forms. Digits mean that a
  /// decimal's parentheses contain bounds.
  private mutating func form(of kind: TypeReference.Kind, openedAt open: Int) throws(TypeSyntaxError) -> Scalar? {
    let start = index
    let forms: [(name: String, scalar: Scalar)]
    switch kind {
    case .scalar(.decimal):
      guard let next = peek, Self.isNameStart(next) else { return nil }
      forms = [("text", .decimal(isText: true)), ("number", .decimal(isText: false))]
    case .scalar(.bytes):
      forms = [("base64", .bytes), ("base64url", .base64URL)]
    case .scalar(.duration):
      forms = DurationFormat.allCases.map { ($0.rawValue, .duration($0)) }
    default: return nil
    }
    while let next = peek, next != ")" { index += 1 }
    let name = text(start..<index)
    guard take(")") else { throw TypeSyntaxError(message: "the `(` is never closed; add `)`", offset: open) }
    guard let scalar = forms.first(where: { $0.name == name })?.scalar else {
      let known = forms.map(\.name).sorted().map { "`\($0)`" }.joined(separator: ", ")
      throw TypeSyntaxError(message: "`\(name)` is not a form of this type; it is one of \(known)", offset: start)
    }
    return scalar
  }

  private mutating func readBound(
    into constraints: inout Constraints, of kind: TypeReference.Kind
  ) throws(TypeSyntaxError) {
    let start = index
    if take("/") {
      switch kind {
      case .scalar(.string), .named: break
      default: throw TypeSyntaxError(message: "only a string has a regular expression; remove it", offset: start)
      }
      guard constraints.pattern == nil else {
        throw TypeSyntaxError(message: "one regular expression is enough; join them with `|`", offset: start)
      }
      constraints.pattern = try regularExpression(openedAt: start)
      return
    }
    if let next = peek, Self.isNameStart(next) {
      while let next = peek, Self.isNamePart(next) { index += 1 }
      let name = text(start..<index)
      guard let pattern = parts.patterns[name] else {
        var suggestions = Suggestions()
        let advice =
          suggestions.clause(for: name, among: Array(parts.patterns.keys))
          ?? "; bounds are `1..25`, `7`, `/regular expression/` or the name of one under `patterns:`"
        throw TypeSyntaxError(message: "unknown pattern `\(name)`\(advice)", offset: start)
      }
      switch kind {
      case .scalar(.string), .named: break
      default: throw TypeSyntaxError(message: "only a string has a pattern; remove it", offset: start)
      }
      guard constraints.pattern == nil else {
        throw TypeSyntaxError(message: "one pattern is enough; join them with `|`", offset: start)
      }
      constraints.pattern = pattern
      return
    }
    guard constraints.minimum == nil, constraints.maximum == nil else {
      throw TypeSyntaxError(message: "one pair of bounds is enough; remove this", offset: start)
    }
    let lower = number()
    guard peek == ".", index + 1 < scalars.count, scalars[index + 1] == "." else {
      guard let lower else {
        throw problem("bounds are `1..25`, `1..`, `..25`, `7` or `/regular expression/`")
      }
      (constraints.minimum, constraints.maximum) = (lower, lower)
      return
    }
    index += 2
    let upper = number()
    guard lower != nil || upper != nil else {
      throw TypeSyntaxError(message: "`..` needs a number before it, behind it or both", offset: start)
    }
    if let lower = lower.flatMap(Double.init), let upper = upper.flatMap(Double.init), lower > upper {
      throw TypeSyntaxError(message: "the lower bound is above the upper one; swap them", offset: start)
    }
    (constraints.minimum, constraints.maximum) = (lower, upper)
  }

  private mutating func number() -> String? {
    let start = index
    if peek == "-" { index += 1 }
    let digits = index
    while let next = peek, Self.isDigit(next) { index += 1 }
    guard index > digits else {
      index = start
      return nil
    }
    // `1..5` contains no fraction.
    if peek == ".", index + 1 < scalars.count, Self.isDigit(scalars[index + 1]) {
      index += 1
      while let next = peek, Self.isDigit(next) { index += 1 }
    }
    return text(start..<index)
  }

  private mutating func regularExpression(openedAt start: Int) throws(TypeSyntaxError) -> String {
    var view = String.UnicodeScalarView()
    while let next = peek {
      index += 1
      if next == "/" { return String(view) }
      if next == "\\", let escaped = peek {
        index += 1
        if escaped != "/" { view.append(next) }
        view.append(escaped)
      } else {
        view.append(next)
      }
    }
    throw TypeSyntaxError(message: "the regular expression is never closed; end it with `/`", offset: start)
  }

  private mutating func dateFormat(openedAt open: Int) throws(TypeSyntaxError) -> DateFormat {
    let start = index
    while let next = peek, next != ")" { index += 1 }
    let name = text(start..<index)
    guard take(")") else {
      throw TypeSyntaxError(message: "the `(` is never closed; add `)`", offset: open)
    }
    switch name {
    case "rfc3339": return .rfc3339
    case "day": return .day
    case "seconds": return .seconds
    case "milliseconds": return .milliseconds
    default: break
    }
    if let (letters, offset) = DatePattern.unknownField(in: name) {
      let known = ["day", "seconds", "milliseconds"]
      var suggestions = Suggestions()
      throw TypeSyntaxError(
        message: "a date pattern has no `\(letters)`"
          + (suggestions.clause(for: name, among: known)
            ?? "; write `day`, `seconds`, `milliseconds`, or a pattern of \(DatePattern.fields.joined(separator: " "))"),
        offset: start + offset)
    }
    guard !name.isEmpty else {
      throw TypeSyntaxError(message: "the parentheses are empty; write `date` or `date(day)`", offset: open)
    }
    // In a model's layout, the runtime could not find the end of such a pattern.
    if let bad = scalars[start..<index].firstIndex(where: { $0 == "(" || Character($0).isNewline }) {
      throw TypeSyntaxError(
        message: "a date pattern has no `(` and no line end; remove it, or write `string` as the type", offset: bad)
    }
    guard name.utf8.count(where: { $0 == UInt8(ascii: "'") }).isMultiple(of: 2) else {
      throw TypeSyntaxError(
        message: "a `'` in the date pattern is never closed; add another, or write `''` for the sign itself",
        offset: start)
    }
    return .pattern(name)
  }

  // MARK: Characters

  private var peek: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard peek == scalar else { return false }
    index += 1
    return true
  }

  mutating func skipSpace() { while let next = peek, isSpace(next) { index += 1 } }

  private func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\n" || scalar == "\t" }
  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { scalar.value >= 0x30 && scalar.value <= 0x39 }

  /// Whether a name can start with it: a letter of any script, or `_`.
  static func isNameStart(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.isASCII else { return scalar.properties.isXIDStart }
    let value = scalar.value | 0x20
    return (value >= 0x61 && value <= 0x7A) || scalar == "_"
  }

  /// Whether a name can contain it after its first character.
  static func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.isASCII else { return scalar.properties.isXIDContinue }
    return isNameStart(scalar) || isDigit(scalar) || scalar == "." || scalar == "-"
  }

  func text(_ range: Range<Int>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars[range])
    return String(view)
  }

  private func problem(_ message: String) -> TypeSyntaxError {
    TypeSyntaxError(message: message, offset: index)
  }

  private func trailing() -> TypeSyntaxError {
    problem(
      "nothing can follow the type but `(bounds)`, `| null` and `?`, in this order; remove `\(text(index..<scalars.count).prefix(20))`"
    )
  }
}

/// The valid fields of `date(EEE MMM dd HH:mm:ss Z yyyy)`.
private enum DatePattern {
  static let fields = ["EEE", "MMM", "MM", "dd", "d", "HH", "mm", "ss", "SSS", "Z", "yyyy"]

  /// The first run of equal letters that is not a field, with its offset.
  static func unknownField(in pattern: String) -> (letters: String, offset: Int)? {
    let scalars = Array(pattern.unicodeScalars)
    var index = 0
    while index < scalars.count {
      let first = scalars[index]
      let start = index
      while index < scalars.count, scalars[index] == first { index += 1 }
      let isLetter = ("a"..."z").contains(first) || ("A"..."Z").contains(first)
      let run = String(repeating: String(first), count: index - start)
      // `T` between day and time stands for itself, as in ISO 8601.
      if isLetter, run != "T", !fields.contains(run) { return (run, start) }
    }
    return nil
  }
}
