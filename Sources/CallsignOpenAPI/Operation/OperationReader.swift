import CallsignCatalogue

/// Reads the document's operations, in its order.
struct OperationReader {
  let document: OpenAPIDocument
  let schemas: SchemaReader
  let security: SecurityReader
  let log: ImportLog
  var servers: ServerReader
  /// The names of operations that the overlay removes: these need not be whole.
  var removed: Set<String> = []

  private static let methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"]

  /// The `operationId` of each operation, once they are read.
  private(set) var identifiers: Set<String> = []

  mutating func read() throws(ImportError) -> [OperationShape] {
    identifiers = Set(document.operations.compactMap { $0["operationId"]?.scalarText })
    var operations: [OperationShape] = []
    var names: Set<String> = []
    for path in document.root["paths"]?.object?.members ?? [] where !path.key.hasPrefix("x-") {
      let unresolved = Pointer.child("#/paths", path.key)
      if path.key.contains("://") {
        log.warn("the path is a whole URL, and is left out; give its server under `servers`", at: unresolved)
        continue
      }
      let target = PathTarget(path.key)
      guard
        let (item, pointer, members) = try log.repairing(
          "the path is left out", at: unresolved,
          { () throws(ImportError) in
            let (item, pointer, _) = try document.resolved(path.value, at: unresolved)
            guard let members = item.object?.members else {
              throw .invalid("a path item must be an object", at: pointer)
            }
            return (item, pointer, members)
          })
      else { continue }
      // OpenAPI 3.2 has a place of its own for other methods.
      let further = Pointer.child(pointer, "additionalOperations")
      let own = try self.operations(among: members, at: pointer)
      let others = (item["additionalOperations"]?.object?.members ?? []).map { ($0, Pointer.child(further, $0.key)) }
      for (member, place) in own + others {
        if let problem = Self.problem(withMethod: member.key, path: target.path) {
          log.warn("\(problem); the operation is left out", at: place)
          continue
        }
        let read = try log.repairing("the operation is left out", at: place) { () throws(ImportError) in
          do throws(ImportError) {
            return try self.read(
              member.value, method: member.key, key: path.key, target: target, item: item, itemPointer: pointer,
              at: place)
          } catch {
            let name = Self.name(of: member.value, method: member.key, path: path.key)
            guard removed.contains(name) else { throw error }
            // There is something to remove.
            return OperationShape(
              name: name, method: member.key.uppercased(), path: target.path.filter { !"{+}".contains($0) },
              tag: member.value["tags"]?.list?.first?.string ?? "Other", pointer: place,
              auth: [AuthRequirement(scheme: "none")])
          }
        }
        guard var operation = read else { continue }
        if !names.insert(operation.name).inserted {
          let taken = operation.name
          operation.name = Self.derivedName(method: member.key, path: path.key).counted { names.contains($0) }
          names.insert(operation.name)
          log.warn(
            "two operations are called `\(taken)`; this one becomes `\(operation.name)`", at: operation.pointer)
        }
        if var streaming = operation.splitEvents() {
          streaming.name = streaming.name.counted { names.contains($0) }
          names.insert(streaming.name)
          log.note(
            "the answer is JSON or events; `\(streaming.name)` is the operation whose answer is events",
            at: operation.pointer)
          operations += [operation, streaming]
        } else {
          operations.append(operation)
        }
      }
    }
    return operations
  }

  private static let keysOfItems: Set<String> = [
    "$ref", "additionalOperations", "description", "parameters", "servers", "summary",
  ]

  /// The operations of a path: those of its keys that are methods.
  ///
  /// - Throws: ``ImportError`` for a key that is neither, where the import is strict.
  private func operations(
    among members: [DocumentObject.Member], at pointer: String
  ) throws(ImportError) -> [(DocumentObject.Member, String)] {
    var result: [(DocumentObject.Member, String)] = []
    for var member in members where !Self.keysOfItems.contains(member.key) && !member.key.hasPrefix("x-") {
      let place = Pointer.child(pointer, member.key)
      let key = member.key.lowercased()
      if Self.methods.contains(key) {
        if key != member.key {
          if log.isStrict { throw .invalid("`\(member.key)` is no key of a path; write `\(key)`", at: place) }
          guard !members.contains(where: { $0.key == key }) else {
            log.warn("`\(key)` is there, too, so `\(member.key)` is left out", at: place)
            continue
          }
          log.warn("methods are written small; `\(member.key)` is read as `\(key)`", at: place)
          member.key = key
        }
        result.append((member, place))
      } else if log.isStrict {
        throw .invalid("`\(member.key)` is no key of a path", at: place)
      } else if member.value["responses"] != nil {
        log.warn(
          "`\(member.key)` is no method of OpenAPI and is left out; say it under `additionalOperations`", at: place)
      } else {
        log.warn("`\(member.key)` is no key of a path and is left out", at: place)
      }
    }
    return result
  }

