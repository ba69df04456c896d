import CallsignCatalogue

/// Converts the document's schemas to shapes.
final class SchemaReader {
  let document: OpenAPIDocument
  let log: ImportLog
  /// The named schemas, by pointer.
  private(set) var components: [String: Use] = [:]
  /// The pointers of named schemas, in the document's order.
  private(set) var componentOrder: [String] = []
  private var isOrdered: Set<String> = []
  /// The final targets of references between named schemas, by schema, as far as they have been followed.
  private var ends: [String: Use] = [:]
  /// Named schemas that others extend through `allOf` and that a member distinguishes.
  private(set) var discriminators: [String: Discriminator] = [:]
  /// For each of these schemas, the schemas that extend it.
  private(set) var extensions: [String: [String]] = [:]
  /// Members that only repeat the tag of the union that contains their object: (object's pointer, member).
  var tagMembers: [String: Set<String>] = [:]
  /// Tag values that select schemas although the schemas do not list them.
  var tagValues: [MemberPlace: [String]] = [:]
  /// The values that members of named schemas can have, cached on demand.
  var memberValues: [MemberPlace: [String]?] = [:]
  /// Whether named schemas have a flag, such as `readOnly`, cached on demand.
  private var markedSchemas: [MemberPlace: Bool] = [:]
  /// The schemas of enums that other text can replace in some places, with these places.
  var openPlaces: [String: [String]] = [:]

  private var reading: Set<String> = []
  private var current: String?
  private var inlineReferences: Set<String> = []
  /// The number of schemas read for references to unnamed schemas, which are read again at each place.
  private var inlineCount = 0
  private lazy var maximumInlined = max(20_000, 4 * document.root.count)
  /// The number of members that were read, and the size of what was merged into other objects.
  private var memberCount = 0
  private var mergedSize = 0
  private var depth = 0
  /// Whether the document describes the records of a stream.
  private lazy var hasRecords = document.root.contains(key: "itemSchema")
  /// The names of schemas, by their lowercase form.
  private lazy var schemasByName = Dictionary(
    (document.root["components"]?["schemas"]?.object?.members ?? []).map { ($0.key.lowercased(), $0.key) }
  ) { first, _ in first }
  /// How deeply one schema can nest, and how many named schemas may be needed to understand one.
  private static let maximumDepth = 100
  static let maximumChain = 200

  struct Discriminator {
    let member: String
    let mapping: [(tag: String, target: String)]
    /// The tags that are mapped to each schema.
    let tags: [String: [String]]

    init(member: String, mapping: [(tag: String, target: String)]) {
      self.member = member
      self.mapping = mapping
      tags = Dictionary(grouping: mapping) { $0.target }.mapValues { $0.map(\.tag) }
    }
  }

  init(_ document: OpenAPIDocument, log: ImportLog) {
    self.document = document
    self.log = log
  }

  /// Reads every schema under `#/components/schemas`, so that all extensions of a schema are known.
  func readComponents() throws(ImportError) {
    for member in document.root["components"]?["schemas"]?.object?.members ?? [] {
      _ = try component(Pointer.child("#/components/schemas", member.key), referredFrom: "#")
    }
    for pointer in componentOrder {
      let target = try log.repairing("it is taken as any JSON", at: pointer) { () throws(ImportError) in
        try resolved(Use(.named(pointer)), at: pointer)
      }
      if target == nil { components[pointer] = .json }
    }
    components.merge(try polymorphic()) { $1 }
    ends = [:]
  }

  // MARK: Named schemas

  /// The named schema at a pointer. It is read on the first request.
  func component(_ pointer: String, referredFrom place: String) throws(ImportError) -> Use {
    if let use = components[pointer] { return use }
    let value = try document.value(at: pointer, referredFrom: place)
    if reading.contains(pointer) { throw .reference("`\(pointer)` contains itself through `allOf`", at: place) }
    if reading.count >= Self.maximumChain { throw .tooDeep(at: pointer) }
    reading.insert(pointer)
    let outer = (current, depth)
    current = pointer
    depth = 0
    defer {
      reading.remove(pointer)
      (current, depth) = outer
    }
    if isOrdered.insert(pointer).inserted { componentOrder.append(pointer) }
    let use = try self.use(value, at: pointer)
    components[pointer] = use
    return use
  }

  /// A use with named schemas resolved.
  func resolved(_ use: Use, at place: String) throws(ImportError) -> Use {
    var steps: [(pointer: String, use: Use)] = []
    var visited: Set<String> = []
    var last = use
    while case .named(let pointer) = last.shape {
      if let end = ends[pointer] {
        last = Self.joined(last, end)
        break
      }
      guard visited.insert(pointer).inserted else {
        throw .reference("`\(pointer)` refers to itself", at: place)
      }
      steps.append((pointer, last))
      last = try component(pointer, referredFrom: place)
    }
    // Later requests for a schema in a long chain do not follow the chain again.
    for step in steps.reversed() {
      ends[step.pointer] = last
      last = Self.joined(step.use, last)
    }
    return last
  }

