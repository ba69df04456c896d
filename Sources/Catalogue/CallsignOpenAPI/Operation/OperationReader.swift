import CallsignCatalogue

/// Reads the document's operations, in its order.
struct OperationReader {
  let document: OpenAPIDocument
  let schemas: SchemaReader
  let security: SecurityReader
  let log: ImportLog
  var servers: ServerReader
  /// The names of operations that the overlay removes. These may be incomplete.
  var removed: Set<String> = []

  private static let methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"]

  /// The names of the operations, after they have been read.
  private(set) var operationNames = OperationNames()

  mutating func read() throws(ImportError) -> [OperationShape] {
    operationNames = OperationNames(document)
    var collection = OperationCollection(maximumSize: max(2_000_000, 20 * document.root.count), log: log)
    for path in document.root["paths"]?.object?.members ?? [] where !path.key.hasPrefix("x-") {
      guard let item = try pathItem(path) else { continue }
      for (member, place) in try operations(of: item) {
        guard let operation = try read(member, of: item, at: place) else { continue }
        try collection.add(operation, path: path.key, at: place)
      }
    }
    return collection.operations
  }

  /// A path and its contents.
  private struct PathItem {
    let key: String
    let target: PathTarget
    let value: DocumentValue
    let members: [DocumentObject.Member]
    let pointer: String
  }

  /// Reads a member of `paths`; `nil` if it is left out.
  ///
  /// - Throws: ``ImportError`` if it cannot be read and the import is strict.
  private func pathItem(_ path: DocumentObject.Member) throws(ImportError) -> PathItem? {
    let unresolved = Pointer.child("#/paths", path.key)
    if path.key.contains("://") {
      log.warn("the path is a whole URL, and is left out; give its server under `servers`", at: unresolved)
      return nil
    }
    guard path.key.utf8.count <= Self.maximumPathLength else {
      log.warn(
        "a path of more than \(Self.maximumPathLength) bytes is left out", at: String(unresolved.prefix(80)) + "…")
      return nil
    }
    return try log.repairing("the path is left out", at: unresolved) { () throws(ImportError) in
      let (item, pointer, _) = try document.resolved(path.value, at: unresolved)
      guard let members = item.object?.members else {
        throw .invalid("a path item must be an object", at: pointer)
      }
      return PathItem(
        key: path.key, target: PathTarget(path.key), value: item, members: members, pointer: pointer)
    }
  }

  /// The operations of a path with their places. Those of `additionalOperations` (OpenAPI 3.2) come last.
  private func operations(of item: PathItem) throws(ImportError) -> [(DocumentObject.Member, String)] {
    let further = Pointer.child(item.pointer, "additionalOperations")
    return try operations(among: item.members, at: item.pointer)
      + (item.value["additionalOperations"]?.object?.members ?? []).map { ($0, Pointer.child(further, $0.key)) }
  }

  /// Reads an operation; `nil` if it is left out.
  private mutating func read(
    _ member: DocumentObject.Member, of item: PathItem, at place: String
  ) throws(ImportError) -> OperationShape? {
    if let problem = Self.problem(withMethod: member.key, path: item.target.path) {
      log.warn("\(problem); the operation is left out", at: place)
      return nil
    }
    return try log.repairing("the operation is left out", at: place) { () throws(ImportError) in
      do throws(ImportError) {
        let (value, pointer) = try document.operation(member.value, at: place)
        return try read(value, method: member.key, of: item, at: pointer)
      } catch {
        guard let rest = removedOperation(member, path: item.key, target: item.target, at: place) else { throw error }
        return rest
      }
    }
  }

  /// The readable parts of an unreadable operation that the overlay removes, so that there is something to remove; `nil` for
  /// others.
  private func removedOperation(
    _ member: DocumentObject.Member, path: String, target: PathTarget, at place: String
  ) -> OperationShape? {
    let name = operationNames.name(of: member.value, method: member.key, path: path)
    guard removed.contains(name) else { return nil }
    return OperationShape(
      name: name, method: member.key.uppercased(), path: target.path.filter { !"{+}".contains($0) },
      tag: member.value["tags"]?.list?.first?.string ?? "Other", pointer: place,
      auth: [AuthRequirement(scheme: "none")])
  }

