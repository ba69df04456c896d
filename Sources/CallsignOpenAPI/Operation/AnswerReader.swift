import CallsignCatalogue

/// Reads what an operation answers when it succeeds.
struct AnswerReader {
  let document: OpenAPIDocument
  let schemas: SchemaReader
  let log: ImportLog

  func read(_ value: DocumentValue, at place: String, into operation: inout OperationShape) throws(ImportError) {
    let responses = value["responses"]?.object?.members ?? []
    let base = Pointer.child(place, "responses")
    var successes = responses.filter { $0.key.first == "2" }.sorted { $0.key < $1.key }
    if successes.isEmpty, let fallback = responses.first(where: { $0.key == "default" }) {
      log.warn("no successful answer is described; `default` is taken for it", at: base)
      successes = [fallback]
    }
    var answers: [(code: String, use: Use, isStream: Bool)] = []
    for success in successes {
      let (response, pointer, _) = try document.resolved(success.value, at: Pointer.child(base, success.key))
      if let (use, isStream) = try answer(response, at: Pointer.child(pointer, "content"), of: operation.name) {
        answers.append((success.key, use, isStream))
      }
    }
    if let first = answers.first {
      operation.answer = first.use
      if first.isStream { operation.stream = .lines }
      let others = answers.dropFirst().filter { $0.use != first.use }.map(\.code)
      if !others.isEmpty {
        log.warn(
          "`\(operation.name)` answers \(others.joined(separator: ", ")) in another form than \(first.code); "
            + "the catalogue has \(first.code)", at: base)
      }
    }
    if value["x-twitter-streaming"]?.bool == true { operation.stream = .lines }
    if operation.stream != nil, operation.answer == nil { operation.answer = .json }
  }

  private static let lineTypes: Set<String> = [
    "application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines",
    "application/stream+json", "application/json-lines",
  ]

  private func answer(
    _ response: DocumentValue, at pointer: String, of operation: String
  ) throws(ImportError) -> (Use, isStream: Bool)? {
    let contents = response["content"]?.object?.members ?? []
    guard !contents.isEmpty else { return nil }
    let named = contents.map { (type: String($0.key.prefix { $0 != ";" }).lowercased(), member: $0) }
    let chosen =
      named.first { Self.lineTypes.contains($0.type) }
      ?? named.first { $0.type.hasSuffix("/json") || $0.type.hasSuffix("+json") } ?? named.first { $0.type == "*/*" }
      ?? named[0]
    let others = named.map(\.member.key).filter { $0 != chosen.member.key }
    if !others.isEmpty {
      log.warn(
        "`\(operation)` answers as \(chosen.member.key) or as \(others.joined(separator: " or ")); "
          + "the catalogue has \(chosen.member.key)", at: pointer)
    }
    let isStream = Self.lineTypes.contains(chosen.type)
    if chosen.type == "text/event-stream" {
      log.warn("server-sent events cannot be said in a catalogue; the answer is taken as bytes", at: pointer)
    }
    guard isStream || chosen.type.hasSuffix("json") || chosen.type == "*/*" else {
      return (Use(.scalar(.bytes)), false)
    }
    guard let schema = chosen.member.value["schema"] else { return (.json, isStream) }
    let use = try schemas.use(schema, at: Pointer.child(Pointer.child(pointer, chosen.member.key), "schema"))
    return (use, isStream)
  }
}