  /// Why a catalogue cannot have the call.
  private static func problem(withMethod method: String, path: String) -> String? {
    guard Endpoint.methods.contains(method.uppercased()) else {
      return "the method \(method.uppercased()) cannot be said in a catalogue"
    }
    if path.unicodeScalars.contains(where: { " \"\\?#".unicodeScalars.contains($0) }) {
      return "the path has characters that a path cannot have"
    }
    let names = placeholders(in: path)
    let scalars = path.unicodeScalars
    let isBalanced = ["{", "}"].allSatisfy { brace in scalars.filter { $0 == brace }.count == names.count }
    if !isBalanced || names.contains("") {
      return "the placeholders in the path are not usable"
    }
    return nil
  }

  private mutating func read(
    _ value: DocumentValue, method: String, key: String, target: PathTarget, item: DocumentValue, itemPointer: String,
    at pointer: String
  ) throws(ImportError) -> OperationShape {
    guard case .object = value else { throw .invalid("an operation must be an object", at: pointer) }
    let name = Self.name(of: value, method: method, path: key)
    if value["operationId"]?.scalarText?.isEmpty ?? true {
      log.note("no `operationId`; it is called `\(name)`", at: pointer)
    }
    let tags = value["tags"]?.list?.compactMap(\.string) ?? []
    if tags.count > 1 { log.note("several tags; it goes with the first, `\(tags[0])`", at: pointer) }

    var operation = OperationShape(
      name: name, method: method.uppercased(), path: target.path, tag: tags.first ?? "Other", pointer: pointer)
    operation.documentation = value["externalDocs"]?["url"]?.string
    operation.documentSummary = (value["summary"] ?? value["description"])?.string
    operation.isDeprecated = value["deprecated"]?.bool == true
    operation.auth = try security.requirements(of: value, at: pointer)
    operation.host = try servers.host(for: value["servers"] ?? item["servers"], at: pointer)
    operation.parameters = try parameters(
      of: value, item: item, itemPointer: itemPointer, placeholders: Self.placeholders(in: target.path), at: pointer)
    if value["requestBody"]?.object != nil, operation.parameters.contains(where: { $0.place == .body }) {
      log.warn("there is a `requestBody`, so a parameter `in: body` is left out", at: pointer)
      operation.parameters.removeAll { $0.place == .body }
    }
    operation.prefixPathParameters()
    operation.keepReservedInPath()
    addQuery(of: target, to: &operation)
    for parameter in operation.parameters where parameter.place != .path {
      if operation.renamePathParameter(parameter.name) {
        log.note("`\(parameter.name)` is in the path and elsewhere, too; the path's has another name", at: pointer)
      }
    }
    try addMissingPathParameters(to: &operation)
    let bodies = BodyReader(document: document, schemas: schemas, log: log)
    if let body = value["requestBody"] {
      let place = Pointer.child(pointer, "requestBody")
      let fields = operation.parameters.filter { $0.place == .field }
      operation.parameters.removeAll { $0.place == .field }
      var withBody = operation
      if try log.repairing(
        "the body is left out", at: place,
        { () throws(ImportError) in try bodies.read(body, at: place, into: &withBody) })
        != nil
      {
        operation = withBody
      }
      addFields(fields, to: &operation)
    } else if operation.parameters.contains(where: { $0.place == .field }) {
      bodies.readForm(into: &operation)
    }
    let answers = AnswerReader(document: document, schemas: schemas, log: log, identifiers: identifiers)
    var answered = operation
    if try log.repairing(
      "the answer is left out", at: pointer,
      { () throws(ImportError) in try answers.read(value, at: pointer, into: &answered) }) != nil
    {
      operation = answered
    }
    if let index = operation.parameters.firstIndex(where: { parameter in
      parameter.place == .header && ["idempotency-key", "x-idempotency-key"].contains(parameter.name.lowercased())
    }) {
      operation.idempotencyKey = operation.parameters.remove(at: index).name
    }
    if value["callbacks"] != nil {
      log.note("callbacks are calls to the caller: their named bodies become models, the rest is left out", at: pointer)
    }
    return operation
  }