  private static let keysOfItems: Set<String> = [
    "$ref", "additionalOperations", "description", "parameters", "servers", "summary",
  ]

  /// The operations of a path: those whose keys are methods.
  ///
  /// - Throws: ``ImportError`` for an unknown key, if the import is strict.
  private func operations(
    among members: [DocumentObject.Member], at pointer: String
  ) throws(ImportError) -> [(DocumentObject.Member, String)] {
    var result: [(DocumentObject.Member, String)] = []
    for var member in members where !Self.keysOfItems.contains(member.key) && !member.key.hasPrefix("x-") {
      let place = Pointer.child(pointer, member.key)
      let key = member.key.lowercased()
      if Self.methods.contains(key) {
        if key != member.key {
          if log.isStrict { throw .invalid("`\(member.key)` is not a key of a path; write `\(key)`", at: place) }
          guard !members.contains(where: { $0.key == key }) else {
            log.warn("`\(key)` also exists, so `\(member.key)` is left out", at: place)
            continue
          }
          log.warn("methods are written in lower case; `\(member.key)` is read as `\(key)`", at: place)
          member.key = key
        }
        result.append((member, place))
      } else if log.isStrict {
        throw .invalid("`\(member.key)` is not a key of a path", at: place)
      } else if member.value["responses"] != nil {
        log.warn(
          "`\(member.key)` is not a method of OpenAPI and is left out; say it under `additionalOperations`", at: place)
      } else {
        log.warn("`\(member.key)` is not a key of a path and is left out", at: place)
      }
    }
    return result
  }

  private static let maximumPlaceholders = 100
  /// The maximum length of a path: servers accept 8,000 bytes in the request line (RFC 9112 §3).
  private static let maximumPathLength = 8_000

  /// The reason why the call cannot be in a catalogue.
  private static func problem(withMethod method: String, path: String) -> String? {
    guard Endpoint.methods.contains(method.uppercased()) else {
      return "the method \(method.uppercased()) cannot be expressed in a catalogue"
    }
    if path.unicodeScalars.contains(where: { " \"\\?#".unicodeScalars.contains($0) }) {
      return "the path has characters that a path cannot have"
    }
    let names = placeholders(in: path)
    let scalars = path.unicodeScalars
    if names.count > maximumPlaceholders { return "a path has at most \(maximumPlaceholders) placeholders" }
    let isBalanced = ["{", "}"].allSatisfy { brace in scalars.filter { $0 == brace }.count == names.count }
    if !isBalanced || names.contains("") {
      return "the placeholders in the path are not usable"
    }
    return nil
  }

