/// Writes the enum of an operation's error bodies, or of all operations'.
struct ErrorCasesEmitter {
  let types: SwiftTypeNames
  let visibility: Visibility

  func write(_ plan: ErrorCasesPlan, to writer: inout SourceWriter) {
    writer.gap()
    let whose = plan.method.map { "of `\($0)`" } ?? "that all operations have in common"
    writer.documentation(["The bodies of errors \(whose), for `error.body(as:)`."])
    if let original = plan.original {
      return writer.line("\(visibility.access)typealias \(plan.name) = \(original)")
    }
    writer.block("\(visibility.access)enum \(plan.name): \(types.name(.errorCases))") { writer in
      for entry in plan.cases {
        writer.documentation([entry.status == "default" ? "Any other status." : "Status \(entry.status)."])
        writer.line("case \(entry.name)(\(entry.type))")
      }
      writer.documentation(["A status that the catalogue does not have, or a body that is something else."])
      writer.line("case unknown")
      writer.gap()
      writer.documentation(["The bodies by status."])
      let type = types.name(.errorCase)
      writer.line("\(visibility.access)static var cases: [\(type)<Self>] {")
      writer.indented { writer in
        let items = plan.cases.map { "\(type)(\(SwiftLiteral.string($0.status)), Self.\($0.name))" }
        writer.list("", items, "", open: "[", close: "]")
      }
      writer.line("}")
    }
  }
}
