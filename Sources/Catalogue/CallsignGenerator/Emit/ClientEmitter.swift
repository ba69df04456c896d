import CallsignCatalogue

/// Writes the client type, which has the methods.
struct ClientEmitter {
  let name: String
  let types: SwiftTypeNames
  let visibility: Visibility

  func write(_ client: ClientPlan, to writer: inout SourceWriter) {
    writer.documentation(client.documentation)
    writer.block("\(visibility.access)struct \(name): \(types.name(.apiClient))") { writer in
      writer.documentation(["Sends the calls: credentials, transport, retries."])
      writer.line("\(visibility.access)let client: \(types.name(.client))")
      writer.gap()
      writer.documentation(["Shares a client, and with it connections and credentials, with others."])
      writer.block("\(visibility.access)init(client: \(types.name(.client)))") { writer in
        let defaults = client.everyCall.hasDefaults ? ", defaults: Self.defaults" : ""
        writer.line("self.client = client.with(conventions: Self.conventions\(defaults))")
      }
      writeInitializers(client, to: &writer)
      writeHostsAndEndpoints(client, to: &writer)
      if client.everyCall.hasDefaults {
        writer.gap()
        write(client.everyCall, to: &writer)
      }
      for key in client.keys {
        writer.gap()
        write(key.scheme, as: key.function, to: &writer)
      }
      if let webhooks = client.webhooks {
        writer.gap()
        write(webhooks, to: &writer)
      }
      writer.gap()
      writeResponses(client.responses, to: &writer)
    }
  }

  /// The initializers that take credentials.
  private func writeInitializers(_ client: ClientPlan, to writer: inout SourceWriter) {
    let configuration = types.name(.clientConfiguration)
    for (type, summary) in [
      ("some \(types.name(.authenticator))", "Makes a client with one kind of credentials."),
      (
        "[any \(types.name(.authenticator))]",
        "Makes a client with several kinds of credentials; each endpoint gets the first one that it accepts."
      ),
    ] {
      writer.gap()
      writer.documentation([summary])
      if !client.hostVariables.isEmpty {
        writer.line("///")
        writer.documentation(parameters: client.hostVariables.map { ($0.label, $0.documentation) })
      }
      let variables = client.hostVariables.map { variable in
        "\(SwiftName.escapedLabel(variable.label)): \(types.name(.string))" + (variable.isOptional ? "? = nil" : "")
      }
      writer.list(
        "\(visibility.access)init",
        ["auth: \(type)"] + variables + ["configuration: \(configuration) = \(configuration)()"], " {")
      writer.indented { writer in
        if !variables.isEmpty { writer.line("var configuration = configuration") }
        for variable in client.hostVariables {
          let value = SwiftName.escaped(variable.label)
          let assignment = "configuration.hostVariables[\(SwiftLiteral.string(variable.name))] = \(value)"
          writer.line(variable.isOptional ? "if let \(value) { \(assignment) }" : assignment)
        }
        writer.line("self.init(client: \(types.name(.client))(auth: auth, configuration: configuration))")
      }
      writer.line("}")
    }
  }

  /// The hosts and the endpoints.
  private func writeHostsAndEndpoints(_ client: ClientPlan, to writer: inout SourceWriter) {
    writer.gap()
    writer.documentation(["The hosts of the API, its default first. Credentials go nowhere else."])
    writer.line("\(visibility.access)static var baseURLs: [\(types.name(.staticString))] {")
    writer.indented { $0.list("", client.baseURLs.map(SwiftLiteral.string), "", open: "[", close: "]") }
    writer.line("}")
    writer.gap()
    writer.documentation(["Every endpoint of the catalogue, in its order."])
    writer.line("\(visibility.inlined)static var endpoints: [\(types.name(.endpoint))] {")
    writer.indented { writer in
      writer.line("[")
      writer.indented { writer in
        for endpoint in client.endpoints { writer.line(endpoint + ",") }
      }
      writer.line("]")
    }
    writer.line("}")
  }

