import CallsignCatalogue

/// Reads the successful response of an operation.
struct ResponseReader {
  let document: OpenAPIDocument
  let schemas: SchemaReader
  let log: ImportLog
  /// The names of operations, for links.
  let names: OperationNames

  func read(_ value: DocumentValue, at place: String, into operation: inout OperationShape) throws(ImportError) {
    let responses = value["responses"]?.object?.members ?? []
    let base = Pointer.child(place, "responses")
    let successes = successes(among: responses, at: base)
    let isHead = operation.method == "HEAD"
    // A call that only reads starts nothing to follow.
    if operation.method != "GET", !isHead { operation.stateHeader = stateHeader(successes, of: value, at: base) }
    var bodies: [Body] = []
    var empty: [String] = []
    for success in successes {
      let (response, pointer, _) = try document.resolved(success.value, at: Pointer.child(base, success.key))
      let body = try body(of: response, isFirst: bodies.isEmpty, at: pointer, into: &operation)
      if let (use, kind) = body {
        bodies.append((success.key, use, kind))
      } else if success.key != "202" || operation.stateHeader == nil {
        empty.append(success.key)
      }
      let isFirst = body != nil && bodies.count == 1
      if !isFirst, !Self.ownHeaders(of: response).isEmpty {
        log.count(Self.headersElsewhere, at: Pointer.child(pointer, "headers"))
      }
      let links = links(response, at: pointer)
      operation.links += links.map(\.text)
      if success.key == "202" {
        operation.hasAccepted = true
        operation.stateLink = links.lazy.compactMap(\.state).first
      }
    }
    try readErrors(responses, at: base, into: &operation)
    operation.status = (bodies.first?.code ?? empty.first).flatMap { Int($0) }
    if let first = bodies.first {
      try take(first, of: value, at: place, into: &operation)
      warnOfOthers(than: first, bodies, empty: empty, of: operation.name, at: base)
    }
    if value["x-twitter-streaming"]?.bool == true, !isHead { operation.stream = .lines }
    if operation.stream != nil, operation.response == nil { operation.response = .json }
  }

  /// The body of a successful response.
  private typealias Body = (code: String, use: Use, kind: Kind)

  /// The successful responses by their status; without any, `default`.
  private func successes(among responses: [DocumentObject.Member], at base: String) -> [DocumentObject.Member] {
    let successes = responses.filter { $0.key.first == "2" }.sorted { $0.key < $1.key }
    guard successes.isEmpty, let fallback = responses.first(where: { $0.key == "default" }) else { return successes }
    log.warn("no successful response is described; `default` is taken for it", at: base)
    return [fallback]
  }

  /// Reads the body of a successful response; `nil` if it has none.
  ///
  /// - Parameter isFirst: Whether the operation has no body yet, so that it takes the header fields and examples of this one.
  private func body(
    of response: DocumentValue, isFirst: Bool, at pointer: String, into operation: inout OperationShape
  ) throws(ImportError) -> (use: Use, kind: Kind)? {
    let content = Pointer.child(pointer, "content")
    if operation.method == "HEAD" {
      if response["content"]?.object?.members.isEmpty == false {
        log.note(
          "a HEAD gets a response without a body (RFC 9110 §9.3.2); the documented body of `\(operation.name)` is left out",
          at: content)
      }
      return nil
    }
    guard let (use, kind) = try use(response, at: content, of: operation.name) else { return nil }
    if kind.stream == nil, operation.events == nil { operation.events = try events(response, at: content) }
    if isFirst {
      try readHeaders(response, at: pointer, into: &operation)
      operation.examples = try examples(response, at: content)
      // An example of the whole stream contains one example for each record.
      if kind.isListOfRecords { operation.examples = operation.examples.flatMap { $0.list ?? [$0] } }
    }
    return (use, kind)
  }

