import CallsignCatalogue

/// Finds names for what the document leaves unnamed, and lets equal shapes share one.
///
/// - Schemas with a name keep it.
/// - Enumerations with the same values are merged. An enumeration of a shared parameter is named after that parameter.
/// - Responses with the same structure are merged and named after their content: `UsersResponse`.
/// - Nested objects with the same structure under the same member name are merged. If several owners use a name, its most frequent
///   structure gets the short name (`Hashtag`); the others are named after owner and member (`CreatePostsMedia`).
/// - The overlay's names take precedence, and can merge equal structures under one name.
struct ModelNamer {
  /// An unnamed object, enumeration or union.
  struct Slot: Hashable {
    var shape: Shape
    /// The member's name in Swift's casing; empty if equal shapes are shared under any name.
    var base: String
  }

  /// The owner of a slot.
  enum Owner: Hashable {
    case component(String)
    case operation(Int)
    case response(Shape)
    case slot(Slot)
  }

  private struct Entry {
    var slot: Slot
    /// The owners, in the order of their occurrence.
    private(set) var owners: [Owner] = []
    /// The names of the members, in the order of their occurrence.
    private(set) var bases: [Words] = []
    private var knownOwners: Set<Owner> = []
    private var knownBases: Set<Words> = []
    /// A name from the document.
    var hint: String?
    var name: String?

    init(slot: Slot) { self.slot = slot }

    mutating func add(_ owner: Owner, _ base: Words) {
      if knownOwners.insert(owner).inserted { owners.append(owner) }
      if knownBases.insert(base).inserted { bases.append(base) }
    }
  }

  private let components: [(pointer: String, use: Use)]
  private let operations: [OperationShape]
  private let apiName: String
  private let guide: ImportGuide
  private let log: ImportLog

  private var entries: [Entry] = []
  private var positions: [Slot: Int] = [:]
  private var responses: [(shape: Shape, operations: [Int], name: String?)] = []
  private var responsePositions: [Shape: Int] = [:]
  /// Unnamed error bodies, with the operations that have them, and the status and response name of the first of these.
  private var errors: [(shape: Shape, operations: [Int], status: String, hint: String?, name: String?)] = []
  private var errorPositions: [Shape: Int] = [:]
  private var taken: [String: Shape] = [:]
  private var counter = NameCounter()
  /// Numbered names, by the name without the number and the shape.
  private var numberedNames: [String: [Shape: String]] = [:]
  private(set) var componentNames: [String: String] = [:]
  private var componentEnumerations: [Shape: String] = [:]
  /// An unnamed shape, with the descriptions from all of its places.
  private var described: [Owner: Shape] = [:]
  /// The importer's names that the overlay replaces.
  private(set) var renamed: Set<String> = []

  init(
    components: [(pointer: String, use: Use)], operations: [OperationShape], apiName: String, guide: ImportGuide,
    log: ImportLog
  ) {
    // Sorted by name, so that the order of schemas in the document does not matter.
    self.components = components.sorted { $0.pointer < $1.pointer }
    self.apiName = apiName
    self.operations = operations
    self.guide = guide
    self.log = log
  }

  // MARK: Responses to the builder

  /// The name of an unnamed shape under a member's name.
  func name(of shape: Shape, base: Words) -> String? {
    if let component = componentEnumerations[shape] { return componentNames[component] }
    return positions[Self.slot(shape, base)].flatMap { entries[$0].name }
  }

  func responseName(_ shape: Shape) -> String? {
    responsePositions[shape].flatMap { responses[$0].name } ?? errorName(shape)
  }

  /// The name of an error body that is described inline.
  func errorName(_ shape: Shape) -> String? { errorPositions[shape].flatMap { errors[$0].name } }

