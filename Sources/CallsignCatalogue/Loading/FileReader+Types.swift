import CallsignYAML

extension TypeReference {
  /// What stands in for a type that could not be read and was reported.
  static func unreadable(at location: SourceLocation) -> TypeReference {
    TypeReference(.named(""), location: location)
  }

  var isUnreadable: Bool { kind == .named("") }
}

extension FileReader {
  /// A type in any of its YAML forms: a text, a list of one (`[T]`), or a map of one in braces (`{T}`).
  func readType(_ node: YAMLNode, of what: String) -> TypeReference {
    switch node.content {
    case .scalar(let scalar):
      if node.isNull {
        error("\(what) has no type; write one, such as `string`", at: node)
        return .unreadable(at: location(node))
      }
      return parse(node, scalar) { (parser) throws(TypeSyntaxError) in try parser.wholeText() }
        ?? .unreadable(at: location(node))
    case .list(let elements):
      guard let first = elements.first, elements.count == 1 else {
        error(
          elements.isEmpty
            ? "a list names the type of its elements: `[string]`"
            : "a list holds one type; put a type with a comma in quotes, such as `\"[string(1..9, /a+/)]\"`",
          at: elements.count > 1 ? elements[1] : node)
        return .unreadable(at: location(node))
      }
      return TypeReference(.list(readType(first, of: what)), location: location(node))
    case .mapping(let mapping):
      guard let key = mapping.onlyKeyWithoutValue else {
        error(
          mapping.entries.isEmpty
            ? "a map names the type of its values: `{string}`; for any object write `{json}`"
            : "this is not a type; a map is `{T}` with one type, and an object of its own has a name under `models:`",
          at: node)
        return .unreadable(at: location(node))
      }
      return TypeReference(.map(readType(key, of: what)), location: location(node))
    }
  }

  /// Runs the type language's parser over a scalar; a syntax error is reported at its character.
  func parse<Result>(
    _ node: YAMLNode, _ scalar: YAMLScalar, _ body: (inout TypeParser) throws(TypeSyntaxError) -> Result
  ) -> Result? {
    let locate = locator(node, scalar)
    var parser = TypeParser(scalar.text, locate: locate)
    do throws(TypeSyntaxError) {
      return try body(&parser)
    } catch let failure {
      error(failure.message, at: locate(failure.offset))
      return nil
    }
  }

  /// The place of each character of a scalar.
  func locator(_ node: YAMLNode, _ scalar: YAMLScalar) -> (Int) -> SourceLocation {
    let positions = ScalarPositions(node, scalar, in: source)
    let file = source.file
    return { offset in
      let place = positions[offset]
      return SourceLocation(file: file, line: place.line, column: place.column)
    }
  }
}