  /// A reference to a schema, combined with the schema's own facts.
  private static func joined(_ use: Use, _ target: Use) -> Use {
    var result = target
    result.isNullable = use.isNullable || target.isNullable
    if use.constraints != Constraints() { result.constraints = use.constraints }
    return result
  }

  /// Gives an unnamed schema a name, through a pointer.
  ///
  /// - Returns: The use that refers to it by that name.
  func name(_ use: Use, at pointer: String) -> Use {
    if isOrdered.insert(pointer).inserted { componentOrder.append(pointer) }
    components[pointer] = Use(use.shape, constraints: use.constraints)
    return Use(.named(pointer), isNullable: use.isNullable)
  }

  /// Whether the use refers to a named schema that is still being read.
  func isBeingRead(_ use: Use) -> Bool {
    if case .named(let pointer) = use.shape { reading.contains(pointer) } else { false }
  }

  private static func isNamed(_ pointer: String) -> Bool {
    let tokens = pointer.split(separator: "/", omittingEmptySubsequences: false)
    guard tokens.count >= 3, let last = tokens.last, !last.isEmpty else { return false }
    let folder = tokens[tokens.count - 2]
    return isComponent(pointer) || folder == "$defs" || folder == "definitions"
      // A file is a schema, or contains named schemas.
      || pointer.hasPrefix("#/x-files/") && (folder == "schemas" || tokens.count <= 4)
  }

  private static func isComponent(_ pointer: String) -> Bool {
    pointer.hasPrefix("#/components/schemas/") && pointer.filter { $0 == "/" }.count == 3
  }

  func reference(_ pointer: String, at place: String) throws(ImportError) -> Use {
    if Self.isNamed(pointer) {
      _ = try document.value(at: pointer, referredFrom: place)
      // Schemas outside the top level of `components` are read only here.
      if components[pointer] == nil, !reading.contains(pointer), !Self.isComponent(pointer) {
        _ = try component(pointer, referredFrom: place)
      }
      return Use(.named(pointer))
    }
    guard inlineReferences.insert(pointer).inserted else {
      throw .reference("`\(pointer)` contains itself; give it a name under #/components/schemas", at: place)
    }
    defer { inlineReferences.remove(pointer) }
    return try use(try document.value(at: pointer, referredFrom: place), at: pointer)
  }

  /// Counts the size of what is merged into another object, because a few schemas can merge the same ones any number of times.
  func countMerged(_ size: Int, at place: String) throws(ImportError) {
    mergedSize += size
    if mergedSize > max(200_000, 20 * memberCount) {
      throw .invalid("the document's `allOf`s multiply its members to many times their number", at: place)
    }
  }

  // MARK: Shapes

  /// Whether a value has members, none of which have members themselves.
  func isFlat(_ shape: Shape) throws(ImportError) -> Bool {
    switch shape {
    case .object(let object):
      for member in object.members where try !isText(member.use) { return false }
      if let extra = object.extra { return try isText(extra) }
      return !object.members.isEmpty
    case .map(let element): return try isText(element)
    default: return false
    }
  }

  func isText(_ use: Use) throws(ImportError) -> Bool {
    switch try resolved(use, at: "").shape {
    case .scalar(let scalar): ![.bytes, .base64URL, .json, .file].contains(scalar)
    case .enumeration: true
    default: false
    }
  }

  /// Texts, for a value that is a text or a list of texts: a list with one element is sent as the element. `nil` for other values.
  func texts(of use: Use, at place: String) throws(ImportError) -> Use? {
    guard case .union(let union) = try resolved(use, at: place).shape else { return nil }
    var elements: [Use] = []
    var known: Set<Use> = []
    var constraints: Constraints?
    for variant in union.variants {
      var element = variant.use
      let resolved = try resolved(element, at: place)
      if case .list(let inner) = resolved.shape {
        constraints = Constraints(maximum: resolved.constraints.maximum)
        element = inner
      }
      guard try isText(element) else { return nil }
      element.isNullable = false
      if known.insert(element).inserted { elements.append(element) }
    }
    guard let constraints, let first = elements.first else { return nil }
    let isCommon = elements.allSatisfy { $0.shape == first.shape }
    let element = elements.count == 1 ? first : Use(isCommon ? first.shape : .scalar(.string))
    return Use(.list(element), constraints: constraints)
  }