  /// Makes a body the operation's response.
  ///
  /// - Parameter value: The operation in the document.
  private func take(
    _ body: Body, of value: DocumentValue, at place: String, into operation: inout OperationShape
  ) throws(ImportError) {
    operation.response = body.use
    operation.stream = body.kind.stream
    operation.accept = body.kind.accept
    guard let events = body.kind.stream == .events ? body.use : operation.events else { return }
    operation.hasWholeEvents = try isWholeEvent(events, at: Pointer.child(place, "responses"))
    if try mentionsDone(value, at: place) { operation.streamEnd = "[DONE]" }
  }

  /// Reports successful responses that are empty or of another form than the first one.
  private func warnOfOthers(
    than first: Body, _ bodies: [Body], empty: [String], of operation: String, at base: String
  ) {
    let isAnything = first.kind.stream != nil || [.scalar(.bytes), .scalar(.string)].contains(first.use.shape)
    if let code = empty.first, !isAnything {
      log.count(Self.mayBeEmpty, .warning, at: Pointer.child(base, code))
    }
    let others = bodies.dropFirst().filter { $0.use != first.use }.map(\.code)
    if !others.isEmpty {
      log.warn(
        "`\(operation)` responds with \(others.joined(separator: ", ")) in another form than \(first.code); "
          + "the catalogue has \(first.code)", at: base)
    }
  }

  /// The note about a response that can be empty, if an operation has another response with content.
  private static let mayBeEmpty =
    "a catalogue cannot say that a response may have no content; one without is the error `unexpectedContent` of kind "
    + "`empty`, or `unreadableResult` of a call that changes something"

  /// How a response is read.
  private struct Kind {
    var stream: StreamFraming?
    /// The media type to request.
    var accept: String?
    /// Whether the document describes a stream as the list of its records.
    var isListOfRecords = false
  }

  private func use(
    _ response: DocumentValue, at pointer: String, of operation: String
  ) throws(ImportError) -> (Use, Kind)? {
    let contents = try document.contents(response, at: pointer)
    guard !contents.isEmpty else { return nil }
    let chosen = choice(of: contents, of: operation, at: pointer)
    var kind = Self.kind(of: chosen)
    let isJSON = MediaType.isJSON(chosen.type)
    let place = Pointer.child(pointer, chosen.member.key)
    let hasRecords = chosen.member.value["itemSchema"] != nil
    if hasRecords, kind.stream == nil {
      log.warn(
        "the records of \(chosen.member.key) (`itemSchema`) cannot be separated; the response is "
          + "\(isJSON ? "read as a whole" : "bytes")", at: place)
    }
    guard kind.stream != nil || isJSON else {
      return (textOrBytes(chosen, isAccepted: kind.accept != nil, at: pointer), kind)
    }
    // OpenAPI 3.2 describes records in `itemSchema`.
    let key = kind.stream != nil && hasRecords ? "itemSchema" : "schema"
    let schema = chosen.member.value[key]
    var isTyped = kind.stream != nil
    if let schema, !isTyped { isTyped = try saysSomething(schema, at: place) }
    guard let schema, isTyped else {
      if kind.stream == nil, !operation.isEmpty {
        kind.accept = "*/*"
        log.note(
          "the document does not say what `\(operation)` responds with, so the response's Content-Type decides; for a "
            + "type, write one such as `\(operation): {returns: bytes, accept: text/csv}` under `endpoints` of the overlay",
          at: place)
      }
      return (.json, kind)
    }
    let use = try use(of: schema, under: key, of: chosen, &kind, at: pointer)
    return (use, kind)
  }

  /// A media type of a response, with its name in lowercase and without parameters.
  private typealias Content = (type: String, member: DocumentObject.Member)

  /// The media type to read, of at least one. The others are reported.
  private func choice(of contents: [DocumentObject.Member], of operation: String, at pointer: String) -> Content {
    let named = contents.map { (type: MediaType.name($0.key), member: $0) }
    let chosen = named[ResponseType.choice(among: named.map(\.type))]
    // Events become a separate operation.
    let others = named.filter { $0.member.key != chosen.member.key && $0.type != ResponseType.events }.map(\.member.key)
    if !others.isEmpty {
      log.warn(
        "`\(operation)` responds with \(chosen.member.key) or as \(others.joined(separator: " or ")); "
          + "the catalogue has \(chosen.member.key)", at: pointer)
    }
    return chosen
  }

