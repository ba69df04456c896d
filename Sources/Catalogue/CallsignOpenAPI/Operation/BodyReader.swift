import CallsignCatalogue

/// Reads a `requestBody`.
struct BodyReader {
  let document: OpenAPIDocument
  let schemas: SchemaReader
  let log: ImportLog

  private enum Kind {
    case format(BodyFormat)
    case raw
  }

  func read(_ body: DocumentValue, at place: String, into operation: inout OperationShape) throws(ImportError) {
    let (value, pointer, _) = try document.resolved(body, at: place)
    let content = Pointer.child(pointer, "content")
    let contents = try document.contents(value, at: content)
    guard !contents.isEmpty else {
      log.warn("the request body has no content and is left out", at: pointer)
      return
    }
    warnOfRecords(in: contents, at: content)
    let chosen = try choice(of: try candidates(contents, at: content), of: operation.name, at: pointer)
    let isRequired = value["required"]?.bool == true
    switch chosen.kind {
    case .raw: addRawBody(chosen, isRequired: isRequired, at: pointer, to: &operation)
    case .format(let format): try add(chosen, as: format, isRequired: isRequired, at: content, to: &operation)
    }
  }

  /// A media type of the body, with its description.
  private typealias Candidate = (kind: Kind, name: String, use: Use, value: DocumentValue)

  /// Reports keywords about the separate records or parts of a body.
  private func warnOfRecords(in contents: [DocumentObject.Member], at content: String) {
    for member in contents {
      for keyword in ["itemSchema", "prefixEncoding", "itemEncoding"] where member.value[keyword] != nil {
        log.warn(
          "`\(keyword)` of a request cannot be expressed in a catalogue and is left out",
          at: Pointer.child(content, member.key))
      }
    }
  }

  private func candidates(
    _ contents: [DocumentObject.Member], at content: String
  ) throws(ImportError) -> [Candidate] {
    var candidates: [Candidate] = []
    for member in contents {
      let schema = try member.value["schema"].map { (schema) throws(ImportError) in
        try schemas.use(schema, at: Pointer.child(Pointer.child(content, member.key), "schema"))
      }
      // JSON without a description is still JSON.
      let isJSON = MediaType.isJSON(member.key) && !member.key.hasPrefix("*") && member.value["itemSchema"] == nil
      let unsaid = isJSON ? Use.json : Use(.scalar(.bytes))
      let use = schema ?? unsaid
      candidates.append((kind(of: member.key, use, at: content), member.key, use, member.value))
    }
    return candidates
  }

  /// The media type to send, of at least one. The others are reported.
  private func choice(
    of candidates: [Candidate], of operation: String, at pointer: String
  ) throws(ImportError) -> Candidate {
    var chosen = candidates[0]
    guard candidates.count > 1 else { return chosen }
    let ofJSON = candidates.filter { if case .format(.json) = $0.kind { true } else { false } }
    // The other types describe a special kind of JSON, such as a patch (RFC 6902 §3).
    let json = ofJSON.first { MediaType.name($0.name) == "application/json" } ?? ofJSON.first
    let multipart = candidates.first { if case .format(.multipart) = $0.kind { true } else { false } }
    // Files belong in parts. In JSON they would be base64 text, a third larger and entirely in memory.
    if let multipart, try carriesFile(multipart.use, at: pointer) {
      chosen = multipart
    } else if let json {
      chosen = json
    } else if let format = candidates.first(where: { if case .format = $0.kind { true } else { false } }) {
      chosen = format
    }
    let others = candidates.map(\.name).filter { $0 != chosen.name }
    log.warn(
      "`\(operation)` takes its body as \(chosen.name) or as \(others.joined(separator: " or ")); "
        + "the catalogue has \(chosen.name)", at: Pointer.child(pointer, "content"))
    return chosen
  }

