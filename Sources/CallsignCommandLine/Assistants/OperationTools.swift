import Callsign
import CallsignCatalogue
import CallsignDynamic
import CallsignHTTP
import Foundation

/// Operations as tools of the Model Context Protocol: one for each, or three by which a large catalogue is searched,
/// described and called, so that a model's context is not flooded.
struct OperationTools: Sendable {
  /// A tool's answer.
  struct Outcome: Sendable {
    var text: String
    var isError = false
  }

  private let apis: [DynamicAPI]
  private let operations: [(api: DynamicAPI, operation: DynamicOperation)]
  private let isSearched: Bool
  /// The most tools that are listed one by one.
  private static let limit = 40
  /// The most characters of an answer that are given to a model.
  private static let answerLimit = 100_000

  init(_ apis: [DynamicAPI], _ options: ContextServer.Options) {
    let only = options.only
    self.apis = apis
    var operations: [(DynamicAPI, DynamicOperation)] = []
    // Of two operations of one name, that of the first catalogue is the tool.
    var names: Set<String> = []
    for api in apis {
      for name in api.operationNames {
        guard let operation = try? api.operation(name), !operation.isStream else { continue }
        if options.isReadOnly, !operation.isReadOnly { continue }
        if !only.isEmpty, !only.contains(name), !only.contains(operation.group) { continue }
        if names.insert(name).inserted { operations.append((api, operation)) }
      }
    }
    self.operations = operations
    isSearched = operations.count > Self.limit
  }

  /// How many operations can be called.
  var count: Int { operations.count }

  // MARK: Lists

  /// The tools, as `tools/list` has them.
  var list: [JSONValue] {
    guard isSearched else { return operations.map { tool($0.operation) } }
    let name: JSONValue = ["type": "string", "description": "The operation's name."]
    func schema(_ properties: JSONValue, _ required: JSONValue) -> JSONValue {
      ["type": "object", "properties": properties, "required": required, "additionalProperties": false]
    }
    return [
      [
        "name": "search_operations",
        "description": "Finds operations of the API by words of their names, paths and summaries.",
        "inputSchema": schema(["query": ["type": "string"]], ["query"]), "annotations": ["readOnlyHint": true],
      ],
      [
        "name": "describe_operation",
        "description": "Says what an operation does, and the JSON Schema of its arguments.",
        "inputSchema": schema(["operation": name], ["operation"]), "annotations": ["readOnlyHint": true],
      ],
      [
        "name": "call_operation", "description": "Calls an operation, and gives back its answer as JSON.",
        "inputSchema": schema(["operation": name, "arguments": ["type": "object"]], ["operation"]),
        "annotations": ["destructiveHint": true, "openWorldHint": true],
      ],
    ]
  }

  private func tool(_ operation: DynamicOperation) -> JSONValue {
    let endpoint = operation.endpoint
    return [
      "name": .string(operation.name), "description": .string(Self.description(endpoint)),
      "inputSchema": ParameterSchema(operation.models).schema(of: operation),
      "annotations": [
        "readOnlyHint": .bool(operation.isReadOnly), "destructiveHint": .bool(!operation.isReadOnly),
        "idempotentHint": .bool(operation.facts.isRepeatable), "openWorldHint": true,
      ],
    ]
  }

  private static func description(_ endpoint: CallsignCatalogue.Endpoint) -> String {
    let rules = endpoint.rules.filter { $0.kind != .together }.map { rule in
      " Give \(rule.kind == .anyOf ? "at least one" : "one") of \(rule.parameters.joined(separator: ", "))."
    }
    let pages = endpoint.pages == nil ? "" : " It answers page by page."
    let wait = WaitArgument(of: endpoint).map {
      " It goes on after it was answered; its end is waited for (\($0.name))."
    }
    return (endpoint.summary ?? "\(endpoint.method) \(endpoint.path)") + rules.joined() + pages + (wait ?? "")
  }

  // MARK: Calls

  /// A call that changes something.
  struct Change: Sendable {
    let operation: DynamicOperation
    fileprivate let arguments: [String: JSONValue]

    /// The most characters of a value that the person is shown.
    private static let valueLimit = 400

    /// The question to the person: the call's effect, and its arguments.
    var question: String {
      let endpoint = operation.endpoint
      var lines = ["\(operation.name): \(endpoint.summary ?? "\(endpoint.method) \(endpoint.path)")"]
      for (name, value) in arguments.sorted(by: { $0.key < $1.key }) {
        let text = OperationTools.shown(value).printable
        let shown = text.count > Self.valueLimit ? text.prefix(Self.valueLimit) + "…" : text
        lines.append("  \(name.printable): \(shown)")
      }
      return lines.joined(separator: "\n") + "\nDo it?"
    }
  }

  /// The change that a call of a tool makes: it is confirmed first. `nil` for one that changes nothing, and for one that
  /// will not be sent, as nobody need be asked about it.
  func change(_ tool: String, _ arguments: [String: JSONValue]) -> Change? {
    let name = isSearched ? (tool == "call_operation" ? arguments["operation"]?.string : nil) : tool
    let given = isSearched ? (arguments["arguments"] ?? .object([:])).object : arguments
    guard var given, let found = name.flatMap({ name in operations.first { $0.operation.name == name } })?.operation,
      !found.isReadOnly
    else { return nil }
    if let wait = WaitArgument(of: found.endpoint), (try? wait.take(from: &given)) == nil { return nil }
    guard (try? found.call(given)) != nil else { return nil }
    return Change(operation: found, arguments: given)
  }

