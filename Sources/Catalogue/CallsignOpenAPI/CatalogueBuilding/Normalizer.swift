import CallsignCatalogue

/// Converts shapes to the form that the catalogue uses. Names that are not models are replaced by their meaning, and values that
/// occur only in responses lose the difference between null and absent.
struct Normalizer {
  private let schemas: SchemaReader
  private let log: ImportLog
  private var references: [String: Int] = [:]
  /// The schemas that a request can contain.
  private var sent: Set<String> = []
  /// The schemas that the document named after an operation for lack of a better name.
  private let operationNames: Set<[String]>
  /// The schemas that a response can contain.
  private var inResponses: Set<String> = []
  /// The constants that distinguish alternatives.
  private var constants: Set<DiscriminatorValue> = []
  /// The enums whose place in a request also allows any other text.
  private var extensibleEnumerations: Set<String> = []
  private var expanding: Set<String> = []
  /// The number of lists and maps around the type that is being normalized, up to the next object.
  private var nesting = 0
  /// The maximum nesting. The types of a catalogue nest at most 32 levels deep.
  private static let maximumNesting = 24
  /// The size of the types that were written out at their uses. A few schemas can nest in each other any number of times.
  private var expandedSize = 0
  private let maximumExpanded: Int
  private var operations: [OperationShape]
  /// The values that the API sends unprompted, such as a webhook's payload.
  private let received: [Use]

  /// The named schemas that remain, in the document's order.
  private(set) var components: [(pointer: String, use: Use)] = []

  init(_ schemas: SchemaReader, operations: [OperationShape], received: [Use] = [], log: ImportLog) {
    self.schemas = schemas
    self.received = received
    self.log = log
    self.operations = operations
    operationNames = Set(operations.map { Words($0.name).list.map { $0.lowercased() } })
    maximumExpanded = max(100_000, 20 * schemas.components.values.reduce(0) { $0 + $1.size })
  }

  /// - Returns: The operations in their final form; ``components`` has the schemas that they use.
  mutating func run() -> [OperationShape] {
    countReferences()
    findExtensibleEnumerations()
    compareAlternatives()
    for index in operations.indices {
      for position in operations[index].parameters.indices {
        let parameter = operations[index].parameters[position]
        var use = normalized(parameter.use, isOnlyReceived: false, at: operations[index].pointer)
        if parameter.place == .field, operations[index].body == .json {
          use = asJSON(use, at: operations[index].pointer)
        }
        operations[index].parameters[position].use = use
      }
      if let response = operations[index].response {
        var use = normalized(response, isOnlyReceived: true, at: operations[index].pointer)
        // Any JSON can be null anyway.
        if use.shape == .scalar(.json) { use.isNullable = false }
        operations[index].response = use
      }
      operations[index].errors = operations[index].errors.map { body in
        (body.status, normalized(body.use, isOnlyReceived: true, at: operations[index].pointer), body.name)
      }
    }
    let bodies = Set(operations.compactMap(\.bodySchema))
    for pointer in schemas.componentOrder {
      if references[pointer] == nil {
        // The body of a request has become parameters.
        if bodies.contains(pointer) { continue }
        log.note("no operation uses `\(Pointer.lastName(of: pointer))`; it is left out", at: pointer)
      } else if isKept(pointer), var use = schemas.components[pointer] {
        expanding = [pointer]
        use = normalized(use, isOnlyReceived: !sent.contains(pointer), at: pointer)
        expanding = []
        use.shape = untagged(use.shape, at: pointer, isSent: sent.contains(pointer))
        extend(&use, at: pointer)
        use.isNullable = false
        components.append((pointer, use))
      }
    }
    return operations
  }

  /// Finds the enums whose place in a request also allows any other text, by the targets of the references to them.
  private mutating func findExtensibleEnumerations() {
    for (name, places) in schemas.openPlaces where places.contains(where: isOfRequest) {
      var (pointer, seen) = (name, Set([name]))
      while case .named(let next)? = schemas.components[pointer]?.shape, seen.insert(next).inserted { pointer = next }
      extensibleEnumerations.insert(pointer)
    }
  }

