/// Writes the type that carries the methods.
struct ClientEmitter {
  let name: String
  let types: TypeTable
  let visibility: Visibility

  func write(_ client: ClientPlan, to writer: inout SourceWriter) {
    writer.documentation(client.documentation)
    let configuration = types.name(.clientConfiguration)
    writer.block("\(visibility.access)struct \(name): \(types.name(.apiClient))") { writer in
      writer.documentation(["What sends the calls: credentials, transport, retries."])
      writer.line("\(visibility.access)let client: \(types.name(.client))")
      writer.gap()
      writer.documentation(["Shares a client, and with it connections and credentials, with others."])
      writer.block("\(visibility.access)init(client: \(types.name(.client)))") { writer in
        writer.line("self.client = client.with(conventions: Self.conventions)")
      }
      for (type, summary) in [
        ("some \(types.name(.authenticator))", "Makes a client with one kind of credentials."),
        (
          "[any \(types.name(.authenticator))]",
          "Makes a client with several kinds of credentials; each endpoint gets the first one that it accepts."
        ),
      ] {
        writer.gap()
        writer.documentation([summary])
        writer.list(
          "\(visibility.access)init", ["auth: \(type)", "configuration: \(configuration) = \(configuration)()"], " {")
        writer.indented { writer in
          writer.line("self.init(client: \(types.name(.client))(auth: auth, configuration: configuration))")
        }
        writer.line("}")
      }
      writer.gap()
      writer.documentation(["The hosts of the API, its default first. Credentials go nowhere else."])
      writer.line("\(visibility.access)static var baseURLs: [\(types.name(.staticString))] {")
      writer.indented { $0.list("", client.baseURLs.map(SwiftLiteral.string), "", open: "[", close: "]") }
      writer.line("}")
      writer.gap()
      writer.documentation(["Every endpoint of the catalogue, in its order."])
      writer.line("\(visibility.access)static var endpoints: [\(types.name(.endpoint))] {")
      writer.indented { writer in
        writer.line("[")
        writer.indented { writer in
          for endpoint in client.endpoints { writer.line(endpoint + ",") }
        }
        writer.line("]")
      }
      writer.line("}")
      writer.gap()
      writeAnswers(client.answers, to: &writer)
    }
  }

  /// Looks types up by name, for tools. Only who calls it carries it: it refers to nearly every model.
  private func writeAnswers(_ answers: [(endpoint: String, type: String)], to writer: inout SourceWriter) {
    writer.documentation([
      "What an endpoint's answer is decoded into, or a record of its stream, by the endpoint's name.",
      "For tools that decode recorded answers. `nil`: there is no such endpoint, or it answers with no JSON.",
    ])
    let type = "(any \(types.name(.jsonDecodable)).Type)?"
    writer.line(
      "\(visibility.inlined)static func answerType(of endpoint: \(types.name(.string))) -> \(type) {")
    writer.indented { writer in
      guard !answers.isEmpty else { return writer.line("nil") }
      writer.line("switch endpoint {")
      for answer in answers {
        writer.line("case \(SwiftLiteral.string(answer.endpoint)): \(answer.type).self")
      }
      writer.line("default: nil")
      writer.line("}")
    }
    writer.line("}")
  }
}