  /// Adds a body that is sent as bytes, and reports what its description says beyond that.
  private func addRawBody(
    _ chosen: Candidate, isRequired: Bool, at pointer: String, to operation: inout OperationShape
  ) {
    let place = Pointer.child(Pointer.child(pointer, "content"), chosen.name)
    if Self.isText(MediaType.name(chosen.name)) {
      log.warn("a body of type \(chosen.name) is sent as bytes", at: place)
    } else if chosen.name.contains("*"), isText(chosen.use, at: pointer) {
      log.note("a text of any type is sent as bytes, as application/octet-stream", at: place)
    } else if isDescribed(chosen.use, at: pointer) {
      log.note("a body of type \(chosen.name) is sent as bytes, whatever its schema says", at: place)
    }
    operation.contentType = Self.special(chosen.name)
    addWholeBody(Use(.scalar(.bytes)), isRequired: isRequired, to: &operation)
  }

  /// Adds a body that is JSON, a form or multipart.
  private func add(
    _ chosen: Candidate, as format: BodyFormat, isRequired: Bool, at content: String,
    to operation: inout OperationShape
  ) throws(ImportError) {
    let place = Pointer.child(content, chosen.name)
    var use = chosen.use
    if format == .json {
      operation.contentType = Self.special(chosen.name)
      use = try jsonBody(chosen, isUsual: operation.contentType == nil, at: content)
    }
    if format == .multipart, !chosen.name.lowercased().hasPrefix("multipart/form-data") {
      log.warn("a body of type \(chosen.name) is sent as multipart/form-data", at: place)
    }
    let encoding = FieldEncoding(of: chosen.value, at: place, document: document, log: log)
    try add(use, as: format, encoding, isRequired: isRequired, at: content, to: &operation)
  }

  /// The use of a JSON body: a text, if the body is JSON that contains bytes in base64.
  ///
  /// - Parameter isUsual: Whether the client would send this media type by default.
  private func jsonBody(_ chosen: Candidate, isUsual: Bool, at content: String) throws(ImportError) -> Use {
    guard try schemas.resolved(chosen.use, at: content).shape == .scalar(.bytes) else { return chosen.use }
    if let schema = chosen.value["schema"], document.isBase64(schema, at: content) {
      log.warn("the body is JSON, a text in base64, which the caller has to write", at: content)
      return Use(.scalar(.string))
    }
    if isUsual {
      // Usually it is a file, in an API whose document names a single type for all bodies.
      log.note("the body is bytes, and is sent as application/octet-stream", at: content)
    }
    return chosen.use
  }

  /// Completes an operation whose fields are listed among its parameters, as in Swagger 2.0.
  func readForm(into operation: inout OperationShape) {
    operation.body = .form
    for index in operation.parameters.indices where operation.parameters[index].place == .field {
      guard let file = try? filed(operation.parameters[index].use, at: operation.pointer) else { continue }
      operation.parameters[index].use = file
      operation.body = .multipart
    }
  }

  private func kind(of mediaType: String, _ use: Use, at pointer: String) -> Kind {
    let name = MediaType.name(mediaType)
    // A text of any type is sent as the caller wrote it. In quotes, it would be a different text.
    if name == "*/*", isText(use, at: pointer) { return .raw }
    if MediaType.isJSON(mediaType) { return .format(.json) }
    if name == "application/x-www-form-urlencoded" { return .format(.form) }
    if name.hasPrefix("multipart/") { return .format(.multipart) }
    return .raw
  }

  /// A media type that the client would not send by default; `nil` for the usual ones, and for names of more than one type.
  private static func special(_ name: String) -> String? {
    let type = MediaType.name(name)
    guard MediaType.isValid(name), !type.contains("*"),
      !["application/json", "application/octet-stream"].contains(type) || MediaType.hasParameters(name)
    else { return nil }
    return name
  }

  private static func isText(_ mediaType: String) -> Bool {
    mediaType.hasPrefix("text/") || MediaType.isXML(mediaType) || ResponseType.lines.contains(mediaType)
  }

  private func isText(_ use: Use, at pointer: String) -> Bool {
    (try? schemas.resolved(use, at: pointer))?.shape == .scalar(.string)
  }

  /// Whether a schema says more about a body than that it is bytes.
  private func isDescribed(_ use: Use, at pointer: String) -> Bool {
    switch (try? schemas.resolved(use, at: pointer))?.shape {
    case .object?, .list?, .union?, .enumeration?: true
    default: false
    }
  }

  private func carriesFile(_ use: Use, at pointer: String) throws(ImportError) -> Bool {
    guard case .object(let object) = try schemas.resolved(use, at: pointer).shape else { return false }
    for member in object.members {
      if try filed(member.use, at: pointer) != nil { return true }
    }
    return false
  }

