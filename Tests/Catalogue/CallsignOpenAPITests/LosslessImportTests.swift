import CallsignCatalogue
import Foundation
import TestSupport
import Testing

@testable import CallsignOpenAPI

@Suite("Imports leave nothing out without a word", .needs(.corpus("openapi"))) struct LosslessImportTests {
  @Test(
    "Operations, parameters, bodies, responses, errors and schemas are in the catalogue or in a message",
    arguments: 0..<2
  )
  func documents(part: Int) throws {
    let folder = try #require(Corpora.url("openapi"))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    var judged = 0
    for name in names.enumerated().filter({ $0.offset % 8 == part * 4 }).map(\.element) {
      let bytes = [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
      guard let result = try? OpenAPIImporter().importDocument(bytes),
        let root = try? DocumentParser.parse(bytes), root["openapi"] != nil
      else { continue }
      var finder = LossFinder(root: root, result: result)
      finder.run()
      #expect(finder.losses == [], "\(name)")
      judged += 1
    }
    // One of the documents is broken and is refused.
    #expect(judged >= 58)
  }

  @Test("A loss is found: the finder sees what a catalogue lacks, and accepts parts that a message names")
  func finder() throws {
    let text = document(
      paths: """
        /pets/{id}:
          get:
            operationId: getPet
            parameters: [{name: id, in: path, required: true, schema: {type: integer}}, {name: limit, in: query, schema: {type: integer}}]
            responses: {"200": {description: "", content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}}}
        """,
      components:
        "schemas: {Pet: {type: object, properties: {name: {type: string}, kind: {type: string, enum: [cat, dog]}}}}")
    var result = try OpenAPIImporter().importDocument(Array(text.utf8))
    let root = try DocumentParser.parse(Array(text.utf8))
    var whole = LossFinder(root: root, result: result)
    whole.run()
    #expect(whole.losses == [])
    let group = try #require(result.catalogue.groups.firstIndex { !$0.endpoints.isEmpty })
    result.catalogue.groups[group].endpoints[0].parameters.removeLast()
    result.catalogue.groups[group].models.removeAll { $0.name != "Pet" }
    result.catalogue.groups[group].models[0].shape = .object(
      fields: [Field(name: "kind", type: TypeReference(.scalar(.string)))], extra: nil)
    result.warnings = []
    var poorer = LossFinder(root: root, result: result)
    poorer.run()
    #expect(
      poorer.losses == [
        "#/paths/~1pets~1{id}/get/parameters/1: there is no parameter `limit` in query",
        "#/components/schemas/Pet/properties/name: there is no member",
        "#/components/schemas/Pet/properties/kind: an enum is `string`",
      ])
  }
}

/// Looks in an import for each part that its document describes, and reads the document independently of the importer. A missing
/// part must have a message at its location.
private struct LossFinder {
  let root: DocumentValue
  let catalogue: Catalogue
  private let models: ModelTable
  private let places: [String]
  private(set) var losses: [String] = []
  private var seen: Set<String> = []

  init(root: DocumentValue, result: ImportResult) {
    self.root = root
    catalogue = result.catalogue
    models = ModelTable(result.catalogue)
    places = result.warnings.map(\.pointer)
  }

  mutating func run() {
    for path in members(root["paths"]) {
      guard let item = followed(path.value, Pointer.child("#/paths", path.key)) else { continue }
      for method in ["get", "put", "post", "delete", "patch", "head", "options", "trace", "query"] {
        guard let operation = item.value[method], operation.object != nil else { continue }
        let place = Pointer.child(item.place, method)
        let found = catalogue.groups.flatMap(\.endpoints).filter {
          $0.method == method.uppercased() && Self.outline($0.path) == Self.outline(path.key)
        }
        if found.isEmpty { lose("there is no endpoint", at: place) }
        // A response in events makes a second endpoint of an operation.
        if let endpoint = found.first, Set(found.map(\.path)).count == 1 {
          look(for: operation, of: item.value, in: endpoint, at: place, item: item.place)
        }
      }
    }
  }

  private mutating func lose(_ loss: String, at place: String) {
    if !isSaid(place) { losses.append("\(place): \(loss)") }
  }

  /// Whether a message is about a place, something in it, or what it is in.
  private func isSaid(_ place: String) -> Bool {
    places.contains { $0 == place || place.hasPrefix($0 + "/") || $0.hasPrefix(place + "/") }
  }

  // MARK: The document

  private typealias Part = (value: DocumentValue, place: String)