  // MARK: Any schema

  /// Reads a schema. Facts that the catalogue cannot express become warnings. Something that is not a schema, or that refers to
  /// nothing, becomes any JSON.
  ///
  /// - Throws: ``ImportError`` for a broken schema, if the import is strict.
  func use(_ schema: DocumentValue, at pointer: String) throws(ImportError) -> Use {
    try log.repairing("it is taken as any JSON", at: pointer) { () throws(ImportError) in
      try read(schema, at: pointer)
    } ?? .json
  }

  private func read(_ schema: DocumentValue, at pointer: String) throws(ImportError) -> Use {
    if case .bool(let isAnything) = schema {
      if !isAnything { log.warn("a schema that nothing fits is taken as any JSON", at: pointer) }
      return .json
    }
    guard case .object = schema else { throw .invalid("a schema must be an object", at: pointer) }
    depth += 1
    defer { depth -= 1 }
    if depth > Self.maximumDepth { throw .tooDeep(at: pointer) }
    if !inlineReferences.isEmpty {
      inlineCount += 1
      if inlineCount > maximumInlined { throw .tooDeep(at: pointer) }
    }

    if let target = schema["$ref"] {
      guard let target = target.string else { throw .invalid("`$ref` must be a string", at: pointer) }
      var use =
        try saysMore(schema)
        ? composed(schema["allOf"]?.list ?? [], siblings: schema, types: [], at: pointer)
        : reference(target, at: pointer)
      if schema["nullable"]?.bool == true { use.isNullable = true }
      return use
    }
    var schema = try withMeantKeywords(try document.wholeSchema(schema, at: pointer), at: pointer)
    var types = try types(of: &schema, at: pointer)
    let isNullable = schema["nullable"]?.bool == true || types.contains("null")
    let hadTypes = !types.isEmpty
    types.removeAll { $0 == "null" }
    if hadTypes, types.isEmpty { return onlyNull(at: pointer) }

    warnOfUnsaid(in: schema, types: types, at: pointer)
    warnOfMisplaced(in: schema, types: types, at: pointer)
    var use: Use
    if let parts = schema["allOf"]?.list, !parts.isEmpty {
      use = try composed(parts, siblings: schema, types: types, at: pointer)
    } else if let alternatives = try self.alternatives(of: schema, types: types, at: pointer) {
      use = alternatives
    } else {
      use = try plain(schema, types: types, at: pointer)
    }
    if isNullable { use.isNullable = true }
    return use
  }

  /// The use of a schema that allows only null.
  func onlyNull(at pointer: String) -> Use {
    log.count("a value that can only be null is taken as any JSON", at: pointer)
    return Use(.scalar(.json), isNullable: true)
  }

  private func warnOfUnsaid(in schema: DocumentValue, types: [String], at pointer: String) {
    if schema["default"]?.object?.members.isEmpty == false {
      log.count("a default that is an object cannot be expressed in a catalogue", at: pointer)
    }
    for keyword in ["uniqueItems", "multipleOf", "minProperties", "maxProperties", "contains"]
    where schema[keyword] != nil && schema[keyword] != .bool(false) {
      log.countUnsaid(keyword: keyword, at: pointer)
    }
    for keyword in [
      "not", "if", "patternProperties", "propertyNames", "dependentSchemas", "dependentRequired",
      "unevaluatedProperties", "unevaluatedItems", "xml",
    ] where schema[keyword] != nil && schema[keyword] != .bool(false) {
      log.warn("`\(keyword)` cannot be expressed in a catalogue and is left out", at: pointer)
    }
    if schema["prefixItems"] != nil, !isReadAsList(schema, types: types) {
      log.warn("`prefixItems` cannot be expressed in a catalogue and is left out", at: pointer)
    }
  }

  /// Whether ``element(ofArray:at:)`` reads the `prefixItems` of a schema.
  private func isReadAsList(_ schema: DocumentValue, types: [String]) -> Bool {
    let others = ["allOf", "oneOf", "anyOf", "enum", "const"]
    guard others.allSatisfy({ schema[$0] == nil }), !hasMembersOfElements(schema) else { return false }
    if !types.isEmpty { return types.contains("array") }
    return schema["items"] != nil && schema["properties"] == nil && schema["additionalProperties"] == nil
  }

  /// A schema without `allOf`, `oneOf` and `anyOf`.
  func plain(_ schema: DocumentValue, types: [String], at pointer: String) throws(ImportError) -> Use {
    if let use = enumeration(schema, types: types, at: pointer) { return use }
    if types.count > 1 {
      var variants: [UnionShape.Variant] = []
      for type in types { variants.append(.init(use: try typed(schema, type, at: pointer))) }
      return Use(.union(UnionShape(tag: nil, variants: variants)))
    }
    if let type = types.first { return try typed(schema, type, at: pointer) }
    if schema["properties"] != nil || schema["additionalProperties"] != nil {
      return try typed(schema, "object", at: pointer)
    }
    if schema["items"] != nil { return try typed(schema, "array", at: pointer) }
    return .json
  }

