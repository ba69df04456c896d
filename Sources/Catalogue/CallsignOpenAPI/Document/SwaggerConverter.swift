/// Rewrites a Swagger 2.0 document as an equivalent OpenAPI 3 document.
struct SwaggerConverter {
  private let root: DocumentValue
  private let log: ImportLog

  init(_ root: DocumentValue, log: ImportLog) {
    self.root = root
    self.log = log
  }

  func converted() -> DocumentValue {
    log.swaggerPlaces = SwaggerPlaces(root)
    var result = DocumentObject([("openapi", .string("3.0.3"))])
    let rewritten = ["swagger", "host", "basePath", "schemes", "consumes", "produces", "definitions", "parameters"]
    let alsoRewritten = ["responses", "securityDefinitions", "paths"]
    for member in root.object?.members ?? [] where !(rewritten + alsoRewritten).contains(member.key) {
      result.set(member.key, schema(member.value))
    }
    result.set("servers", .list(servers()))
    result.set("paths", paths())
    result.set("components", .object(components()))
    return .object(result)
  }

  // MARK: Servers, components

  private func servers() -> [DocumentValue] {
    let path = root["basePath"]?.scalarText ?? ""
    guard let host = root["host"]?.scalarText, !host.isEmpty else {
      return [.object(DocumentObject([("url", .string(path))]))]
    }
    // Without the slash, the path would become a part of the host's name.
    let separator = path.isEmpty || path.hasPrefix("/") ? "" : "/"
    let schemes = (root["schemes"]?.list ?? []).compactMap(\.string).filter { ["http", "https"].contains($0) }
    return (schemes.isEmpty ? ["https"] : schemes).map { scheme in
      .object(DocumentObject([("url", .string("\(scheme)://\(host)\(separator)\(path)"))]))
    }
  }

  /// The servers of an operation that sets schemes; `nil` if the document's servers apply.
  private func servers(_ schemes: [String], at place: String) -> DocumentValue? {
    let known = schemes.filter { ["http", "https"].contains($0) }
    let others = schemes.filter { !known.contains($0) }
    if !others.isEmpty {
      log.warn("a client cannot call by \(others.joined(separator: " or ")); that scheme is left out", at: place)
    }
    guard !known.isEmpty, let host = root["host"]?.scalarText, !host.isEmpty else { return nil }
    let usual = servers().compactMap { $0["url"]?.string }
    let wanted = ["https", "http"].first(where: known.contains).map { "\($0)://" } ?? ""
    // The document's servers use `https` if they can.
    let isSecure = usual.contains { $0.hasPrefix("https://") }
    if wanted == (isSecure ? "https://" : "http://") { return nil }
    guard let url = usual.first, let end = url.firstRange(of: "://") else { return nil }
    return .list([.object(DocumentObject([("url", .string(wanted + url[end.upperBound...]))]))])
  }

  private func components() -> DocumentObject {
    var components = DocumentObject()
    if let definitions = root["definitions"] { components.set("schemas", schema(definitions)) }
    var parameters = DocumentObject()
    for member in root["parameters"]?.object?.members ?? [] where !isOfBody(member.value) {
      parameters.set(member.key, parameter(member.value, at: Pointer.child("#/parameters", member.key)))
    }
    components.set("parameters", .object(parameters))
    var responses = DocumentObject()
    for member in root["responses"]?.object?.members ?? [] {
      responses.set(member.key, response(member.value, types: mediaTypes(nil, "produces")))
    }
    components.set("responses", .object(responses))
    var schemes = DocumentObject()
    for member in root["securityDefinitions"]?.object?.members ?? [] {
      schemes.set(member.key, securityScheme(member.value))
    }
    components.set("securitySchemes", .object(schemes))
    return components
  }

  private func securityScheme(_ scheme: DocumentValue) -> DocumentValue {
    switch scheme["type"]?.string {
    case "basic": return .object(DocumentObject([("type", .string("http")), ("scheme", .string("basic"))]))
    case "oauth2":
      let names = ["accessCode": "authorizationCode", "application": "clientCredentials"]
      let flow = scheme["flow"]?.string ?? "implicit"
      let members = ["authorizationUrl", "tokenUrl", "scopes"].compactMap { key in scheme[key].map { (key, $0) } }
      return .object(
        DocumentObject([
          ("type", .string("oauth2")),
          ("flows", .object(DocumentObject([(names[flow] ?? flow, .object(DocumentObject(members)))]))),
        ]))
    default: return scheme
    }
  }

  // MARK: Paths

  static let methods: Set<String> = ["get", "put", "post", "delete", "options", "head", "patch"]

