import CallsignCatalogue

extension SchemaReader {
  // MARK: allOf

  /// Whether a schema contains more than its reference. Since OpenAPI 3.1, both apply.
  func saysMore(_ schema: DocumentValue) -> Bool {
    (Self.structuralKeywords + Self.boundKeywords + ["allOf"]).contains { schema[$0] != nil }
  }

  /// Merges `allOf`, or a reference with other keywords next to it, into one shape, including nested ones.
  func composed(
    _ parts: [DocumentValue], siblings: DocumentValue, types: [String], at pointer: String
  ) throws(ImportError) -> Use {
    var uses: [Use] = []
    // A part that only says `nullable` means the whole.
    var isNullable = false
    if let target = siblings["$ref"]?.string {
      recordExtension(of: target, by: pointer)
      if let own = try ownPart(ofBase: target, extendedAt: pointer) {
        uses.append(own)
      } else {
        uses.append(try reference(target, at: pointer))
      }
    }
    for (index, part) in parts.enumerated() {
      let place = Pointer.child(Pointer.child(pointer, "allOf"), String(index))
      if let base = part["$ref"]?.string {
        recordExtension(of: base, by: pointer)
        if let own = try ownPart(ofBase: base, extendedAt: pointer) {
          uses.append(own)
          continue
        }
      }
      let use = try self.use(part, at: place)
      if use.shape != .scalar(.json) || use.isNullable { uses.append(use) }
      if use.shape == .scalar(.json), part["nullable"]?.bool == true { isNullable = true }
      if part["$ref"] == nil, let demand = Self.demand(of: part) { uses.append(demand) }
    }
    if Self.structuralKeywords.contains(where: { siblings[$0] != nil }) {
      var rest = DocumentObject()
      for member in siblings.object?.members ?? [] where !["allOf", "$ref"].contains(member.key) {
        rest.set(member.key, member.value)
      }
      let own = DocumentValue.object(rest)
      if let alternatives = try alternatives(of: own, types: types, at: pointer) {
        uses.append(alternatives)
      } else if Self.structuralKeywords.contains(where: { $0 != "required" && own[$0] != nil }) {
        uses.append(try plain(own, types: types, at: pointer))
      }
      if let demand = Self.demand(of: own) { uses.append(demand) }
    }
    guard !uses.isEmpty else { return types.first == "object" ? Use(.map(.json)) : .json }
    var result = try merged(uses, at: pointer)
    for schema in parts.filter({ $0["$ref"] == nil && $0["type"] == nil }) + [siblings] {
      result = try bounded(result, by: schema, at: pointer)
    }
    if isNullable { result.isNullable = true }
    return result
  }

  /// The use with the bounds of the schema next to it.
  private func bounded(_ use: Use, by schema: DocumentValue, at pointer: String) throws(ImportError) -> Use {
    guard Self.boundKeywords.contains(where: { schema[$0] != nil }) else { return use }
    let whole = try resolved(use, at: pointer)
    let bounds = constraints(of: schema, for: whole.shape, at: pointer)
    guard bounds != Constraints() else { return use }
    return Use(
      whole.shape, isNullable: whole.isNullable, constraints: both(whole.constraints, bounds, at: pointer))
  }

  /// Combines bounds. If both set a bound, the later one applies.
  private func both(_ first: Constraints, _ second: Constraints, at pointer: String) -> Constraints {
    ordered(
      Constraints(
        minimum: second.minimum ?? first.minimum, maximum: second.maximum ?? first.maximum,
        pattern: second.pattern ?? first.pattern), at: pointer)
  }

  /// The members of a base class that lists the schema at the pointer among its variants. A variant of such a base gets the members
  /// but not the alternatives, because it is one of them. `nil` for any other base.
  private func ownPart(ofBase base: String, extendedAt pointer: String) throws(ImportError) -> Use? {
    guard let schema = try? document.value(at: base, referredFrom: pointer), let members = schema.object?.members else {
      return nil
    }
    let variants = (schema["oneOf"]?.list ?? []) + (schema["anyOf"]?.list ?? [])
    let mapped = schema["discriminator"].flatMap { discriminator($0, at: base) }?.mapping.map(\.target) ?? []
    guard variants.contains(where: { $0["$ref"]?.string == pointer }) || mapped.contains(pointer) && !variants.isEmpty
    else { return nil }
    var own = DocumentObject()
    for member in members where !["oneOf", "anyOf", "discriminator"].contains(member.key) {
      own.set(member.key, member.value)
    }
    return try use(.object(own), at: base)
  }