  private func members(_ value: DocumentValue?) -> [DocumentObject.Member] { value?.object?.members ?? [] }

  /// The target of a `$ref`, or the value itself; `nil` if it leads to nothing.
  private func followed(_ value: DocumentValue, _ place: String) -> Part? {
    var part = (value: value, place: place)
    for _ in 0..<30 {
      guard let target = part.value["$ref"]?.string else { return part }
      var next: DocumentValue? = root
      for token in target.split(separator: "/").dropFirst() {
        let key = Pointer.decoded(String(token))
        if let list = next?.list {
          next = Int(key).flatMap { list.indices.contains($0) ? list[$0] : nil }
        } else {
          next = next?[key]
        }
      }
      guard target.hasPrefix("#/"), let next else { return nil }
      part = (next, target)
    }
    return nil
  }

  /// A path with nothing in its braces, and without what belongs to a query.
  private static func outline(_ path: String) -> String {
    var result = ""
    var depth = 0
    for character in path.prefix(while: { $0 != "?" && $0 != "#" }) {
      if character == "{" { depth += 1 }
      if depth == 0 || depth == 1 && character == "{" { result.append(character) }
      if character == "}" { depth -= 1 }
    }
    while result.hasSuffix("/") { result.removeLast() }
    return result
  }

  // MARK: Operations

  private mutating func look(
    for operation: DocumentValue, of item: DocumentValue, in endpoint: Endpoint, at place: String,
    item itemPlace: String
  ) {
    for (key, parameter) in parameters(of: operation, item, at: place, item: itemPlace) {
      look(for: parameter, key.name, key.kind, in: endpoint, of: place)
    }
    if let body = operation["requestBody"], let (value, at) = followed(body, Pointer.child(place, "requestBody")),
      let schema = onlySchema(value, at: at)
    {
      if value["required"]?.bool == true, !endpoint.needsBody { lose("the body is not required", at: at) }
      lookForBody(schema.value, in: endpoint, at: schema.place)
    }
    let responses = members(operation["responses"])
    let successes = responses.filter { $0.key.first == "2" }
    for response in responses {
      let own = Pointer.child(Pointer.child(place, "responses"), response.key)
      guard let (value, at) = followed(response.value, own) else { continue }
      if response.key.first == "2" {
        for header in members(value["headers"]) {
          look(forHeader: header.key, in: endpoint, at: Pointer.child(Pointer.child(at, "headers"), header.key))
        }
        guard successes.count == 1, let schema = onlySchema(value, at: at), schema.isJSON else { continue }
        guard let returns = endpoint.returns else {
          lose("there is no response", at: schema.place)
          continue
        }
        look(for: schema.value, in: returns, at: schema.place)
      } else if "45d".contains(response.key.first ?? "-"), let schema = onlySchema(value, at: at) {
        look(for: schema.value, ofStatus: response.key.lowercased(), in: endpoint, at: schema.place)
      }
    }
  }

  /// The schema of a body or response that has one form.
  private func onlySchema(_ value: DocumentValue, at place: String) -> (
    value: DocumentValue, place: String, isJSON: Bool
  )? {
    let contents = members(value["content"])
    guard contents.count == 1, let content = contents.first, let schema = content.value["schema"] else { return nil }
    let at = Pointer.child(Pointer.child(Pointer.child(place, "content"), content.key), "schema")
    return (schema, at, MediaType.isJSON(content.key))
  }

  private struct Key: Hashable {
    var name: String
    var kind: String
  }

  /// The parameters of an operation; each replaces the path's parameter with the same name.
  private func parameters(
    of operation: DocumentValue, _ item: DocumentValue, at place: String, item itemPlace: String
  ) -> [(key: Key, value: Part)] {
    var result: [(key: Key, value: Part)] = []
    for (list, base) in [(item["parameters"], itemPlace), (operation["parameters"], place)] {
      for (index, parameter) in (list?.list ?? []).enumerated() {
        let own = Pointer.child(Pointer.child(base, "parameters"), String(index))
        guard let part = followed(parameter, own), let name = part.value["name"]?.string,
          let kind = part.value["in"]?.string
        else { continue }
        let key = Key(name: name, kind: kind)
        result.removeAll { $0.key == key }
        result.append((key, (part.value, parameter["$ref"] == nil ? own : part.place)))
      }
    }
    return result
  }