  /// Adds the fields that are listed among an operation's parameters to those of its `requestBody`.
  private func addFields(_ fields: [ParameterShape], to operation: inout OperationShape) {
    for field in fields {
      if operation.body == nil || operation.body == .json
        || operation.parameters.contains(where: { $0.name == field.name })
      {
        log.warn("there is a `requestBody`, so `\(field.name)`, `in: formData`, is left out", at: operation.pointer)
      } else {
        operation.parameters.append(field)
      }
    }
  }

  /// Adds the query that is written into a path: what has a value there is always sent, and what `{?name}` names may be.
  private func addQuery(of target: PathTarget, to operation: inout OperationShape) {
    for name in target.expanded {
      if let described = operation.parameters.firstIndex(where: { $0.name == name }) {
        if operation.parameters[described].place == .path { operation.parameters[described].place = .query }
      } else {
        log.warn("the path's `{?\(name)}` is not described; it is taken as a string", at: operation.pointer)
        operation.parameters.append(
          ParameterShape(name: name, place: .query, use: Use(.scalar(.string)), isRequired: false))
      }
    }
    for (name, value) in target.query {
      if let placeholder = PathTarget.placeholder(value) {
        let described = operation.parameters.firstIndex { $0.name == name || $0.name == placeholder }
        if let described {
          operation.parameters[described].name = name
          if operation.parameters[described].place == .path { operation.parameters[described].place = .query }
        } else {
          operation.parameters.append(
            ParameterShape(name: name, place: .query, use: Use(.scalar(.string)), isRequired: true))
        }
      } else if !operation.parameters.contains(where: { $0.name == name }) {
        operation.parameters.append(
          ParameterShape(
            name: name, place: .query, use: Use(.scalar(.string)), isRequired: true, constant: value))
      }
    }
  }

  /// The name of an operation, which the document may not give it.
  static func name(of operation: DocumentValue, method: String, path: String) -> String {
    let identifier = operation["operationId"]?.scalarText ?? ""
    return identifier.isEmpty ? derivedName(method: method, path: path) : identifier
  }

  /// A name from method and path, for an operation that has none: `GET /users/{id}/posts` is `getUsersIdPosts`.
  static func derivedName(method: String, path: String) -> String {
    var name = method.lowercased()
    for word in Words(path).list { name += Words.capitalised(word) }
    return name
  }

  // MARK: Parameters