  private static let structuralKeywords = [
    "properties", "required", "additionalProperties", "oneOf", "anyOf", "items", "enum", "const",
  ]
  private static let boundKeywords = [
    "minLength", "maxLength", "pattern", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minItems",
    "maxItems",
  ]

  /// The members that a part requires but does not describe, because another part does: an object known only to have certain
  /// members.
  private static func demand(of part: DocumentValue) -> Use? {
    let names = (part["required"]?.list ?? []).compactMap(\.string).filter { part["properties"]?[$0] == nil }
    guard !names.isEmpty else { return nil }
    return Use(.object(ObjectShape(members: names.map { Member(name: $0, use: .json, isRequired: true) })))
  }

  /// One shape that combines all descriptions.
  private func merged(_ uses: [Use], at pointer: String) throws(ImportError) -> Use {
    var result = uses[0]
    // The objects so far. A schema may consist of thousands.
    var objects: (sum: ObjectSum, isNullable: Bool)?
    for use in uses.dropFirst() {
      let next = try resolved(use, at: pointer)
      if case .object(let more) = next.shape {
        if objects == nil {
          let first = try resolved(result, at: pointer)
          if case .object(let base) = first.shape { objects = (try sum(of: base, at: pointer), first.isNullable) }
        }
        if objects != nil {
          if let known = objects {
            // This is the only reference, so that the value is not copied.
            objects = nil
            var (sum, isNullable) = known
            try add(more, to: &sum, at: pointer)
            isNullable = isNullable && next.isNullable
            objects = (sum, isNullable)
          }
          continue
        }
      }
      if let (sum, isNullable) = objects { result = Use(.object(sum.object), isNullable: isNullable) }
      objects = nil
      result = try merged(result, use, at: pointer)
    }
    return objects.map { Use(.object($0.sum.object), isNullable: $0.isNullable) } ?? result
  }

  private func sum(of object: ObjectShape, at pointer: String) throws(ImportError) -> ObjectSum {
    try countMerged(Use(.object(object)).size, at: pointer)
    return ObjectSum(object)
  }

  /// Adds the description of another object.
  private func add(_ more: ObjectShape, to sum: inout ObjectSum, at pointer: String) throws(ImportError) {
    try countMerged(Use(.object(more)).size, at: pointer)
    try sum.add(
      more, both: { (first, second) throws(ImportError) in try mergedObjects(first, second, at: pointer) },
      noteTwice: { log.note("`\($0)` is described twice; the later description holds", at: pointer) })
  }