  /// Every model that is not a schema of the document under its own name, each once.
  var namedShapes: [(name: String, shape: Shape)] {
    var positions: [String: Int] = [:]
    var result: [(name: String, shape: Shape)] = []
    let all =
      (responses.map { ($0.name, $0.shape) } + errors.map { ($0.name, $0.shape) })
      .map { ($0, described[.response($1)] ?? $1) }
      + entries.map { ($0.name, described[.slot($0.slot)] ?? $0.slot.shape) }
    for case (let name?, let shape) in all {
      if let position = positions[name] {
        result[position].shape = result[position].shape.described(also: shape)
      } else {
        positions[name] = result.count
        result.append((name, shape))
      }
    }
    return result
  }

  /// The models with a different name in another namer of the same operations, by their names there and here.
  func renamed(since other: ModelNamer) -> [ModelRename] {
    var pairs: [(String?, String?)] = components.map {
      (other.componentNames[$0.pointer], componentNames[$0.pointer])
    }
    pairs += responses.map { response in (other.responseName(response.shape), response.name) }
    pairs += entries.map { entry in
      (other.positions[entry.slot].flatMap { other.entries[$0].name }, entry.name)
    }
    var seen: Set<ModelRename> = []
    return pairs.compactMap { old, new in
      guard let old, let new, old != new else { return nil }
      let rename = ModelRename(old: old, new: new)
      return seen.insert(rename).inserted ? rename : nil
    }
  }

  /// The name of the member that leads to an unnamed shape inside a list or map.
  static func base(of member: String, in use: Use) -> Words {
    switch use.shape {
    case .list, .map: Words(member).singular
    default: Words(member)
    }
  }

  /// The name under which an unnamed alternative of a union is found.
  static func base(of variant: UnionShape.Variant, at index: Int) -> Words {
    if variant.isBaseClass { return Words("base") }
    if let name = variant.combination { return Words(name) }
    if let tag = variant.tags.first { return Words(tag) }
    if case .object(let object) = variant.use.shape,
      let member = object.members.first(where: \.isRequired) ?? object.members.first
    {
      return Words(member.name)
    }
    return Words("option \(index + 1)")
  }

  private static func slot(_ shape: Shape, _ base: Words) -> Slot {
    switch shape {
    // Under another name, the numbers would mean something else.
    case .enumeration(let enumeration) where enumeration.isNameless: return Slot(shape: shape, base: base.pascal)
    case .enumeration: return Slot(shape: shape, base: "")
    case .union(let union) where union.isOfScalars: return Slot(shape: shape, base: "")
    default: return Slot(shape: shape, base: base.pascal)
    }
  }

  // MARK: Naming

  mutating func run() {
    nameComponents()
    collect()
    nameHinted()
    nameResponses()
    nameShort()
    nameRest()
    // Errors come last, so that a described error does not change another model's name.
    collectErrors()
    nameErrors()
    nameRest()
  }

  private mutating func nameComponents() {
    let names = components.map { Pointer.lastName(of: $0.pointer) }
    let usual = names.map { name in
      let own = Self.typeName(name)
      return Self.namesOfOthers.contains(own) || own == apiName ? own + "Model" : own
    }
    // A schema that is spelled exactly like the type gets the name before all others.
    let exact = components.indices.filter { usual[$0] == names[$0] }
    for index in exact + components.indices.filter({ usual[$0] != names[$0] }) {
      let own = usual[index]
      var name = guide.name(for: own) ?? own
      if taken[name] != nil { name = counter.free(own) { [taken] in taken[$0] != nil } }
      if guide.name(for: own) != nil { renamed.insert(own) }
      taken[name] = .named(components[index].pointer)
      componentNames[components[index].pointer] = name
    }
    for component in components {
      if case .enumeration(let enumeration) = component.use.shape, !enumeration.isNameless,
        componentEnumerations[component.use.shape] == nil
      {
        componentEnumerations[component.use.shape] = component.pointer
      }
    }
  }

  /// A type name that is valid in a catalogue: letters and digits, beginning with a letter. It is also the Swift type's name, so
  /// that no two names become equal in Swift.
  private static func typeName(_ wire: String) -> String {
    let name = SwiftName.type(wire)
    guard let first = name.first, first.isLetter else { return SwiftName.type("Model" + name) }
    return SwiftName.type(name)
  }