  private func parameters(
    of value: DocumentValue, item: DocumentValue, itemPointer: String, placeholders: [String], at pointer: String
  ) throws(ImportError) -> [ParameterShape] {
    var entries: [(value: DocumentValue, pointer: String, name: String?)] = []
    for (list, place) in [
      (item["parameters"]?.list, Pointer.child(itemPointer, "parameters")),
      (value["parameters"]?.list, Pointer.child(pointer, "parameters")),
    ] {
      for (index, parameter) in (list ?? []).enumerated() {
        let pointer = Pointer.child(place, String(index))
        let resolved = try log.repairing("the parameter is left out", at: pointer) { () throws(ImportError) in
          try document.resolved(parameter, at: pointer)
        }
        guard var entry = resolved else { continue }
        if let place = entry.value["in"]?.string, !log.isStrict, place != place.lowercased(),
          Parameter.Place(rawValue: place.lowercased()) != nil, var object = entry.value.object
        {
          log.warn("`in: \(place)` is read as `in: \(place.lowercased())`", at: pointer)
          object.set("in", .string(place.lowercased()))
          entry.value = .object(object)
        }
        if entry.value["in"] == nil, !log.isStrict, let name = entry.value["name"]?.string, placeholders.contains(name),
          var object = entry.value.object
        {
          log.warn("a parameter needs `in`; `\(name)` is read as one of the path", at: pointer)
          object.set("in", .string("path"))
          entry.value = .object(object)
        }
        // A parameter may be called as the path has it: `name*`.
        if entry.value["in"] == .string("path"), let name = entry.value["name"]?.string,
          let plain = PathTarget.placeholder("{\(name)}"), plain != name, var object = entry.value.object
        {
          object.set("name", .string(plain))
          entry.value = .object(object)
        }
        // An operation's own parameter replaces the path's.
        if let old = entries.firstIndex(where: {
          $0.value["name"] == entry.value["name"] && $0.value["in"] == entry.value["in"]
        }) {
          entries[old] = entry
        } else {
          entries.append(entry)
        }
      }
    }
    var result: [ParameterShape] = []
    for entry in entries {
      let read = try log.repairing("the parameter is left out", at: entry.pointer) { () throws(ImportError) in
        try parameter(entry.value, at: entry.pointer, sharedName: entry.name)
      }
      let keepsReserved = entry.value["allowReserved"]?.bool == true
      for var parameter in read ?? [] {
        // A number or flag has none.
        parameter.keepsReserved =
          keepsReserved && [.path, .query].contains(parameter.place)
          && ![.scalar(.int), .scalar(.number), .scalar(.bool)].contains(parameter.use.shape)
        if Self.separateHeader(from: &parameter, in: &result) {
          log.note(
            "`\(parameter.name)` is a header and elsewhere, too; the header's has other letters", at: entry.pointer)
        }
        let others = result.filter { $0.name == parameter.name }
        if others.contains(where: { $0.place == parameter.place }) {
          log.warn("a second parameter is called `\(parameter.name)`; it is left out", at: entry.pointer)
          continue
        }
        // The path's one can have another name.
        if parameter.place != .path, others.contains(where: { $0.place != .path }) {
          parameter.wireName = parameter.name
          parameter.name = "\(parameter.place.rawValue)_\(parameter.name)".counted { candidate in
            result.contains { $0.name == candidate }
          }
          log.note(
            "two parameters are sent as `\(parameter.wireName ?? "")`; the \(parameter.place.rawValue)'s is called "
              + "`\(parameter.name)`",
            at: entry.pointer)
        }
        result.append(parameter)
      }
    }
    return result
  }

  /// Writes a header's name in other letters, where a parameter of another place has the same one: names of header fields
  /// are the same in any case (RFC 9110 §5.1), those of other parameters are not.
  ///
  /// - Returns: whether there is such a header.
  private static func separateHeader(from parameter: inout ParameterShape, in others: inout [ParameterShape]) -> Bool {
    let names = Set(others.map(\.name))
    guard let index = others.firstIndex(where: { $0.name == parameter.name }) else { return false }
    let isHeader = parameter.place == .header
    guard isHeader != (others[index].place == .header) else { return false }
    let name = parameter.name
    let capitalized = name.split(separator: "-", omittingEmptySubsequences: false).map { Words.capitalised(String($0)) }
      .joined(separator: "-")
    guard let other = [capitalized, name.lowercased(), name.uppercased()].first(where: { !names.contains($0) }) else {
      return false
    }
    if isHeader { parameter.name = other } else { others[index].name = other }
    return true
  }

  /// Header fields that OpenAPI says are to be ignored as parameters, and where they are said instead.
  private func isHeaderOfOthers(_ name: String, at pointer: String) -> Bool {
    switch name.lowercased() {
    case "accept":
      log.count("a parameter `Accept` is ignored, as OpenAPI has it: the answer's media type is asked for", at: pointer)
    case "content-type":
      log.count("a parameter `Content-Type` is ignored, as OpenAPI has it: the body's media type is sent", at: pointer)
    case "authorization":
      log.count(
        "a parameter `Authorization` is ignored, as OpenAPI has it: `security` says credentials, or --auth or the overlay",
        security.schemes.isEmpty ? .warning : .note, at: pointer)
    default: return false
    }
    return true
  }