  /// One shape that combines both descriptions.
  func merged(_ first: Use, _ second: Use, at pointer: String) throws(ImportError) -> Use {
    let left = try resolved(first, at: pointer)
    let right = try resolved(second, at: pointer)
    let isNullable = left.isNullable && right.isNullable
    switch (left.shape, right.shape) {
    case (.object(let base), .object(let more)):
      var sum = try self.sum(of: base, at: pointer)
      try add(more, to: &sum, at: pointer)
      return Use(.object(sum.object), isNullable: isNullable)
    case (.object(var base), .map(let extra)), (.map(let extra), .object(var base)):
      if extra != .json { base.extra = extra }
      return Use(.object(base), isNullable: isNullable)
    case (.union(var union), .object), (.object, .union(var union)):
      let object = if case .object = left.shape { left } else { right }
      // Each variant gets the members, so schemas that refer to each other could double in size at each step.
      guard try variants(of: union, upTo: Self.maximumVariants, at: pointer) <= Self.maximumVariants else {
        log.warn(
          "members next to more than \(Self.maximumVariants) alternatives cannot be expressed; all are taken as any JSON",
          at: pointer)
        return .json
      }
      for index in union.variants.indices {
        union.variants[index].use = try merged(object, union.variants[index].use, at: pointer)
      }
      union.removeNeedlessCombination()
      return Use(.union(union), isNullable: isNullable)
    case (.scalar(.json), _): return second
    case (_, .scalar(.json)): return first
    case (.enumeration(let enumeration), .scalar(let scalar)) where scalar == enumeration.scalar: return first
    case (.scalar(let scalar), .enumeration(let enumeration)) where scalar == enumeration.scalar: return second
    case (.scalar(let one), .scalar(let other)) where one == other:
      var common = Use(
        left.shape, isNullable: isNullable, constraints: both(left.constraints, right.constraints, at: pointer))
      common.isBinary = left.isBinary && right.isBinary
      return common
    case (.enumeration(let one), .enumeration(let other))
    where one.isInteger == other.isInteger && Set(one.values) != Set(other.values):
      // One narrows the other.
      var common = other
      common.values = other.values.filter(Set(one.values).contains)
      if common.values.count == other.values.count { return second }
      if common.values.count == one.values.count { return first }
      guard !common.values.isEmpty else {
        log.warn("no value is in both enums of `allOf`; it is taken as any JSON", at: pointer)
        return .json
      }
      return Use(.enumeration(common), isNullable: isNullable)
    case (let one, let other) where one == other: return first
    default:
      log.warn("the parts of `allOf` are of different kinds; it is taken as any JSON", at: pointer)
      return .json
    }
  }

  private static let maximumVariants = 256

  /// The number of a union's variants, including those of nested unions. Counting stops at the first number above the limit.
  private func variants(of union: UnionShape, upTo limit: Int, at pointer: String) throws(ImportError) -> Int {
    var count = union.variants.count
    for variant in union.variants where count <= limit {
      guard case .union(let inner) = try resolved(variant.use, at: pointer).shape else { continue }
      count += try variants(of: inner, upTo: limit - count, at: pointer)
    }
    return count
  }

  /// A member that two parts describe as an object, with both descriptions merged. `nil` for other members.
  private func mergedObjects(_ first: Use, _ second: Use, at pointer: String) throws(ImportError) -> Use? {
    guard !isBeingRead(first), !isBeingRead(second) else { return nil }
    let (left, right) = (try resolved(first, at: pointer), try resolved(second, at: pointer))
    guard case .object(let base) = left.shape, case .object(let more) = right.shape, base != more else { return nil }
    var sum = try self.sum(of: base, at: pointer)
    try add(more, to: &sum, at: pointer)
    return Use(.object(sum.object), isNullable: left.isNullable && right.isNullable)
  }

  // MARK: oneOf and anyOf

  /// Reads `oneOf` or `anyOf`; `nil` if the schema has neither.
  func alternatives(
    of schema: DocumentValue, types: [String], at pointer: String
  ) throws(ImportError) -> Use? {
    let hasMembers = schema["properties"] != nil
    var demands: [(keyword: String, rule: MemberRule)] = []
    var unions: [Use] = []
    for (keyword, kind) in [("oneOf", ParameterRule.Kind.oneOf), ("anyOf", .anyOf)] {
      guard let variants = schema[keyword]?.list, !variants.isEmpty else { continue }
      if hasMembers, let names = Self.demandedNames(variants) {
        let isEach = names.allSatisfy { $0.count == 1 }
        demands.append((keyword, MemberRule(kind: kind, names: isEach ? names.flatMap { $0 } : [])))
      } else {
        unions.append(
          try union(of: variants, schema: schema, isAnyOf: keyword == "anyOf", at: Pointer.child(pointer, keyword)))
      }
    }
    if demands.isEmpty, unions.isEmpty { return nil }
    let alternatives = try joined(unions, at: pointer)
    guard hasMembers else { return alternatives ?? Use.json }
    var use = try plain(schema, types: types, at: pointer)
    if case .object(var object) = use.shape {
      for (keyword, rule) in demands {
        if rule.names.isEmpty {
          log.warn(
            "`\(keyword)` requires groups of members together, which a catalogue cannot express",
            at: Pointer.child(pointer, keyword))
        } else {
          object.rules.append(rule)
        }
      }
      // You can still send members of alternatives that have no common form.
      if alternatives == nil, !unions.isEmpty { object.extra = .json }
      use.shape = .object(object)
    }
    guard let alternatives else { return use }
    return try merged(use, alternatives, at: pointer)
  }

