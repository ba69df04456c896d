import CallsignCatalogue

/// Writes the enum that stands for alternatives among parameters.
struct ChoiceEmitter {
  let types: TypeTable
  let visibility: Visibility

  func write(_ choice: ChoicePlan, to writer: inout SourceWriter) {
    writer.gap()
    writer.documentation(["Exactly one of these is sent."])
    writer.block("\(visibility.access)enum \(SwiftName.escaped(choice.name)): \(types.name(.sendable))") { writer in
      for alternative in choice.alternatives {
        if !alternative.documentation.isEmpty { writer.documentation([alternative.documentation]) }
        writer.line("case \(SwiftName.escaped(alternative.name))(\(alternative.values.joined(separator: ", ")))")
      }
    }
  }
}