  private func parameter(
    _ value: DocumentValue, at pointer: String, sharedName: String?
  ) throws(ImportError) -> [ParameterShape] {
    guard let name = value["name"]?.scalarText, !name.isEmpty, let location = value["in"]?.string else {
      throw .invalid("a parameter needs `name` and `in`", at: pointer)
    }
    let place: Parameter.Place
    switch location {
    case "path": place = .path
    case "query": place = .query
    case "header":
      if isHeaderOfOthers(name, at: pointer) { return [] }
      place = .header
    case "cookie" where HeaderName.isValid(name): place = .cookie
    case "cookie":
      warn(ofCookie: name, at: pointer)
      return []
    case "querystring": return try queryString(value, called: name, at: pointer)
    case "formData" where !log.isStrict:
      log.warn("`in: formData` is of Swagger 2.0; `\(name)` is a field of the form", at: pointer)
      place = .field
    case "body" where !log.isStrict:
      log.warn("`in: body` is of Swagger 2.0; `\(name)` is the body", at: pointer)
      place = .body
    default: throw .invalid("`in: \(location)` is no place for a parameter", at: pointer)
    }
    if place == .body {
      let use = try value["schema"].map { (schema) throws(ImportError) in
        try schemas.use(schema, at: Pointer.child(pointer, "schema"))
      }
      return [
        ParameterShape(name: name, place: place, use: use ?? .json, isRequired: value["required"]?.bool == true)
      ]
    }
    for keyword in ["allowReserved", "allowEmptyValue"] where value[keyword]?.bool == true {
      if keyword == "allowReserved", [.path, .query].contains(place) { continue }
      log.countUnsaid(keyword: keyword, at: pointer)
    }
    if value["style"]?.string == "cookie" { log.countUnsaid(keyword: "style: cookie", at: pointer) }
    var use = Use(.scalar(.string))
    var annotations = Annotations()
    if let schema = value["schema"] {
      let place = Pointer.child(pointer, "schema")
      if let whole = try? document.resolved(schema, at: place).value, SchemaReader.isNull(whole) {
        log.warn(
          "`\(name)` can only be null, which a \(location) parameter cannot be; it is taken as text", at: pointer)
      } else {
        use = try schemas.use(schema, at: place)
      }
      annotations = schemas.annotations(of: schema)
    } else if place == .field || value["type"] != nil, !log.isStrict {
      use = try schemas.use(value, at: pointer)
    } else if let content = value["content"]?.object?.members.first {
      if place == .query, MediaType.isJSON(content.key), let schema = content.value["schema"] {
        let use = try schemas.use(schema, at: Pointer.child(Pointer.child(pointer, "content"), content.key))
        return [
          ParameterShape(
            name: name, place: place, use: use, isRequired: value["required"]?.bool == true, objectStyle: .json,
            sharedName: sharedName)
        ]
      }
      log.warn(
        "`\(name)` is encoded by a media type of its own; it is taken as text that is ready to send", at: pointer)
    }
    annotations.isDeprecated = annotations.isDeprecated || value["deprecated"]?.bool == true
    let isRequired = place == .path || value["required"]?.bool == true
    var prefix = ""
    // A required text or number with one possible value.
    var constant: String?
    if isRequired, place != .path {
      if case .enumeration(let enumeration) = try schemas.resolved(use, at: pointer).shape,
        enumeration.values.count == 1
      {
        constant = enumeration.values[0]
        use = Use(.scalar(enumeration.scalar))
      }
    }
    // A list in a cookie is one cookie, whatever the document says of its form.
    let style = place == .cookie ? "simple" : value["style"]?.string ?? (place == .query ? "form" : "simple")
    let explodes = value["explode"]?.bool ?? (style == "form")
    let shape = try schemas.resolved(use, at: pointer).shape
    if style == "deepObject", place == .query, Self.isDeep(shape) {
      return [
        ParameterShape(
          name: name, place: place, use: use, isRequired: isRequired, listStyle: .indexed, objectStyle: .brackets,
          annotations: annotations, sharedName: sharedName)
      ]
    }
    // An object in a cookie is exploded unless the document says otherwise: a cookie for each of its members.
    let isExploded = place == .cookie ? value["explode"]?.bool ?? true : explodes
    if let form = try objectForm(shape, of: name, place, style, explodes: isExploded) {
      return [
        ParameterShape(
          name: name, place: place, use: use, isRequired: isRequired, listStyle: form.list, objectStyle: form.style,
          annotations: annotations, sharedName: sharedName, prefix: form.prefix)
      ]
    }
    switch shape {
    case .object(let object):
      return try flattened(
        object, of: name, place: place, style: style, explodes: isExploded, isRequired: isRequired, at: pointer)
    case .union: break
    case .map where place == .query && style == "form" && explodes:
      return [
        ParameterShape(
          name: name, place: place, use: use, isRequired: isRequired, listStyle: .repeat, objectStyle: .members,
          annotations: annotations, sharedName: sharedName)
      ]
    case .map, .scalar(.json):
      if shape != .scalar(.json) {
        log.warn(
          "`\(name)` is an object with free keys, which a \(location) parameter cannot be; it is taken as text",
          at: pointer)
      }
      use = Use(.scalar(.string))
    default: break
    }
    var listStyle = Parameter.ListStyle.comma
    if place == .path, let before = Self.prefix(style, name) {
      prefix = before
      if explodes, Self.isList(shape) { listStyle = style == "label" ? .dot : .repeat }
    } else {
      listStyle = self.listStyle(style, explodes: explodes, isList: Self.isList(shape), at: pointer)
    }
    return [
      ParameterShape(
        name: name, place: place, use: use, isRequired: isRequired, listStyle: listStyle, constant: constant,
        annotations: annotations, sharedName: sharedName, prefix: prefix)
    ]
  }

