/// An OpenAPI 3 document and its references.
struct OpenAPIDocument {
  private(set) var root: DocumentValue
  let title: String
  let version: String
  /// Whether an `encoding` has a style in a multipart body, too (OpenAPI 3.1.0 §4.8.15.1).
  var stylesParts: Bool { root["openapi"]?.scalarText?.hasPrefix("3.0") != true }

  init(_ value: DocumentValue, log: ImportLog = ImportLog()) throws(ImportError) {
    guard case .object = value else {
      throw .notOpenAPI("not an OpenAPI document: the top level is no object")
    }
    var root = value
    if let swagger = value["swagger"]?.scalarText, value["openapi"] == nil {
      guard swagger == "2.0" || swagger == "2" else {
        throw .notOpenAPI("Swagger \(swagger) is not supported; 2.0 is, and OpenAPI 3")
      }
      root = SwaggerConverter(value, log: log).converted()
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
    self.root = root
    title = root["info"]?["title"]?.scalarText ?? "API"
    version = root["info"]?["version"]?.scalarText ?? "0"
    for section in sections { joinPathItems(in: section, log) }
  }

  /// Joins path items with those that their `$ref` leads to, where they have operations, parameters or servers beside it
  /// (OpenAPI 3.1 §4.8.9.1).
  private mutating func joinPathItems(in section: String, _ log: ImportLog) {
    guard var document = root.object, var items = document[section]?.object else { return }
    for path in items.members where path.value["$ref"] != nil && (path.value.object?.members.count ?? 0) > 1 {
      let place = Pointer.child("#/\(section)", path.key)
      // What refers to nothing is told where it is read.
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
          log.warn("what the `$ref` of the path leads to has `\(member.key)`, too; the path's own is taken", at: place)
        }
        joined.set(member.key, member.value)
      }
      items.set(path.key, .object(joined))
    }
    document.set(section, .object(items))
    root = .object(document)
  }

  /// Whether a list of parameters has one of the same name and place as another parameter.
  private func isIn(_ parameters: DocumentValue, _ other: DocumentValue, at place: String) -> Bool {
    func identity(_ parameter: DocumentValue) -> [String?] {
      let value = try? resolved(parameter, at: place).value
      return [value?["name"]?.scalarText, value?["in"]?.string]
    }
    return parameters.list?.contains { identity($0) == identity(other) } == true
  }

  /// The keys of what an API delivers to webhooks; the second one is of documents before OpenAPI 3.1.
  static let webhookSections = ["webhooks", "x-webhooks"]

  /// The operations of its paths, whatever their methods are.
  var operations: [DocumentValue] {
    (root["paths"]?.object?.members ?? []).flatMap { path -> [DocumentValue] in
      let item = try? resolved(path.value, at: Pointer.child("#/paths", path.key)).value
      let members = item?.object?.members ?? []
      return (members + (item?["additionalOperations"]?.object?.members ?? [])).map(\.value)
    }.filter { $0["responses"] != nil || $0["operationId"] != nil }
  }

  /// The value that a JSON pointer in URI form (`#/components/…`) leads to.
  func value(at pointer: String, referredFrom place: String) throws(ImportError) -> DocumentValue {
    guard pointer.hasPrefix("#") else {
      throw .reference("`\(pointer)` is in another document, which was not read", at: place)
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
          throw .reference("`\(pointer)` refers to nothing: there is no `\(key)`", at: place)
        }
        value = next
      case .list(let list):
        guard let index = Int(key), list.indices.contains(index) else {
          throw .reference("`\(pointer)` refers to nothing: there is no element \(key)", at: place)
        }
        value = list[index]
      default: throw .reference("`\(pointer)` refers to nothing: there is no `\(key)`", at: place)
      }
    }
    return value
  }

  /// The contents of a body, each with what a `$ref` of its own (OpenAPI 3.2) leads to.
  ///
  /// - Parameter pointer: Where the contents are.
  func contents(_ value: DocumentValue, at pointer: String) throws(ImportError) -> [DocumentObject.Member] {
    var members = value["content"]?.object?.members ?? []
    for index in members.indices where members[index].value["$ref"] != nil {
      members[index].value = try resolved(
        members[index].value, at: Pointer.child(pointer, members[index].key)
      ).value
    }
    return members
  }

  /// Follows the `$ref` of a parameter, body, response or path item; schemas are followed by ``SchemaReader``.
  ///
  /// - Returns: the value, where it is, and the name of the last reference followed.
  func resolved(
    _ value: DocumentValue, at pointer: String
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

  /// A pointer of a reference as ``child(_:_:)`` writes it: a URI may have more of its characters percent-encoded.
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
  /// `info.version`, the API's own count.
  public var version: String

  /// A document by its title and version.
  public init(title: String, version: String) {
    self.title = title
    self.version = version
  }
}
