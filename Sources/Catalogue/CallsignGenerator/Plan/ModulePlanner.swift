import CallsignCatalogue

/// Everything that the generated module declares, in the terms of Swift: names are decided, types resolved, arguments in
/// order. What is left is to write it down.
struct ModulePlan {
  /// The type that carries the methods.
  var client: String
  var types: SwiftTypeNames
  var files: [FilePlan]
  /// The types as code outside of the client's type names them.
  var outerTypes: SwiftTypeNames
}

/// The contents of one file.
struct FilePlan {
  /// The catalogue file's path, and its group's name.
  var source: String
  var group: String
  /// In the one file that declares the client type.
  var client: ClientPlan?
  var methods: [MethodPlan] = []
  /// The methods as a protocol outside of the client's type declares them; empty where none is asked for.
  var requirements: [MethodPlan] = []
  /// The enums that stand for alternatives among parameters.
  var choices: [ChoicePlan] = []
  /// The enums of error bodies.
  var errors: [ErrorCasesPlan] = []
  var models: [ModelPlan] = []
  /// Members of responses that a response has members of its own beside, by the response's type.
  var responses: [(type: String, members: [ResponseMember])] = []
}

/// The type that carries the methods.
struct ClientPlan {
  var documentation: [String]
  /// The API's hosts, the default one first.
  var baseURLs: [String]
  /// The arguments that initializers have for the variables of base URLs.
  var hostVariables: [HostVariablePlan]
  /// The scheme by which deliveries to webhooks are signed.
  var webhooks: WebhookScheme?
  /// The names of the static properties that describe the endpoints, in the catalogue's order.
  var endpoints: [String]
  /// The JSON types of responses, or of a stream's records, by the endpoint's name.
  var responses: [(endpoint: String, type: String)]
  /// The facts of every call: the constants that it carries, and how responses say that it failed.
  var everyCall: EveryCall
  /// The API keys, by the functions that make their authenticators.
  var keys: [(function: String, scheme: Scheme)]
}

/// An initializer's argument for a variable of base URLs.
struct HostVariablePlan {
  /// As in the base URL.
  var name: String
  var label: String
  /// Whether there is a default, or only other hosts than the default one have the variable.
  var isOptional: Bool
  var documentation: String
}

/// A method for one endpoint, and the description of the endpoint.
struct MethodPlan {
  var name: String
  var documentation: DocumentationPlan
  var deprecation: String?
  var endpoint: EndpointPlan
  /// Required ones first, each kind in the API's order.
  var arguments: [ArgumentPlan]
  /// The label of the argument that holds the call's options.
  var optionsLabel: String
  /// The name of the local variable that holds the call.
  var callVariable: String
  /// The property that sends, as the body has to write it.
  var clientExpression: String
  /// The steps by which the arguments get into the call, in the API's order.
  var steps: [StepPlan]
  var result: ResultPlan
  var pages: PagesPlan?
  var operation: OperationPlan?

  /// Whether a caller may have no use for the response: a write says all by not failing.
  var isCalledForItsEffect: Bool {
    !["GET", "HEAD", "QUERY"].contains(endpoint.method) && !result.isStream
  }
}

/// The constant description of an endpoint.
struct EndpointPlan {
  /// The static property that holds it.
  var property: String
  var name: String
  var method: String
  var baseURL: String
  var path: String
  /// `oauth1 | oauth2(list.write tweet.read)`
  var auth: String
  var isRepeatable: Bool
  /// The format of a body that is made of parameters.
  var body: BodyFormat?
  var stream: StreamFraming?
  var backfill: BackfillPlan?
  /// The facts that few endpoints have, a line for each.
  var details: [String] = []
}

/// The parameter by which a stream sends again what was missed.
struct BackfillPlan {
  var parameter: String
  /// The most minutes.
  var limit: Int
  /// The path of a record's id.
  var id: String?
}

struct ArgumentPlan {
  /// The label, which is the variable's name too.
  var name: String
  var type: String
  var isOptional: Bool
  var documentation: String
  /// The argument that asks for a page, which the method for pages lacks.
  var isPageToken = false
}