  /// Whether a request can contain the value described at a place.
  private func isOfRequest(_ place: String) -> Bool {
    if place.contains("/responses/") { return false }
    let parts = place.split(separator: "/", maxSplits: 4, omittingEmptySubsequences: true)
    guard parts.count > 3, parts[1] == "components", parts[2] == "schemas" else { return true }
    // A schema that is in neither can be a part of a body.
    let schema = parts[0...3].joined(separator: "/")
    return sent.contains(schema) || !inResponses.contains(schema)
  }

  /// Marks an enum whose place in a request also allows any other text.
  private func extend(_ use: inout Use, at pointer: String) {
    guard extensibleEnumerations.contains(pointer), case .enumeration(var enumeration) = use.shape else { return }
    enumeration.isExtensible = true
    use.shape = .enumeration(enumeration)
  }

  /// A required member with a single possible value is not a choice: it becomes a constant.
  private static func withConstants(_ object: ObjectShape) -> ObjectShape {
    var object = object
    for index in object.members.indices where object.members[index].isRequired {
      guard case .enumeration(let enumeration) = object.members[index].use.shape, enumeration.values.count == 1,
        !enumeration.isExtensible, !object.members[index].use.isNullable
      else { continue }
      object.members[index].use = Use(.scalar(enumeration.scalar))
      object.members[index].annotations.constant = enumeration.values.first
    }
    return object
  }

  /// Replaces a member that repeats the tag of its union: by the tag's value in requests, because the receiver relies on it, and by
  /// a string in responses, because the union already states the value.
  private func untagged(_ shape: Shape, at pointer: String, isSent: Bool) -> Shape {
    guard let tags = schemas.tagMembers[pointer], case .object(var object) = shape else { return shape }
    for index in object.members.indices where tags.contains(object.members[index].name) {
      if let values = schemas.tagValues[.init(schema: pointer, member: object.members[index].name)] {
        object.members[index].use.shape = .enumeration(EnumerationShape(values: values))
      }
      guard case .enumeration(let enumeration) = object.members[index].use.shape, enumeration.values.count == 1 else {
        continue
      }
      if isSent, !enumeration.isExtensible {
        object.members[index].isRequired = true
        object.members[index].use.isNullable = false
      } else {
        object.members[index].use.shape = .scalar(enumeration.scalar)
      }
    }
    return .object(Self.withConstants(object))
  }

  /// Replaces a date by a number in a union's variant or in the elements of one, because only the JSON shape identifies the
  /// variant.
  private static func plain(_ use: Use) -> Use {
    var use = use
    switch use.shape {
    case .scalar(.date(.seconds)), .scalar(.date(.milliseconds)): use.shape = .scalar(.number)
    case .list(let element): use.shape = .list(plain(element))
    case .map(let element): use.shape = .map(plain(element))
    default: break
    }
    return use
  }

  // MARK: Where schemas are used

  private mutating func countReferences() {
    var queue: [(pointer: String, isSent: Bool)] = []
    for operation in operations {
      for parameter in operation.parameters { queue += named(in: parameter.use).map { ($0, true) } }
      if let response = operation.response { queue += named(in: response).map { ($0, false) } }
      // Counted twice, so that it stays a separate model.
      for body in operation.errors { queue += named(in: body.use).flatMap { [($0, false), ($0, false)] } }
    }
    // Counted twice, so that it stays a separate model.
    for use in received { queue += named(in: use).flatMap { [($0, false), ($0, false)] } }
    for entry in queue { references[entry.pointer, default: 0] += 1 }
    sent = reachable(queue.filter(\.isSent).map(\.pointer))
    inResponses = reachable(queue.filter { !$0.isSent }.map(\.pointer))
    for pointer in sent.union(inResponses) {
      guard let use = schemas.components[pointer] else { continue }
      for target in named(in: use) { references[target, default: 0] += 1 }
    }
  }