  private func write(_ facts: EveryCall, to writer: inout SourceWriter) {
    func dictionary(_ constants: [Constant]) -> String {
      let pairs = constants.map { "\(SwiftLiteral.string($0.name)): \(SwiftLiteral.string($0.value))" }
      return "[" + pairs.joined(separator: ", ") + "]"
    }
    var arguments: [String] = []
    if !facts.headers.isEmpty { arguments.append("headers: " + dictionary(facts.headers)) }
    if !facts.query.isEmpty { arguments.append("query: " + dictionary(facts.query)) }
    if !facts.failures.isEmpty {
      let signs = facts.failures.map { sign in
        let values = sign.values.map(SwiftLiteral.string).joined(separator: ", ")
        return ".init(\(SwiftLiteral.string(sign.path)), \(sign.isNegated ? "isNot" : "is"): \(values))"
      }
      arguments.append("failures: [" + signs.joined(separator: ", ") + "]")
    }
    let type = types.name(.apiDefaults)
    writer.documentation([
      "Parameters that every call carries, and how a response of status 200 says that the call failed."
    ])
    writer.line("\(visibility.access)static var defaults: \(type) {")
    writer.indented { $0.list(type, arguments, "") }
    writer.line("}")
  }

  private func write(_ scheme: WebhookScheme, to writer: inout SourceWriter) {
    writer.documentation([
      "How the API signs what it delivers to webhooks. `WebhookVerifier` of `CallsignAuth` checks deliveries by it."
    ])
    var arguments = ["header: " + SwiftLiteral.string(scheme.header), "format: " + SwiftLiteral.string(scheme.format)]
    if scheme.message != "{body}" { arguments.append("message: " + SwiftLiteral.string(scheme.message)) }
    if let name = scheme.timestamp { arguments.append("timestampHeader: " + SwiftLiteral.string(name)) }
    if let name = scheme.id { arguments.append("idHeader: " + SwiftLiteral.string(name)) }
    if scheme.hash != .sha256 { arguments.append("hash: .\(scheme.hash.rawValue)") }
    if scheme.key != .text { arguments.append("key: .\(scheme.key.rawValue)") }
    let type = types.name(.webhookSignature)
    writer.line("\(visibility.access)static var webhookSignature: \(type) {")
    writer.indented { $0.list(type, arguments, "") }
    writer.line("}")
  }

  /// The function that makes the authenticator of an API key.
  private func write(_ scheme: Scheme, as function: String, to writer: inout SourceWriter) {
    guard let key = scheme.key else { return }
    let type = types.name(.apiKey)
    let place = "the \(key.part == .query ? "query parameter" : key.part.rawValue) `\(SwiftLiteral.comment(key.name))`"
    writer.documentation([scheme.summary.map(SwiftLiteral.comment) ?? "An API key.", "It goes into \(place)."])
    writer.line(
      "\(visibility.inlined)static func \(SwiftName.escaped(function))(_ key: \(types.name(.secret))) -> \(type) {")
    writer.indented { writer in
      var arguments = ["key", "in: .\(key.part.rawValue)(\(SwiftLiteral.string(key.name)))"]
      if let prefix = key.prefix { arguments.append("prefix: " + SwiftLiteral.string(prefix)) }
      arguments.append("scheme: " + SwiftLiteral.string(scheme.name))
      writer.list(type, arguments, "")
    }
    writer.line("}")
  }

  /// Looks types up by name, for tools. Only who calls it carries it: it refers to nearly every model.
  private func writeResponses(_ responses: [(endpoint: String, type: String)], to writer: inout SourceWriter) {
    writer.documentation([
      "The type that an endpoint's response, or a record of its stream, is decoded into, by the endpoint's name.",
      "For tools that decode recorded responses. `nil` if the endpoint does not exist or does not respond with JSON.",
    ])
    let type = "(any \(types.name(.jsonDecodable)).Type)?"
    writer.line(
      "\(visibility.inlined)static func responseType(of endpoint: \(types.name(.string))) -> \(type) {")
    writer.indented { writer in
      guard !responses.isEmpty else { return writer.line("nil") }
      writer.line("switch endpoint {")
      // Statements: the compiler looks for the type of a `switch` that is one expression among all types at once.
      for response in responses {
        writer.line("case \(SwiftLiteral.string(response.endpoint)): return \(response.type).self")
      }
      writer.line("default: return nil")
      writer.line("}")
    }
    writer.line("}")
  }
}

extension EveryCall {
  /// Whether the runtime has to know something of it.
  fileprivate var hasDefaults: Bool { !headers.isEmpty || !query.isEmpty || !failures.isEmpty }
}
