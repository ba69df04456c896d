import CallsignCatalogue

/// Writes an endpoint's description and its methods.
struct MethodEmitter {
  let types: SwiftTypeNames
  let visibility: Visibility

  func write(_ method: MethodPlan, to writer: inout SourceWriter) {
    writer.gap()
    write(method.endpoint, to: &writer)
    writer.gap()
    writeDocumentation(of: method, to: &writer)
    writeDeprecation(of: method, to: &writer)
    if method.isCalledForItsEffect { writer.line("@discardableResult") }
    writer.list(
      "\(visibility.inlined)func \(SwiftName.escaped(method.name))", parameters(method, method.arguments),
      types.signature(of: method.result) + " {")
    writer.indented { writer in
      writeCall(method, pageToken: true, to: &writer)
      writer.line(send(method))
    }
    writer.line("}")
    if let pages = method.pages {
      writer.gap()
      write(pages, of: method, to: &writer)
    }
    if let operation = method.operation { write(operation, of: method, to: &writer) }
  }

  private func write(_ operation: OperationPlan, of method: MethodPlan, to writer: inout SourceWriter) {
    writer.gap()
    writer.documentation([
      "Makes the call `\(method.name)`, and follows the operation that it starts: a sequence of states, until it is over."
    ])
    writeDeprecation(of: method, to: &writer)
    let type = "\(types.name(.longRunningOperation))<\(operation.started), \(operation.state)>"
    writer.list(
      "\(visibility.inlined)func \(SwiftName.escaped(operation.name))", parameters(method, method.arguments),
      types.signature(of: operation) + " {")
    writer.indented { writer in
      let started = operation.startedVariable
      if operation.mayLackResponse {
        writeCall(method, pageToken: true, to: &writer)
        writer.line(
          "let \(started): \(types.name(.response))<\(operation.started)> = "
            + "try await \(method.clientExpression).start(\(method.callVariable))")
      } else {
        let arguments =
          method.arguments.map { "\(SwiftName.escapedCallLabel($0.name)): \(SwiftName.escaped($0.name))" }
          + ["\(method.optionsLabel): \(method.optionsLabel)"]
        writer.list("let \(started) = try await self.\(SwiftName.escaped(method.name))", arguments, "")
      }
      if operation.usesResponse {
        writer.line("let \(operation.responseVariable): \(operation.started) = \(started).value")
      }
      var parts = [operation.ask == nil ? "self" : method.clientExpression, started]
      if let url = operation.url { parts.append("at: \(url)") }
      let interval = operation.interval
      parts.append(
        "every: " + (interval % 1_000 == 0 ? ".seconds(\(interval / 1_000))" : ".milliseconds(\(interval))"))
      for (label, signs) in [("done", operation.done), ("failed", operation.failed)] where !signs.isEmpty {
        parts.append("\(label): [" + signs.map(text).joined(separator: ", ") + "]")
      }
      let closure = "{ () async throws(\(types.name(.callError))) in"
      writer.list("return \(type)", parts, operation.ask == nil ? "" : " \(closure)")
      if let ask = operation.ask {
        writer.indented { $0.line("try await \(ask)") }
        writer.line("}")
      }
      if let cancel = operation.cancel {
        writer.line(".cancelled \(closure)")
        writer.indented { $0.line("_ = try await \(cancel)") }
        writer.line("}")
      }
    }
    writer.line("}")
  }

  /// `FailureSign("state", is: "done")`
  private func text(_ sign: FailureSign) -> String {
    let values = sign.values.map(SwiftLiteral.string).joined(separator: ", ")
    let label = sign.isNegated ? "isNot" : "is"
    return "\(types.name(.failureSign))(\(SwiftLiteral.string(sign.path)), \(label): \(values))"
  }

