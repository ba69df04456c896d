import CallsignCatalogue

/// Writes a protocol with the client's methods, so that a program's tests can replace the client with a mock.
///
/// A protocol's requirements cannot have default arguments, so an extension repeats each method with them. Its `options` argument
/// is optional, which distinguishes it from the requirement that it calls. Methods that a mock does not implement fail. The
/// protocol's methods are not marked as disfavoured overloads: if all arguments are given and one of them is `.init(…)`, Swift
/// ranks a protocol's own method equal to the client's.
struct ProtocolEmitter {
  let name: String
  let client: String
  /// Names the catalogue's types as code outside the client type does.
  let types: SwiftTypeNames
  let visibility: Visibility

  /// Writes the protocol, and the client's conformance.
  func writeDeclaration(_ methods: [MethodPlan], to writer: inout SourceWriter) {
    writer.gap()
    writer.documentation([
      "The methods of `\(client)`, for mocks in its place. A mock has those that its test needs; the others throw."
    ])
    writer.block("\(visibility.access)protocol \(name): \(types.name(.sendable))") { writer in
      for form in methods.flatMap(forms) {
        writer.documentation(["`\(client).\(form.name)`"])
        writeAttributes(of: form, to: &writer)
        writer.list("func \(SwiftName.escaped(form.name))", form.requiredParameters, form.result)
      }
    }
    writer.gap()
    writer.line("extension \(client): \(name) {}")
  }

  /// The start of the extension with the default-argument forms of all methods.
  var extensionHead: String { "extension \(name)" }

  /// Writes a method with default arguments, and the default implementation for mocks that lack it.
  func writeForms(of method: MethodPlan, to writer: inout SourceWriter) {
    for form in forms(method) {
      let effects = form.isThrowing ? "try await " : ""
      writer.gap()
      writer.documentation(["`\(client).\(form.name)`, with its default arguments."])
      writer.line("@_disfavoredOverload")
      writeAttributes(of: form, to: &writer)
      writer.list(
        "\(visibility.inlined)func \(SwiftName.escaped(form.name))", form.parameters, form.result + " {")
      writer.indented { writer in
        let options = SwiftName.escaped(form.optionsLabel)
        writer.list(
          "\(effects)self.\(SwiftName.escaped(form.name))",
          form.arguments + ["\(form.optionsLabel): \(options) ?? \(types.name(.callOptions))()"], "")
      }
      writer.line("}")
      writer.gap()
      writer.documentation(["The default for mocks that do not implement it: it fails."])
      writer.line("@_disfavoredOverload")
      writeAttributes(of: form, to: &writer)
      writer.list(
        "\(visibility.inlined)func \(SwiftName.escaped(form.name))", form.requiredParameters, form.result + " {")
      writer.indented { writer in
        writer.list(
          "\(effects)\(client)(client: .unimplemented).\(SwiftName.escaped(form.name))",
          form.arguments + ["\(form.optionsLabel): \(SwiftName.escaped(form.optionsLabel))"], "")
      }
      writer.line("}")
    }
  }

  private func writeAttributes(of form: Form, to writer: inout SourceWriter) {
    if let message = form.deprecation {
      writer.line("@available(*, deprecated, message: \(SwiftLiteral.string(message)))")
    }
    if form.isDiscardable { writer.line("@discardableResult") }
  }

  /// A method, or its variant that returns pages or follows an operation.
  private struct Form {
    var name: String
    /// The parameters as declared in the requirement and in the extension.
    var requiredParameters: [String]
    var parameters: [String]
    /// The arguments as a call passes them on, without the options.
    var arguments: [String]
    var optionsLabel: String
    /// ` async throws(CallError) -> Response<Pet>`
    var result: String
    var isThrowing: Bool
    var isDiscardable: Bool
    var deprecation: String?
  }

  private func forms(_ method: MethodPlan) -> [Form] {
    var forms = [
      form(
        method, named: method.name, method.arguments, result: types.signature(of: method.result),
        isThrowing: !method.result.isStream, isDiscardable: method.isCalledForItsEffect)
    ]
    if let pages = method.pages {
      forms.append(
        form(
          method, named: pages.name, method.arguments.filter { !$0.isPageToken },
          result: " -> \(types.name(.pages))<\(pages.page), \(pages.item)>", isThrowing: false, isDiscardable: false))
    }
    if let operation = method.operation {
      forms.append(
        form(
          method, named: operation.name, method.arguments, result: types.signature(of: operation), isThrowing: true,
          isDiscardable: false))
    }
    return forms
  }

  private func form(
    _ method: MethodPlan, named name: String, _ arguments: [ArgumentPlan], result: String, isThrowing: Bool,
    isDiscardable: Bool
  ) -> Form {
    let options = types.name(.callOptions)
    return Form(
      name: name,
      requiredParameters: arguments.map { "\(SwiftName.escapedLabel($0.name)): \($0.type)" }
        + ["\(method.optionsLabel): \(options)"],
      parameters: arguments.map {
        "\(SwiftName.escapedLabel($0.name)): \($0.type)" + ($0.isOptional ? " = nil" : "")
      } + ["\(method.optionsLabel): \(options)? = nil"],
      arguments: arguments.map { "\(SwiftName.escapedCallLabel($0.name)): \(SwiftName.escaped($0.name))" },
      optionsLabel: method.optionsLabel, result: result, isThrowing: isThrowing, isDiscardable: isDiscardable,
      deprecation: method.deprecation)
  }
}

extension SwiftTypeNames {
  /// The rest of the declaration, after the parameters, of a method that follows an operation.
  func signature(of operation: OperationPlan) -> String {
    let type = "\(name(.longRunningOperation))<\(operation.started), \(operation.state)>"
    return " async throws(\(name(.callError))) -> \(type)"
  }

  /// The rest of a method's declaration, after its parameters.
  func signature(of result: ResultPlan) -> String {
    let throwing = " async throws(\(name(.callError))) -> \(name(.response))"
    return switch result {
    case .none: "\(throwing)<\(name(.noContent))>"
    case .bytes: "\(throwing)<\(name(.data))>"
    case .text: "\(throwing)<\(name(.string))>"
    case .content: "\(throwing)<\(name(.responseContent))>"
    case .value(let type): "\(throwing)<\(type)>"
    case .stream(let type): " -> \(name(.eventStream))<\(type)>"
    }
  }
}
