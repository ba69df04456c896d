import CallsignCatalogue

/// Reads the `parameters` of an operation and of its path.
struct ParameterReader {
  let document: OpenAPIDocument
  let schemas: SchemaReader
  let security: SecurityReader
  let log: ImportLog

  /// A parameter of the document, and the name under which operations share it.
  private typealias Entry = (value: DocumentValue, pointer: String, name: String?)

  func read(
    of value: DocumentValue, item: DocumentValue, itemPointer: String, placeholders: [String], at pointer: String
  ) throws(ImportError) -> [ParameterShape] {
    let entries = try entries(
      of: value, item: item, itemPointer: itemPointer, placeholders: placeholders, at: pointer)
    var result = ParameterList()
    for entry in entries {
      let read = try log.repairing("the parameter is left out", at: entry.pointer) { () throws(ImportError) in
        try parameter(entry.value, at: entry.pointer, sharedName: entry.name)
      }
      let keepsReserved = entry.value["allowReserved"]?.bool == true
      for var parameter in read ?? [] {
        // A number or flag contains none.
        parameter.keepsReserved =
          keepsReserved && [.path, .query].contains(parameter.place)
          && ![.scalar(.int), .scalar(.number), .scalar(.bool)].contains(parameter.use.shape)
        add(parameter, to: &result, at: entry.pointer)
      }
    }
    return result.parameters
  }