  /// The use as a file part, if it is binary. A part either exists or not; it is never null.
  private func filed(_ use: Use, at pointer: String) throws(ImportError) -> Use? {
    var known: [String: Use?] = [:]
    return try filed(use, at: pointer, &known)
  }

  /// - Parameter known: The results for named schemas. Each schema is read once; one that contains itself is not a file.
  private func filed(_ use: Use, at pointer: String, _ known: inout [String: Use?]) throws(ImportError) -> Use? {
    guard case .named(let name) = use.shape else { return try filedContent(of: use, at: pointer, &known) }
    if let result = known[name] { return result }
    known[name] = .some(nil)
    let result = try filedContent(of: use, at: pointer, &known)
    known[name] = .some(result)
    return result
  }

  private func filedContent(
    of use: Use, at pointer: String, _ known: inout [String: Use?]
  ) throws(ImportError) -> Use? {
    switch try schemas.resolved(use, at: pointer).shape {
    case .scalar(.bytes): return Use(.scalar(.file))
    case .union(let union):
      let files = try union.variants.map { (variant) throws(ImportError) in
        try filed(variant.use, at: pointer, &known)
      }
      guard files.contains(where: { $0 != nil }) else { return nil }
      if files.contains(where: { $0 == nil }) {
        log.warn(
          "a part is a file or something else, which the caller writes: a `FilePart` of its media type, such as "
            + "application/json", at: pointer)
      }
      // A list with one file becomes a file, because each is a part.
      let list = files.compactMap { $0 }.last { if case .list = $0.shape { true } else { false } }
      guard let list else { return Use(.scalar(.file)) }
      return Use(list.shape, constraints: Constraints(maximum: list.constraints.maximum))
    case .list(let element):
      guard let file = try filed(element, at: pointer, &known) else { return nil }
      return Use(.list(file), constraints: use.constraints)
    default: return nil
    }
  }

  /// The format that the catalogue reader assumes: one parameter is the whole body, and an explicit media type says that it is
  /// JSON.
  private static func formatOfWholeBody(_ operation: OperationShape) -> BodyFormat? {
    operation.contentType == nil ? nil : .json
  }

  private func addWholeBody(_ use: Use, isRequired: Bool, to operation: inout OperationShape) {
    var name = "body"
    while operation.parameters.contains(where: { $0.name == name }) { name = "request_" + name }
    operation.parameters.append(ParameterShape(name: name, place: .body, use: use, isRequired: isRequired))
  }

  private func add(
    _ use: Use, as format: BodyFormat, _ encoding: FieldEncoding, isRequired: Bool, at pointer: String,
    to operation: inout OperationShape
  ) throws(ImportError) {
    let resolved = try schemas.resolved(use, at: pointer)
    operation.body = format
    var shape = resolved.shape
    if format == .multipart, case .union(let union) = shape, let object = joined(union, at: pointer) {
      log.note(
        "the body is one of several objects; what not all of them need are fields that may be left out", at: pointer)
      shape = .object(object)
    }
    let members: ObjectShape
    switch shape {
    case .object(let object): members = object
    // A required body that is only known to be "an object" becomes an empty object.
    case .map(.json) where format == .json && operation.hasEmptyBody(use): members = ObjectShape()
    default:
      addUndivided(use, as: format, isRequired: isRequired, at: pointer, to: &operation)
      return
    }
    var taken = Set(operation.parameters.map(\.name))
    let clash = members.members.first { taken.contains($0.name) }
    if format == .json, members.extra != nil || clash != nil || resolved.isNullable {
      let reason =
        clash.map { "`\($0.name)` is a parameter and a member of the body" }
        ?? (resolved.isNullable ? "the body may be null" : "the body may have members of any name")
      log.warn("\(reason), so the whole body is one parameter of `\(operation.name)`", at: pointer)
      addUndivided(use, as: format, isRequired: isRequired, at: pointer, to: &operation)
      return
    }
    for member in members.members.filter({ taken.contains($0.name) }) where operation.renamePathParameter(member.name) {
      log.note("`\(member.name)` is in the path and in the body; the path's has another name", at: pointer)
    }
    if format != .json, members.extra != nil {
      log.warn("the body may have fields of any name, which are left out", at: pointer)
    }
    if !isRequired, members.members.contains(where: \.isRequired) {
      log.note("the body may be left out whole, its required members not one by one; they are required", at: pointer)
    }
    taken = Set(operation.parameters.map(\.name))
    let names = taken.union(members.members.map(\.name))
    var parts: [Part] = []
    for member in members.members {
      if member.annotations.isReadOnly {
        log.note("`\(member.name)` is only read, and so no parameter", at: pointer)
        continue
      }
      let part = try add(
        member, clashes: taken.contains(member.name), names, as: format, encoding, isBodyRequired: isRequired,
        at: pointer, to: &operation)
      if let part { parts.append(part) }
    }
    operation.isBodyRequired = isRequired
    encoding.note(partsNamed: parts)
    if format != .json { encoding.noteUnsaid(fields: Set(members.members.map(\.name))) }
    operation.rules += members.rules
    if case .named(let pointer) = use.shape { operation.bodySchema = pointer }
  }