/// A line of the method's body.
indirect enum StepPlan {
  /// Adds a value to the call.
  case add(AdditionPlan)
  /// Adds the alternative that was chosen.
  case choose(argument: String, isOptional: Bool, alternatives: [ChosenPlan])
  /// Has the response's records framed by length where the argument is given.
  case frameByLength(argument: String)
  /// Has the call check that enough, and not too many, of the named parameters are there.
  case require(ParameterRule.Kind, [String])
}

/// The values that one case of a choice adds to the call.
struct ChosenPlan {
  var name: String
  /// The variables that hold the associated values, and the step that sends each.
  var values: [(variable: String, step: StepPlan)]
}

/// A value that goes into the call.
struct AdditionPlan {
  enum Place: String {
    case path
    case query
    case header
    case cookie
    case json
    case form
    case part
    case file
    case wholeJSON
    case wholeBytes
    case wholeText
  }

  /// That reserved characters stay as they are.
  enum Reserved {
    case all
    /// But the comma within an element of a list.
    case allButCommas
  }

  var place: Place
  /// The name on the wire.
  var wire: String
  /// The variable that holds the value.
  var variable: String
  /// A literal that is sent instead.
  var constant: String?
  var listStyle: Parameter.ListStyle?
  var objectStyle: Parameter.ObjectStyle?
  var reserved: Reserved?
  var dateFormat: DateFormat?
  /// The expression that is sent instead of the variable, with its value in the form that the API reads.
  var converted: String?
}

enum ResultPlan {
  case none
  case bytes
  case text
  /// Of the type that the response's header says.
  case content
  case value(String)
  case stream(String)

  var isStream: Bool { if case .stream = self { true } else { false } }

  /// The type that JSON is decoded into.
  var decoded: String? {
    switch self {
    case .none, .bytes, .text, .content: nil
    case .value(let type), .stream(let type): type
    }
  }
}

/// The method that yields page after page.
struct PagesPlan {
  var name: String
  var style: Pagination.Style
  /// The name on the wire of the parameter that asks for a page; `nil` where a URL does.
  var parameter: String?
  var isInBody: Bool
  var page: String
  var item: String
  /// Expressions of a page, `$0`.
  var next: String?
  var previous: String?
  var items: String
  /// The dotted path of the elements in a page's JSON; empty for a page that is the list.
  var itemPath: String
  /// An expression of a page that says whether there are more.
  var more: String?
  /// An expression of a page that says how many elements all pages have.
  var total: String?
  /// The header field that has the next token.
  var nextHeader: String?
  /// The number of the first page, where it is not 1.
  var first: Int?
  /// An expression that says how many elements a page is asked for.
  var size: String?
  /// An expression of an element, `$0`.
  var id: String?
  /// The name on the wire of the parameter that bounds ids from below.
  var since: String?
}

/// An enum whose cases are alternatives of which exactly one is sent.
struct ChoicePlan {
  struct Alternative {
    var name: String
    /// Types with their labels: `String`, `owner: UserReference`.
    var values: [String]
    var documentation: String
  }

  var name: String
  var alternatives: [Alternative]
}

/// From a catalogue to the plan of its module.
struct ModulePlanner {
  let catalogue: Catalogue
  /// Whether the methods are planned for a protocol, too.
  let hasProtocol: Bool
  private let types: SwiftTypeNames

  /// - Parameter protocolName: The protocol that the methods are planned for, too.
  init(catalogue: Catalogue, protocolName: String?) {
    self.catalogue = catalogue
    hasProtocol = protocolName != nil
    types = SwiftTypeNames(catalogue, protocolName: protocolName)
  }

