import CallsignCatalogue

extension SourceWriter {
  /// A documentation comment of paragraphs that are safe already.
  mutating func documentation(_ paragraphs: [String]) {
    for (index, paragraph) in paragraphs.enumerated() {
      if index > 0 { line("///") }
      line("/// " + paragraph)
    }
  }

  /// A documentation comment's list of parameters, as DocC reads it.
  mutating func documentation(parameters: [(name: String, text: String)]) {
    guard !parameters.isEmpty else { return }
    line("/// - Parameters:")
    for parameter in parameters { line("///   - \(parameter.name): \(parameter.text)") }
  }
}
