/// A type as the catalogue's type language has it, without the bounds that don't matter here.
indirect enum TypeExpression {
  /// A scalar, or a name of the catalogue. `argument` is what stands in parentheses behind it.
  case name(String, argument: String)
  case list(TypeExpression)
  case map(TypeExpression)

  /// The type, and whether it may be left out or null.
  static func parse(_ text: String) throws -> (type: TypeExpression, isOptional: Bool) {
    var rest = Substring(text)
    if rest.hasPrefix("indirect ") { rest = rest.dropFirst("indirect ".count) }
    let type = try read(&rest)
    // A summary may follow.
    let suffix = (rest.firstRange(of: " - ").map { rest[..<$0.lowerBound] } ?? rest).filter { $0 != " " }
    switch suffix {
    case "": return (type, false)
    case "?", "|null", "|null?", "?|null": return (type, true)
    default: throw Failure("the type `\(text)` has an end that nothing here can send: `\(suffix)`")
    }
  }

  private static func read(_ rest: inout Substring) throws -> TypeExpression {
    if let open = rest.first, open == "[" || open == "{" {
      rest.removeFirst()
      let element = try read(&rest)
      guard let close = rest.popFirst(), close == (open == "[" ? "]" : "}") else { throw Failure("unclosed \(open)") }
      _ = argument(&rest)
      return open == "[" ? .list(element) : .map(element)
    }
    let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    guard !name.isEmpty else { throw Failure("there is no type in `\(rest)`") }
    rest = rest.dropFirst(name.count)
    return .name(String(name), argument: argument(&rest))
  }

  /// The text in parentheses. One in a regular expression closes nothing.
  private static func argument(_ rest: inout Substring) -> String {
    guard rest.first == "(" else { return "" }
    rest.removeFirst()
    var text = ""
    var isInExpression = false
    while let character = rest.popFirst() {
      if character == "\\", isInExpression {
        text.append(character)
        if let next = rest.popFirst() { text.append(next) }
        continue
      }
      if character == "/" { isInExpression.toggle() }
      if character == ")", !isInExpression { break }
      text.append(character)
    }
    return text
  }
}