  /// An argument in JSON, without the secrets that may be in it.
  private static func shown(_ value: JSONValue) -> String {
    let data = redaction.body((try? value.jsonData()) ?? Data(), contentType: "application/json")
    return String(decoding: data, as: UTF8.self)
  }

  /// Whether there is a tool of that name.
  func has(_ tool: String) -> Bool {
    isSearched
      ? ["search_operations", "describe_operation", "call_operation"].contains(tool)
      : operations.contains { $0.operation.name == tool }
  }

  /// Calls a tool.
  ///
  /// - Parameter progress: Is told how an operation stands that goes on after it was answered.
  func call(
    _ tool: String, _ arguments: [String: JSONValue], _ progress: @escaping @Sendable (String) -> Void
  ) async -> Outcome {
    guard isSearched else { return await callOperation(tool, arguments, progress) }
    switch tool {
    case "search_operations": return search(arguments["query"]?.string ?? "")
    case "describe_operation": return describe(arguments["operation"]?.string ?? "")
    default:
      guard let given = (arguments["arguments"] ?? .object([:])).object else {
        return Outcome(text: "`arguments` must be an object, not a text or a list.", isError: true)
      }
      return await callOperation(arguments["operation"]?.string ?? "", given, progress)
    }
  }

  private func search(_ query: String) -> Outcome {
    let lines = operations.map { _, operation in
      OperationList.Line(
        name: operation.name, method: operation.endpoint.method, path: operation.endpoint.path,
        summary: operation.endpoint.summary ?? "")
    }
    let words = query.split(separator: " ").map(String.init)
    var found = OperationList(lines).matching(words)
    // Where no operation has all of the words, those that have one help more than none.
    if found.isEmpty { found = words.flatMap { OperationList(lines).matching([$0]) } }
    guard !found.isEmpty else { return Outcome(text: "No operation has any of these words.") }
    let more = found.count > 30 ? "\(found.count - 30) more: give more words.\n" : ""
    return Outcome(text: OperationList.table(Array(found.prefix(30))) + more)
  }

  private func describe(_ name: String) -> Outcome {
    guard let (_, operation) = operations.first(where: { $0.operation.name == name }) else { return unknown(name) }
    return Outcome(text: tool(operation).description)
  }

  private func unknown(_ name: String) -> Outcome {
    var suggestions = Suggestions()
    let closest = suggestions.closest(to: name, among: operations.map(\.operation.name))
    return Outcome(
      text: "There is no such operation here" + (closest.map { "; did you mean \($0)?" } ?? "."), isError: true)
  }

  private func callOperation(
    _ name: String, _ arguments: [String: JSONValue], _ progress: @escaping @Sendable (String) -> Void
  ) async -> Outcome {
    guard let (api, operation) = operations.first(where: { $0.operation.name == name }) else { return unknown(name) }
    do {
      var arguments = arguments
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
      return Outcome(text: Self.text(of: response, next, operation))
    } catch let error as CallError {
      return Self.failure(error)
    } catch {
      return Outcome(text: "\(error)", isError: true)
    }
  }

  /// A call's error with its advice.
  static func failure(_ error: CallError) -> Outcome {
    let text = "\(error)"
    let advice = error.advice.flatMap { text.contains($0) ? nil : "\n" + $0 }
    return Outcome(text: text + (advice ?? ""), isError: true)
  }

  // MARK: Answers

  // In answers, a code and a state are data: those of a login are in its requests.
  static let redaction = Redaction(hiddenParameters: Redaction.secretParameters.subtracting(["code", "state"]))

  /// An answer for a model, with what asks for the rest and what of it is not as documented.
  private static func text(of response: DynamicResponse, _ next: String?, _ operation: DynamicOperation) -> String {
    var text = text(of: response.value, response.rawResponse)
    if case .null = response.value, !response.rawResponse.body.isEmpty { return text }
    if let next, let parameter = operation.endpoint.pages?.requestParameter {
      text += "\nThere are more pages: call again with \(parameter) = \(next)"
    }
    for issue in response.issues.prefix(5) { text += "\nNot as documented: \(issue)" }
    return text + asking(operation)
  }

  /// An answer without secrets, which the API may have put into it, and of bounded length.
  static func text(of value: JSONValue, _ answer: RawResponse) -> String {
    guard case .null = value else { return hidingSecrets(value) }
    return "\(answer.status.code): " + (answer.body.isEmpty ? "done" : "\(answer.body.count) bytes")
  }

  static func hidingSecrets(_ value: JSONValue) -> String {
    let data = redaction.body((try? value.jsonData()) ?? Data(), contentType: "application/json")
    let text = String(decoding: data, as: UTF8.self)
    if text.count <= answerLimit { return text }
    return text.prefix(answerLimit) + "… (shortened; ask for fewer elements or fields)"
  }
}
