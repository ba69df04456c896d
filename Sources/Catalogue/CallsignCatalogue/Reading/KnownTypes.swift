/// A cache of parsed types by their text, because a catalogue repeats texts such as `string?` a thousand times.
struct KnownTypes {
  private struct Known {
    var type: TypeReference
    /// The column at which its text began.
    var column: Int
  }

  private var types: [String: Known] = [:]

  /// The type, if its text has been read before.
  ///
  /// - Parameter location: The location of the text's first character. The other characters follow on the same line.
  func type(_ text: String, at location: SourceLocation) -> TypeReference? {
    guard let known = types[text] else { return nil }
    return Self.moved(known.type, by: location.column - known.column, in: location)
  }

  mutating func keep(_ type: TypeReference, _ text: String, at location: SourceLocation) {
    types[text] = Known(type: type, column: location.column)
  }

  private static func moved(_ type: TypeReference, by columns: Int, in line: SourceLocation) -> TypeReference {
    var type = type
    type.location = SourceLocation(file: line.file, line: line.line, column: type.location.column + columns)
    switch type.kind {
    case .scalar, .named: break
    case .list(let element): type.kind = .list(moved(element, by: columns, in: line))
    case .map(let value): type.kind = .map(moved(value, by: columns, in: line))
    }
    return type
  }
}