  /// The schemas, and all schemas that they refer to.
  private func reachable(_ pointers: [String]) -> Set<String> {
    var reached: Set<String> = []
    var stack = pointers
    while let pointer = stack.popLast() {
      guard reached.insert(pointer).inserted, let use = schemas.components[pointer] else { continue }
      stack += named(in: use)
    }
    return reached
  }

  private func named(in use: Use) -> [String] {
    switch use.shape {
    case .scalar, .enumeration: []
    case .named(let pointer): [pointer]
    case .list(let element), .map(let element): named(in: element)
    case .object(let object): object.members.flatMap { named(in: $0.use) } + (object.extra.map(named) ?? [])
    case .union(let union): union.variants.flatMap { named(in: $0.use) }
    }
  }

  /// Whether a named schema stays a model instead of being written out at its uses.
  private func isKept(_ pointer: String) -> Bool {
    guard let use = schemas.components[pointer] else { return false }
    switch use.shape {
    case .scalar(.string): return true
    case .scalar, .named, .list, .map: return false
    case .object, .enumeration, .union: break
    }
    guard references[pointer] == 1 else { return true }
    let words = Words(Pointer.lastName(of: pointer)).list.map { $0.lowercased() }
    return !words.indices.contains { operationNames.contains(Array(words[...$0])) }
  }

  /// Finds what distinguishes the alternatives of unions without a tag.
  private mutating func compareAlternatives() {
    var comparison = AlternativeComparison(schemas)
    for operation in operations {
      for use in operation.parameters.map(\.use) { comparison.look(at: use, in: operation.pointer, isReceived: false) }
      for use in [operation.response].compactMap({ $0 }) + operation.errors.map(\.use) {
        comparison.look(at: use, in: operation.pointer, isReceived: true)
      }
    }
    for pointer in schemas.componentOrder where references[pointer] != nil {
      guard let use = schemas.components[pointer] else { continue }
      comparison.look(at: use, in: pointer, isReceived: inResponses.contains(pointer))
    }
    constants = comparison.constants
    for pair in comparison.unreadable {
      log.warn(
        "a value of `\(pair.second)` looks like one of `\(pair.first)`, and is read as that; if the value of a "
          + "text distinguishes them, write `$tag` and `$union` in the overlay", at: pair.place)
    }
  }

  // MARK: The final form

  private mutating func normalized(_ use: Use, isOnlyReceived: Bool, at place: String) -> Use {
    var result = use
    switch use.shape {
    case .enumeration(let enumeration):
      // A constant in a response tells its reader nothing, unless it distinguishes alternatives.
      if isOnlyReceived, enumeration.values.count == 1, let text = enumeration.values.first,
        !constants.contains(DiscriminatorValue(owner: place, text: text))
      {
        result.shape = .scalar(enumeration.scalar)
      }
    case .scalar(.int) where isOnlyReceived: result.constraints = Self.withoutDistantBounds(of32Bits: use.constraints)
    case .scalar: break
    case .named: return expanded(use, isOnlyReceived: isOnlyReceived, at: place)
    case .list(let element):
      result.shape = .list(normalized(element: element, isOnlyReceived: isOnlyReceived, at: place))
      // These bounds add nothing, because a request cannot usefully send an empty list.
      if [Constraints(minimum: "0"), Constraints(minimum: "1")].contains(result.constraints) {
        result.constraints = Constraints()
      }
    case .map(let element):
      result.shape = .map(normalized(element: element, isOnlyReceived: isOnlyReceived, at: place))
    case .object(let object):
      result.shape = .object(Self.withConstants(normalized(object, isOnlyReceived: isOnlyReceived, at: place)))
    case .union(var union):
      if union.tag == nil {
        var visited = expanding
        union.variants = flattened(union.variants, &visited)
        if union.variants.isEmpty { return .json }
      }
      if union.tag == nil, union.variants.count > 1, union.variants.allSatisfy({ SchemaReader.isText($0.use.shape) }) {
        log.warn(SchemaReader.anyString, at: place)
        result.shape = .scalar(.string)
        break
      }
      if isOnlyReceived, let object = Self.joined(union) {
        result.shape = .object(normalized(object, isOnlyReceived: true, at: place))
        break
      }
      for index in union.variants.indices {
        union.variants[index].use = Self.plain(
          normalized(inJSON: union.variants[index].use, isOnlyReceived: isOnlyReceived, at: place))
        // If one variant can be null, the whole union can.
        if union.variants[index].use.isNullable {
          union.variants[index].use.isNullable = false
          result.isNullable = true
        }
      }
      // Names for the same scalar are the same alternative.
      var uses: Set<Use> = []
      if union.tag == nil { union.variants.removeAll { !uses.insert($0.use).inserted } }
      if union.tag == nil, union.variants.count == 1, let only = union.variants.first {
        result.shape = only.use.shape
        result.constraints = only.use.constraints
      } else {
        result.shape = .union(union)
      }
    }
    return result
  }