  private mutating func collect() {
    for component in components {
      for child in Self.children(of: component.use.shape) { note(child.use, base: child.base) }
      collectChildren(of: component.use.shape, owner: .component(component.pointer))
    }
    for (index, operation) in operations.enumerated() {
      for parameter in operation.parameters {
        let base = Self.base(of: parameter.name, in: parameter.use)
        note(parameter.use, base: base)
        var hint: String?
        if let shared = parameter.sharedName {
          let words = Words(Self.withoutSuffix(shared))
          if case .list = parameter.use.shape { hint = words.singular.pascal } else { hint = words.pascal }
        }
        collect(parameter.use, base: base, owner: .operation(index), hint: hint)
      }
      guard let response = operation.response else { continue }
      if response.shape.isNominal {
        note(response.shape, as: .response(response.shape))
        if let position = responsePositions[response.shape] {
          responses[position].operations.append(index)
        } else {
          responsePositions[response.shape] = responses.count
          responses.append((response.shape, [index], nil))
          collectChildren(of: response.shape, owner: .response(response.shape))
        }
      } else {
        note(response, base: Words("item"))
        collect(response, base: Words("item"), owner: .operation(index), hint: nil)
      }
    }
  }

  private static func withoutSuffix(_ name: String) -> String {
    for suffix in ["Parameters", "Parameter", "Params", "Param", "QueryParam"]
    where name.hasSuffix(suffix) && name.count > suffix.count {
      return String(name.dropLast(suffix.count))
    }
    return name
  }

  /// Records what a place says about an unnamed shape, and the unnamed shapes inside it.
  private mutating func note(_ shape: Shape, as owner: Owner) {
    described[owner] = described[owner]?.described(also: shape) ?? shape
    for child in Self.children(of: shape) { note(child.use, base: child.base) }
  }

  private mutating func note(_ use: Use, base: Words) {
    switch use.shape {
    case .scalar, .named: break
    case .list(let element), .map(let element): note(element, base: base)
    case .object, .enumeration, .union: note(use.shape, as: .slot(Self.slot(use.shape, base)))
    }
  }

  /// The uses described inside a shape, with the names under which they are found.
  private static func children(of shape: Shape) -> [(use: Use, base: Words)] {
    switch shape {
    case .object(let object):
      object.members.map { ($0.use, base(of: $0.name, in: $0.use)) }
        + (object.extra.map { [($0, Words("value"))] } ?? [])
    case .union(let union): union.variants.enumerated().map { ($1.use, base(of: $1, at: $0)) }
    case .scalar, .named, .list, .map, .enumeration: []
    }
  }

  private mutating func collectChildren(of shape: Shape, owner: Owner) {
    for child in Self.children(of: shape) { collect(child.use, base: child.base, owner: owner, hint: nil) }
  }

  private mutating func collect(_ use: Use, base: Words, owner: Owner, hint: String?) {
    switch use.shape {
    case .scalar, .named: return
    case .list(let element), .map(let element): collect(element, base: base, owner: owner, hint: hint)
    case .object, .enumeration, .union:
      if componentEnumerations[use.shape] != nil { return }
      let slot = Self.slot(use.shape, base)
      let isNew = positions[slot] == nil
      let position = positions[slot] ?? entries.count
      if isNew {
        positions[slot] = position
        entries.append(Entry(slot: slot))
      }
      entries[position].add(owner, base)
      if entries[position].hint == nil { entries[position].hint = hint }
      if isNew { collectChildren(of: use.shape, owner: .slot(slot)) }
    }
  }

  /// Claims the name, or the overlay's name for it, if it is free or already stands for the same shape.
  private mutating func claim(_ name: String, for shape: Shape) -> String? {
    let own = Self.typeName(name)
    // Generated code and its users need these names for something else.
    if Self.namesOfOthers.contains(own) || own == apiName { return nil }
    var final = own
    if let name = guide.name(for: own) {
      renamed.insert(own)
      final = name
    }
    if let other = taken[final] {
      guard other == shape else {
        if final != own { log.warn("the overlay calls `\(own)` `\(final)`, which is another model's name", at: "#") }
        return nil
      }
      return final
    }
    taken[final] = shape
    return final
  }

