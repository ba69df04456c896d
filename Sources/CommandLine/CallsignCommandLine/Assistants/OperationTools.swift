import Callsign
import CallsignCatalogue
import CallsignDynamic
import CallsignHTTP
import Foundation

/// Operations as Model Context Protocol tools. There is one tool per operation or, for a large catalogue, three tools that search,
/// describe and call operations, so that the list does not flood the model's context.
struct OperationTools: Sendable {
  /// The result of a tool.
  struct Outcome: Sendable {
    var text: String
    var isError = false
  }

  /// An offered operation.
  private struct Offer: Sendable {
    let api: DynamicAPI
    let operation: DynamicOperation
    /// The tool's name.
    let name: String
    let arguments: ArgumentNames

    /// Whether the name refers to this tool or its operation.
    func has(_ name: String) -> Bool {
      self.name == name || operation.name == name || operation.endpoint.methodName == name
    }
  }

  private let offers: [Offer]
  private let isSearched: Bool
  let redaction: Redaction
  private let responseRedaction: Redaction
  /// The maximum number of tools to list individually.
  private static let limit = 40
  /// The maximum number of characters of a response to give to a model.
  private static let textLimit = 100_000

  init(_ apis: [DynamicAPI], _ options: MCPServer.Options) {
    let only = options.only
    var operations: [(api: DynamicAPI, operation: DynamicOperation)] = []
    // If two operations have the same name, the one in the first catalogue becomes the tool.
    var names: Set<String> = []
    for api in apis {
      let places = options.place.map { BasePlaces(api, at: $0) }
      for name in api.operationNames {
        guard let operation = try? api.operation(name), !operation.isStream else { continue }
        if options.isReadOnly, !operation.isReadOnly { continue }
        if !only.isEmpty, !only.contains(name), !only.contains(operation.group) { continue }
        if names.insert(name).inserted { operations.append((places?.api(for: operation) ?? api, operation)) }
      }
    }
    // Valid names stay unchanged, so that no other operation gets one of them.
    var taken = Set(operations.map(\.operation.name).filter { ToolNames.fits($0) })
    offers = operations.enumerated().map { index, offered in
      let (api, operation) = offered
      let name =
        ToolNames.fits(operation.name)
        ? operation.name
        : ToolNames.unique(operation.endpoint.methodName, placeholder: "operation_\(index + 1)", among: &taken)
      return Offer(api: api, operation: operation, name: name, arguments: ArgumentNames(operation.endpoint))
    }
    isSearched = offers.count > Self.limit
    // In responses, a member with the name of an API key is data. The key itself is hidden wherever it is.
    redaction = Redaction(apis.map(\.catalogue))
    responseRedaction = Redaction()
  }

  /// The number of operations that can be called.
  var count: Int { offers.count }

  /// The operation for a name. A tool's own name takes precedence.
  private func offer(_ name: String) -> Offer? {
    offers.first { $0.name == name } ?? offers.first { $0.operation.name == name } ?? offers.first { $0.has(name) }
  }

  // MARK: Lists

  /// The tools for `tools/list`.
  var list: [JSONValue] {
    guard isSearched else { return offers.map { tool($0) } }
    let name: JSONValue = ["type": "string", "description": "The operation's name."]
    func schema(_ properties: JSONValue, _ required: JSONValue) -> JSONValue {
      ["type": "object", "properties": properties, "required": required, "additionalProperties": false]
    }
    return [
      [
        "name": "search_operations",
        "description": "Finds operations of the API by words of their names, summaries and paths, the best fit first.",
        "inputSchema": schema(
          ["query": ["type": "string", "maxLength": .integer(OperationSearch.mostCharacters)]], ["query"]),
        "annotations": ["readOnlyHint": true],
      ],
      [
        "name": "describe_operation",
        "description": "Says what an operation does, and the JSON Schema of its arguments.",
        "inputSchema": schema(["operation": name], ["operation"]), "annotations": ["readOnlyHint": true],
      ],
      [
        "name": "call_operation", "description": "Calls an operation, and gives back its response as JSON.",
        "inputSchema": schema(["operation": name, "arguments": ["type": "object"]], ["operation"]),
        "annotations": ["destructiveHint": true, "openWorldHint": true],
      ],
    ]
  }

  private func tool(_ offer: Offer) -> JSONValue {
    let operation = offer.operation
    var tool: [String: JSONValue] = [
      "name": .string(offer.name), "description": .string(Self.description(offer)),
      "inputSchema": ParameterSchema(operation.models).schema(of: operation, offer.arguments),
      "annotations": [
        "readOnlyHint": .bool(operation.isReadOnly), "destructiveHint": .bool(!operation.isReadOnly),
        // Each call of the tool gets a separate key.
        "idempotentHint": .bool(operation.facts.isRepeatable && operation.facts.idempotencyField == nil),
        "openWorldHint": true,
      ],
    ]
    if offer.name != operation.name { tool["title"] = .string(operation.name) }
    return .object(tool)
  }