  /// Merges `oneOf` and `anyOf` of one schema; `nil` if it has neither, or both have alternatives, which is reported.
  private func joined(_ unions: [Use], at pointer: String) throws(ImportError) -> Use? {
    guard let first = unions.first, let second = unions.dropFirst().first else { return unions.first }
    if !isBeingRead(first), !isBeingRead(second) {
      guard case .union = try resolved(first, at: pointer).shape, case .union = try resolved(second, at: pointer).shape
      else { return try merged(first, second, at: pointer) }
    }
    log.warn(
      "alternatives of `oneOf` and of `anyOf` at once cannot be expressed; they are taken as any JSON", at: pointer)
    return nil
  }

  /// The names that variants require if they contain nothing else: "at least one of these".
  private static func demandedNames(_ variants: [DocumentValue]) -> [[String]]? {
    var result: [[String]] = []
    for variant in variants {
      guard let members = variant.object?.members, let names = variant["required"]?.list?.compactMap(\.string),
        !names.isEmpty,
        members.allSatisfy({ $0.key == "required" || ($0.key == "type" && $0.value == .string("object")) })
      else { return nil }
      result.append(names)
    }
    return result
  }

  private func union(
    of variants: [DocumentValue], schema: DocumentValue, isAnyOf: Bool, at pointer: String
  ) throws(ImportError) -> Use {
    var isNullable = false
    var read: [(use: Use, demand: Use?)] = []
    var closed: Set<Use> = []
    for (index, variant) in variants.enumerated() {
      if Self.isNull(variant) {
        isNullable = true
        continue
      }
      var use = try self.use(variant, at: Pointer.child(pointer, String(index)))
      if use.isNullable {
        isNullable = true
        use.isNullable = false
      }
      if isClosed(variant) { closed.insert(use) }
      read.append((use, Self.demandedNames([variant]) == nil ? nil : Self.demand(of: variant)))
    }
    // A variant that only requires some of the members next to it must not lose the members of the other variants.
    let further = try furtherMembers(of: read, beside: schema, at: pointer)
    var uses: [Use] = []
    var known: Set<Use> = []
    for variant in read {
      let use = further.isEmpty ? variant.use : variant.demand ?? variant.use
      if known.insert(use).inserted { uses.append(use) }
    }
    guard let first = uses.first else { return Use(.scalar(.json), isNullable: true) }
    if let discriminator = schema["discriminator"].flatMap({ self.discriminator($0, at: pointer) }),
      let union = try tagged(uses, by: discriminator, at: pointer)
    {
      return Use(.union(union), isNullable: isNullable)
    }
    if uses.count == 1 {
      var only = first
      only.isNullable = isNullable
      return only
    }
    if let enumeration = try joinedEnumeration(uses, at: pointer) { return Use(enumeration, isNullable: isNullable) }
    if uses.contains(.json) {
      if !further.isEmpty {
        log.warn("one of the alternatives is any JSON, so the members of the others may be left out", at: pointer)
        return Use(.object(ObjectShape(members: further)), isNullable: isNullable)
      }
      let whole =
        schema["properties"] == nil ? "and so is the whole" : "so the others do not restrict the members next to them"
      log.warn("one of the alternatives is any JSON, \(whole)", at: pointer)
      return Use(.scalar(.json), isNullable: isNullable)
    }
    if let union = try inferredTag(uses, at: pointer) { return Use(.union(union), isNullable: isNullable) }
    // The shape does not distinguish text with a format from text without one.
    let scalars = Set(uses.map(\.shape))
    if scalars.count == 1 { return Use(first.shape, isNullable: isNullable) }
    // In a body, bytes are a file.
    if uses.allSatisfy({ Self.isText($0.shape) }), !uses.contains(where: { $0.shape == .scalar(.bytes) }) {
      log.warn(Self.anyString, at: pointer)
      return Use(.scalar(.string), isNullable: isNullable)
    }
    var alternatives = uses.map { UnionShape.Variant(use: $0) }
    if isAnyOf, let combination = try combination(of: uses.filter { !closed.contains($0) }, at: pointer) {
      alternatives.append(combination)
    }
    return Use(.union(UnionShape(tag: nil, variants: alternatives)), isNullable: isNullable)
  }