  /// The bounds of a received number. Those of 32 bits tell its reader nothing. They stay only if the other bound is near, because
  /// the values that a mock makes start there.
  private static func withoutDistantBounds(of32Bits constraints: Constraints) -> Constraints {
    let (minimum, maximum) = (constraints.minimum.flatMap { Int($0) }, constraints.maximum.flatMap { Int($0) })
    var result = constraints
    if maximum == Int(Int32.max), minimum ?? 0 < 1 << 30 { result.maximum = nil }
    if minimum == Int(Int32.min), maximum ?? 0 > -1 << 30 { result.minimum = nil }
    return result
  }

  /// The element of a list or map.
  private mutating func normalized(element: Use, isOnlyReceived: Bool, at place: String) -> Use {
    nesting += 1
    defer { nesting -= 1 }
    guard nesting <= Self.maximumNesting else {
      log.warn(
        "lists and maps nest more than \(Self.maximumNesting) levels deep; deeper levels are taken as any JSON",
        at: place)
      return .json
    }
    return normalized(inJSON: element, isOnlyReceived: isOnlyReceived, at: place)
  }

  /// A value inside JSON.
  private mutating func normalized(inJSON use: Use, isOnlyReceived: Bool, at place: String) -> Use {
    asJSON(normalized(use, isOnlyReceived: isOnlyReceived, at: place), at: place)
  }

  /// A value inside JSON. JSON cannot hold bytes: `format: byte` is base64 text there, and `format: binary` is the text itself.
  private func asJSON(_ use: Use, at place: String) -> Use {
    guard use.isBinary, use.shape == .scalar(.bytes) else { return use }
    log.note(
      "`format: binary` in JSON is taken as text; if the API means base64, write `bytes` in the overlay", at: place)
    return Use(.scalar(.string), isNullable: use.isNullable)
  }

  /// A named schema: by its name if it is a model, otherwise written out. A chain of names is followed in a loop, because it may be
  /// longer than the stack is deep.
  private mutating func expanded(_ use: Use, isOnlyReceived: Bool, at place: String) -> Use {
    var current = use
    var followed: [String] = []
    defer { expanding.subtract(followed) }
    while case .named(let pointer) = current.shape {
      guard let target = schemas.components[pointer] else { return .json }
      if isKept(pointer) {
        current.isNullable = current.isNullable || target.isNullable
        return current
      }
      guard expand(target.size) else { return .json }
      guard expanding.insert(pointer).inserted else {
        log.warn("`\(Pointer.lastName(of: pointer))` consists only of itself; it is taken as any JSON", at: place)
        return .json
      }
      followed.append(pointer)
      let isNullable = current.isNullable || target.isNullable
      current = target
      current.isNullable = isNullable
    }
    var result = normalized(current, isOnlyReceived: isOnlyReceived, at: followed.last ?? place)
    for pointer in followed.reversed() {
      result.shape = untagged(result.shape, at: pointer, isSent: !isOnlyReceived)
      extend(&result, at: pointer)
    }
    return result
  }