  /// How a response of a media type is read, as far as its name says.
  private static func kind(of content: Content) -> Kind {
    var kind = Kind()
    if ResponseType.lines.contains(content.type) { kind.stream = .lines }
    if content.type == ResponseType.events { kind.stream = .events }
    let hasParameters = MediaType.hasParameters(content.member.key) && !content.type.hasPrefix("*")
    let isUsual =
      ["application/json", "application/octet-stream", "*/*"].contains(content.type) && !hasParameters
    if kind.stream == nil, !isUsual, MediaType.isValid(content.member.key) {
      kind.accept = hasParameters ? content.member.key : content.type
    }
    return kind
  }

  /// The use of a response that is neither JSON nor a stream. Reports a schema that says more about it.
  ///
  /// - Parameter isAccepted: Whether the client requests this media type.
  private func textOrBytes(_ content: Content, isAccepted: Bool, at pointer: String) -> Use {
    // Text in an unknown character set would be decoded wrongly.
    let isText = content.type.hasPrefix("text/") && isAccepted
    if !isText, MediaType.isXML(content.type) {
      log.count(
        "a response of type \(content.type) is bytes, as a catalogue has no words for its content", at: pointer)
    } else if let schema = content.member.value["schema"],
      document.isDescribed(schema, at: pointer, asText: content.type.hasPrefix("text/"))
    {
      log.count(
        "a response of type \(content.type) is \(isText ? "text" : "bytes"), whatever its schema says", at: pointer)
    }
    return Use(.scalar(isText ? .string : .bytes))
  }

  /// The use that the schema of JSON or of a stream describes; of a stream, that of a record.
  ///
  /// - Parameter key: The schema's keyword.
  private func use(
    of schema: DocumentValue, under key: String, of content: Content, _ kind: inout Kind, at pointer: String
  ) throws(ImportError) -> Use {
    let place = Pointer.child(pointer, content.member.key)
    var use = try schemas.use(schema, at: Pointer.child(place, key))
    let shape = (try? schemas.resolved(use, at: pointer))?.shape
    if kind.stream != nil, key == "schema", case .list(let record)? = shape {
      // OpenAPI 3.2 §4.14: the schema of a sequence describes the list of all its records.
      log.note("the response is a stream, and the elements of the list that describes it are its records", at: place)
      kind.isListOfRecords = true
      use = record
    }
    if kind.stream == .events, case .scalar = try schemas.resolved(use, at: pointer).shape { return .json }
    if kind.stream == nil, shape == Shape.scalar(.bytes), !content.type.hasPrefix("*"),
      document.isBase64(schema, at: pointer)
    {
      log.warn("the response is JSON, a text in base64, which the caller has to read", at: place)
      use = Use(.scalar(.string), isNullable: use.isNullable)
    }
    return use
  }

  /// Whether a schema distinguishes its values from other JSON.
  private func saysSomething(_ schema: DocumentValue, at place: String) throws(ImportError) -> Bool {
    let schema = try document.resolved(schema, at: place).value
    guard let members = schema.object?.members else { return schema.bool != true }
    let annotations: Set<String> = [
      "$comment", "default", "deprecated", "description", "example", "examples", "externalDocs", "nullable", "title",
    ]
    return members.contains { !annotations.contains($0.key) && !$0.key.hasPrefix("x-") }
  }

  /// The examples of the response: those of the media type or, without any, of its schema.
  private func examples(_ response: DocumentValue, at pointer: String) throws(ImportError) -> [DocumentValue] {
    for member in try document.contents(response, at: pointer) where MediaType.isJSON(member.key) {
      let place = Pointer.child(pointer, member.key)
      var values: [DocumentValue] = []
      for example in member.value["examples"]?.object?.members ?? [] {
        let found = try? document.resolved(
          example.value, at: Pointer.child(Pointer.child(place, "examples"), example.key))
        guard let object = found?.value.object else { continue }
        if let value = object["value"] ?? object["dataValue"] {
          values.append(value)
        } else if object["externalValue"] != nil || object["serializedValue"] != nil {
          log.note("the example `\(example.key)` is not a complete value and is left out", at: place)
        }
      }
      if values.isEmpty, let example = member.value.object?["example"] { values = [example] }
      if values.isEmpty, let schema = member.value["schema"] {
        // A named schema keeps its examples under its name.
        if schema["$ref"] == nil { values = schema.ownExamples }
      }
      return values
    }
    return []
  }