  /// Adds a body as one parameter: JSON of any kind, and everything else as bytes.
  private func addUndivided(
    _ use: Use, as format: BodyFormat, isRequired: Bool, at pointer: String, to operation: inout OperationShape
  ) {
    if format == .json {
      operation.body = Self.formatOfWholeBody(operation)
      addWholeBody(use, isRequired: isRequired, to: &operation)
    } else {
      let type = format == .form ? "" : ", of type application/octet-stream"
      log.warn("a \(format.rawValue) body that is not an object is sent as bytes\(type)", at: pointer)
      operation.body = nil
      if format == .form { operation.contentType = "application/x-www-form-urlencoded" }
      addWholeBody(Use(.scalar(.bytes)), isRequired: isRequired, to: &operation)
    }
  }

  /// A part of a multipart body with an encoding that the document may describe.
  private typealias Part = (name: String, isFile: Bool, isJSON: Bool)

  /// Adds a member of a body as a parameter.
  ///
  /// - Parameters:
  ///   - clashes: Whether a parameter has its name.
  ///   - names: The names of parameters and members.
  /// - Returns: The part for the member; `nil` in other formats, and if its encoding has already been reported.
  private func add(
    _ member: Member, clashes: Bool, _ names: Set<String>, as format: BodyFormat, _ encoding: FieldEncoding,
    isBodyRequired: Bool, at pointer: String, to operation: inout OperationShape
  ) throws(ImportError) -> Part? {
    var member = member
    let file = format == .multipart ? try filePart(member, encoding, at: pointer) : nil
    if format != .json, file == nil, let texts = try schemas.texts(of: member.use, at: pointer) { member.use = texts }
    let isList = try isList(file ?? member.use, at: pointer)
    var parameter = ParameterShape(
      name: member.name, place: .field, use: file ?? member.use, isRequired: member.isRequired,
      listStyle: format == .json || !isList ? .comma : Self.listStyle(member, encoding),
      annotations: member.annotations)
    if clashes {
      parameter.wireName = member.name
      parameter.name = "field_\(member.name)".counted(while: names.contains)
      log.note(
        "`\(member.name)` is a parameter and a member of the body; the body's is called `\(parameter.name)`",
        at: pointer)
    }
    // A required member with a single possible value is not a choice.
    if isBodyRequired, member.isRequired, !member.use.isNullable, case .enumeration(let values) = member.use.shape,
      values.values.count == 1, !values.isExtensible
    {
      parameter.constant = values.values[0]
      parameter.use = Use(.scalar(values.scalar))
    }
    var isJSON = false
    if format != .json, file == nil, let style = try objectStyle(member, format, encoding, at: pointer) {
      isJSON = style.object == .json
      parameter.objectStyle = style.object
      parameter.listStyle = isJSON && isList ? .repeat : style.list
    }
    operation.parameters.append(parameter)
    // The body that the caller writes has already been reported.
    let isWritten = try isNested(member.use, at: pointer) && file != nil
    guard format == .multipart, !isWritten || !encoding.isForeign(member.name) else { return nil }
    return (member.name, file != nil, isJSON)
  }

