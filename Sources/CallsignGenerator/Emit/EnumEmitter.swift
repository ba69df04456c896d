import CallsignCatalogue

/// Writes an open enum down.
struct EnumEmitter {
  let types: TypeTable
  let visibility: Visibility

  func write(_ cases: [CasePlan], _ name: String, to writer: inout SourceWriter) {
    let string = types.name(.string)
    let access = visibility.access
    writer.block("\(access)enum \(name): \(types.conformances(.openEnum)), \(types.name(.parameterValue))") { writer in
      for value in cases {
        if !value.documentation.isEmpty { writer.documentation([value.documentation]) }
        writer.line("case \(SwiftName.escaped(value.name))")
      }
      writer.documentation(["A value that the catalogue does not know."])
      writer.line("case unknown(\(string))")
      writer.line("\(access)static var names: \(types.name(.staticString)) { \(names(cases.map(\.wire))) }")
      writer.block("\(access)init(index: \(types.name(.int)), text: \(string))") { writer in
        writer.line("switch index {")
        for (index, value) in cases.enumerated() {
          writer.line("case \(index): self = .\(SwiftName.escaped(value.name))")
        }
        writer.line("default: self = .unknown(text)")
        writer.line("}")
      }
      writer.block("\(access)var position: \(types.name(.enumPosition))") { writer in
        writer.line("switch self {")
        for (index, value) in cases.enumerated() {
          writer.line("case .\(SwiftName.escaped(value.name)): .known(\(index))")
        }
        writer.line("case .unknown(let text): .unknown(text)")
        writer.line("}")
      }
    }
  }

  private func names(_ values: [String]) -> String { SwiftLiteral.string(WordList.text(values)) }
}

/// Strings in one literal, as the runtime takes them apart.
enum WordList {
  /// The strings with a space between them; where one has a space itself, each behind a line end.
  static func text(_ words: [String]) -> String {
    words.contains { $0.utf8.contains(UInt8(ascii: " ")) }
      ? words.map { "\n" + $0 }.joined() : words.joined(separator: " ")
  }
}