  /// The operations that the response leads to: as text, `getUser` (`id` from `$response.body#/id`), and as the source of a state,
  /// if all arguments are members of the response or arguments of the call.
  private func links(_ response: DocumentValue, at pointer: String) -> [(text: String, state: StateLink?)] {
    (response["links"]?.object?.members ?? []).compactMap { member in
      let place = Pointer.child(Pointer.child(pointer, "links"), member.key)
      guard let link = try? document.resolved(member.value, at: place).value else { return nil }
      var name = link["operationId"]?.string
      if name == nil, let target = link["operationRef"]?.string {
        name = operation(at: target, referredFrom: place)
      } else if let identifier = name, let own = names.byIdentifier[identifier] {
        name = own
      } else if let name {
        log.warn(
          "the link `\(member.key)` leads to `\(name)`, which is not an operation of the document; it is left out",
          at: place)
        return nil
      }
      guard let name else {
        log.warn("the link `\(member.key)` leads to no operation of the document; it is left out", at: place)
        return nil
      }
      if link["server"] != nil {
        log.note("the link `\(member.key)` leads to another server, which a catalogue cannot say", at: place)
      }
      var state: StateLink? = StateLink(operation: name, arguments: [])
      var sources: [String] = []
      for parameter in link["parameters"]?.object?.members ?? [] {
        guard let source = parameter.value.scalarText else { continue }
        sources.append("`\(parameter.key)` from `\(source)`")
        // The place may precede the name: `path.id`.
        let place = ["path.", "query.", "header.", "cookie."].first { parameter.key.hasPrefix($0) } ?? ""
        let argument = String(parameter.key.dropFirst(place.count))
        if source == "$request.path.\(argument)" || source == "$request.query.\(argument)" { continue }
        if let path = Self.path(ofMember: source) {
          state?.arguments.append(Constant(name: argument, value: path))
        } else {
          state = nil
        }
      }
      if let body = link["requestBody"]?.scalarText {
        sources.append("the body from `\(body)`")
        state = nil
      }
      return ("`\(name)`" + (sources.isEmpty ? "" : " (\(sources.joined(separator: ", ")))"), state)
    }
  }

  /// The name of the operation at `#/paths/~1pets/get`; `nil` if there is none.
  private func operation(at pointer: String, referredFrom place: String) -> String? {
    let keys = pointer.split(separator: "/", omittingEmptySubsequences: false).map { Pointer.decoded(String($0)) }
    guard keys.count > 3, keys[0] == "#", keys[1] == "paths", let method = keys.last else { return nil }
    // The path may be a reference to another place.
    let path = Pointer.child("#/paths", keys[2])
    guard var item = try? document.resolved(document.value(at: path, referredFrom: place), at: path).value else {
      return nil
    }
    if keys.count == 5, keys[3] == "additionalOperations" { item = item[keys[3]] ?? .null }
    guard let operation = item[method], operation.object != nil else { return nil }
    return names.name(of: operation, method: method, path: keys[2])
  }

  /// The dotted path of a response's member from `$response.body#/data/id`; `nil` if the expression is not such a path.
  private static func path(ofMember expression: String) -> String? {
    let prefix = "$response.body#/"
    guard expression.hasPrefix(prefix) else { return nil }
    let names = expression.dropFirst(prefix.count).split(separator: "/", omittingEmptySubsequences: false)
    let isPlain = names.allSatisfy { name in !name.isEmpty && !name.contains { ".~{}".contains($0) } }
    return isPlain ? names.joined(separator: ".") : nil
  }