  private func paths() -> DocumentValue {
    var paths = DocumentObject()
    for path in root["paths"]?.object?.members ?? [] {
      guard let item = path.value.object else {
        paths.set(path.key, path.value)
        continue
      }
      let shared = item["parameters"]?.list ?? []
      var members = DocumentObject()
      for member in item.members {
        if member.key == "parameters" {
          let place = Pointer.child("#/paths", path.key)
          members.set("parameters", .list(shared.filter { !isOfBody($0) }.map { parameter($0, at: place) }))
        } else if Self.methods.contains(member.key.lowercased()) {
          let place = Pointer.child(Pointer.child("#/paths", path.key), member.key)
          members.set(member.key, operation(member.value, shared: shared, at: place))
        } else {
          members.set(member.key, schema(member.value))
        }
      }
      paths.set(path.key, .object(members))
    }
    return .object(paths)
  }

  private func operation(_ value: DocumentValue, shared: [DocumentValue], at place: String) -> DocumentValue {
    guard let object = value.object else { return value }
    var result = DocumentObject()
    for member in object.members
    where !["parameters", "responses", "consumes", "produces", "schemes"].contains(member.key) {
      result.set(member.key, member.value)
    }
    let own = value["parameters"]?.list ?? []
    result.set("parameters", .list(own.filter { !isOfBody($0) }.map { parameter($0, at: place) }))
    let ofBody = (own + shared).map(resolved).filter(isOfBody)
    if let body = requestBody(ofBody, types: mediaTypes(value, "consumes"), at: place) {
      result.set("requestBody", body)
    }
    if let schemes = value["schemes"]?.list?.compactMap(\.string), let servers = servers(schemes, at: place) {
      result.set("servers", servers)
    }
    var responses = DocumentObject()
    let types = mediaTypes(value, "produces")
    let hasOwnTypes = !ResponseType.isSame(types, mediaTypes(nil, "produces"))
    let given = value["responses"]?.object?.members ?? []
    let hasSuccess = given.contains { $0.key.first == "2" }
    for member in given {
      // Servers send errors as JSON, whatever an operation produces.
      let isSuccess = hasSuccess ? member.key.first == "2" : member.key == "default"
      let own = isSuccess && hasOwnTypes ? sharedResponse(member.value) : member.value
      responses.set(member.key, response(own, types: types))
    }
    result.set("responses", .object(responses))
    return .object(result)
  }

  private func mediaTypes(_ operation: DocumentValue?, _ key: String) -> [String] {
    let types = (operation?[key] ?? root[key])?.list?.compactMap(\.string) ?? []
    return types.isEmpty ? ["application/json"] : types
  }

  /// The target of a reference to a shared response, if it has content: the content has the operation's types.
  private func sharedResponse(_ value: DocumentValue) -> DocumentValue {
    var response = value
    // References may be circular.
    for _ in 0..<8 {
      guard let reference = response["$ref"]?.string else { break }
      guard reference.hasPrefix("#/responses/"), let next = root["responses"]?[Pointer.lastName(of: reference)] else {
        return value
      }
      response = next
    }
    return response["$ref"] == nil && response["schema"] != nil ? response : value
  }

  private func response(_ value: DocumentValue, types: [String]) -> DocumentValue {
    if value["$ref"] != nil { return schema(value) }
    guard let payload = value["schema"], let object = value.object else { return value }
    var result = DocumentObject()
    for member in object.members where !["schema", "examples"].contains(member.key) {
      result.set(member.key, member.value)
    }
    var content = DocumentObject()
    for type in types {
      var media = DocumentObject([("schema", schema(payload))])
      if let example = value["examples"]?.object?[type] { media.set("example", example) }
      content.set(type, .object(media))
    }
    result.set("content", .object(content))
    return .object(result)
  }

  // MARK: Parameters and bodies

  private func resolved(_ parameter: DocumentValue) -> DocumentValue {
    guard let reference = parameter["$ref"]?.string, reference.hasPrefix("#/parameters/") else { return parameter }
    return root["parameters"]?[Pointer.lastName(of: reference)] ?? parameter
  }

  private func isOfBody(_ parameter: DocumentValue) -> Bool {
    ["body", "formData"].contains(resolved(parameter)["in"]?.string ?? "")
  }

  private static let ofParameter: Set<String> = [
    "name", "in", "required", "description", "deprecated", "allowEmptyValue", "collectionFormat", "schema",
  ]

  /// The schema of a parameter's value, which Swagger writes next to the parameter's name.
  private func valueSchema(of parameter: DocumentValue) -> DocumentValue {
    if let own = parameter["schema"] { return schema(own) }
    var result = DocumentObject()
    for member in parameter.object?.members ?? []
    where !Self.ofParameter.contains(member.key) && !member.key.hasPrefix("x-") || member.key == "x-nullable" {
      result.set(member.key, member.value)
    }
    return schema(.object(result))
  }

  private func parameter(_ value: DocumentValue, at place: String) -> DocumentValue {
    if value["$ref"] != nil { return schema(value) }
    guard let object = value.object else { return value }
    var result = DocumentObject()
    for member in object.members
    where ["name", "in", "required", "description", "deprecated", "allowEmptyValue"].contains(member.key) {
      result.set(member.key, member.value)
    }
    if value["type"]?.string == "array" {
      let isQuery = value["in"]?.string == "query"
      let style = delimitedStyle(of: value, at: place) ?? (isQuery ? "form" : "simple")
      result.set("style", .string(style))
      result.set("explode", .bool(value["collectionFormat"]?.string == "multi"))
    }
    result.set("schema", valueSchema(of: value))
    return .object(result)
  }