  private func write(_ endpoint: EndpointPlan, to writer: inout SourceWriter) {
    var arguments = [endpoint.name, endpoint.method, endpoint.baseURL, endpoint.path].map(SwiftLiteral.string)
    if !endpoint.auth.isEmpty { arguments.append("auth: " + SwiftLiteral.string(endpoint.auth)) }
    if endpoint.isRepeatable { arguments.append("repeatable: true") }
    if let body = endpoint.body { arguments.append("body: ." + body.rawValue) }
    if let stream = endpoint.stream { arguments.append("stream: ." + stream.rawValue) }
    if let backfill = endpoint.backfill {
      let id = backfill.id.map { ", id: " + SwiftLiteral.string($0) } ?? ""
      arguments.append("backfill: .minutes(\(SwiftLiteral.string(backfill.parameter)), upTo: \(backfill.limit)\(id))")
    }
    if !endpoint.details.isEmpty {
      arguments.append("details: " + SwiftLiteral.string(endpoint.details.joined(separator: "\n")))
    }
    writer.list("\(visibility.usedByInlined)static let \(endpoint.property) = \(types.name(.endpoint))", arguments, "")
  }

  private func writeDocumentation(of method: MethodPlan, to writer: inout SourceWriter) {
    writer.documentation(method.documentation.paragraphs)
    var parameters = method.arguments.filter { !$0.documentation.isEmpty }.map { ($0.name, $0.documentation) }
    parameters.append((method.optionsLabel, "Settings for this call only, instead of its client's."))
    writer.line("///")
    writer.documentation(parameters: parameters)
    if !method.result.isStream { writer.line("/// - Throws: `CallError`.") }
  }

  private func writeDeprecation(of method: MethodPlan, to writer: inout SourceWriter) {
    guard let message = method.deprecation else { return }
    writer.line("@available(*, deprecated, message: \(SwiftLiteral.string(message)))")
  }

  private func parameters(_ method: MethodPlan, _ arguments: [ArgumentPlan]) -> [String] {
    let options = types.name(.callOptions)
    return arguments.map { argument in
      "\(SwiftName.escapedLabel(argument.name)): \(argument.type)" + (argument.isOptional ? " = nil" : "")
    } + ["\(method.optionsLabel): \(options) = \(options)()"]
  }

  private func send(_ method: MethodPlan) -> String {
    switch method.result {
    case .none, .value: "return try await \(method.clientExpression).send(\(method.callVariable))"
    case .bytes: "return try await \(method.clientExpression).data(\(method.callVariable))"
    case .text: "return try await \(method.clientExpression).text(\(method.callVariable))"
    case .content: "return try await \(method.clientExpression).content(\(method.callVariable))"
    case .stream: "return \(method.clientExpression).stream(\(method.callVariable))"
    }
  }

  /// Writes the lines that build the call.
  private func writeCall(_ method: MethodPlan, pageToken: Bool, to writer: inout SourceWriter) {
    let call = method.callVariable
    let begin = "\(call) = \(types.name(.call))(Self.\(method.endpoint.property), \(method.optionsLabel))"
    let steps = method.steps.filter { step in
      if case .add(let addition) = step, !pageToken { return addition.wire != method.pages?.parameter }
      return true
    }
    writer.line((steps.isEmpty ? "let " : "var ") + begin)
    for step in steps { write(step, call: call, to: &writer) }
  }

  private func write(_ step: StepPlan, call: String, to writer: inout SourceWriter) {
    switch step {
    case .add(let addition): writer.line(text(addition, call: call))
    case .choose(let argument, let isOptional, let alternatives):
      writer.line("switch \(SwiftName.escaped(argument)) {")
      for alternative in alternatives {
        let values = alternative.values.map { "let \($0.variable)" }.joined(separator: ", ")
        let pattern = "case .\(SwiftName.escaped(alternative.name))(\(values))\(isOptional ? "?" : ""):"
        if alternative.values.count == 1, case .add(let addition)? = alternative.values.first?.step {
          writer.line("\(pattern) \(text(addition, call: call))")
        } else {
          writer.line(pattern)
          writer.indented { writer in
            for value in alternative.values { write(value.step, call: call, to: &writer) }
          }
        }
      }
      if isOptional { writer.line("case nil: break") }
      writer.line("}")
    case .frameByLength(let argument):
      writer.line("if \(SwiftName.escaped(argument)) != nil { \(call).frameByLength() }")
    case .require(let kind, let names):
      writer.line(
        "\(call).\(requirement(kind))(of: \(names.map(SwiftLiteral.string).joined(separator: ", ")))")
    }
  }