  /// The type of events that an operation can send instead of JSON, on request.
  private func events(_ response: DocumentValue, at pointer: String) throws(ImportError) -> Use? {
    let contents = try document.contents(response, at: pointer)
    guard contents.count > 1 else { return nil }
    let events = contents.first { MediaType.name($0.key) == ResponseType.events }
    guard let events else { return nil }
    let alone = DocumentValue.object(
      DocumentObject([("content", .object(DocumentObject([(events.key, events.value)])))]))
    return try use(alone, at: pointer, of: "")?.0
  }

  /// Whether the record describes the whole event instead of only its data, as in OpenAPI 3.2.
  private func isWholeEvent(_ use: Use, at pointer: String) throws(ImportError) -> Bool {
    guard case .object(let object) = try schemas.resolved(use, at: pointer).shape else { return false }
    return object["data"] != nil && (object["event"] != nil || object["retry"] != nil)
  }

  /// Whether the operation's description says that an event with the data `[DONE]` ends the stream.
  private func mentionsDone(_ value: DocumentValue, at place: String) throws(ImportError) -> Bool {
    if Self.mentions(value, "[DONE]", depth: 0) { return true }
    guard let body = value["requestBody"] else { return false }
    let (request, pointer, _) = try document.resolved(body, at: Pointer.child(place, "requestBody"))
    for content in request["content"]?.object?.members ?? [] {
      guard let schema = content.value["schema"] else { continue }
      if Self.mentions(try document.resolved(schema, at: pointer).0, "[DONE]", depth: 0) { return true }
    }
    return false
  }

  private static func mentions(_ value: DocumentValue, _ word: String, depth: Int) -> Bool {
    guard depth < 24 else { return false }
    return switch value {
    case .string(let text): text.contains(word)
    case .list(let values): values.contains { mentions($0, word, depth: depth + 1) }
    case .object(let object): object.members.contains { mentions($0.value, word, depth: depth + 1) }
    case .null, .bool, .number: false
    }
  }

  // MARK: Header fields

  /// Header fields that every response has, or that the client reads itself.
  private static let usualHeaders: Set<String> = [
    "accept-ranges", "age", "allow", "cache-control", "connection", "content-disposition", "content-encoding",
    "content-language", "content-length", "content-location", "content-range", "content-type", "date", "deprecation",
    "etag", "expires", "keep-alive", "link", "pragma", "retry-after", "server", "set-cookie",
    "strict-transport-security",
    "sunset", "transfer-encoding", "vary", "via", "warning", "www-authenticate",
  ]

  /// The note for header fields that do not become members of a response.
  static let headersElsewhere =
    "header fields are members of a response that is a model, or a list or map of such; these are only in `response.headers`"

  /// The header fields that the client does not handle itself.
  private static func ownHeaders(of response: DocumentValue) -> [DocumentObject.Member] {
    (response["headers"]?.object?.members ?? []).filter { header in
      let name = header.key.lowercased()
      return !usualHeaders.contains(name) && !name.hasPrefix("access-control-") && !name.contains("ratelimit")
        && !name.contains("rate-limit")
    }
  }

  private func readHeaders(
    _ response: DocumentValue, at pointer: String, into operation: inout OperationShape
  ) throws(ImportError) {
    let names = response["headers"]?.object?.members.map { $0.key.lowercased() } ?? []
    if names.contains("link") { operation.hasLinkHeader = true }
    for header in Self.ownHeaders(of: response) {
      let place = Pointer.child(Pointer.child(pointer, "headers"), header.key)
      guard HeaderName.isValid(header.key) else {
        log.warn("`\(header.key)` cannot be a header's name (RFC 9110 §5.1); it is left out", at: place)
        continue
      }
      let read = try log.repairing("the header is left out", at: place) { () throws(ImportError) in
        let (value, pointer, _) = try document.resolved(header.value, at: place)
        guard let schema = value["schema"] ?? (value["type"] == nil ? nil : value) else {
          if value["content"] != nil { log.count(Self.headersAsText, at: place) }
          return Use(.scalar(.string))
        }
        let use = try schemas.resolved(try schemas.use(schema, at: Pointer.child(pointer, "schema")), at: pointer)
        switch use.shape {
        case .scalar(.string), .scalar(.int), .scalar(.number), .scalar(.bool), .scalar(.date): return Use(use.shape)
        default:
          log.count(Self.headersAsText, at: place)
          return Use(.scalar(.string))
        }
      }
      if let read { operation.responseHeaders.append((header.key, read)) }
    }
  }