  /// OpenAPI 3's style for the separator of a list's elements; `nil` for commas, and for elements that repeat their name.
  private func delimitedStyle(of parameter: DocumentValue, at place: String) -> String? {
    switch parameter["collectionFormat"]?.string {
    case "ssv": return "spaceDelimited"
    case "pipes": return "pipeDelimited"
    case "tsv":
      let name = parameter["name"]?.scalarText ?? ""
      log.warn(
        "`\(name)` is a list separated by tabs, which cannot be expressed in a catalogue; it is separated by commas",
        at: place)
      return nil
    default: return nil
    }
  }

  private func requestBody(_ parameters: [DocumentValue], types: [String], at place: String) -> DocumentValue? {
    func body(_ schema: DocumentValue, _ types: [String], isRequired: Bool) -> DocumentValue {
      var content = DocumentObject()
      for type in types { content.set(type, .object(DocumentObject([("schema", schema)]))) }
      return .object(DocumentObject([("content", .object(content)), ("required", .bool(isRequired))]))
    }
    if let whole = parameters.first(where: { $0["in"]?.string == "body" }) {
      for other in parameters where other["name"] != whole["name"] || other["in"] != whole["in"] {
        let name = other["name"]?.scalarText ?? ""
        log.warn(
          "there is a body, `\(whole["name"]?.scalarText ?? "body")`, so `\(name)`, `in: \(other["in"]?.string ?? "body")`, is "
            + "left out", at: place)
      }
      let kinds = types.filter { !$0.hasPrefix("multipart/") && !$0.contains("form-urlencoded") }
      if kinds.isEmpty {
        log.warn(
          "a form has no parameter `in: body`; the body is sent as JSON, not as \(types.joined(separator: " or ")): if it is a "
            + "form, describe its fields by `in: formData`", at: place)
      }
      return body(
        schema(whole["schema"] ?? .object(DocumentObject())), kinds.isEmpty ? ["application/json"] : kinds,
        isRequired: whole["required"]?.bool == true)
    }
    guard !parameters.isEmpty else { return nil }
    var properties = DocumentObject()
    var required: [DocumentValue] = []
    var encodings = DocumentObject()
    for field in parameters {
      guard let name = field["name"]?.scalarText, properties[name] == nil else { continue }
      properties.set(name, valueSchema(of: field))
      if field["allowEmptyValue"]?.bool == true { log.countUnsaid(keyword: "allowEmptyValue", at: place) }
      if field["required"]?.bool == true { required.append(.string(name)) }
      if field["type"]?.string == "array", field["collectionFormat"]?.string != "multi" {
        var encoding = DocumentObject([("explode", .bool(false))])
        if let style = delimitedStyle(of: field, at: place) { encoding.set("style", .string(style)) }
        encodings.set(name, .object(encoding))
      }
    }
    let hasFile = parameters.contains { $0["type"]?.string == "file" }
    let type =
      hasFile || types.contains("multipart/form-data") && !types.contains("application/x-www-form-urlencoded")
      ? "multipart/form-data" : "application/x-www-form-urlencoded"
    let form = DocumentValue.object(
      DocumentObject([
        ("type", .string("object")), ("properties", .object(properties)), ("required", .list(required)),
      ]))
    let content = DocumentObject([("schema", form), ("encoding", .object(encodings))])
    return .object(
      DocumentObject([
        ("content", .object(DocumentObject([(type, .object(content))]))), ("required", .bool(!required.isEmpty)),
      ]))
  }

  // MARK: Schemas

  private static let places = [
    "#/definitions/": "#/components/schemas/", "#/parameters/": "#/components/parameters/",
    "#/responses/": "#/components/responses/", "#/securityDefinitions/": "#/components/securitySchemes/",
  ]

  /// A schema, or anything that contains schemas, with OpenAPI 3's keywords.
  private func schema(_ value: DocumentValue) -> DocumentValue {
    switch value {
    case .list(let list): return .list(list.map(schema))
    case .object(let object):
      var result = DocumentObject()
      for member in object.members {
        switch (member.key, member.value) {
        case ("$ref", .string(let target)):
          let place = Self.places.first { target.hasPrefix($0.key) }
          result.set("$ref", .string(place.map { $0.value + target.dropFirst($0.key.count) } ?? target))
        case ("discriminator", .string(let name)):
          result.set("discriminator", .object(DocumentObject([("propertyName", .string(name))])))
        case ("x-nullable", .bool(let isNullable)): result.set("nullable", .bool(isNullable))
        case ("type", .string("file")):
          result.set("type", .string("string"))
          result.set("format", .string("binary"))
        default: result.set(member.key, schema(member.value))
        }
      }
      return .object(result)
    default: return value
    }
  }
}