  private func typed(_ schema: DocumentValue, _ type: String, at pointer: String) throws(ImportError) -> Use {
    switch type {
    case "string": return try string(schema, at: pointer)
    case "integer" where Self.dates[schema["format"]?.string ?? ""] != nil:
      return Use(.scalar(.date(Self.dates[schema["format"]?.string ?? ""] ?? .seconds)))
    case "number" where schema["format"]?.string == "decimal":
      return Use(
        .scalar(.decimal(isText: false)), constraints: constraints(ofNumber: schema, isWhole: false, at: pointer))
    case "integer":
      // The upper half of its values exceeds `int`.
      if ["uint64", "ulong"].contains(schema["format"]?.string) {
        var bounds = constraints(ofNumber: schema, isWhole: true, at: pointer)
        if bounds.minimum == "0" { bounds.minimum = nil }
        return Use(.scalar(.uint64), constraints: bounds)
      }
      return Use(.scalar(.int), constraints: constraints(ofInteger: schema, at: pointer))
    case "number":
      if let format = schema["format"]?.string, !["float", "double"].contains(format) {
        log.countUnsaid(keyword: "format: \(format)", at: pointer)
      }
      return Use(.scalar(.number), constraints: constraints(ofNumber: schema, isWhole: false, at: pointer))
    case "boolean": return Use(.scalar(.bool))
    case "array":
      return Use(
        .list(try element(ofArray: schema, at: pointer)), constraints: constraints(ofList: schema, at: pointer))
    case "object": return try object(schema, at: pointer)
    default: throw .invalid("`\(type)` is not a type of JSON Schema", at: pointer)
    }
  }

  /// The note for a list whose elements, according to `prefixItems`, have no common type.
  private static let mixedElements =
    "a list cannot have elements of several types by their place (`prefixItems`) in a catalogue; they are any JSON"

  private func element(ofArray schema: DocumentValue, at pointer: String) throws(ImportError) -> Use {
    if hasMembersOfElements(schema) {
      log.warn("an array has no members; they are taken as those of its elements", at: pointer)
      return try object(schema, at: pointer)
    }
    let first = schema["prefixItems"]?.list ?? []
    guard let items = schema["items"] else {
      if !first.isEmpty { log.warn(Self.mixedElements, at: pointer) }
      return .json
    }
    let place = Pointer.child(pointer, "items")
    if first.isEmpty { return try use(items, at: place) }
    // `items` describes the elements after those of `prefixItems`; `false` means that there are none.
    var uses: [Use] = []
    for (index, element) in first.enumerated() {
      uses.append(try use(element, at: Pointer.child(Pointer.child(pointer, "prefixItems"), String(index))))
    }
    if items != .bool(false) { uses.append(try use(items, at: place)) }
    guard let common = uses.first, uses.allSatisfy({ $0.shape == common.shape }) else {
      log.warn(Self.mixedElements, at: pointer)
      return .json
    }
    return uses.allSatisfy { $0 == common }
      ? common : Use(common.shape, isNullable: uses.contains { $0.isNullable })
  }

  /// Formats of whole numbers that are dates.
  private static let dates: [String: DateFormat] = [
    "unix-time": .seconds, "unixtime": .seconds, "unix-timestamp": .seconds, "unix-time-seconds": .seconds,
    "unix-time-ms": .milliseconds, "unix-time-milliseconds": .milliseconds,
  ]

  private func string(_ schema: DocumentValue, at pointer: String) throws(ImportError) -> Use {
    if let content = try content(of: schema, at: pointer) { return content }
    guard let format = schema["format"]?.string else {
      return Use(.scalar(.string), constraints: constraints(ofText: schema, at: pointer))
    }
    // A pattern may require digits, such as those of whole cents, that a decimal number does not keep.
    guard let scalar = Self.scalar(ofFormat: format), format != "decimal" || schema["pattern"] == nil else {
      log.countUnsaid(keyword: "format: \(format)", at: pointer)
      return Use(.scalar(.string), constraints: constraints(ofText: schema, at: pointer))
    }
    // The type is no longer a string.
    for keyword in ["minLength", "maxLength", "pattern"] where schema[keyword] != nil {
      log.countUnsaid(keyword: "\(keyword) (beside format: \(format))", at: pointer)
    }
    var use = Use(.scalar(scalar))
    use.isBinary = format == "binary"
    return use
  }

