import CallsignCatalogue

/// Writes a union down.
struct UnionEmitter {
  let types: TypeTable
  let visibility: Visibility

  func write(_ union: UnionPlan, _ name: String, to writer: inout SourceWriter) {
    let access = visibility.access
    let json = types.name(.jsonValue)
    writer.block("\(access)enum \(name): \(types.conformances(.union))") { writer in
      for variant in union.variants { writer.line("case \(SwiftName.escaped(variant.name))(\(variant.type))") }
      writer.documentation(["What is none of these."])
      writer.line("case unknown(\(json))")
      writer.block(
        "\(access)init(json reader: inout \(types.name(.jsonReader))) throws(\(types.name(.jsonError)))"
      ) { writer in
        var position = 0
        writer.line("switch try reader.\(variant(union)) {")
        for variant in union.variants {
          let count = union.tag == nil ? 1 : variant.tags.count
          guard count > 0 else { continue }
          let positions = (position..<position + count).map(String.init).joined(separator: ", ")
          position += count
          writer.line(
            "case \(positions): self = .\(SwiftName.escaped(variant.name))(try \(variant.type)(json: &reader))")
        }
        writer.line("default: self = .unknown(try \(json)(json: &reader))")
        writer.line("}")
      }
      writer.block("\(access)func write(json writer: inout \(types.name(.jsonWriter)))") { writer in
        writer.line("switch self {")
        for name in union.variants.map(\.name) + ["unknown"] {
          writer.line("case .\(SwiftName.escaped(name))(let value): value.write(json: &writer)")
        }
        writer.line("}")
      }
    }
  }

  /// The runtime's function that says which variant the JSON is.
  private func variant(_ union: UnionPlan) -> String {
    guard let tag = union.tag else {
      return "variant(of: \(union.variants.map { $0.type + ".self" }.joined(separator: ", ")))"
    }
    let values = WordList.text(union.variants.flatMap(\.tags))
    return "variant(tag: \(SwiftLiteral.string(tag)), \(SwiftLiteral.string(values)))"
  }
}