  /// The members of all alternatives of a body, if these are objects; `nil` for others. A member that every alternative requires is
  /// required.
  private func joined(_ union: UnionShape, at pointer: String) -> ObjectShape? {
    var seen: Set<String> = []
    guard let objects = self.objects(among: union, at: pointer, &seen) else { return nil }
    var result = ObjectShape()
    var positions: [String: Int] = [:]
    /// How many alternatives require each member.
    var needs: [Int] = []
    for object in objects {
      if result.extra == nil { result.extra = object.extra }
      for member in object.members {
        if let index = positions[member.name] {
          result.members[index].use = Self.either(result.members[index].use, member.use)
          result.members[index].annotations = result.members[index].annotations.joined(with: member.annotations)
          needs[index] += member.isRequired ? 1 : 0
        } else {
          positions[member.name] = result.members.count
          result.members.append(member)
          needs.append(member.isRequired ? 1 : 0)
        }
      }
    }
    for index in result.members.indices { result.members[index].isRequired = needs[index] == objects.count }
    return result.members.isEmpty ? nil : result
  }

  /// The alternatives, with nested unions expanded; `nil` if one is not an object.
  private func objects(
    among union: UnionShape, at pointer: String, _ seen: inout Set<String>
  ) -> [ObjectShape]? {
    var result: [ObjectShape] = []
    for variant in union.variants {
      // An alternative that is the union itself, or a repeated one, adds nothing.
      if case .named(let name) = variant.use.shape, !seen.insert(name).inserted { continue }
      switch (try? schemas.resolved(variant.use, at: pointer))?.shape {
      case .object(let object)?: result.append(object)
      case .union(let inner)?:
        guard let others = objects(among: inner, at: pointer, &seen) else { return nil }
        result += others
      default: return nil
      }
    }
    return result
  }

  /// A use for the values of both.
  private static func either(_ first: Use, _ second: Use) -> Use {
    if first == second { return first }
    let isNullable = first.isNullable || second.isNullable
    if first.shape == second.shape { return Use(first.shape, isNullable: isNullable) }
    if case .enumeration(var sum) = first.shape, case .enumeration(let other) = second.shape,
      sum.isInteger == other.isInteger
    {
      let known = Set(sum.values)
      sum.values += other.values.filter { !known.contains($0) }
      sum.names.merge(other.names) { old, _ in old }
      sum.summaries.merge(other.summaries) { old, _ in old }
      sum.isClosed = sum.isClosed && other.isClosed
      sum.isExtensible = sum.isExtensible || other.isExtensible
      return Use(.enumeration(sum), isNullable: isNullable)
    }
    let variants = [first, second].map { UnionShape.Variant(use: $0) }
    return Use(.union(UnionShape(tag: nil, variants: variants)), isNullable: isNullable)
  }

  /// The member as a file part, if it is binary or in a format that the client cannot write.
  private func filePart(_ member: Member, _ encoding: FieldEncoding, at pointer: String) throws(ImportError) -> Use? {
    if let file = try filed(member.use, at: pointer) {
      if member.annotations.isBase64 {
        log.note("`\(member.name)` is base64 in the document; it is sent as a file, byte for byte", at: pointer)
      }
      return file
    }
    switch try schemas.resolved(member.use, at: pointer).shape {
    case .scalar(.json) where encoding.isBinary(member.name): return Use(.scalar(.file))
    case .list(let element) where encoding.isBinary(member.name):
      guard try schemas.resolved(element, at: pointer).shape == .scalar(.json) else { break }
      return Use(.list(Use(.scalar(.file))))
    default: break
    }
    guard encoding.isForeign(member.name), try isNested(member.use, at: pointer) else { return nil }
    log.warn(
      "`\(member.name)` is an object that is sent as \(encoding.mediaTypes(of: member.name).joined(separator: " or ")), which "
        + "cannot be expressed in a catalogue; it is a file that the caller writes, a `FilePart` of that type",
      at: pointer)
    return Use(.scalar(.file))
  }