  /// OpenAPI 3.2's parameter that is the whole query: written as a form, it is a parameter for each of its members.
  private func queryString(
    _ value: DocumentValue, called name: String, at pointer: String
  ) throws(ImportError) -> [ParameterShape] {
    let content = Pointer.child(pointer, "content")
    if let member = value["content"]?.object?.members.first,
      member.key.lowercased().hasPrefix("application/x-www-form-urlencoded"), let schema = member.value["schema"]
    {
      let place = Pointer.child(Pointer.child(content, member.key), "schema")
      let use = try schemas.use(schema, at: place)
      if case .object(let object) = try schemas.resolved(use, at: place).shape {
        return try flattened(
          object, of: name, place: .query, style: "form", explodes: true, isRequired: value["required"]?.bool == true,
          at: pointer)
      }
    }
    log.warn(
      "`\(name)` is the whole query in a form of its own, which cannot be said in a catalogue; it is left out",
      at: content)
    return []
  }

  /// Whether a value may have members, or elements, of its own.
  private static func isDeep(_ shape: Shape) -> Bool {
    switch shape {
    case .object, .map, .union, .list, .scalar(.json): true
    case .scalar, .enumeration, .named: false
    }
  }

  private static func isList(_ shape: Shape) -> Bool { if case .list = shape { true } else { false } }

  /// The text before a value in the path: that of `{.name}` and `{;name}` of RFC 6570. `nil` for other styles.
  private static func prefix(_ style: String, _ name: String) -> String? {
    switch style {
    case "label": "."
    case "matrix" where name.utf8.allSatisfy(isUnreserved): ";\(name)="
    default: nil
    }
  }