  private static func description(_ offer: Offer) -> String {
    let endpoint = offer.operation.endpoint
    let rules = endpoint.rules.filter { $0.kind != .together }.map { rule in
      let names = rule.parameters.map { offer.arguments.alias(of: $0) }.joined(separator: ", ")
      return " Give \(rule.kind == .anyOf ? "at least one" : "one") of \(names)."
    }
    let pages = endpoint.pages == nil ? "" : " It responds page by page."
    let wait = WaitArgument(of: endpoint).map {
      " It continues after its response; the call waits for its end (\($0.name))."
    }
    return (endpoint.summary ?? "\(endpoint.method) \(endpoint.path)") + rules.joined() + pages + (wait ?? "")
  }

  // MARK: Calls

  /// A call that changes something.
  struct Change: Sendable {
    let operation: DynamicOperation
    fileprivate let arguments: [String: JSONValue]
    fileprivate let redaction: Redaction

    /// The maximum number of characters of a value to show to the user, from its beginning and from its end.
    private static let shownLimits = (beginning: 300, end: 100)

    /// The question to the user: the effect of the call, and its arguments.
    var question: String {
      let endpoint = operation.endpoint
      let summary = endpoint.summary ?? "\(endpoint.method) \(endpoint.path)"
      var lines = ["\(operation.name): \(summary)".replacingControlCharacters(with: " ").printable]
      for (name, value) in arguments.sorted(by: { $0.key < $1.key }) {
        lines.append("  \(name.printable): \(Self.shortened(shown(value).printable))")
      }
      return lines.joined(separator: "\n") + "\nDo it?"
    }

    /// The beginning and end of a long text, with the number of characters between them. It counts code points, because a character
    /// may have any number of accents.
    private static func shortened(_ text: String) -> String {
      let scalars = text.unicodeScalars
      let hidden = scalars.count - shownLimits.beginning - shownLimits.end
      guard hidden > 0 else { return text }
      let beginning = Substring(scalars.prefix(shownLimits.beginning))
      let end = Substring(scalars.suffix(shownLimits.end))
      return "\(beginning)… and \(hidden) more characters, up to …\(end)"
    }

    /// An argument as JSON, without any secrets in it.
    private func shown(_ value: JSONValue) -> String {
      let data = redaction.body((try? value.jsonData()) ?? Data(), contentType: "application/json")
      return String(decoding: data, as: UTF8.self)
    }
  }

  /// The change that a tool call makes, which must be confirmed first. `nil` for a call that changes nothing, and for one that will
  /// not be sent, because the user need not be asked about it.
  func change(_ tool: String, _ arguments: [String: JSONValue]) -> Change? {
    let name = isSearched ? (tool == "call_operation" ? arguments["operation"]?.string : nil) : tool
    let given = isSearched ? Self.members(arguments["arguments"]) : arguments
    guard let given, let offer = name.flatMap({ self.offer($0) }), !offer.operation.isReadOnly else { return nil }
    let found = offer.operation
    var own = offer.arguments.own(given)
    if let wait = WaitArgument(of: found.endpoint), (try? wait.take(from: &own)) == nil { return nil }
    guard (try? found.call(own)) != nil else { return nil }
    return Change(operation: found, arguments: own, redaction: redaction)
  }

  /// Whether there is a tool of that name.
  func has(_ tool: String) -> Bool {
    isSearched
      ? ["search_operations", "describe_operation", "call_operation"].contains(tool)
      : offers.contains { $0.has(tool) }
  }

  /// Calls a tool.
  ///
  /// - Parameter progress: Called with the state of an operation that continues after its response.
  func call(
    _ tool: String, _ arguments: [String: JSONValue], _ progress: @escaping @Sendable (String) -> Void
  ) async -> Outcome {
    guard isSearched else { return await callOperation(tool, arguments, progress) }
    let name = tool == "search_operations" ? "query" : "operation"
    guard let text = arguments[name]?.string else {
      return Outcome(text: "`\(name)` is missing, or no text.", isError: true)
    }
    switch tool {
    case "search_operations": return search(text)
    case "describe_operation": return describe(text)
    default:
      guard let given = Self.members(arguments["arguments"]) else {
        return Outcome(text: "`arguments` must be an object, not a text or a list.", isError: true)
      }
      return await callOperation(text, given, progress)
    }
  }

  /// The arguments of a message, which may be missing or null; `nil` if they are not an object.
  static func members(_ arguments: JSONValue?) -> [String: JSONValue]? {
    guard let arguments, !arguments.isNull else { return [:] }
    return arguments.object
  }

  /// The offered operations.
  private var operationList: OperationList {
    OperationList(offers.map { OperationList.Line($0.operation.endpoint) })
  }