  private mutating func look(
    for parameter: Part, _ name: String, _ kind: String, in endpoint: Endpoint, of place: String
  ) {
    let isHeader = kind == "header"
    let found = endpoint.parameters.first {
      $0.place.rawValue == kind && (isHeader ? $0.wire.lowercased() == name.lowercased() : $0.wire == name)
    }
    if let found {
      let isRequired = kind == "path" || parameter.value["required"]?.bool == true
      if isRequired == found.type.isOptional, found.constant == nil {
        lose("`\(name)` is \(isRequired ? "not " : "")required", at: parameter.place)
      }
      if parameter.value["deprecated"]?.bool == true, found.deprecation == nil {
        lose("not deprecated", at: parameter.place)
      }
      if let schema = parameter.value["schema"] {
        look(for: schema, in: found.type, at: Pointer.child(parameter.place, "schema"))
      }
      return
    }
    let everyCall = catalogue.api.everyCall
    let isOfCredentials = members(root["components"]?["securitySchemes"]).contains {
      $0.value["name"]?.string?.lowercased() == name.lowercased()
    }
    let isSentOtherwise =
      isOfCredentials || everyCall.headers.contains { $0.name.lowercased() == name.lowercased() }
      || everyCall.query.contains { $0.name == name } || endpoint.idempotencyKey?.lowercased() == name.lowercased()
      || isHeader && ["accept", "content-type", "authorization"].contains(name.lowercased())
      || endpoint.parameters.contains { $0.wire.hasPrefix(name + "[") || $0.wire.hasPrefix(name + ".") }
    // A statement about the whole operation may be made about its parameters.
    if !isSentOtherwise, !places.contains(place) {
      lose("there is no parameter `\(name)` in \(kind)", at: parameter.place)
    }
  }

  /// Whether a member is only read, by itself or through its reference.
  private func isReadOnly(_ schema: DocumentValue, at place: String) -> Bool {
    let target = followed(schema, place)?.value ?? schema
    return [schema, target].contains { schema in
      schema["readOnly"]?.bool == true
        || schema["allOf"]?.list?.contains { isReadOnly($0, at: place) } == true
    }
  }

  private mutating func lookForBody(_ schema: DocumentValue, in endpoint: Endpoint, at place: String) {
    let body = endpoint.parameters.filter { $0.place == .field || $0.place == .body }
    for property in properties(of: schema, at: place) {
      if let found = body.first(where: { $0.wire == property.name }) {
        look(for: property.value, in: found.type, at: property.place)
      } else if let whole = body.first, body.count == 1, whole.place == .body {
        // The message is at the body, not at the target of its schema.
        if whole.type.kind == .scalar(.bytes), isSaid(place) { return }
        return look(for: schema, in: whole.type, at: place)
      } else if !isReadOnly(property.value, at: property.place) {
        lose("there is no member of the body", at: property.place)
      }
    }
  }

  private mutating func look(
    for schema: DocumentValue, ofStatus status: String, in endpoint: Endpoint, at place: String
  ) {
    let errors = endpoint.errors + catalogue.api.everyCall.errors
    let found = errors.first { error in
      error.status == status || error.status == "default"
        || error.status.hasSuffix("xx") && error.status.first == status.first
    }
    guard let found else {
      // A schema without content is any JSON, and so is an error without a type.
      if schema.object?.members.isEmpty == false { lose("there is no error", at: place) }
      return
    }
    look(for: schema, in: found.type, at: place)
  }

  /// Header fields that a client reads by itself.
  private static let usualHeaders: Set<String> = [
    "cache-control", "content-length", "content-type", "date", "etag", "last-modified", "link", "location",
    "retry-after",
  ]

  private mutating func look(forHeader header: String, in endpoint: Endpoint, at place: String) {
    let name = header.lowercased()
    let isUsual =
      Self.usualHeaders.contains(name) || name.contains("ratelimit") || name.contains("rate-limit")
      || name.hasPrefix("access-control-")
    if !isUsual, !endpoint.responseHeaders.contains(where: { $0.name.lowercased() == name }) {
      lose("there is no header", at: place)
    }
  }

  // MARK: Schemas

  private func properties(
    of schema: DocumentValue, at place: String, depth: Int = 0
  ) -> [(name: String, value: DocumentValue, place: String)] {
    guard depth < 20, let (schema, place) = followed(schema, place) else { return [] }
    var result = members(schema["properties"]).map {
      (name: $0.key, value: $0.value, place: Pointer.child(Pointer.child(place, "properties"), $0.key))
    }
    for (index, part) in (schema["allOf"]?.list ?? []).enumerated() {
      result += properties(
        of: part, at: Pointer.child(Pointer.child(place, "allOf"), String(index)), depth: depth + 1)
    }
    return result
  }