  /// Counts the size of types that are written out in another place.
  ///
  /// - Returns: Whether they still fit.
  private mutating func expand(_ size: Int) -> Bool {
    expandedSize += size
    if expandedSize <= maximumExpanded { return true }
    log.warn("the document multiplies its types to many times their number; further ones are any JSON", at: "#")
    return false
  }

  private mutating func normalized(_ object: ObjectShape, isOnlyReceived: Bool, at place: String) -> ObjectShape {
    let outer = nesting
    nesting = 0
    defer { nesting = outer }
    var result = object
    for index in result.members.indices {
      var member = result.members[index]
      if isOnlyReceived { keepConstant(of: &member, at: place) }
      member.use = normalized(inJSON: member.use, isOnlyReceived: isOnlyReceived, at: place)
      if isOnlyReceived, member.use.isNullable {
        member.use.isNullable = false
        member.annotations.isPresent = member.isRequired
        member.isRequired = false
      }
      result.members[index] = member
    }
    if let extra = object.extra {
      result.extra = normalized(inJSON: extra, isOnlyReceived: isOnlyReceived, at: place)
    }
    if isOnlyReceived {
      result.rules = []
    } else if !result.rules.isEmpty {
      // Parameters have such rules; the members of a model do not.
      for rule in result.rules {
        let names = rule.names.map { "`\($0)`" }.joined(separator: ", ")
        log.warn(
          "a model cannot say that it needs \(rule.kind == .oneOf ? "one" : "at least one") of \(names)", at: place)
      }
      result.rules = []
    }
    return result
  }

  /// Keeps the only possible value of a response's member for the examples, because the type will no longer state it.
  private func keepConstant(of member: inout Member, at place: String) {
    guard case .enumeration(let enumeration)? = (try? schemas.resolved(member.use, at: place))?.shape,
      enumeration.values.count == 1, let value = enumeration.values.first
    else { return }
    member.annotations.onlyValue = enumeration.isInteger ? .number(value) : .string(value)
  }

  /// The variants, with untagged unions replaced by their own variants. Shapes then distinguish all variants in one step, and a
  /// union that is a variant of its own variants ends.
  private mutating func flattened(
    _ variants: [UnionShape.Variant], _ visited: inout Set<String>
  ) -> [UnionShape.Variant] {
    var result: [UnionShape.Variant] = []
    for variant in variants {
      var shape = variant.use.shape
      var isNullable = variant.use.isNullable
      var isKnown = false
      while case .named(let pointer) = shape, let target = schemas.components[pointer] {
        shape = target.shape
        isNullable = isNullable || target.isNullable
        if case .union(let union) = shape, union.tag == nil, !visited.insert(pointer).inserted { isKnown = true }
      }
      guard case .union(let union) = shape, union.tag == nil else {
        result.append(variant)
        continue
      }
      if isKnown { continue }
      var inner = flattened(union.variants, &visited)
      if isNullable, let first = inner.indices.first { inner[first].use.isNullable = true }
      guard expand(inner.count) else { continue }
      result += inner
    }
    return result
  }

  /// Unnamed alternatives with nothing in common, such as `{data}` or `{errors}`, become one object with optional members. It means
  /// the same and is easier to use.
  private static func joined(_ union: UnionShape) -> ObjectShape? {
    guard union.tag == nil, union.variants.count > 1 else { return nil }
    var result = ObjectShape()
    var names: Set<String> = []
    for variant in union.variants where variant.combination == nil {
      guard case .object(let object) = variant.use.shape, object.extra == nil else { return nil }
      for var member in object.members {
        guard names.insert(member.name).inserted else { return nil }
        member.isRequired = false
        result.members.append(member)
      }
    }
    return result
  }
}