  /// The parameters of an operation and its path. The operation's own parameters replace those of the path.
  private func entries(
    of value: DocumentValue, item: DocumentValue, itemPointer: String, placeholders: [String], at pointer: String
  ) throws(ImportError) -> [Entry] {
    var entries: [Entry] = []
    var positions: [[DocumentValue?]: Int] = [:]
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
        mend(&entry.value, placeholders: placeholders, at: pointer)
        // An operation's own parameter replaces the path's.
        let identity = [entry.value["name"], entry.value["in"]]
        if let old = positions[identity] {
          entries[old] = entry
        } else {
          positions[identity] = entries.count
          entries.append(entry)
        }
      }
    }
    return entries
  }

  /// Repairs a parameter's place and name.
  private func mend(_ value: inout DocumentValue, placeholders: [String], at pointer: String) {
    if let place = value["in"]?.string, !log.isStrict, place != place.lowercased(),
      Parameter.Place(rawValue: place.lowercased()) != nil, var object = value.object
    {
      log.warn("`in: \(place)` is read as `in: \(place.lowercased())`", at: pointer)
      object.set("in", .string(place.lowercased()))
      value = .object(object)
    }
    if value["in"] == nil, !log.isStrict, let name = value["name"]?.string, placeholders.contains(name),
      var object = value.object
    {
      log.warn("a parameter needs `in`; `\(name)` is read as one of the path", at: pointer)
      object.set("in", .string("path"))
      value = .object(object)
    }
    // A parameter may have the name written in the path: `name*`.
    if value["in"] == .string("path"), let name = value["name"]?.string,
      let plain = PathTarget.placeholder("{\(name)}"), plain != name, var object = value.object
    {
      object.set("name", .string(plain))
      value = .object(object)
    }
  }

  /// Adds a parameter, under another name if one in another place has the same.
  private func add(_ parameter: ParameterShape, to result: inout ParameterList, at pointer: String) {
    var parameter = parameter
    if result.separateHeader(from: &parameter) {
      log.note("`\(parameter.name)` is a header and also elsewhere; the header's gets other letters", at: pointer)
    }
    let others = result.places(of: parameter.name)
    if others.contains(parameter.place) {
      log.warn("a second parameter is called `\(parameter.name)`; it is left out", at: pointer)
      return
    }
    // The one in the path can have another name.
    if parameter.place != .path, others.contains(where: { $0 != .path }) {
      let wireName = parameter.name
      parameter.wireName = wireName
      parameter.name = result.free("\(parameter.place.rawValue)_\(wireName)")
      log.note(
        "two parameters are sent as `\(wireName)`; the \(parameter.place.rawValue)'s is called `\(parameter.name)`",
        at: pointer)
    }
    result.append(parameter)
  }

  /// Whether the parameter is a header field that OpenAPI says to ignore because another part of the document describes it.
  private func isHeaderOfOthers(_ name: String, at pointer: String) -> Bool {
    switch name.lowercased() {
    case "accept":
      log.count(
        "a parameter `Accept` is ignored, as OpenAPI says: the client sends the response's media type", at: pointer)
    case "content-type":
      log.count(
        "a parameter `Content-Type` is ignored, as OpenAPI says: the client sends the body's media type", at: pointer)
    case "authorization":
      log.count(
        "a parameter `Authorization` is ignored, as OpenAPI says: credentials come from `security`, --auth or the overlay",
        security.schemes.isEmpty ? .warning : .note, at: pointer)
    default: return false
    }
    return true
  }

  // MARK: One parameter

  private func parameter(
    _ value: DocumentValue, at pointer: String, sharedName: String?
  ) throws(ImportError) -> [ParameterShape] {
    guard let name = value["name"]?.scalarText, !name.isEmpty, let location = value["in"]?.string else {
      throw .invalid("a parameter needs `name` and `in`", at: pointer)
    }
    if location == "querystring" { return try queryString(value, called: name, at: pointer) }
    guard let place = try place(of: name, in: location, at: pointer) else { return [] }
    let isRequired = value["required"]?.bool == true
    if place == .body {
      let use = try value["schema"].map { (schema) throws(ImportError) in
        try schemas.use(schema, at: Pointer.child(pointer, "schema"))
      }
      return [ParameterShape(name: name, place: place, use: use ?? .json, isRequired: isRequired)]
    }
    countUnsaid(of: value, in: place, at: pointer)
    var content = try content(of: value, called: name, place, in: location, at: pointer)
    content.annotations.text = value["description"]?.string ?? content.annotations.text
    var parameter = ParameterShape(
      name: name, place: place, use: content.use, isRequired: isRequired, sharedName: sharedName)
    if content.isJSON {
      parameter.objectStyle = .json
      parameter.annotations.text = content.annotations.text
      return [parameter]
    }
    parameter.isRequired = place == .path || isRequired
    parameter.annotations = content.annotations
    parameter.annotations.isDeprecated = content.annotations.isDeprecated || value["deprecated"]?.bool == true
    // A required text or number with a single possible value.
    if parameter.isRequired, place != .path,
      case .enumeration(let enumeration) = try schemas.resolved(parameter.use, at: pointer).shape,
      enumeration.values.count == 1, !enumeration.isExtensible
    {
      parameter.constant = enumeration.values[0]
      parameter.use = Use(.scalar(enumeration.scalar))
    }
    return try styled(parameter, by: value, in: location, at: pointer)
  }

  /// The place from the document's `in`; `nil` if the parameter is left out, which is reported.
  private func place(
    of name: String, in location: String, at pointer: String
  ) throws(ImportError) -> Parameter.Place? {
    switch location {
    case "path": return .path
    case "query": return .query
    case "header": return isHeaderOfOthers(name, at: pointer) ? nil : .header
    case "cookie" where HeaderName.isValid(name): return .cookie
    case "cookie":
      warn(ofCookie: name, at: pointer)
      return nil
    case "formData" where !log.isStrict:
      log.warn("`in: formData` is of Swagger 2.0; `\(name)` is a field of the form", at: pointer)
      return .field
    case "body" where !log.isStrict:
      log.warn("`in: body` is of Swagger 2.0; `\(name)` is the body", at: pointer)
      return .body
    default: throw .invalid("`in: \(location)` is not a place for a parameter", at: pointer)
    }
  }

  /// Counts the writing styles of parameters that a catalogue cannot express.
  private func countUnsaid(of value: DocumentValue, in place: Parameter.Place, at pointer: String) {
    for keyword in ["allowReserved", "allowEmptyValue"] where value[keyword]?.bool == true {
      if keyword == "allowReserved", [.path, .query].contains(place) { continue }
      log.countUnsaid(keyword: keyword, at: pointer)
    }
    if value["style"]?.string == "cookie" { log.countUnsaid(keyword: "style: cookie", at: pointer) }
  }

  /// The values that a parameter's `schema` or `content` describes.
  private struct Content {
    var use = Use(.scalar(.string))
    var annotations = Annotations()
    /// Whether the value is written as JSON.
    var isJSON = false
  }

  private func content(
    of value: DocumentValue, called name: String, _ place: Parameter.Place, in location: String, at pointer: String
  ) throws(ImportError) -> Content {
    var result = Content()
    if let schema = value["schema"] {
      let schemaPointer = Pointer.child(pointer, "schema")
      if let whole = try? document.resolved(schema, at: schemaPointer).value, SchemaReader.isNull(whole) {
        log.warn(
          "`\(name)` can only be null, which a \(location) parameter cannot be; it is taken as text", at: pointer)
      } else {
        result.use = try schemas.use(schema, at: schemaPointer)
      }
      result.annotations = schemas.annotations(of: schema)
    } else if place == .field || value["type"] != nil, !log.isStrict {
      result.use = try schemas.use(value, at: pointer)
    } else if let content = value["content"]?.object?.members.first {
      if place == .query, MediaType.isJSON(content.key), let schema = content.value["schema"] {
        result.use = try schemas.use(schema, at: Pointer.child(Pointer.child(pointer, "content"), content.key))
        result.isJSON = true
      } else {
        log.warn(
          "`\(name)` is encoded by a separate media type; it is taken as text that is ready to send", at: pointer)
      }
    }
    return result
  }

  /// The parameter in the form that the document's `style` and `explode` describe; several for an object whose members become
  /// separate parameters.
  private func styled(
    _ parameter: ParameterShape, by value: DocumentValue, in location: String, at pointer: String
  ) throws(ImportError) -> [ParameterShape] {
    var parameter = parameter
    let (name, place) = (parameter.name, parameter.place)
    // A list in a cookie is one cookie, whatever form the document says.
    let style = place == .cookie ? "simple" : value["style"]?.string ?? (place == .query ? "form" : "simple")
    let explodes = value["explode"]?.bool ?? (style == "form")
    if let texts = try schemas.texts(of: parameter.use, at: pointer) { parameter.use = texts }
    let shape = try schemas.resolved(parameter.use, at: pointer).shape
    if style == "deepObject", place == .query, Self.isDeep(shape) {
      (parameter.listStyle, parameter.objectStyle) = (.indexed, .brackets)
      return [parameter]
    }
    // An object in a cookie is exploded into one cookie per member unless the document says otherwise.
    let isExploded = place == .cookie ? value["explode"]?.bool ?? true : explodes
    if let form = try objectForm(shape, of: name, place, style, explodes: isExploded) {
      (parameter.listStyle, parameter.objectStyle, parameter.prefix) = (form.list, form.style, form.prefix)
      return [parameter]
    }
    switch shape {
    case .object(let object):
      return try flattened(
        object, of: name, place: place, style: style, explodes: isExploded, isRequired: parameter.isRequired,
        at: pointer)
    case .map where place == .query && style == "form" && explodes:
      (parameter.listStyle, parameter.objectStyle) = (.repeat, .members)
      return [parameter]
    case .map, .scalar(.json):
      if shape != .scalar(.json) {
        log.warn(
          "`\(name)` is an object with free keys, which a \(location) parameter cannot be; it is taken as text",
          at: pointer)
      }
      parameter.use = Use(.scalar(.string))
    default: break
    }
    if place == .path, let before = Self.prefix(style, name) {
      parameter.prefix = before
      if explodes, Self.isList(shape) { parameter.listStyle = style == "label" ? .dot : .repeat }
    } else {
      parameter.listStyle = listStyle(style, explodes: explodes, isList: Self.isList(shape), at: pointer)
    }
    return [parameter]
  }

  /// Reads OpenAPI 3.2's parameter for the whole query. If it is written as a form, each of its members becomes a parameter.
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
      "`\(name)` is the whole query in its own form, which a catalogue cannot express; it is left out",
      at: content)
    return []
  }

  /// Whether a value may contain members or elements.
  private static func isDeep(_ shape: Shape) -> Bool {
    switch shape {
    case .object, .map, .union, .list, .scalar(.json): true
    case .scalar, .enumeration, .named: false
    }
  }

  private static func isList(_ shape: Shape) -> Bool { if case .list = shape { true } else { false } }

  /// The text before a value in the path, as in `{.name}` and `{;name}` of RFC 6570. `nil` for other styles.
  private static func prefix(_ style: String, _ name: String) -> String? {
    switch style {
    case "label": "."
    case "matrix" where name.utf8.allSatisfy(isUnreserved): ";\(name)="
    default: nil
    }
  }

  /// A character that needs no escape in a URL (RFC 3986 §2.3).
  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: [UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~")].contains(byte)
    }
  }

  /// The form of an object of texts that the document's `style` writes as one text (OpenAPI 3.1.1, §4.8.12.6); `nil` if it does
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
        log.warn("the style `\(style)` cannot be expressed in a catalogue; it is sent plain", at: pointer)
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
      log.warn("the style `\(style)` cannot be expressed in a catalogue; the list is separated by commas", at: pointer)
      return .comma
    }
  }

  private func warn(ofCookie name: String, at pointer: String) {
    log.warn("`\(name)` cannot be a cookie's name (RFC 6265 §4.1.1); it is left out", at: pointer)
  }

  /// An object in the query, or in cookies, becomes one parameter for each of its members.
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
        name: member.name, place: place, use: try schemas.texts(of: member.use, at: pointer) ?? member.use,
        isRequired: isRequired && member.isRequired, annotations: member.annotations)
      let shape = try schemas.resolved(parameter.use, at: pointer).shape
      if place == .cookie {
        guard HeaderName.isValid(member.name) else {
          warn(ofCookie: member.name, at: pointer)
          continue
        }
        let element = if case .list(let element) = shape { element } else { parameter.use }
        if try !schemas.isText(element) {
          log.warn("`\(member.name)` is an object, which a cookie cannot be; it is taken as text", at: pointer)
          parameter.use = Use(.scalar(.string))
        }
      } else if try isNested(shape) {
        log.warn(
          "`\(member.name)` may hold objects, and OpenAPI has no form for these inside a parameter; they are written as "
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

  /// Whether a value, or an element of a list, is more complex than a text.
  private func isNested(_ shape: Shape) throws(ImportError) -> Bool {
    guard case .list(let element) = shape else { return Self.isDeep(shape) }
    return try Self.isDeep(schemas.resolved(element, at: "").shape)
  }
}

/// The parameters of an operation, with lookup by name.
private struct ParameterList {
  private(set) var parameters: [ParameterShape] = []
  private var positions: [String: [Int]] = [:]
  private var counter = NameCounter()

  /// The places of the parameters with this name.
  func places(of name: String) -> [Parameter.Place] { positions[name, default: []].map { parameters[$0].place } }

  mutating func append(_ parameter: ParameterShape) {
    positions[parameter.name, default: []].append(parameters.count)
    parameters.append(parameter)
  }

  /// A name that no parameter has.
  mutating func free(_ name: String) -> String {
    counter.free(name) { [positions] in positions[$0] != nil }
  }

  /// Changes the case of a header's name if a parameter in another place has the same one. Names of header fields ignore case (RFC
  /// 9110 §5.1); those of other parameters do not.
  ///
  /// - Returns: Whether there is such a header.
  mutating func separateHeader(from parameter: inout ParameterShape) -> Bool {
    let name = parameter.name
    guard let index = positions[name]?.first else { return false }
    let isHeader = parameter.place == .header
    guard isHeader != (parameters[index].place == .header) else { return false }
    let capitalized = name.split(separator: "-", omittingEmptySubsequences: false).map { Words.capitalized(String($0)) }
      .joined(separator: "-")
    guard let other = [capitalized, name.lowercased(), name.uppercased()].first(where: { positions[$0] == nil }) else {
      return false
    }
    if isHeader {
      parameter.name = other
    } else {
      parameters[index].name = other
      positions[name]?.removeFirst()
      if positions[name] == [] { positions[name] = nil }
      positions[other] = [index]
    }
    return true
  }
}
