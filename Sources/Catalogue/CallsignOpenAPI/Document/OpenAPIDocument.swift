/// An OpenAPI 3 document and its references.
struct OpenAPIDocument {
  private(set) var root: DocumentValue
  private(set) var title = "API"
  private(set) var version = "0"
  private let log: ImportLog
  /// Whether an `encoding` can also have a style in a multipart body (OpenAPI 3.1.0 §4.8.15.1).
  var stylesParts: Bool { root["openapi"]?.scalarText?.hasPrefix("3.0") != true }

  init(_ value: DocumentValue, log: ImportLog = ImportLog()) throws(ImportError) {
    guard case .object = value else {
      throw .notOpenAPI("not an OpenAPI document: the top level is not an object")
    }
    self.log = log
    root = value
    if let swagger = value["swagger"]?.scalarText, value["openapi"] == nil {
      guard swagger == "2.0" || swagger == "2" else {
        throw .notOpenAPI("Swagger \(swagger) is not supported; 2.0 is, and OpenAPI 3")
      }
      root = SwaggerConverter(try wholeSwagger(value), log: log).converted()
    } else {
      guard let specification = value["openapi"]?.scalarText else {
        throw .notOpenAPI("not an OpenAPI document: it has no `openapi` version")
      }
      guard specification.hasPrefix("3.") || specification == "3" else {
        throw .notOpenAPI("OpenAPI \(specification) is not supported; 3.0, 3.1, 3.2 and Swagger 2.0 are")
      }
    }
    let sections = ["paths"] + Self.webhookSections
    let parts = sections.contains { root[$0]?.object != nil } || root["components"]?["schemas"] != nil
    guard parts else {
      throw .notOpenAPI("the document has no `paths`, no `webhooks` and no schemas, so there is nothing to import")
    }
    root = try whole(root, Self.sections, at: "#")
    if var object = root.object, let components = root["components"] {
      object.set("components", try whole(components, Self.componentSections, at: "#/components"))
      root = .object(object)
    }
    title = root["info"]?["title"]?.scalarText ?? title
    version = root["info"]?["version"]?.scalarText ?? version
    for section in sections { joinPathItems(in: section, log) }
  }

  /// Merges each path item with the one that its `$ref` leads to, if it has operations, parameters or servers next to the `$ref`
  /// (OpenAPI 3.1 §4.8.9.1).
  private mutating func joinPathItems(in section: String, _ log: ImportLog) {
    guard var document = root.object, var items = document[section]?.object else { return }
    for path in items.members where path.value["$ref"] != nil && (path.value.object?.members.count ?? 0) > 1 {
      let place = Pointer.child("#/\(section)", path.key)
      // A broken reference is reported when it is read.
      guard let own = path.value.object, let (target, pointer, _) = try? resolved(path.value, at: place),
        var joined = target.object
      else { continue }
      for member in own.members where member.key != "$ref" {
        if member.key == "parameters", let shared = joined[member.key]?.list {
          let others = shared.filter { !isIn(member.value, $0, at: pointer) }
          joined.set(member.key, .list((member.value.list ?? []) + others))
          continue
        }
        if joined[member.key] != nil, !["summary", "description"].contains(member.key) {
          log.warn("the target of the path's `$ref` also has `\(member.key)`; the path's own is taken", at: place)
        }
        joined.set(member.key, member.value)
      }
      items.set(path.key, .object(joined))
    }
    document.set(section, .object(items))
    root = .object(document)
  }

  /// Whether a list of parameters contains one with the same name and place.
  private func isIn(_ parameters: DocumentValue, _ other: DocumentValue, at place: String) -> Bool {
    func identity(_ parameter: DocumentValue) -> [String?] {
      let value = try? resolved(parameter, at: place).value
      return [value?["name"]?.scalarText, value?["in"]?.string]
    }
    return parameters.list?.contains { identity($0) == identity(other) } == true
  }

  // MARK: References in place of collections