  func plan() -> ModulePlan {
    let endpoints = EndpointTable(catalogue)
    let methods = MethodPlanner(api: catalogue.api, types: types, endpoints: endpoints)
    let models = ModelPlanner(types: types)
    var choices: Set<String> = []
    let outer = types.qualified(by: SwiftName.escaped(catalogue.api.name))
    let responseModels = ModelPlanner(types: outer)
    let requirements = hasProtocol ? MethodPlanner(api: catalogue.api, types: outer, endpoints: endpoints) : nil
    var responses: Set<String> = []
    var headers: Set<String> = []
    var files: [FilePlan] = []
    for group in catalogue.groups {
      var file = FilePlan(source: group.file, group: group.name)
      for endpoint in group.endpoints {
        let method = methods.plan(endpoint)
        file.methods.append(method.plan)
        if let requirements { file.requirements.append(requirements.plan(endpoint).plan) }
        if case .value = method.plan.result, let returns = endpoint.returns {
          // Another name for a type has the members of the type, which are declared once.
          let type = outer.value(returns.canonical(outer.resolved))
          var members: [ResponseMember] = []
          // What may be null has no members.
          if !returns.isNullable, responses.insert(type).inserted {
            members = responseModels.responseMembers(of: returns)
            // The response's own member comes before a header.
            for member in members { headers.insert("\(type) \(member.name)") }
          }
          for header in endpoint.responseHeaders {
            let member = ResponseMember(header, types: types)
            if headers.insert("\(type) \(member.name)").inserted { members.append(member) }
          }
          if !members.isEmpty { file.responses.append((type, members)) }
        }
        if let errors = types.errors.plan(endpoint, types) { file.errors.append(errors) }
        // Endpoints that offer the same alternatives share one type, which the first of them declares.
        for choice in method.choices where choices.insert(choice.name).inserted { file.choices.append(choice) }
      }
      for model in group.models { file.models.append(models.plan(model)) }
      files.append(file)
    }
    let home = catalogue.groups.firstIndex { $0.file == catalogue.api.location.file } ?? 0
    if files.indices.contains(home) {
      if let errors = types.errors.commonPlan(types) { files[home].errors.append(errors) }
      files[home].client = ClientPlan(
        documentation: documentation(), baseURLs: catalogue.api.hosts.map(\.template), hostVariables: hostVariables(),
        webhooks: catalogue.api.webhooks,
        endpoints: files.flatMap { $0.methods.map(\.endpoint.property) },
        responses: files.flatMap { file in
          file.methods.compactMap { method in method.result.decoded.map { (method.endpoint.name, $0) } }
        }, everyCall: catalogue.api.everyCall,
        keys: catalogue.api.schemes.filter { $0.key != nil }.map { (SwiftName.member($0.name), $0) })
    }
    return ModulePlan(client: SwiftName.escaped(catalogue.api.name), types: types, files: files, outerTypes: outer)
  }

  private func hostVariables() -> [HostVariablePlan] {
    var plans: [HostVariablePlan] = []
    for (index, host) in catalogue.api.hosts.enumerated() {
      for variable in host.variables where !plans.contains(where: { $0.name == variable.name }) {
        var facts: [String] = []
        if let summary = variable.summary { facts.append(summary) }
        if !variable.values.isEmpty {
          facts.append("Known: " + variable.values.map { "`\($0)`" }.joined(separator: ", ") + ".")
        }
        if let value = variable.defaultValue { facts.append("Default: `\(value)`.") }
        if facts.isEmpty { facts.append("`{\(variable.name)}` of the API's base URLs.") }
        plans.append(
          HostVariablePlan(
            name: variable.name, label: variable.label, isOptional: variable.defaultValue != nil || index > 0,
            documentation: SwiftLiteral.comment(facts.joined(separator: " "))))
      }
    }
    // Those that must be given come first, as elsewhere.
    return plans.filter { !$0.isOptional } + plans.filter(\.isOptional)
  }

  private func documentation() -> [String] {
    var paragraphs = SwiftLiteral.commentParagraphs(catalogue.api.summary ?? "The client of \(catalogue.api.name).")
    if let errors = DocumentationPlan.text(
      catalogue.api.everyCall.errors, types, by: types.errors.commonName)
    {
      paragraphs.append(errors)
    }
    if let page = catalogue.api.documentation { paragraphs.append("Documentation: \(SwiftLiteral.comment(page))") }
    return paragraphs
  }
}