  /// Whether an object has only the members that the schema lists.
  private func isClosed(_ schema: DocumentValue) -> Bool {
    let target = (try? document.resolved(schema, at: "#").value) ?? schema
    return ["additionalProperties", "unevaluatedProperties"].contains { target[$0] == .bool(false) }
  }

  /// An object that combines several alternatives of `anyOf`, with the members of all that do not contradict each other; `nil` if
  /// there is none, or one of the alternatives already has all members.
  private func combination(of uses: [Use], at pointer: String) throws(ImportError) -> UnionShape.Variant? {
    var result = ObjectShape()
    var places: [String: Int] = [:]
    var counts: [String: Int] = [:]
    var objects: [(name: String?, count: Int)] = []
    for use in uses where !isBeingRead(use) {
      guard case .object(let object) = try resolved(use, at: pointer).shape, !object.members.isEmpty else { continue }
      try countMerged(object.members.count, at: pointer)
      var common: [(place: Int, use: Use)] = []
      for member in object.members {
        guard let place = places[member.name] else { continue }
        guard let both = try combined(result.members[place].use, member.use, at: pointer) else { break }
        common.append((place, both))
      }
      guard common.count == object.members.count(where: { places[$0.name] != nil }) else { continue }
      for (place, both) in common { result.members[place].use = both }
      for member in object.members {
        if member.isRequired { counts[member.name, default: 0] += 1 }
        guard places[member.name] == nil else { continue }
        places[member.name] = result.members.count
        result.members.append(member)
      }
      if let extra = object.extra { result.extra = result.extra == nil || result.extra == extra ? extra : .json }
      let name = if case .named(let target) = use.shape { Pointer.lastName(of: target) } else { String?.none }
      objects.append((name, object.members.count))
    }
    guard objects.count > 1, objects.allSatisfy({ $0.count < result.members.count }) else { return nil }
    // With two alternatives, it must be both; with more, any two may be combined.
    let least = objects.count == 2 ? 1 : objects.count
    for index in result.members.indices {
      result.members[index].isRequired = counts[result.members[index].name, default: 0] >= least
    }
    let names = objects.compactMap(\.name)
    let isShort = names.count == objects.count && names.count <= 3
    return .init(use: Use(.object(result)), combination: isShort ? names.joined(separator: " and ") : "combination")
  }

  /// A use for a member of two combined alternatives; `nil` if no value satisfies both.
  private func combined(_ first: Use, _ second: Use, at pointer: String) throws(ImportError) -> Use? {
    if first.shape == second.shape { return first }
    if first == .json { return second }
    if second == .json { return first }
    guard !isBeingRead(first), !isBeingRead(second) else { return nil }
    switch (try resolved(first, at: pointer).shape, try resolved(second, at: pointer).shape) {
    case (.enumeration(let one), .enumeration(let other)) where one.isInteger == other.isInteger:
      let allowed = Set(one.values)
      let values = other.values.filter(allowed.contains)
      if values.count == other.values.count { return second }
      if values.count == one.values.count { return first }
      var common = other
      common.values = values
      return values.isEmpty ? nil : Use(.enumeration(common))
    case (.enumeration(let one), .scalar(let scalar)) where one.scalar == scalar: return first
    case (.scalar(let scalar), .enumeration(let other)) where other.scalar == scalar: return second
    case (let one, let other) where one == other: return first
    default: return nil
    }
  }

  /// The members that alternatives have and the `properties` next to them lack, all optional; none if no alternative only requires
  /// members or is any JSON.
  private func furtherMembers(
    of alternatives: [(use: Use, demand: Use?)], beside schema: DocumentValue, at pointer: String
  ) throws(ImportError) -> [Member] {
    guard let properties = schema["properties"],
      alternatives.contains(where: { $0.demand != nil || $0.use == .json })
    else { return [] }
    var result: [Member] = []
    var positions: [String: Int] = [:]
    for (use, demand) in alternatives where demand == nil && !isBeingRead(use) {
      guard case .object(let object) = try resolved(use, at: pointer).shape else { continue }
      for var member in object.members where properties[member.name] == nil {
        if let index = positions[member.name] {
          if result[index].use != member.use { result[index].use = .json }
        } else {
          member.isRequired = false
          positions[member.name] = result.count
          result.append(member)
        }
      }
    }
    return result
  }