  private mutating func nameHinted() {
    for index in entries.indices {
      if let hint = entries[index].hint { entries[index].name = claim(hint, for: entries[index].slot.shape) }
    }
  }

  // MARK: Responses

  private mutating func nameResponses() {
    // Starts with the most frequent structure, which gets the plain name.
    let order = responses.indices.sorted {
      (-responses[$0].operations.count, $0) < (-responses[$1].operations.count, $1)
    }
    for index in order {
      let names = responses[index].operations.map { Words(operations[$0].name) }
      var candidates: [String] = []
      if let carried = carriedName(of: responses[index].shape, isShared: names.count > 1) {
        candidates.append(carried + "Response")
      }
      if names.count > 1 {
        let run = Self.trimmed(Words.commonRun(of: names))
        if run.list.count > 1 { candidates.append(run.pascal + "Response") }
        // The operations have nothing in common except their response.
        if candidates.isEmpty, let members = membersName(of: responses[index].shape) {
          candidates.append(members + "Response")
        }
      }
      candidates += names.map { $0.pascal + "Response" }
      for candidate in candidates {
        responses[index].name = claim(candidate, for: responses[index].shape)
        if responses[index].name != nil { break }
      }
      if responses[index].name == nil {
        responses[index].name = numbered(candidates.first ?? "Response", responses[index].shape)
      }
    }
  }

  // MARK: Errors

  /// The member name used for unnamed shapes in an error body.
  static let baseOfErrors = Words("error")

  private mutating func collectErrors() {
    for (index, operation) in operations.enumerated() {
      for body in operation.errors {
        let shape = body.use.shape
        guard shape.isNominal else {
          note(body.use, base: Self.baseOfErrors)
          collect(body.use, base: Self.baseOfErrors, owner: .operation(index), hint: nil)
          continue
        }
        let isKnown = name(of: shape, base: Self.baseOfErrors) != nil
        note(shape, as: isKnown ? .slot(Self.slot(shape, Self.baseOfErrors)) : .response(shape))
        if let position = errorPositions[shape] {
          if errors[position].operations.last != index { errors[position].operations.append(index) }
        } else if !isKnown, responseName(shape) == nil {
          errorPositions[shape] = errors.count
          errors.append((shape, [index], body.status, body.name, nil))
          collectChildren(of: shape, owner: .response(shape))
        }
      }
    }
  }

  /// Names errors. The most frequent structure gets the plain name.
  private mutating func nameErrors() {
    let order = errors.indices.sorted { (-errors[$0].operations.count, $0) < (-errors[$1].operations.count, $1) }
    for index in order {
      let names = errors[index].operations.map { Words(operations[$0].name) }
      var candidates: [String] = []
      if let hint = errors[index].hint, hint.first?.isLetter == true {
        let words = Words(hint)
        let ends = words.list.last.map { ["error", "response"].contains($0.lowercased()) } == true
        candidates.append(words.list.dropLast(ends ? 1 : 0).map(Words.capitalized).joined() + "ErrorBody")
      }
      if names.count > 1 {
        let run = Self.trimmed(Words.commonRun(of: names))
        if run.list.count > 1 { candidates.append(run.pascal + "ErrorBody") }
        candidates.append("ErrorBody")
      }
      candidates += names.map { $0.pascal + "ErrorBody" }
      candidates += names.map { $0.pascal + Words.capitalized(errors[index].status) + "ErrorBody" }
      for candidate in candidates where errors[index].name == nil {
        errors[index].name = claim(candidate, for: errors[index].shape)
      }
      if errors[index].name == nil { errors[index].name = numbered(candidates[0], errors[index].shape) }
    }
  }