  private static let sections = ["info", "servers", "paths", "components", "tags", "security"] + webhookSections
  private static let componentSections = [
    "schemas", "responses", "parameters", "examples", "requestBodies", "headers", "securitySchemes", "links",
    "callbacks",
    "pathItems", "mediaTypes",
  ]
  /// Keys of operations and of their parts.
  private static let collections = [
    "parameters", "responses", "content", "headers", "examples", "encoding", "callbacks", "links", "servers",
    "security",
    "tags",
  ]
  /// Keys of schemas.
  private static let schemaCollections = [
    "properties", "patternProperties", "allOf", "oneOf", "anyOf", "enum", "required", "discriminator",
  ]

  /// The schema, with references in place of its members, alternatives or values resolved.
  func wholeSchema(_ schema: DocumentValue, at pointer: String) throws(ImportError) -> DocumentValue {
    try whole(schema, Self.schemaCollections, at: pointer)
  }

  private static let swaggerSections = [
    "info", "paths", "definitions", "parameters", "responses", "securityDefinitions",
  ]

  /// A Swagger 2.0 document with the references in its paths resolved, because only inline content is converted.
  private mutating func wholeSwagger(_ document: DocumentValue) throws(ImportError) -> DocumentValue {
    root = try whole(document, Self.swaggerSections, at: "#")
    guard var object = root.object, var paths = root["paths"]?.object else { return root }
    for path in paths.members {
      // A broken reference is reported when it is read.
      guard let item = try? resolved(path.value, at: Pointer.child("#/paths", path.key)).value,
        var operations = item.object
      else { continue }
      if path.value["$ref"]?.string != nil {
        // Thousands of paths can refer to one item, whose other members may be large.
        let members = operations.members.filter {
          $0.key == "parameters" || SwaggerConverter.methods.contains($0.key.lowercased())
        }
        operations = DocumentObject(members.map { ($0.key, $0.value) })
      }
      for member in operations.members where member.key != "$ref" {
        let place = Pointer.child(Pointer.child("#/paths", path.key), member.key)
        if let parameters = member.value.list {
          operations.set(member.key, .list(parameters.map { inPlace($0, at: place) }))
        } else if var operation = (try? self.operation(member.value, at: place))?.value.object {
          if let parameters = operation["parameters"]?.list {
            operation.set("parameters", .list(parameters.map { inPlace($0, at: place) }))
          }
          if var responses = operation["responses"]?.object {
            for response in responses.members { responses.set(response.key, inPlace(response.value, at: place)) }
            operation.set("responses", .object(responses))
          }
          operations.set(member.key, .object(operation))
        }
      }
      paths.set(path.key, .object(operations))
    }
    object.set("paths", .object(paths))
    return .object(object)
  }

  /// A parameter or response, with a reference to another file resolved.
  private func inPlace(_ value: DocumentValue, at place: String) -> DocumentValue {
    guard value["$ref"]?.string?.hasPrefix("#/x-files/") == true else { return value }
    return (try? followed(value, at: place).value) ?? value
  }

  /// A value with each `$ref` in place of the lists and mappings under the keys resolved. OpenAPI allows references only for single
  /// parts, but tools that split documents write them anywhere.
  private func whole(_ value: DocumentValue, _ keys: [String], at pointer: String) throws(ImportError) -> DocumentValue
  {
    guard var object = value.object else { return value }
    for key in keys {
      if Self.plainLists.contains(key), let list = object[key]?.list, list.contains(where: { $0["$ref"] != nil }) {
        object.set(key, .list(try wholeElements(of: list, at: Pointer.child(pointer, key))))
      }
      guard let collection = object[key], collection["$ref"]?.string != nil else { continue }
      let place = Pointer.child(pointer, key)
      let found = try log.repairing("it is left out", at: place) { () throws(ImportError) in
        try followed(collection, at: place).value
      }
      object.set(key, found ?? (collection.object?.members.count == 1 ? .null : without(collection)))
    }
    return .object(object)
  }