  private static let headersAsText = "a header field is a text, a number, a flag or a date; this one is read as text"

  /// The header field with the place of the state of an operation that continues: the `Location` of a 202, or the
  /// `Operation-Location` or `Azure-AsyncOperation` of any success, either described as a header or implied by
  /// `x-ms-long-running-operation-options`.
  private func stateHeader(
    _ successes: [DocumentObject.Member], of operation: DocumentValue, at base: String
  ) -> StateHeader? {
    var found: (name: String, hasStatus: Bool)?
    let successfulUses = successes.compactMap { success in
      (try? document.resolved(success.value, at: Pointer.child(base, success.key))).map { (success.key, $0.value) }
    }
    for (code, response) in successfulUses {
      for header in response["headers"]?.object?.members ?? [] {
        switch header.key.lowercased() {
        case "operation-location", "azure-asyncoperation": found = (header.key, true)
        case "location" where code == "202" && found == nil: found = (header.key, false)
        default: break
        }
      }
    }
    if operation["x-ms-long-running-operation"]?.bool == true, found == nil {
      switch operation["x-ms-long-running-operation-options"]?["final-state-via"]?.string {
      case "azure-async-operation": found = ("Azure-AsyncOperation", true)
      case "operation-location": found = ("Operation-Location", true)
      case "location": found = ("Location", false)
      default: break
      }
    }
    guard let found else { return nil }
    let atOnce = successfulUses.contains { $0.0 != "202" && $0.1["content"]?.object?.members.isEmpty == false }
    let isBodyless = successfulUses.allSatisfy { $0.0 != "202" || $0.1["content"]?.object?.members.isEmpty ?? true }
    return StateHeader(
      name: found.name, hasStatus: found.hasStatus, endsAsResponse: !found.hasStatus && atOnce && isBodyless)
  }

  // MARK: Errors

  private func readErrors(
    _ responses: [DocumentObject.Member], at base: String, into operation: inout OperationShape
  ) throws(ImportError) {
    for response in responses where response.key.first == "4" || response.key.first == "5" || response.key == "default"
    {
      let status = response.key.lowercased()
      let isStatus =
        status == "default"
        || status.count == 3 && (Int(status) != nil || status.hasSuffix("xx"))
      guard isStatus, !operation.errors.contains(where: { $0.status == status }) else { continue }
      let place = Pointer.child(base, response.key)
      var name: String?
      let read = try log.repairing("the error's body is left out", at: place) { () throws(ImportError) -> Use? in
        let (value, pointer, shared) = try document.resolved(response.value, at: place)
        name = shared
        if !Self.ownHeaders(of: value).isEmpty {
          log.count(
            "the header fields of errors are only in `error.rawResponse`", at: Pointer.child(pointer, "headers"))
        }
        let contents = try document.contents(value, at: Pointer.child(pointer, "content"))
        // If an API offers several formats, RFC 9457 contains the most information.
        let json =
          contents.first { $0.key.lowercased().hasPrefix("application/problem+json") }
          ?? contents.first { $0.key.lowercased().hasPrefix("application/json") }
          ?? contents.first { MediaType.isJSON($0.key) }
        guard let json else {
          if !contents.isEmpty {
            log.count(
              "an error's body that is not JSON has no type in a catalogue; it is in `error.rawResponse`",
              at: Pointer.child(pointer, "content"))
          }
          return nil
        }
        guard let schema = json.value["schema"] else { return nil }
        return try schemas.use(
          schema, at: Pointer.child(Pointer.child(Pointer.child(pointer, "content"), json.key), "schema"))
      }
      if let use = read ?? nil { operation.errors.append((status, use, name)) }
    }
  }
}