  /// The style of a member that is neither a text nor a list of texts: brackets, separate members of the form, or one text, if the
  /// document says so; otherwise JSON, with the elements of a list one after the other (OpenAPI 3.1.1, §4.8.14.1 and §4.8.15.1.2).
  private func objectStyle(
    _ member: Member, _ format: BodyFormat, _ encoding: FieldEncoding, at pointer: String
  ) throws(ImportError) -> (object: Parameter.ObjectStyle, list: Parameter.ListStyle)? {
    let shape = try schemas.resolved(member.use, at: pointer).shape
    if shape == .scalar(.json), encoding.mediaTypes(of: member.name).contains(where: MediaType.isJSON) {
      return (.json, .comma)
    }
    guard try isNested(member.use, at: pointer) else { return nil }
    guard let own = encoding[member.name] else { return (.json, .comma) }
    if format == .multipart { return partStyle(member, own, at: pointer) }
    if encoding.isForeign(member.name) { return nil }
    guard own["contentType"] == nil else { return (.json, .comma) }
    let style = own["style"]?.string
    if style == "deepObject" { return (.brackets, .indexed) }
    guard style != nil || own["explode"] != nil else { return (.json, .comma) }
    switch shape {
    case .object, .map: break
    default: return (.json, .comma)
    }
    if own["explode"]?.bool ?? (style == "form") {
      return style ?? "form" == "form" ? (.members, .repeat) : (.json, .comma)
    }
    guard try schemas.isFlat(shape) else { return (.json, .comma) }
    switch style {
    case "form", nil: return (.flat, .comma)
    case "spaceDelimited": return (.flat, .space)
    case "pipeDelimited": return (.flat, .pipe)
    default: return (.json, .comma)
    }
  }

  /// The style of an object in parts. Documents before OpenAPI 3.1 that say `deepObject` mean it, although their version has no
  /// styles for parts; other styles are mostly what a generator writes for every part.
  private func partStyle(
    _ member: Member, _ own: DocumentValue, at pointer: String
  ) -> (object: Parameter.ObjectStyle, list: Parameter.ListStyle) {
    guard own["contentType"] == nil else { return (.json, .comma) }
    if own["style"]?.string == "deepObject" { return (.brackets, .indexed) }
    if document.stylesParts, own["style"] != nil || own["explode"] != nil {
      let style = own["style"]?.string.map { "`style: \($0)`" } ?? "`explode`"
      log.warn(
        "`\(member.name)` is an object in parts, sent as one part of JSON whatever its \(style) says", at: pointer)
    }
    return (.json, .comma)
  }

  private func isNested(_ use: Use, at pointer: String) throws(ImportError) -> Bool {
    var seen: Set<String> = []
    return try isNested(use, at: pointer, &seen)
  }

  /// - Parameter seen: The named schemas that were already examined and are not nested.
  private func isNested(
    _ use: Use, at pointer: String, _ seen: inout Set<String>
  ) throws(ImportError) -> Bool {
    if case .named(let name) = use.shape, !seen.insert(name).inserted { return false }
    switch try schemas.resolved(use, at: pointer).shape {
    case .object, .map: return true
    case .union(let union):
      for variant in union.variants where try isNested(variant.use, at: pointer, &seen) { return true }
      return false
    case .list(let element):
      switch try schemas.resolved(element, at: pointer).shape {
      case .object, .map, .list: return true
      default: return false
      }
    case .scalar, .enumeration, .named: return false
    }
  }

  private func isList(_ use: Use, at pointer: String) throws(ImportError) -> Bool {
    if case .list = try schemas.resolved(use, at: pointer).shape { true } else { false }
  }

  private static func listStyle(_ member: Member, _ encoding: FieldEncoding) -> Parameter.ListStyle {
    switch encoding[member.name]?["style"]?.string {
    case "spaceDelimited": return .space
    case "pipeDelimited": return .pipe
    // OpenAPI does not define this for lists; authors who write it mean brackets, as for objects.
    case "deepObject": return .indexed
    default: return encoding[member.name]?["explode"]?.bool == false ? .comma : .repeat
    }
  }
}

extension OperationShape {
  /// Whether a body is only "an object", under a name that the document made up for it.
  fileprivate func hasEmptyBody(_ use: Use) -> Bool {
    if case .named(let pointer) = use.shape {
      Pointer.lastName(of: pointer).lowercased().hasPrefix(name.lowercased())
    } else {
      false
    }
  }
}