  /// The type of strings with a format.
  private static func scalar(ofFormat format: String) -> Scalar? {
    switch format {
    case "date-time", "google-datetime": .date(.rfc3339)
    case "date": .date(.day)
    case "binary", "byte", "base64": .bytes
    case "base64url": .base64URL
    case "uuid", "guid": .uuid
    case "uri", "url": .url
    case "decimal": .decimal(isText: true)
    case "duration": .duration(.iso8601)
    case "google-duration": .duration(.protobuf)
    default: nil
    }
  }

  private func constraints(ofText schema: DocumentValue, at pointer: String) -> Constraints {
    ordered(
      Constraints(
        minimum: Self.bound(schema["minLength"]), maximum: Self.bound(schema["maxLength"]),
        pattern: pattern(of: schema, at: pointer)), at: pointer)
  }

  private func constraints(ofList schema: DocumentValue, at pointer: String) -> Constraints {
    ordered(
      Constraints(minimum: Self.bound(schema["minItems"]), maximum: Self.bound(schema["maxItems"])), at: pointer)
  }

  /// The bounds that a schema without a type sets for a value of the shape.
  func constraints(of schema: DocumentValue, for shape: Shape, at pointer: String) -> Constraints {
    switch shape {
    case .scalar(.string): constraints(ofText: schema, at: pointer)
    case .scalar(.int): constraints(ofInteger: schema, at: pointer)
    case .scalar(.number), .scalar(.decimal(isText: false)): constraints(ofNumber: schema, isWhole: false, at: pointer)
    case .list: constraints(ofList: schema, at: pointer)
    default: Constraints()
    }
  }

  /// A string that encodes something else, according to JSON Schema's `contentEncoding` and `contentMediaType`.
  private func content(of schema: DocumentValue, at pointer: String) throws(ImportError) -> Use? {
    switch schema["contentEncoding"]?.string?.lowercased() {
    case "base64"?: return Use(.scalar(.bytes))
    case "base64url"?: return Use(.scalar(.base64URL))
    case nil, "7bit"?, "8bit"?, "binary"?: break
    case let encoding?:
      log.countUnsaid(keyword: "contentEncoding: \(encoding)", at: pointer)
      return Use(.scalar(.string))
    }
    guard let type = schema["contentMediaType"]?.string else { return nil }
    guard MediaType.isJSON(type), isDataOfEvent(pointer) else {
      if Self.isText(type) { return nil }
      var bytes = Use(.scalar(.bytes))
      // FastAPI describes its `bytes` so, and reads them as text.
      bytes.isBinary = MediaType.name(type) == "application/octet-stream"
      return bytes
    }
    return try schema["contentSchema"].map { (content) throws(ImportError) in
      try use(content, at: Pointer.child(pointer, "contentSchema"))
    } ?? .json
  }

  /// Whether content of a media type is written as plain text. In JSON, a picture can only be base64.
  private static func isText(_ mediaType: String) -> Bool {
    let type = MediaType.name(mediaType)
    let others = ["application/xml", "application/javascript", "application/yaml", "application/x-www-form-urlencoded"]
    return type.hasPrefix("text/") || type.hasSuffix("+xml") || MediaType.isJSON(type) || others.contains(type)
  }

  /// Whether a member is the `data` of a server-sent event, in OpenAPI 3.2's description of a stream (§4.14.4.2). JSON in it is
  /// read with the event.
  private func isDataOfEvent(_ pointer: String) -> Bool {
    let ending = "/properties/data"
    guard pointer.hasSuffix(ending), hasRecords else { return false }
    let owner = try? document.value(at: String(pointer.dropLast(ending.count)), referredFrom: pointer)
    return ["event", "id", "retry"].contains { owner?["properties"]?[$0] != nil }
  }

  /// The bounds without those that no value can satisfy: a lower bound above the upper one.
  func ordered(_ constraints: Constraints, at pointer: String) -> Constraints {
    guard let minimum = constraints.minimum, let maximum = constraints.maximum, let least = Double(minimum),
      let greatest = Double(maximum), least > greatest
    else { return constraints }
    log.note("the lower bound \(minimum) is above the upper one, \(maximum); both are left out", at: pointer)
    return Constraints(pattern: constraints.pattern)
  }

  private func pattern(of schema: DocumentValue, at pointer: String) -> String? {
    guard let text = schema["pattern"]?.string, let pattern = Self.pattern(text) else { return nil }
    // It would escape the slash that ends the expression.
    guard pattern.reversed().prefix(while: { $0 == "\\" }).count.isMultiple(of: 2) else {
      log.note("the regular expression `\(text)` ends inside an escape; it is left out", at: pointer)
      return nil
    }
    return pattern
  }

