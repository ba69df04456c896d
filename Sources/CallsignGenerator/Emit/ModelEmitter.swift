import CallsignCatalogue

/// Writes a model down.
struct ModelEmitter {
  let types: TypeTable
  let visibility: Visibility

  func write(_ model: ModelPlan, to writer: inout SourceWriter) {
    writer.gap()
    writer.documentation(model.documentation)
    let name = SwiftName.escaped(model.name)
    switch model.shape {
    case .alias(let type): writer.line("\(visibility.access)typealias \(name) = \(type)")
    case .object(let object): write(object, name, to: &writer)
    case .enumeration(let cases): EnumEmitter(types: types, visibility: visibility).write(cases, name, to: &writer)
    case .union(let union): UnionEmitter(types: types, visibility: visibility).write(union, name, to: &writer)
    }
  }

  private func write(_ object: ObjectPlan, _ name: String, to writer: inout SourceWriter) {
    writer.block("\(visibility.access)struct \(name): \(types.conformances(.model))") { writer in
      writer.line("let \(object.storageName): \(types.name(.modelStorage))")
      let layout = [SwiftLiteral.string(object.layout.text)] + object.layout.types.map { $0 + ".self" }
      writer.line("\(visibility.access)static var layout: \(types.name(.modelLayout)) {")
      writer.indented { $0.list(types.name(.modelLayout), layout, "") }
      writer.line("}")
      for (index, property) in object.properties.enumerated() {
        if !property.documentation.isEmpty { writer.documentation([property.documentation]) }
        let slot = "self[\(property.accessor.rawValue): \(index)]"
        writer.line(
          "\(visibility.inlined)var \(SwiftName.escaped(property.name)): \(property.type) "
            + "{ get { \(slot) } set { \(slot) = newValue } }")
      }
      writeInitialiser(of: object, to: &writer)
    }
  }

  private func writeInitialiser(of object: ObjectPlan, to writer: inout SourceWriter) {
    let properties = object.properties.filter(\.isInitialised)
    guard !properties.isEmpty else {
      return writer.line("\(visibility.inlined)init() { self.init(blank: ()) }")
    }
    let ordered = properties.filter { !$0.isOptional } + properties.filter(\.isOptional)
    let parameters = ordered.map { property in
      "\(SwiftName.escapedLabel(property.name)): \(property.type)" + (property.isOptional ? " = nil" : "")
    }
    writer.list("\(visibility.inlined)init", parameters, " {")
    writer.indented { writer in
      writer.line("self.init(blank: ())")
      for property in properties {
        let name = SwiftName.escaped(property.name)
        writer.line("self.\(name) = \(name)")
      }
    }
    writer.line("}")
  }
}
