extension Exchange {
  /// A parameter that is there and isn't empty.
  func parameter(_ name: String) -> String? {
    parameters[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  func required(_ name: String) throws(Problem) -> String {
    guard let value = parameter(name) else { throw .missingParameter(name) }
    return value
  }

  /// `true`, `t` or `1`; `false`, `f` or `0`. X takes everything else for false, which would hide a client's mistake here.
  func flag(_ name: String) throws(Problem) -> Bool? {
    switch parameter(name) {
    case nil: nil
    case "true", "t", "1": true
    case "false", "f", "0": false
    default: throw .invalidParameter(name)
    }
  }

  /// How many elements are wanted; more than the most there can be is no error.
  func count(_ name: String = "count", default standard: Int, atMost limit: Int) throws(Problem) -> Int {
    guard let text = parameter(name) else { return standard }
    guard let value = Int(text), value > 0 else { throw .invalidParameter(name) }
    return min(value, limit)
  }

  func identifierParameter(_ name: String) throws(Problem) -> Identifier? {
    guard let text = parameter(name) else { return nil }
    guard Pattern.isIdentifier(text), let id = Identifier(text) else { throw .invalidParameter(name) }
    return id
  }

  /// The id that stands in the path.
  func pathIdentifier() throws(Problem) -> Identifier {
    let text = path["id"] ?? ""
    guard Pattern.isIdentifier(text), let id = Identifier(text) else { throw .invalidParameter("id") }
    return id
  }

  /// Values between commas, without the spaces around them; at most 100.
  func listParameter(_ name: String) throws(Problem) -> [String]? {
    guard let text = parameter(name) else { return nil }
    let values = text.split(separator: ",").map { $0.trimmingPrefix(" ").description }
    guard values.count <= 100 else { throw .tooManyTerms }
    return values
  }

  /// Refuses parameters that would have to change the answer and can't here: to drop them silently would be a lie.
  func refuse(_ names: String...) throws(Problem) {
    for name in names where parameter(name) != nil && parameter(name) != "false" {
      throw .notImplemented("the parameter `\(name)` of \(pageScope)")
    }
  }
}