  private mutating func read(
    _ value: DocumentValue, method: String, of item: PathItem, at pointer: String
  ) throws(ImportError) -> OperationShape {
    guard case .object = value else { throw .invalid("an operation must be an object", at: pointer) }
    var operation = description(of: value, method: method, item, at: pointer)
    operation.auth = try security.requirements(of: value, at: pointer)
    operation.host = try servers.host(for: value["servers"] ?? item.value["servers"], at: pointer)
    try readParameters(of: value, item, into: &operation)
    try readBody(of: value, into: &operation)
    let responses = ResponseReader(document: document, schemas: schemas, log: log, names: operationNames)
    try repair(&operation, orSay: "the response is left out", at: pointer) { (operation) throws(ImportError) in
      try responses.read(value, at: pointer, into: &operation)
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

  /// The operation with only its names and texts.
  private func description(
    of value: DocumentValue, method: String, _ item: PathItem, at pointer: String
  ) -> OperationShape {
    let name = operationNames.name(of: value, method: method, path: item.key)
    if value["operationId"]?.scalarText?.isEmpty ?? true {
      log.note("no `operationId`; it is called `\(name)`", at: pointer)
    }
    let tags = value["tags"]?.list?.compactMap(\.string) ?? []
    if tags.count > 1 { log.note("several tags; it goes with the first, `\(tags[0])`", at: pointer) }
    var operation = OperationShape(
      name: name, method: method.uppercased(), path: item.target.path, tag: tags.first ?? "Other", pointer: pointer)
    operation.documentation = value["externalDocs"]?["url"]?.string
    operation.documentSummary = (value["summary"] ?? value["description"])?.string
    operation.isDeprecated = value["deprecated"]?.bool == true
    return operation
  }

  /// Reads the parameters of an operation and its path, and matches them with the placeholders in the path.
  private func readParameters(
    of value: DocumentValue, _ item: PathItem, into operation: inout OperationShape
  ) throws(ImportError) {
    let parameters = ParameterReader(document: document, schemas: schemas, security: security, log: log)
    operation.parameters = try parameters.read(
      of: value, item: item.value, itemPointer: item.pointer, placeholders: Self.placeholders(in: item.target.path),
      at: operation.pointer)
    if value["requestBody"]?.object != nil, operation.parameters.contains(where: { $0.place == .body }) {
      log.warn("there is a `requestBody`, so a parameter `in: body` is left out", at: operation.pointer)
      operation.parameters.removeAll { $0.place == .body }
    }
    operation.prefixPathParameters()
    operation.keepReservedInPath()
    addQuery(of: item.target, to: &operation)
    let inPath = Set(operation.parameters.filter { $0.place == .path }.map(\.name))
    for parameter in operation.parameters where parameter.place != .path && inPath.contains(parameter.name) {
      if operation.renamePathParameter(parameter.name) {
        log.note(
          "`\(parameter.name)` is in the path and also elsewhere; the path's parameter gets another name",
          at: operation.pointer)
      }
    }
    try addMissingPathParameters(to: &operation)
  }

  /// Reads `requestBody`, or the form that an operation's parameters describe.
  private func readBody(of value: DocumentValue, into operation: inout OperationShape) throws(ImportError) {
    let bodies = BodyReader(document: document, schemas: schemas, log: log)
    guard let body = value["requestBody"] else {
      if operation.parameters.contains(where: { $0.place == .field }) { bodies.readForm(into: &operation) }
      return
    }
    let place = Pointer.child(operation.pointer, "requestBody")
    let fields = operation.parameters.filter { $0.place == .field }
    operation.parameters.removeAll { $0.place == .field }
    try repair(&operation, orSay: "the body is left out", at: place) { (operation) throws(ImportError) in
      try bodies.read(body, at: place, into: &operation)
    }
    addFields(fields, to: &operation)
  }

  /// Changes an operation as a whole, or leaves it unchanged if a part cannot be read.
  private func repair(
    _ operation: inout OperationShape, orSay consequence: String, at place: String,
    _ read: (inout OperationShape) throws(ImportError) -> Void
  ) throws(ImportError) {
    var changed = operation
    let result: Void? = try log.repairing(consequence, at: place) { () throws(ImportError) in try read(&changed) }
    if result != nil { operation = changed }
  }

  /// Adds the fields listed among an operation's parameters to those of its `requestBody`.
  private func addFields(_ fields: [ParameterShape], to operation: inout OperationShape) {
    let names = Set(operation.parameters.map(\.name))
    for field in fields {
      if operation.body == nil || operation.body == .json || names.contains(field.name) {
        log.warn("there is a `requestBody`, so `\(field.name)`, `in: formData`, is left out", at: operation.pointer)
      } else {
        operation.parameters.append(field)
      }
    }
  }

  /// Adds the query written in a path: parameters with a value are always sent, and those in `{?name}` are optional.
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

  /// Adds parameters for placeholders that the document does not describe.
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
