import CallsignCatalogue

/// One operation as the document describes it.
struct OperationShape {
  var name: String
  var method: String
  var path: String
  var tag: String
  var pointer: String
  var host: String?
  var documentation: String?
  /// The document's one-line summary. It is used only if the importer is told to.
  var documentSummary: String?
  var isDeprecated = false
  var auth: [AuthRequirement] = []
  var parameters: [ParameterShape] = []
  var rules: [MemberRule] = []
  var body: BodyFormat?
  /// Whether the document requires a body that is made of parameters.
  var isBodyRequired = false
  /// The schema whose members are the parameters, if it has a name.
  var bodySchema: String?
  var response: Use?
  /// The status of the response that is read, if the document states one.
  var status: Int?
  var stream: StreamFraming?
  /// The type of events that the operation can send instead of JSON, on request.
  var events: Use?
  /// The data of the event that ends a stream.
  var streamEnd: String?
  /// Whether a record of the stream is the whole event.
  var hasWholeEvents = false
  /// The media types of body and response, if they differ from JSON's usual one.
  var contentType: String?
  var accept: String?
  /// The error bodies by status, with the document's names for the whole responses.
  var errors: [(status: String, use: Use, name: String?)] = []
  /// The document's examples of the response.
  var examples: [DocumentValue] = []
  /// The operations that the response leads to, with the sources of their arguments.
  var links: [String] = []
  /// The header fields of the response.
  var responseHeaders: [(name: String, use: Use)] = []
  /// Whether the response has a `Link` field.
  var hasLinkHeader = false
  /// The response's header field with the URL of the state of an operation that continues.
  var stateHeader: StateHeader?
  /// The operation that returns the state, according to a link in a 202 response.
  var stateLink: StateLink?
  /// Whether the document describes a 202 response.
  var hasAccepted = false
  /// The header field for the idempotency key.
  var idempotencyKey: String?
}

/// A header field with the URL of the state of an operation that continues after its response.
struct StateHeader: Equatable {
  var name: String
  /// Whether the response at the URL has a `status`, as in Microsoft's guidelines. Otherwise any response except 202 means that the
  /// operation is over.
  var hasStatus: Bool
  /// Whether the final state is what the operation returns if it finishes immediately.
  var endsAsResponse: Bool
}

/// A link in a 202 response that leads to the operation that returns the state.
struct StateLink: Equatable {
  /// The other operation's `operationId`.
  var operation: String
  /// Its parameters, and the dotted paths of their values in the response.
  var arguments: [Constant]
}

extension OperationShape {
  /// The size of everything that it sends and receives, as in ``Use/size``.
  var size: Int {
    let uses = parameters.map(\.use) + [response, events].compactMap { $0 } + errors.map(\.use)
    return uses.reduce(1) { $0 + $1.size }
  }

  /// Adds the prefixes of path values to the path, unless it already has them.
  mutating func prefixPathParameters() {
    for parameter in parameters where parameter.place == .path && !parameter.prefix.isEmpty {
      let placeholder = "{\(parameter.name)}"
      let parts = path.components(separatedBy: placeholder)
      path = parts.dropLast().reversed().reduce(parts.last ?? "") { rest, part in
        part + (part.hasSuffix(parameter.prefix) ? "" : parameter.prefix) + placeholder + rest
      }
    }
  }

  /// Writes `{+name}` in the path for values that keep their reserved characters.
  mutating func keepReservedInPath() {
    for index in parameters.indices where parameters[index].place == .path && parameters[index].keepsReserved {
      let name = parameters[index].name
      path = path.replacing("{\(name)}", with: "{+\(name)}")
      parameters[index].keepsReserved = false
    }
  }

  /// Renames a path parameter if a parameter in another place has the same name: only the latter's name is on the wire.
  ///
  /// - Returns: Whether the path has such a parameter.
  mutating func renamePathParameter(_ name: String) -> Bool {
    guard let index = parameters.firstIndex(where: { $0.place == .path && $0.name == name }) else { return false }
    let other = "path_\(name)".counted { candidate in parameters.contains { $0.name == candidate } }
    parameters[index].name = other
    for sign in ["", "+"] { path = path.replacing("{\(sign)\(name)}", with: "{\(sign)\(other)}") }
    return true
  }

  /// Creates a separate operation for the events that an operation can send; `nil` if it sends none. The flag `stream`, which
  /// requests them, is then an argument of neither.
  mutating func splitEvents() -> OperationShape? {
    guard let events, stream == nil else { return nil }
    var streaming = self
    streaming.name += "Stream"
    streaming.response = events
    streaming.stream = .events
    streaming.events = nil
    streaming.accept = nil
    streaming.responseHeaders = []
    streaming.examples = []
    if let index = parameters.firstIndex(where: { $0.name == "stream" && $0.use.shape == .scalar(.bool) }) {
      streaming.parameters[index].use = Use(.scalar(.bool))
      streaming.parameters[index].isRequired = true
      streaming.parameters[index].constant = "true"
      if !parameters[index].isRequired { parameters.remove(at: index) }
    }
    self.events = nil
    (streamEnd, hasWholeEvents) = (nil, false)
    return streaming
  }
}

struct ParameterShape {
  var name: String
  var place: Parameter.Place
  var use: Use
  var isRequired: Bool
  var listStyle: Parameter.ListStyle = .comma
  var objectStyle: Parameter.ObjectStyle?
  /// Whether reserved characters in a path or query stay unescaped.
  var keepsReserved = false
  /// The value to send always. Such a parameter is not an argument.
  var constant: String?
  var annotations = Annotations()
  /// The name under which the document shares the parameter between operations.
  var sharedName: String?
  /// The text before the value in the path, which the document's `style` determines.
  var prefix = ""
  /// The name on the wire, if a parameter in another place has the same one.
  var wireName: String?
}