  /// Lists whose elements contain no further references.
  private static let plainLists: Set<String> = ["servers", "tags", "security"]

  private func wholeElements(of list: [DocumentValue], at pointer: String) throws(ImportError) -> [DocumentValue] {
    var result: [DocumentValue] = []
    for (index, element) in list.enumerated() {
      let place = Pointer.child(pointer, String(index))
      let found = try log.repairing("it is left out", at: place) { () throws(ImportError) in
        try followed(element, at: place).value
      }
      if let found { result.append(found) }
    }
    return result
  }

  private func without(_ collection: DocumentValue) -> DocumentValue {
    .object(DocumentObject((collection.object?.members ?? []).filter { $0.key != "$ref" }.map { ($0.key, $0.value) }))
  }

  /// An operation, with a `$ref` in its place resolved.
  ///
  /// - Returns: The operation and its place.
  func operation(_ value: DocumentValue, at place: String) throws(ImportError) -> (
    value: DocumentValue, pointer: String
  ) {
    guard value["$ref"]?.string != nil else { return (try whole(value, Self.collections, at: place), place) }
    let (found, pointer) = try followed(value, at: place)
    return (try whole(found, Self.collections, at: pointer), pointer)
  }

  /// The operation that a `$ref` in its place leads to; the value itself if there is no such reference or it leads nowhere.
  func followedOperation(_ value: DocumentValue, at place: String) -> DocumentValue {
    value["$ref"] == nil ? value : (try? followed(value, at: place).value) ?? value
  }

  /// The target of a `$ref`, with the members next to the `$ref` added.
  private func followed(
    _ value: DocumentValue, at place: String
  ) throws(ImportError) -> (value: DocumentValue, pointer: String) {
    var (target, pointer, _) = try target(of: value, at: place)
    if var object = target.object {
      for member in value.object?.members ?? [] where member.key != "$ref" { object.set(member.key, member.value) }
      target = .object(object)
    }
    return (target, pointer)
  }

  /// The keys for webhook deliveries. The second one comes from documents before OpenAPI 3.1.
  static let webhookSections = ["webhooks", "x-webhooks"]

  /// The operations of all paths, whatever their methods.
  var operations: [DocumentValue] {
    (root["paths"]?.object?.members ?? []).flatMap { path -> [DocumentValue] in
      guard let (item, pointer, _) = try? resolved(path.value, at: Pointer.child("#/paths", path.key)) else {
        return []
      }
      let members = (item.object?.members ?? []) + (item["additionalOperations"]?.object?.members ?? [])
      return members.map { followedOperation($0.value, at: Pointer.child(pointer, $0.key)) }
    }.filter { $0["responses"] != nil || $0["operationId"] != nil }
  }

