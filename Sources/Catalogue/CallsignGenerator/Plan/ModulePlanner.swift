import CallsignCatalogue

/// Everything that the generated module declares, in Swift terms: names are chosen, types resolved, and arguments in order. The
/// emitters only have to write it.
struct ModulePlan {
  /// The client type, which has the methods.
  var client: String
  var types: SwiftTypeNames
  var files: [FilePlan]
  /// The types as named by code outside the client type.
  var outerTypes: SwiftTypeNames
}

/// The contents of one file.
struct FilePlan {
  /// The catalogue file's path, and its group's name.
  var source: String
  var group: String
  /// The client type, only in the file that declares it.
  var client: ClientPlan?
  var methods: [MethodPlan] = []
  /// The methods as declared by a protocol outside the client type; empty if no protocol is requested.
  var requirements: [MethodPlan] = []
  /// The enums for alternatives among parameters.
  var choices: [ChoicePlan] = []
  /// The enums of error bodies.
  var errors: [ErrorCasesPlan] = []
  var models: [ModelPlan] = []
  /// Members of responses that have the same names as members of `Response`, by response type.
  var responses: [(type: String, members: [ResponseMember])] = []
}

/// The client type, which has the methods.
struct ClientPlan {
  var documentation: [String]
  /// The API's hosts, the default one first.
  var baseURLs: [String]
  /// The arguments of initializers for the variables in base URLs.
  var hostVariables: [HostVariablePlan]
  /// How webhook deliveries are signed.
  var webhooks: WebhookScheme?
  /// The names of the static properties that describe the endpoints, in the catalogue's order.
  var endpoints: [String]
  /// The JSON types of responses, or of a stream's records, by the endpoint's name.
  var responses: [(endpoint: String, type: String)]
  /// The settings for every call: the constants that it sends, and how a response says that the call failed.
  var everyCall: EveryCall
  /// The API keys, by the functions that create their authenticators.
  var keys: [(function: String, scheme: Scheme)]
}

/// An initializer's argument for a variable in base URLs.
struct HostVariablePlan {
  /// The name in the base URL.
  var name: String
  var label: String
  /// Whether there is a default, or only hosts other than the default one have the variable.
  var isOptional: Bool
  var documentation: String
}

/// A method for one endpoint, and the description of the endpoint.
struct MethodPlan {
  var name: String
  var documentation: DocumentationPlan
  var deprecation: String?
  var endpoint: EndpointPlan
  /// The arguments, required ones first, each group in the API's order.
  var arguments: [ArgumentPlan]
  /// The label of the argument that holds the call's options.
  var optionsLabel: String
  /// The name of the local variable that holds the call.
  var callVariable: String
  /// The property that sends the call, as the body must write it.
  var clientExpression: String
  /// The steps that add the arguments to the call, in the API's order.
  var steps: [StepPlan]
  var result: ResultPlan
  var pages: PagesPlan?
  var operation: OperationPlan?

  /// Whether callers may ignore the response: for a write, not failing can be enough.
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
  /// The format of a body that consists of parameters.
  var body: BodyFormat?
  var stream: StreamFraming?
  var backfill: BackfillPlan?
  /// The facts that few endpoints have, one line each.
  var details: [String] = []
}

/// The parameter that makes a stream resend what was missed.
struct BackfillPlan {
  var parameter: String
  /// The maximum number of minutes.
  var limit: Int
  /// The path of a record's id.
  var id: String?
}

struct ArgumentPlan {
  /// The label, which is also the variable's name.
  var name: String
  var type: String
  var isOptional: Bool
  var documentation: String
  /// Whether it selects a page. The method for pages lacks this argument.
  var isPageToken = false
}

/// A line of the method's body.
indirect enum StepPlan {
  /// Adds a value to the call.
  case add(AdditionPlan)
  /// Adds the chosen alternative.
  case choose(argument: String, isOptional: Bool, alternatives: [ChosenPlan])
  /// Frames the response's records by length if the argument is given.
  case frameByLength(argument: String)
  /// Makes the call check that the named parameters follow a rule.
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

  /// Which reserved characters stay unescaped.
  enum Reserved {
    case all
    /// All except commas within an element of a list.
    case allButCommas
  }

  var place: Place
  /// The name on the wire.
  var wire: String
  /// The variable that holds the value.
  var variable: String
  /// A literal to send instead.
  var constant: String?
  var listStyle: Parameter.ListStyle?
  var objectStyle: Parameter.ObjectStyle?
  var reserved: Reserved?
  var dateFormat: DateFormat?
  /// The expression to send instead of the variable, with its value in the form that the API reads.
  var converted: String?
}

enum ResultPlan {
  case none
  case bytes
  case text
  /// The response's header says the type.
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

/// The method that returns the pages.
struct PagesPlan {
  var name: String
  var style: Pagination.Style
  /// The name on the wire of the parameter that selects a page; `nil` if a URL does.
  var parameter: String?
  var isInBody: Bool
  var page: String
  var item: String
  /// An expression for the next token of a page, `$0`.
  var next: String?
  var previous: String?
  var items: String
  /// The dotted path of the elements in a page's JSON; empty if the page is the list.
  var itemPath: String
  /// An expression that says whether a page has more pages after it.
  var more: String?
  /// An expression for the total number of elements on all pages.
  var total: String?
  /// The header field with the next token.
  var nextHeader: String?
  /// The number of the first page, if it is not 1.
  var first: Int?
  /// An expression for the requested page size.
  var size: String?
  /// An expression for the ID of an element, `$0`.
  var id: String?
  /// The name on the wire of the parameter that sets a lower bound for IDs.
  var since: String?
}

/// An enum for alternatives. Exactly one of them is sent.
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

/// Plans the module of a catalogue.
struct ModulePlanner {
  let catalogue: Catalogue
  /// Whether methods are also planned for a protocol.
  let hasProtocol: Bool
  private let types: SwiftTypeNames

  /// - Parameter protocolName: The protocol whose methods to plan in addition.
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
          // An alias has the members of its type, which are declared only once.
          let type = outer.value(returns.canonical(outer.resolved))
          var members: [ResponseMember] = []
          // A value that can be null has no members.
          if !returns.isNullable, responses.insert(type).inserted {
            members = responseModels.responseMembers(of: returns)
            // The response's own member takes precedence over a header.
            for member in members { headers.insert("\(type) \(member.name)") }
          }
          for header in endpoint.responseHeaders {
            let member = ResponseMember(header, types: types)
            if headers.insert("\(type) \(member.name)").inserted { members.append(member) }
          }
          if !members.isEmpty { file.responses.append((type, members)) }
        }
        if let errors = types.errors.plan(endpoint, types) { file.errors.append(errors) }
        // Endpoints with the same alternatives share one type. The first of them declares it.
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
    // Required arguments come first, as everywhere.
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