  /// The name of the content of a response's `data`: `Users` for a list of users.
  private func carriedName(of shape: Shape, isShared: Bool) -> String? {
    guard case .object(let object) = shape, let data = object["data"] else { return nil }
    switch data.use.shape {
    case .named(let pointer): return componentNames[pointer]
    case .list(let element):
      guard case .named(let pointer) = element.shape, let name = componentNames[pointer] else { return nil }
      let plural = Words(name).plural.pascal
      return plural == Words(name).pascal ? plural + "List" : plural
    case .object(let inner):
      guard isShared, inner.members.count == 1, let member = inner.members.first else { return nil }
      return Words(member.name).pascal
    default: return nil
    }
  }

  /// A name made from the members of an object with few of them: `OkMessage`; `nil` for other objects.
  private func membersName(of shape: Shape) -> String? {
    guard case .object(let object) = shape, (1...3).contains(object.members.count), object.extra == nil else {
      return nil
    }
    let words = object.members.map { Words($0.name) }
    let name = words.filter { !Self.vagueWords.contains($0.singular.pascal) }.map(\.pascal).joined()
    return (1...Self.longestOfMembers).contains(name.count) ? name : nil
  }

  private static let longestOfMembers = 40

  private static let smallWords: Set<String> = [
    "get", "by", "for", "of", "with", "and", "to", "in", "from", "at", "on", "the", "a",
  ]

  /// The run of words without verbs and prepositions at its start and end.
  private static func trimmed(_ run: Words) -> Words {
    var run = run
    while let first = run.list.first, smallWords.contains(first.lowercased()) { run.list.removeFirst() }
    while let last = run.list.last, smallWords.contains(last.lowercased()) { run.list.removeLast() }
    return run
  }

  // MARK: Nested

  /// Members whose names mean nothing without their owner.
  private static let vagueWords: Set<String> = [
    "Body", "Code", "Content", "Data", "Entities", "Entity", "Error", "Event", "Expansion", "Filter", "Format", "Id",
    "Info", "Item", "Key", "Kind", "List", "Meta", "Metadata", "Mode", "Name", "Object", "Option", "Order",
    "Properties", "Property", "Reason", "Request", "Response", "Result", "Scope", "Settings", "Sort", "Source",
    "State", "Status", "Summary", "Target", "Text", "Type", "Value",
  ]

  /// Words that do not describe an owner.
  private static let emptyWords: Set<String> = ["Response", "Request", "Data", "Item", "List"]

  private mutating func nameShort() {
    var best: [String: Int] = [:]
    var order: [String] = []
    for (index, entry) in entries.enumerated() where entry.name == nil && entry.owners.count > 1 {
      for base in entry.bases where !Self.vagueWords.contains(base.pascal) {
        guard let rival = best[base.pascal] else {
          best[base.pascal] = index
          order.append(base.pascal)
          break
        }
        if entries[rival].owners.count < entry.owners.count { best[base.pascal] = index }
        break
      }
    }
    for base in order {
      if let index = best[base], entries[index].name == nil {
        entries[index].name = claim(base, for: entries[index].slot.shape)
      }
    }
  }

  private mutating func nameRest() {
    // Owners are named before what is inside them, and nesting is finite.
    var remaining = entries.indices.filter { entries[$0].name == nil }
    while !remaining.isEmpty {
      var waiting: [Int] = []
      for index in remaining {
        let owners = entries[index].owners.compactMap(name)
        if owners.count < entries[index].owners.count {
          waiting.append(index)
        } else {
          nameByOwner(index, owners)
        }
      }
      if waiting.count == remaining.count {
        for index in waiting { entries[index].name = numbered("Model", entries[index].slot.shape) }
        break
      }
      remaining = waiting
    }
  }

  private mutating func nameByOwner(_ index: Int, _ owners: [Words]) {
    let shape = entries[index].slot.shape
    var candidates: [String] = []
    if case .union(let union) = shape, union.isOfScalars {
      candidates.append(union.variants.map { Self.scalarName($0.use.shape) }.joined(separator: "Or"))
    }
    let bases = entries[index].bases
    let base = bases[0]
    if owners.count > 1 {
      let run = Self.trimmed(Words.commonRun(of: owners))
      if !run.list.allSatisfy({ Self.emptyWords.contains($0) }) { candidates.append(Self.joined(run, base)) }
    }
    let sorted = owners.enumerated().sorted {
      ($0.element.pascal.count, $0.offset) < ($1.element.pascal.count, $1.offset)
    }
    candidates += sorted.map { Self.joined($0.element, base) }
    for candidate in candidates {
      entries[index].name = claim(candidate, for: shape)
      if entries[index].name != nil { return }
    }
    entries[index].name = numbered(candidates.last ?? base.pascal, shape)
  }