  /// The value at a JSON pointer in URI form (`#/components/…`).
  func value(at pointer: String, referredFrom place: String) throws(ImportError) -> DocumentValue {
    guard pointer.hasPrefix("#") else {
      let advice = pointer.hasPrefix("https://") ? "; --fetch-references has it fetched" : ""
      throw .reference("`\(pointer)` is in another document, which was not read\(advice)", at: place)
    }
    guard pointer.hasPrefix("#/") else {
      throw .reference(
        pointer == "#" || pointer == ""
          ? "`#` is the whole document, which describes no value"
          : "`\(pointer)` refers to nothing: no schema has this `$anchor`", at: place)
    }
    var value = root
    for token in pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
      let key = Pointer.decoded(String(token))
      switch value {
      case .object(let object):
        guard let next = object[key] else {
          throw .reference("`\(pointer)` refers to nothing: `\(key)` does not exist", at: place)
        }
        value = next
      case .list(let list):
        guard let index = Int(key), list.indices.contains(index) else {
          throw .reference("`\(pointer)` refers to nothing: the element \(key) does not exist", at: place)
        }
        value = list[index]
      default: throw .reference("`\(pointer)` refers to nothing: `\(key)` does not exist", at: place)
      }
    }
    return value
  }

  /// The contents of a body, each with its `$ref` (OpenAPI 3.2) resolved.
  ///
  /// - Parameter pointer: The place of the contents.
  func contents(_ value: DocumentValue, at pointer: String) throws(ImportError) -> [DocumentObject.Member] {
    var members = value["content"]?.object?.members ?? []
    for index in members.indices {
      members[index].value = try resolved(
        members[index].value, at: Pointer.child(pointer, members[index].key)
      ).value
    }
    return members
  }

  /// Follows the `$ref` of a parameter, body, response or path item. ``SchemaReader`` follows those of schemas.
  ///
  /// - Returns: The value, its place, and the name of the last reference followed.
  func resolved(
    _ value: DocumentValue, at pointer: String
  ) throws(ImportError) -> (value: DocumentValue, pointer: String, name: String?) {
    let (value, pointer, name) = try target(of: value, at: pointer)
    return (try whole(value, Self.collections, at: pointer), pointer, name)
  }

  private func target(
    of value: DocumentValue, at pointer: String
  ) throws(ImportError) -> (value: DocumentValue, pointer: String, name: String?) {
    var current = (value: value, pointer: pointer, name: String?.none)
    var visited: Set<String> = []
    while let reference = current.value["$ref"]?.string {
      guard visited.insert(reference).inserted else {
        throw .reference("`\(reference)` refers to itself", at: pointer)
      }
      current = (
        try self.value(at: reference, referredFrom: current.pointer), reference, Pointer.lastName(of: reference)
      )
    }
    return current
  }
}

/// JSON pointers (RFC 6901) in URI form.
enum Pointer {
  static func child(_ pointer: String, _ key: String) -> String { pointer + "/" + escaped(key) }

  static func escaped(_ key: String) -> String {
    var escaped = ""
    for character in key {
      switch character {
      case "~": escaped += "~0"
      case "/": escaped += "~1"
      case "%": escaped += "%25"
      default: escaped.append(character)
      }
    }
    return escaped
  }

  /// A reference's pointer in the form of ``child(_:_:)``. A URI may have more of its characters percent-encoded.
  static func canonical(_ pointer: String) -> String {
    guard pointer.contains("%") else { return pointer }
    return pointer.split(separator: "/", omittingEmptySubsequences: false).map { escaped(decoded(String($0))) }
      .joined(separator: "/")
  }

  static func decoded(_ token: String) -> String {
    let plain = percentDecoded(token)
    guard plain.contains("~") else { return plain }
    var result = ""
    var rest = plain[...]
    while let first = rest.first {
      if rest.hasPrefix("~1") {
        result.append("/")
        rest = rest.dropFirst(2)
      } else if rest.hasPrefix("~0") {
        result.append("~")
        rest = rest.dropFirst(2)
      } else {
        result.append(first)
        rest = rest.dropFirst()
      }
    }
    return result
  }

  static func lastName(of pointer: String) -> String {
    decoded(String(pointer.split(separator: "/").last ?? ""))
  }

  private static func percentDecoded(_ token: String) -> String {
    guard token.contains("%") else { return token }
    var bytes: [UInt8] = []
    var rest = token.utf8[...]
    while let byte = rest.first {
      if byte == UInt8(ascii: "%"),
        let code = UInt8(String(decoding: rest.dropFirst().prefix(2), as: UTF8.self), radix: 16),
        rest.count >= 3
      {
        bytes.append(code)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
        rest = rest.dropFirst()
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// The document that a catalogue comes from.
public struct ImportOrigin: Sendable, Equatable {
  /// `info.title`
  public var title: String
  /// `info.version`, the version of the API.
  public var version: String

  /// Creates an origin from a document's title and version.
  public init(title: String, version: String) {
    self.title = title
    self.version = version
  }
}