  private func requirement(_ kind: ParameterRule.Kind) -> String {
    switch kind {
    case .oneOf: "requireOne"
    case .anyOf: "requireAny"
    case .together: "requireAll"
    }
  }

  private func text(_ addition: AdditionPlan, call: String) -> String {
    let value = addition.constant ?? addition.converted ?? SwiftName.escaped(addition.variable)
    let function: String
    switch addition.place {
    case .path, .json: function = addition.place.rawValue
    case .file: function = "part"
    case .query, .header, .cookie, .form, .part: function = "add"
    case .wholeJSON, .wholeBytes: return "\(call).body(\(value))"
    case .wholeText: return "\(call).body(text: \(value))"
    }
    let receiver = addition.reserved == nil ? call : "$0"
    var line = "\(receiver).\(function)(\(SwiftLiteral.string(addition.wire)), "
    line += addition.objectStyle == nil ? value : "object: \(value), .\(addition.objectStyle?.rawValue ?? "")"
    if let format = addition.dateFormat, format != .rfc3339 { line += ", " + DateFormatText.expression(format) }
    if let list = addition.listStyle { line += ", list: ." + list.rawValue }
    if function == "add" { line += ", in: ." + addition.place.rawValue }
    line += ")"
    return switch addition.reserved {
    case nil: line
    case .all: "\(call).withReserved { \(line) }"
    case .allButCommas: "\(call).withReserved(list: .comma) { \(line) }"
    }
  }

  // MARK: Pages

  private func write(_ pages: PagesPlan, of method: MethodPlan, to writer: inout SourceWriter) {
    writer.documentation([
      "The pages of `\(method.name)`, or through `items` their elements. Nothing is sent before you request one."
    ])
    writeDeprecation(of: method, to: &writer)
    let arguments = method.arguments.filter { !$0.isPageToken }
    writer.list(
      "\(visibility.inlined)func \(pages.name)", parameters(method, arguments),
      " -> \(types.name(.pages))<\(pages.page), \(pages.item)> {")
    writer.indented { writer in
      writeCall(method, pageToken: false, to: &writer)
      var parts = [method.clientExpression, method.callVariable, style(pages)]
      if let next = pages.next {
        parts.append("next: { \(next) }")
      } else if pages.previous != nil {
        // The token is in a header field.
        parts.append("next: { _ in nil }")
      }
      if let previous = pages.previous { parts.append("previous: { \(previous) }") }
      if [.page, .offset].contains(pages.style), let size = pages.size {
        parts.append("size: \(size)")
      }
      parts.append("items: { \(pages.items) }")
      if !pages.itemPath.isEmpty { parts.append("at: " + SwiftLiteral.string(pages.itemPath)) }
      if [.maxID, .lastID].contains(pages.style), let id = pages.id { parts.append("id: { \(id) }") }
      var polling = ""
      if let more = pages.more { polling += ".more { \(more) }" }
      if let total = pages.total { polling += ".total { \(total) }" }
      if let header = pages.nextHeader { polling += ".next(header: \(SwiftLiteral.string(header)))" }
      if let since = pages.since, let id = pages.id {
        polling += ".pollable(since: \(SwiftLiteral.string(since))) { \(id) }"
      }
      writer.list("return \(types.name(.pages))", parts, polling)
    }
    writer.line("}")
  }

  private func style(_ pages: PagesPlan) -> String {
    let name =
      switch pages.style {
      case .token: "token"
      case .cursor: "cursor"
      case .maxID: "maxID"
      case .page: "page"
      case .offset: "offset"
      case .lastID: "lastID"
      case .url: "url"
      case .link: "link"
      }
    guard let parameter = pages.parameter else { return ".\(name)" }
    let first = pages.first.map { ", from: \($0)" } ?? ""
    return ".\(name)(\(SwiftLiteral.string(parameter))\(pages.isInBody ? ", in: .field" : "")\(first))"
  }
}

/// Writes the enum for a set of alternatives among parameters.
struct ChoiceEmitter {
  let types: SwiftTypeNames
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