  private func search(_ query: String) -> Outcome {
    guard query.unicodeScalars.count <= OperationSearch.mostCharacters else {
      return Outcome(text: "`query` has more than \(OperationSearch.mostCharacters) characters.", isError: true)
    }
    let list = operationList
    let found = OperationSearch.saysNothing(query) ? list.lines : list.nearest(to: query)
    guard !found.isEmpty else { return Outcome(text: "No operation has any of these words.") }
    let more = found.count > 30 ? "\(found.count - 30) more fit less well.\n" : ""
    return Outcome(text: OperationList.table(Array(found.prefix(30))) + more)
  }

  private func describe(_ name: String) -> Outcome {
    guard let offer = offer(name) else { return unknown(name) }
    return Outcome(text: tool(offer).description)
  }

  private func unknown(_ name: String) -> Outcome {
    var suggestions = Suggestions()
    let closest = suggestions.closest(to: name, among: offers.map(\.operation.name))
    let clause = closest.map { "; did you mean \($0)?" } ?? operationList.clause(for: name) + "."
    return Outcome(text: "This operation does not exist here" + clause, isError: true)
  }

  private func callOperation(
    _ name: String, _ arguments: [String: JSONValue], _ progress: @escaping @Sendable (String) -> Void
  ) async -> Outcome {
    guard let offer = offer(name) else { return unknown(name) }
    let (api, operation) = (offer.api, offer.operation)
    if api.client.configuration.hosts.isEmpty, let reason = operation.lackOfServer {
      return Outcome(text: reason, isError: true)
    }
    do {
      var arguments = offer.arguments.own(arguments)
      let seconds = try WaitArgument(of: operation.endpoint)?.take(from: &arguments)
      let call = try operation.call(arguments)
      if let seconds, seconds > 0 {
        let end = ContinuousClock.now + .seconds(seconds)
        if let started = try await api.start(call) {
          let wait = OperationWait(started, of: operation)
          return await outcome(of: wait, operation, within: end - .now, progress)
        }
      }
      var response: DynamicResponse
      var next: String?
      if let pages = api.pages(call) {
        var iterator = pages.makeAsyncIterator()
        guard let page = try await iterator.next() else { return Outcome(text: "[]") }
        (response, next) = (page.response, iterator.token)
      } else {
        response = try await api.send(call)
      }
      return Outcome(text: text(of: response, next, offer))
    } catch let error as CallError {
      return Self.failure(error)
    } catch {
      return Outcome(text: "\(error)", isError: true)
    }
  }

  /// The error of a call, with advice.
  static func failure(_ error: CallError) -> Outcome {
    var text = "\(error)"
    for reason in error.reasons(beside: text) { text += "\n" + reason }
    let advice = error.advice.flatMap { text.contains($0) ? nil : "\n" + $0 }
    return Outcome(text: text + (advice ?? ""), isError: true)
  }

  // MARK: Responses

  /// A response for a model, with how to get the rest of it and what does not match the documentation.
  private func text(of response: DynamicResponse, _ next: String?, _ offer: Offer) -> String {
    var text = text(of: response.value, response.rawResponse)
    if case .null = response.value, !response.rawResponse.body.isEmpty { return text }
    if let next, let parameter = offer.operation.endpoint.pages?.requestParameter {
      text += "\nThere are more pages: call again with \(offer.arguments.alias(of: parameter)) = "
      text += redaction.url(response.rawResponse.secrets?.removed(from: next) ?? next)
    }
    for issue in response.issues.prefix(5) { text += "\nNot as documented: \(issue)" }
    return text + asking(offer.operation)
  }

  /// A response of limited length, without secrets that the API may have put into it.
  func text(of value: JSONValue, _ response: RawResponse) -> String {
    guard case .null = value else { return hidingSecrets(value, response) }
    return "\(response.status.code): " + (response.body.isEmpty ? "done" : "\(response.body.count) bytes")
  }

  /// A part of a response without members that may be secrets by their name, and without the credentials of its request.
  func hidingSecrets(_ value: JSONValue, _ response: RawResponse) -> String {
    var secrets = SecretValues(responseRedaction)
    let value = secrets.cleaned(response.secrets?.removed(from: value) ?? value)
    let data = responseRedaction.body((try? value.jsonData()) ?? Data(), contentType: "application/json")
    let text = String(decoding: data, as: UTF8.self)
    let note = secrets.note.isEmpty ? "" : "\n(\(secrets.note))"
    if text.count <= Self.textLimit { return text + note }
    return text.prefix(Self.textLimit) + "… (shortened; ask for fewer elements or fields)" + note
  }

  /// Names the operation that returns the state of an operation in progress.
  func asking(_ operation: DynamicOperation) -> String {
    guard case .endpoint(let name)? = operation.endpoint.poll?.place else { return "" }
    return "\n\(offers.first { $0.operation.name == name }?.name ?? name) returns its state."
  }
}
