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
  /// The document's own one-line summary, which is only used when the importer is told to.
  var documentSummary: String?
  var isDeprecated = false
  var auth: [AuthRequirement] = []
  var parameters: [ParameterShape] = []
  var rules: [MemberRule] = []
  var body: BodyFormat?
  /// The schema whose members are the parameters, if it has a name.
  var bodySchema: String?
  var response: Use?
  /// The status of the response that is read, where the document has one.
  var status: Int?
  var stream: StreamFraming?
  /// The type of the events that it responds with in place of JSON, if it is asked to.
  var events: Use?
  /// The data of the event that ends a stream.
  var streamEnd: String?
  /// Whether a stream's record is the whole event.
  var hasWholeEvents = false
  /// The media types of body and response, where they are not JSON's own.
  var contentType: String?
  var accept: String?
  /// The bodies of errors by status, with the names that the document has for the whole responds.
  var errors: [(status: String, use: Use, name: String?)] = []
  /// The document's examples of the response.
  var examples: [DocumentValue] = []
  /// The operations that a response leads to, with where their arguments come from.
  var links: [String] = []
  /// Header fields of the response.
  var responseHeaders: [(name: String, use: Use)] = []
  /// Whether the response has a `Link` field.
  var hasLinkHeader = false
  /// The header field of the response that has the URL of the state of an operation that goes on.
  var stateHeader: StateHeader?
  /// The operation that tells the state of one that goes on, by a link of a 202.
  var stateLink: StateLink?
  /// Whether a response of status 202 is described.
  var hasAccepted = false
  /// The header field that carries a key by which the API knows the call again.
  var idempotencyKey: String?
}

/// A header field with the URL at which the state of an operation is, that goes on after its response.
struct StateHeader: Equatable {
  var name: String
  /// Whether the URL's response has a `status`, as Microsoft's guidelines have it. Else any response but 202 says that the
  /// operation is over.
  var hasStatus: Bool
  /// Whether the state is, in the end, what the operation responds with when it is done at once.
  var endsAsResponse: Bool
}

/// A link of a response of status 202, which leads to the operation that tells the state.
struct StateLink: Equatable {
  /// The other operation's `operationId`.
  var operation: String
  /// Its parameters, and where the response has their values, as dotted paths.
  var arguments: [Constant]
}

extension OperationShape {
  /// The size of all that it sends and gets, as in ``Use/size``.
  var size: Int {
    let uses = parameters.map(\.use) + [response, events].compactMap { $0 } + errors.map(\.use)
    return uses.reduce(1) { $0 + $1.size }
  }

  /// Puts the texts before values of the path into the path, unless it has them.
  mutating func prefixPathParameters() {
    for parameter in parameters where parameter.place == .path && !parameter.prefix.isEmpty {
      let placeholder = "{\(parameter.name)}"
      let parts = path.components(separatedBy: placeholder)
      path = parts.dropLast().reversed().reduce(parts.last ?? "") { rest, part in
        part + (part.hasSuffix(parameter.prefix) ? "" : parameter.prefix) + placeholder + rest
      }
    }
  }

  /// Writes `{+name}` in the path for values that have their reserved characters as they are.
  mutating func keepReservedInPath() {
    for index in parameters.indices where parameters[index].place == .path && parameters[index].keepsReserved {
      let name = parameters[index].name
      path = path.replacing("{\(name)}", with: "{+\(name)}")
      parameters[index].keepsReserved = false
    }
  }

  /// Gives a path's parameter another name, where one of another place has the same: only the latter's is on the wire.
  ///
  /// - Returns: whether there is such a parameter of the path.
  mutating func renamePathParameter(_ name: String) -> Bool {
    guard let index = parameters.firstIndex(where: { $0.place == .path && $0.name == name }) else { return false }
    let other = "path_\(name)".counted { candidate in parameters.contains { $0.name == candidate } }
    parameters[index].name = other
    for sign in ["", "+"] { path = path.replacing("{\(sign)\(name)}", with: "{\(sign)\(other)}") }
    return true
  }

  /// Makes an operation of its own of the one that responds with events; `nil` where there is none. The flag `stream`
  /// that asks for them is then no argument of either.
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
  /// Whether reserved characters of a path or query stay as they are.
  var keepsReserved = false
  /// The value that is always sent; such a parameter is no argument.
  var constant: String?
  var annotations = Annotations()
  /// The name under which the document keeps the parameter for several operations.
  var sharedName: String?
  /// The text before the value in the path, of the document's `style`.
  var prefix = ""
  /// The name on the wire, where a parameter of another place has the same one.
  var wireName: String?
}
