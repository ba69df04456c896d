import CallsignCatalogue

/// Writes a model down.
struct ModelEmitter {
  let types: TypeTable
  let access: String

  func write(_ model: ModelPlan, to writer: inout SourceWriter) {
    writer.gap()
    writer.documentation(model.documentation)
    let name = SwiftName.escaped(model.name)
    switch model.shape {
    case .alias(let type): writer.line("\(access)typealias \(name) = \(type)")
    case .object, .enumeration, .union: writer.line("\(access)struct \(name) {}")
    }
  }
}