  /// A bound as the type language writes numbers: without an exponent.
  static func bound(_ value: DocumentValue?) -> String? {
    guard case .number(let text)? = value, let number = Double(text), number.isFinite else { return nil }
    let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
    if digits.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }), digits.last != UInt8(ascii: "."),
      digits.first != UInt8(ascii: ".")
    {
      return text
    }
    if let whole = Int(exactly: number) { return String(whole) }
    let plain = "\(number)"
    return plain.contains("e") ? nil : plain
  }

  /// A regular expression in the type language's form, in which `/` needs no further escape.
  static func pattern(_ text: String) -> String? {
    guard !text.isEmpty else { return nil }
    var result = ""
    var isEscaped = false
    for scalar in text.unicodeScalars {
      if scalar == "/", isEscaped { result.unicodeScalars.removeLast() }
      isEscaped = scalar == "\\" && !isEscaped
      result.unicodeScalars.append(scalar)
    }
    return result
  }

  /// The bounds of an `int`. An `int32` becomes one, too: documents say `int32` of IDs that outgrow 32 bits, and clients must
  /// read those.
  private func constraints(ofInteger schema: DocumentValue, at pointer: String) -> Constraints {
    let own = constraints(ofNumber: schema, isWhole: true, at: pointer)
    guard schema["format"]?.string == "int32" else { return own }
    let range = Constraints(minimum: String(Int32.min), maximum: String(Int32.max))
    return ordered(
      Constraints(minimum: own.minimum ?? range.minimum, maximum: own.maximum ?? range.maximum), at: pointer)
  }

  private func constraints(ofNumber schema: DocumentValue, isWhole: Bool, at pointer: String) -> Constraints {
    var constraints = Constraints(minimum: Self.bound(schema["minimum"]), maximum: Self.bound(schema["maximum"]))
    for (keyword, step) in [("exclusiveMinimum", 1), ("exclusiveMaximum", -1)] {
      let bound: String? =
        switch schema[keyword] {
        case .bool(true)?: step == 1 ? constraints.minimum : constraints.maximum
        case let value?: Self.bound(value)
        case nil: nil
        }
      guard let bound else { continue }
      var inclusive = bound
      if isWhole, let whole = Int(bound) {
        let (shifted, overflow) = whole.addingReportingOverflow(step)
        if !overflow { inclusive = String(shifted) }
      } else {
        log.countUnsaid(keyword: keyword, at: pointer)
      }
      if step == 1 { constraints.minimum = inclusive } else { constraints.maximum = inclusive }
    }
    return ordered(constraints, at: pointer)
  }

  private func object(_ schema: DocumentValue, at pointer: String) throws(ImportError) -> Use {
    var shape = ObjectShape()
    let required = Set((schema["required"]?.list ?? []).compactMap(\.string))
    let properties = Pointer.child(pointer, "properties")
    for property in schema["properties"]?.object?.members ?? [] {
      let place = Pointer.child(properties, property.key)
      guard !property.key.isEmpty, !property.key.unicodeScalars.contains("\n") else {
        let kind = property.key.isEmpty ? "without a name" : "whose name has a line end"
        log.warn("a member \(kind) cannot be expressed in a catalogue and is left out", at: properties)
        continue
      }
      memberCount += 1
      shape.members.append(
        Member(
          name: property.key, use: try use(property.value, at: place),
          isRequired: required.contains(property.key), annotations: annotations(of: property.value)))
    }
    let names = Set(shape.members.map(\.name))
    for name in (schema["required"]?.list ?? []).compactMap(\.string) where !names.contains(name) {
      // A part of an `allOf` may require members that another part describes.
      let isPart = schema["allOf"] != nil || pointer.contains("/allOf/")
      if schema["properties"] != nil, !isPart {
        log.note("the required member `\(name)` is not described", at: pointer)
      }
    }
    switch schema["additionalProperties"] {
    case .bool(true)?: shape.extra = .json
    case .object?:
      if let extra = schema["additionalProperties"] {
        shape.extra = try use(extra, at: Pointer.child(pointer, "additionalProperties"))
      }
    default: break
    }
    if let discriminator = schema["discriminator"], let current, current == pointer || reading.contains(pointer) {
      discriminators[pointer] = self.discriminator(discriminator, at: pointer)
    }
    if shape.members.isEmpty {
      // Without a description of its members it is any object, even if further members are forbidden: `{}` carries nothing.
      return schema["additionalProperties"] == .bool(false) && schema["properties"] != nil
        ? Use(.object(shape)) : Use(.map(shape.extra ?? .json))
    }
    return Use(.object(shape))
  }

  /// Whether a schema has a flag such as `readOnly`, itself or through its reference, one part of its `allOf`, or every
  /// alternative.
  ///
  /// - Parameter depth: The number of schemas around this one.
  private func isMarked(_ schema: DocumentValue, _ flag: String, depth: Int = 0) -> Bool {
    guard depth <= Self.maximumChain else { return false }
    // A loop follows the references, because thousands can form a chain.
    var steps: [(key: MemberPlace?, schema: DocumentValue)] = [(nil, schema)]
    var last = schema
    var result = false
    while last[flag]?.bool == nil, let target = last["$ref"]?.string {
      let key = MemberPlace(schema: target, member: flag)
      if let known = markedSchemas[key] {
        result = known
        break
      }
      // A schema that contains itself adds nothing.
      markedSchemas[key] = false
      guard let value = try? document.value(at: target, referredFrom: target) else { break }
      steps.append((key, value))
      last = value
    }
    for step in steps.reversed() {
      if let own = step.schema[flag]?.bool {
        result = own
      } else if !result {
        result = hasMarkedParts(step.schema, flag, depth: depth)
      }
      if let key = step.key { markedSchemas[key] = result }
    }
    return result
  }

  /// Whether one part of a schema's `allOf`, or every alternative, has a flag.
  private func hasMarkedParts(_ schema: DocumentValue, _ flag: String, depth: Int) -> Bool {
    for part in schema["allOf"]?.list ?? [] where isMarked(part, flag, depth: depth + 1) { return true }
    for keyword in ["oneOf", "anyOf"] {
      let alternatives = (schema[keyword]?.list ?? []).filter { !Self.isNull($0) }
      if !alternatives.isEmpty, alternatives.allSatisfy({ isMarked($0, flag, depth: depth + 1) }) { return true }
    }
    return false
  }

  func annotations(of schema: DocumentValue) -> Annotations {
    let target = try? document.resolved(schema, at: "#").value
    return Annotations(
      isDeprecated: schema["deprecated"]?.bool == true, isReadOnly: isMarked(schema, "readOnly"),
      isWriteOnly: isMarked(schema, "writeOnly"), isBase64: Self.isBase64(target?["items"] ?? target ?? schema),
      // Texts next to a reference apply to this place.
      text: schema["description"]?.string ?? target?["description"]?.string,
      fallback: Self.fallback(of: schema) ?? target.flatMap(Self.fallback), examples: schema.ownExamples,
      onlyValue: Self.onlyValue(of: target ?? schema))
  }

  /// The one value that a schema allows, if its type will not say so: an object without members, a flag or a number.
  private static func onlyValue(of schema: DocumentValue) -> DocumentValue? {
    if isEmptyObject(schema) { return .object(DocumentObject([])) }
    let values = schema.object?["const"].map { [$0] } ?? schema["enum"]?.list ?? []
    guard values.count == 1, let value = values.first, value.bool != nil || value.isNumber else { return nil }
    return value
  }

  /// Whether a schema describes an object without members.
  private static func isEmptyObject(_ schema: DocumentValue) -> Bool {
    guard schema["type"]?.string == "object", schema["additionalProperties"] == .bool(false) else { return false }
    return ["properties", "patternProperties", "allOf", "anyOf", "oneOf"].allSatisfy { schema[$0] == nil }
  }

  private static func isBase64(_ schema: DocumentValue) -> Bool {
    let encoding = schema["contentEncoding"]?.string?.lowercased() ?? schema["format"]?.string
    return ["byte", "base64", "base64url"].contains(encoding)
  }

  private static func fallback(of schema: DocumentValue) -> DefaultValue? {
    switch schema["default"] {
    case .list(let list)?:
      let texts = list.compactMap(\.scalarText)
      return texts.count == list.count && !texts.isEmpty ? .list(texts) : nil
    case let value?:
      guard let text = value.scalarText, !text.isEmpty else { return nil }
      return .single(text)
    case nil: return nil
    }
  }

  func discriminator(_ value: DocumentValue, at pointer: String) -> Discriminator? {
    guard let member = value["propertyName"]?.string else { return nil }
    var mapping: [(tag: String, target: String)] = []
    for entry in value["mapping"]?.object?.members ?? [] {
      guard let text = entry.value.string else { continue }
      if let target = mapped(text) {
        mapping.append((entry.key, target))
      } else {
        log.warn("`\(entry.key)` of the discriminator is mapped to `\(text)`, which does not exist", at: pointer)
      }
    }
    return Discriminator(member: member, mapping: mapping)
  }

  /// The pointer of a schema that a mapping names: with a pointer, with its name, or with its file (`cat.json` means `Cat`).
  private func mapped(_ text: String) -> String? {
    let schemas = "#/components/schemas"
    let pointer = text.hasPrefix("#") ? text : Pointer.child(schemas, text)
    if (try? document.value(at: pointer, referredFrom: pointer)) != nil { return pointer }
    guard !text.hasPrefix("#"), let last = text.split(separator: "/").last else { return nil }
    let name = last.prefix { $0 != "." && $0 != "#" }.lowercased()
    return schemasByName[name].map { Pointer.child(schemas, $0) }
  }

  /// The values that select a schema: those in the mapping, or `x-ms-discriminator-value`, or its name.
  func tags(of pointer: String, _ discriminator: Discriminator) -> [String] {
    if let mapped = discriminator.tags[pointer] { return mapped }
    let schema = try? document.value(at: pointer, referredFrom: pointer)
    return [schema?["x-ms-discriminator-value"]?.string ?? Pointer.lastName(of: pointer)]
  }

  /// Records that a schema extends another through `allOf`.
  func recordExtension(of base: String, by pointer: String) {
    if pointer == current { extensions[base, default: []].append(pointer) }
  }

  /// The schemas that extend a schema, directly or indirectly.
  private func allExtensions(of base: String) -> [String] {
    var result: [String] = []
    var seen: Set<String> = [base]
    var pending = extensions[base] ?? []
    var next = 0
    while next < pending.count {
      let pointer = pending[next]
      next += 1
      guard seen.insert(pointer).inserted else { continue }
      result.append(pointer)
      pending += extensions[pointer] ?? []
    }
    return result
  }

  /// Schemas that others extend, with a member that distinguishes them, stand for any of their extensions.
  private func polymorphic() throws(ImportError) -> [String: Use] {
    var result: [String: Use] = [:]
    for (base, discriminator) in discriminators {
      let all = allExtensions(of: base)
      guard !all.isEmpty else { continue }
      let schema = try? document.value(at: base, referredFrom: base)
      let allowed = schema.flatMap { values(of: discriminator.member, in: $0, at: base) }
      let listed = ListedValues(allowed ?? [])
      var alternatives: [Alternative] = []
      for pointer in all {
        let use = Use(.named(pointer))
        let schema = try? document.value(at: pointer, referredFrom: base)
        var own = schema.flatMap { values(of: discriminator.member, in: $0, at: pointer) }
        // The base class lists the values of all extensions; each extension's own values come from the mapping or its name.
        if let values = allowed, own == values, all.count > 1 || values.count > 1 {
          own = selected(pointer, among: listed, discriminator, at: base)
          if own == nil { continue }
        }
        alternatives.append(Alternative(use: use, own: own, pointer: pointer))
        tagMembers[pointer, default: []].insert(discriminator.member)
      }
      guard var variants = try variants(of: alternatives, by: discriminator, at: base), !variants.isEmpty else {
        continue
      }
      if let own = ownVariant(of: base, discriminator), Set(own.tags).isDisjoint(with: variants.flatMap(\.tags)) {
        variants.insert(own, at: 0)
      }
      result[base] = Use(.union(UnionShape(tag: discriminator.member, variants: variants)))
    }
    return result
  }

  /// The base class itself as a variant: if it is in the mapping, if its name is a value of the member's enum, or if nothing says
  /// that it cannot be a value.
  private func ownVariant(of base: String, _ discriminator: Discriminator) -> UnionShape.Variant? {
    guard let use = components[base], case .object(let object) = use.shape else { return nil }
    var tags = discriminator.tags[base] ?? []
    if tags.isEmpty {
      tags = self.tags(of: base, discriminator)
      if let member = object[discriminator.member],
        case .enumeration(let enumeration)? = try? resolved(member.use, at: base).shape
      {
        tags = enumeration.values.filter { value in tags.contains(value) || isName(value, of: base) }
      } else if !isValue(of: base, discriminator) {
        tags = []
      }
    }
    guard let tag = tags.first else { return nil }
    let isOfItsName = Words(tag).pascal == Words(Pointer.lastName(of: base)).pascal
    return .init(tags: tags, use: Use(use.shape), isBaseClass: isOfItsName)
  }

  /// Whether a value can be just the base class: it names itself, or names stand for all classes. It cannot be if the mapping
  /// leaves it out, or only extensions have a value.
  private func isValue(of base: String, _ discriminator: Discriminator) -> Bool {
    func hasValue(_ pointer: String) -> Bool {
      (try? document.value(at: pointer, referredFrom: pointer))?["x-ms-discriminator-value"] != nil
    }
    return hasValue(base) || discriminator.mapping.isEmpty && !allExtensions(of: base).contains(where: hasValue)
  }
}