  /// Types of Swift, Foundation and the runtime that a nested type would hide.
  static let namesOfOthers: Set<String> = [
    "Any", "Array", "Bool", "Character", "Codable", "Data", "Date", "Decimal", "Decoder", "Dictionary", "Double",
    "Duration", "Encoder", "Equatable", "Error", "Float", "Hashable", "Int", "Never", "Optional", "Result", "Self",
    "Sendable", "Set", "StaticString", "String", "Task", "Type", "URL", "UUID", "Void",
    "Authenticator", "Call", "CallError", "CallOptions", "Client", "ClientConfiguration", "DateFormat", "Endpoint",
    "Callsign", "EventStream", "FilePart", "Foundation", "Int64", "JSONDecodable", "JSONEncodable", "JSONError",
    "JSONReader", "JSONValue", "JSONWriter", "ListStyle", "Model", "NoContent", "Nullable", "OpenEnum", "Pages",
    "ParameterValue", "RateLimit", "Response", "StreamElement", "Swift", "Transport",
  ]

  private static func joined(_ owner: Words, _ base: Words) -> String {
    String(Words(owner.pascal + base.pascal).collapsed.pascal.prefix(longestName))
  }

  /// The maximum length of a readable name. A deeply nested shape is named after everything that contains it.
  private static let longestName = 250

  private static func scalarName(_ shape: Shape) -> String {
    switch shape {
    case .list(let element): return scalarName(element.shape) + "List"
    case .map(let element): return scalarName(element.shape) + "Map"
    case .scalar(let scalar):
      return switch scalar {
      case .string: "String"
      case .int: "Int"
      case .number: "Number"
      case .bool: "Bool"
      case .date: "Date"
      case .bytes, .base64URL: "Bytes"
      case .file: "File"
      case .json: "JSON"
      case .int32: "Int32"
      case .uint64: "UInt64"
      case .decimal: "Decimal"
      case .url: "URL"
      case .uuid: "UUID"
      case .duration: "Duration"
      }
    case .named, .object, .enumeration, .union: return "Value"
    }
  }

  private func name(of owner: Owner) -> Words? {
    switch owner {
    case .component(let pointer): return componentNames[pointer].map { Words($0) }
    case .operation(let index):
      var words = Words(operations[index].name)
      if words.list.count > 1, words.list.first?.lowercased() == "get" { words.list.removeFirst() }
      return words
    case .response(let shape): return responseName(shape).map { Words($0) }
    case .slot(let slot): return positions[slot].flatMap { entries[$0].name }.map { Words($0) }
    }
  }

  private mutating func numbered(_ name: String, _ shape: Shape) -> String {
    let own = Self.typeName(name)
    if let known = numberedNames[own]?[shape] { return known }
    var claimed: String?
    // Moved out of the property, so that names can be claimed in the meantime.
    var counter = NameCounter()
    swap(&counter, &self.counter)
    // The plain name is never tried, because it was rejected before.
    let counted = counter.free(own) { candidate in
      guard candidate != own else { return true }
      claimed = claim(candidate, for: shape)
      return claimed == nil
    }
    swap(&counter, &self.counter)
    numberedNames[own, default: [:]][shape] = claimed ?? counted
    return claimed ?? counted
  }
}

extension UnionShape {
  /// Whether every alternative is a scalar, or a list or map of scalars.
  var isOfScalars: Bool {
    func isScalar(_ shape: Shape) -> Bool {
      switch shape {
      case .scalar: true
      case .list(let element), .map(let element): isScalar(element.shape)
      case .named, .object, .enumeration, .union: false
      }
    }
    return variants.allSatisfy { isScalar($0.use.shape) }
  }
}