  /// Whether a schema allows only null.
  static func isNull(_ schema: DocumentValue) -> Bool {
    [.string("null"), .list([.string("null")])].contains(schema["type"]) || schema["enum"] == .list([.null])
      || schema.object?.members.contains { $0.key == "const" && $0.value == .null } == true
  }

  static let anyString = "alternatives that are all strings are taken as any string"

  static func isText(_ shape: Shape) -> Bool {
    switch shape {
    case .scalar(.string), .scalar(.date(.rfc3339)), .scalar(.date(.day)), .scalar(.bytes), .scalar(.base64URL),
      .scalar(.url),
      .scalar(.uuid),
      .scalar(.decimal(isText: true)), .scalar(.duration(.iso8601)), .scalar(.duration(.protobuf)):
      true
    case .enumeration(let enumeration): !enumeration.isInteger
    default: false
    }
  }

  /// Merges constants listed as alternatives into one enumeration. A plain string among them means that other values exist.
  private func joinedEnumeration(_ uses: [Use], at pointer: String) throws(ImportError) -> Shape? {
    var shapes: [Shape] = []
    for use in uses { shapes.append(isBeingRead(use) ? use.shape : try resolved(use, at: pointer).shape) }
    // A named enumeration keeps its name.
    if uses.count == 2, let index = shapes.firstIndex(where: Self.isOpen), case .named(let name) = uses[index].shape,
      case .enumeration(let named) = shapes[index], uses[1 - index].shape == .scalar(named.scalar)
    {
      openPlaces[name, default: []].append(pointer)
      return uses[index].shape
    }
    var enumerations: [EnumerationShape] = []
    for shape in shapes { if case .enumeration(let enumeration) = shape { enumerations.append(enumeration) } }
    guard var joined = enumerations.first else { return nil }
    var known = Set(joined.values)
    for enumeration in enumerations.dropFirst() {
      guard joined.isInteger == enumeration.isInteger else { return nil }
      for value in enumeration.values where known.insert(value).inserted { joined.values.append(value) }
      joined.names.merge(enumeration.names) { first, _ in first }
      joined.summaries.merge(enumeration.summaries) { first, _ in first }
      joined.isClosed = joined.isClosed && enumeration.isClosed
      joined.isExtensible = joined.isExtensible || enumeration.isExtensible
    }
    for shape in shapes {
      if case .enumeration = shape { continue }
      guard shape == .scalar(joined.scalar) else { return nil }
      (joined.isClosed, joined.isExtensible) = (false, true)
    }
    return .enumeration(joined)
  }

  private static func isOpen(_ shape: Shape) -> Bool {
    if case .enumeration(let enumeration) = shape { !enumeration.isClosed } else { false }
  }