  private mutating func look(for schema: DocumentValue, in type: TypeReference, at place: String) {
    guard let (schema, place) = followed(schema, place), schema.object != nil else { return }
    let type = models.resolved(type)
    guard seen.insert("\(place) \(type.text)").inserted else { return }
    if schema["oneOf"] != nil || schema["anyOf"] != nil {
      if type.kind == .scalar(.json) { lose("alternatives are any JSON", at: place) }
      return
    }
    let properties = properties(of: schema, at: place)
    if !properties.isEmpty { return look(for: properties, in: type, at: place) }
    if let values = schema["enum"]?.list?.compactMap(\.scalarText), values.count > 1 {
      return look(forValues: values, in: type, at: place)
    }
    lookForFormat(of: schema, in: type, at: place)
    switch (schema["type"]?.string, type.kind) {
    case ("array"?, .list(let element)):
      if let items = schema["items"] { look(for: items, in: element, at: Pointer.child(place, "items")) }
    case ("object"?, .map(let element)):
      if let extra = schema["additionalProperties"] {
        look(for: extra, in: element, at: Pointer.child(place, "additionalProperties"))
      }
    case ("array"?, _), ("object"?, .scalar(.string)): lose("it is `\(type.text)`", at: place)
    case ("string"?, .scalar(let scalar)) where ![.json, .int, .number, .bool].contains(scalar): break
    case ("integer"?, .scalar(.int)), ("integer"?, .scalar(.int32)), ("integer"?, .scalar(.date)): break
    case ("integer"?, .scalar(.duration)), ("number"?, .scalar(.number)), ("number"?, .scalar(.decimal)): break
    case ("boolean"?, .scalar(.bool)), ("object"?, _), (nil, _): break
    case (let word?, .named) where ["string", "integer"].contains(word) && schema["const"] ?? schema["enum"] != nil:
      break
    case (_?, _): lose("it is `\(type.text)`", at: place)
    }
  }

  private mutating func look(
    for properties: [(name: String, value: DocumentValue, place: String)], in type: TypeReference, at place: String
  ) {
    guard case .named(let name) = type.kind, let shape = models[name]?.shape else {
      return lose("an object with members is `\(type.text)`", at: place)
    }
    guard case .object(let fields, _) = shape else { return }
    for property in properties {
      if let field = fields.first(where: { $0.name == property.name }) {
        look(for: property.value, in: field.type, at: property.place)
      } else {
        lose("there is no member", at: property.place)
      }
    }
  }

  private mutating func lookForFormat(of schema: DocumentValue, in type: TypeReference, at place: String) {
    guard case .scalar(let scalar) = type.kind, schema["type"]?.string == "string" else { return }
    let isThere: Bool
    switch (schema["format"]?.string, scalar) {
    case ("date-time"?, .date), ("date"?, .date), ("uuid"?, .uuid), ("uri"?, .url), ("byte"?, .bytes),
      ("binary"?, .bytes), ("binary"?, .file), ("byte"?, .file),
      // JSON cannot hold bytes.
      ("binary"?, .string):
      isThere = true
    case ("date-time"?, _), ("date"?, _), ("uuid"?, _), ("uri"?, _), ("byte"?, _), ("binary"?, _): isThere = false
    default: isThere = true
    }
    if !isThere { lose("the format is `\(type.text)`", at: place) }
    for (keyword, bound) in [("minLength", type.constraints.minimum), ("maxLength", type.constraints.maximum)] {
      guard scalar == .string, case .number(let number)? = schema[keyword], number != "0" else { continue }
      if bound == nil { lose("\(keyword) is `\(type.text)`", at: place) }
    }
  }

  private mutating func look(forValues values: [String], in type: TypeReference, at place: String) {
    guard case .named(let name) = type.kind, case .enumeration(let cases)? = models[name]?.shape else {
      // A row of numbers may be a range, and `true` and `false` are not an enum.
      let isOther = type.kind == .scalar(.bool) || type.kind == .scalar(.int) && type.constraints != Constraints()
      if !isOther { lose("an enum is `\(type.text)`", at: place) }
      return
    }
    // A number may be followed by its name, `101 (EastAsia)`.
    let missing = values.filter { value in
      !cases.contains {
        $0.value == value || value.hasPrefix($0.value + " (")
          || Double(value) != nil && Double($0.value) == Double(value)
      }
    }
    if !missing.isEmpty { lose("there are no values \(missing)", at: place) }
  }
}