  /// A character that stands in a URL as it is (RFC 3986 §2.3).
  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: [UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~")].contains(byte)
    }
  }

  /// How an object of texts is written as one text, by the document's `style` (OpenAPI 3.1.1, §4.8.12.6); `nil` where it is
  /// not.
  private func objectForm(
    _ shape: Shape, of name: String, _ place: Parameter.Place, _ style: String, explodes: Bool
  ) throws(ImportError) -> (style: Parameter.ObjectStyle, list: Parameter.ListStyle, prefix: String)? {
    guard try schemas.isFlat(shape) else { return nil }
    switch (place, style) {
    case (.path, "simple"), (.header, "simple"): return (explodes ? .pairs : .flat, .comma, "")
    case (.path, "label"): return explodes ? (.pairs, .dot, ".") : (.flat, .comma, ".")
    case (.path, "matrix"):
      if explodes { return (.pairs, .repeat, ";") }
      return Self.prefix(style, name).map { (.flat, .comma, $0) }
    case (.query, "form") where !explodes, (.cookie, _) where !explodes: return (.flat, .comma, "")
    case (.query, "spaceDelimited") where !explodes: return (.flat, .space, "")
    case (.query, "pipeDelimited") where !explodes: return (.flat, .pipe, "")
    default: return nil
    }
  }

  private func listStyle(
    _ style: String, explodes: Bool, isList: Bool, at pointer: String
  ) -> Parameter.ListStyle {
    guard isList else {
      if ["matrix", "label"].contains(style) {
        log.warn("the style `\(style)` cannot be said in a catalogue; it is sent plain", at: pointer)
      }
      return .comma
    }
    switch style {
    case "form": return explodes ? .repeat : .comma
    case "simple": return .comma
    case "spaceDelimited": return explodes ? .repeat : .space
    case "pipeDelimited":
      return explodes ? .repeat : .pipe
    default:
      log.warn("the style `\(style)` cannot be said in a catalogue; the list is separated by commas", at: pointer)
      return .comma
    }
  }

  private func warn(ofCookie name: String, at pointer: String) {
    log.warn("`\(name)` cannot be a cookie's name (RFC 6265 §4.1.1); it is left out", at: pointer)
  }

  /// An object in the query, or in cookies, is a parameter for each of its members.
  private func flattened(
    _ object: ObjectShape, of name: String, place: Parameter.Place, style: String, explodes: Bool, isRequired: Bool,
    at pointer: String
  ) throws(ImportError) -> [ParameterShape] {
    guard place == .cookie || place == .query && style == "form", explodes else {
      log.warn(
        "`\(name)` is an object, which a \(place.rawValue) parameter cannot be; it is taken as text", at: pointer)
      return [ParameterShape(name: name, place: place, use: Use(.scalar(.string)), isRequired: isRequired)]
    }
    log.warn("the object `\(name)` becomes a parameter for each of its members", at: pointer)
    var result: [ParameterShape] = []
    for member in object.members {
      var parameter = ParameterShape(
        name: member.name, place: place, use: member.use, isRequired: isRequired && member.isRequired,
        annotations: member.annotations)
      let shape = try schemas.resolved(member.use, at: pointer).shape
      if place == .cookie {
        guard HeaderName.isValid(member.name) else {
          warn(ofCookie: member.name, at: pointer)
          continue
        }
        let element = if case .list(let element) = shape { element } else { member.use }
        if try !schemas.isText(element) {
          log.warn("`\(member.name)` is an object, which a cookie cannot be; it is taken as text", at: pointer)
          parameter.use = Use(.scalar(.string))
        }
      } else if try isNested(shape) {
        log.warn(
          "`\(member.name)` may hold objects, for which OpenAPI has no form inside of a parameter; they are written as "
            + "`\(member.name)[…]`", at: pointer)
        (parameter.listStyle, parameter.objectStyle) = (.indexed, .brackets)
      } else if Self.isList(shape) {
        parameter.listStyle = .repeat
      }
      result.append(parameter)
    }
    if let extra = object.extra {
      if place == .query, !object.members.contains(where: { $0.name == name }) {
        result.append(
          ParameterShape(
            name: name, place: place, use: Use(.map(extra)), isRequired: false, listStyle: .repeat,
            objectStyle: .members))
      } else {
        log.warn("`\(name)` may have members of any name, which are left out", at: pointer)
      }
    }
    return result
  }

  /// Whether a value, or an element of a list, is more than a text.
  private func isNested(_ shape: Shape) throws(ImportError) -> Bool {
    guard case .list(let element) = shape else { return Self.isDeep(shape) }
    return try Self.isDeep(schemas.resolved(element, at: "").shape)
  }

  /// Placeholders that the document forgot to describe.
  private func addMissingPathParameters(to operation: inout OperationShape) throws(ImportError) {
    let placeholders = Self.placeholders(in: operation.path)
    for name in placeholders where !operation.parameters.contains(where: { $0.place == .path && $0.name == name }) {
      log.warn("the path's `{\(name)}` is not described; it is taken as a string", at: operation.pointer)
      operation.parameters.removeAll { $0.name == name }
      operation.parameters.append(
        ParameterShape(name: name, place: .path, use: Use(.scalar(.string)), isRequired: true))
    }
    operation.parameters.removeAll { parameter in
      guard parameter.place == .path, !placeholders.contains(parameter.name) else { return false }
      log.warn("the path has no `{\(parameter.name)}`; the parameter is left out", at: operation.pointer)
      return true
    }
  }

  static func placeholders(in path: String) -> [String] {
    path.split(separator: "{").dropFirst().compactMap { part in
      part.firstIndex(of: "}").map { String(part[..<$0].drop { $0 == "+" }) }
    }
  }
}