  private func tagged(
    _ uses: [Use], by discriminator: Discriminator, at pointer: String
  ) throws(ImportError) -> UnionShape? {
    var alternatives: [Alternative] = []
    var isMember = false
    for use in uses {
      var alternative = Alternative(use: use)
      if case .named(let target) = use.shape {
        alternative.pointer = target
        if let schema = try? document.value(at: target, referredFrom: pointer) {
          alternative.own = values(of: discriminator.member, in: schema, at: target)
        }
      }
      // A variant that refers back to this union cannot be read now, because that would never end. The tag distinguishes it anyway.
      if isBeingRead(use) {
        isMember = true
      } else {
        switch try resolved(use, at: pointer).shape {
        case .object(let object):
          guard let member = object[discriminator.member] else { break }
          isMember = true
          if alternative.pointer == nil { alternative.own = try enumeration(of: member, at: pointer)?.values }
        case .union(let union):
          if union.tag == discriminator.member {
            isMember = true
            alternative.own = union.variants.flatMap(\.tags)
          }
        default:
          log.warn(
            "an alternative that `\(discriminator.member)` selects is not an object; their shapes distinguish them",
            at: pointer)
          return nil
        }
      }
      if alternative.own == nil, alternative.pointer == nil {
        log.warn("an alternative has no value of `\(discriminator.member)` that selects it", at: pointer)
        return nil
      }
      alternatives.append(alternative)
    }
    guard isMember else {
      log.warn(
        "the discriminator `\(discriminator.member)` is not a member of the alternatives; their shapes distinguish them",
        at: pointer)
      return nil
    }
    guard var variants = try variants(of: alternatives, by: discriminator, at: pointer) else { return nil }
    let known = Set(variants.flatMap(\.tags))
    let listed = Set(alternatives.compactMap(\.pointer))
    for entry in discriminator.mapping where !listed.contains(entry.target) && !known.contains(entry.tag) {
      _ = try document.value(at: entry.target, referredFrom: pointer)
      variants.append(.init(tags: [entry.tag], use: Use(.named(entry.target))))
    }
    for use in variants.map(\.use) {
      var uses = [use]
      // Variants that share one tag value are distinguished without the tag.
      if case .union(let union) = use.shape { uses = union.variants.map(\.use) }
      for case .named(let target) in uses.map(\.shape) {
        tagMembers[target, default: []].insert(discriminator.member)
      }
    }
    return UnionShape(tag: discriminator.member, variants: variants)
  }

  /// A member with a different constant in every alternative distinguishes them without a discriminator. An optional member also
  /// works if there is nothing better.
  private func inferredTag(_ uses: [Use], at pointer: String) throws(ImportError) -> UnionShape? {
    var shapes: [Shape] = []
    for use in uses {
      guard !isBeingRead(use) else { return nil }
      shapes.append(try resolved(use, at: pointer).shape)
    }
    let names: [String]
    switch shapes.first {
    case .object(let object)?: names = object.members.map(\.name)
    case .union(let union)?: names = union.tag.map { [$0] } ?? []
    default: return nil
    }
    var tagged: (name: String, isRequired: Bool, union: UnionShape)?
    search: for name in names {
      var union = UnionShape(tag: name, variants: [])
      var seen: Set<String> = []
      var isRequired = true
      for (shape, use) in zip(shapes, uses) {
        guard let tags = try tags(of: name, in: shape, at: pointer),
          tags.values.allSatisfy({ seen.insert($0).inserted })
        else { continue search }
        isRequired = isRequired && tags.isRequired
        union.variants.append(.init(tags: tags.values, use: use))
      }
      if isRequired || tagged == nil { tagged = (name, isRequired, union) }
      if isRequired { break }
    }
    guard let tagged else { return nil }
    if tagged.isRequired {
      for use in uses {
        if case .named(let target) = use.shape { tagMembers[target, default: []].insert(tagged.name) }
      }
    } else if ObjectShape.areToldApart(shapes) {
      return nil
    }
    return tagged.union
  }

  /// The values of a member that distinguish a shape from others. For a union with this member as its tag, the values of all its
  /// variants.
  private func tags(
    of name: String, in shape: Shape, at pointer: String
  ) throws(ImportError) -> (values: [String], isRequired: Bool)? {
    switch shape {
    case .object(let object):
      guard let member = object[name], let enumeration = try self.enumeration(of: member, at: pointer),
        !enumeration.isInteger
      else { return nil }
      return (enumeration.values, member.isRequired)
    case .union(let union) where union.tag == name: return (union.variants.flatMap(\.tags), true)
    default: return nil
    }
  }

  /// The values of a member, if they are listed in place or in a named schema.
  private func enumeration(of member: Member, at pointer: String) throws(ImportError) -> EnumerationShape? {
    if case .named(let target) = member.use.shape {
      // Other schemas are read later, because one that refers back to this union cannot be read now.
      guard let schema = try? document.value(at: target, referredFrom: pointer),
        schema["enum"] != nil || schema["const"] != nil
      else { return nil }
    }
    guard case .enumeration(let enumeration) = try resolved(member.use, at: pointer).shape else { return nil }
    return enumeration
  }
}
