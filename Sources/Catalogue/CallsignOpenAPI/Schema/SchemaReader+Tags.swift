/// Finds the values of a discriminator's member that select the alternatives of a union.
extension SchemaReader {
  /// A member of a schema.
  struct MemberPlace: Hashable {
    var schema: String
    var member: String
  }

  /// An alternative, as far as it matters to a discriminator.
  struct Alternative {
    var use: Use
    /// The values that the alternative's own `enum` or `const` allows; `nil` if it allows any.
    var own: [String]?
    /// The schema's pointer; `nil` for one without a name.
    var pointer: String?
  }

  /// The variants of a union, each with the values that select it: first those that the alternative itself allows, then those in
  /// the mapping, then its name. Alternatives that only their shape distinguishes become a nested union.
  ///
  /// - Returns: The variants; `nil` if no value selects any of the alternatives, which is reported.
  func variants(
    of alternatives: [Alternative], by discriminator: Discriminator, at pointer: String
  ) throws(ImportError) -> [UnionShape.Variant]? {
    let claims = claims(of: alternatives, discriminator)
    var selection = selection(of: alternatives, by: discriminator, claims)
    guard addUnselected(alternatives, to: &selection, by: discriminator, claims, at: pointer) else { return nil }
    // Only their shapes distinguish them.
    if alternatives.count > 1, selection.own.allSatisfy(\.isEmpty), selection.shared.count == 1 {
      log.warn(
        "`\(discriminator.member)` has the same values in all alternatives; their shapes distinguish them", at: pointer)
      return nil
    }
    var variants: [UnionShape.Variant] = []
    for (index, alternative) in alternatives.enumerated() where !selection.own[index].isEmpty {
      variants.append(.init(tags: selection.own[index], use: alternative.use))
    }
    for (owners, tags) in selection.shared {
      variants.append(
        try variant(of: owners.map { alternatives[$0].use }, sharing: tags, of: discriminator.member, at: pointer))
    }
    return variants
  }

  /// The alternatives by the values that may select them, in order of discovery.
  private struct Claims {
    private(set) var values: [String] = []
    private(set) var owners: [String: [Int]] = [:]

    mutating func add(_ value: String, by index: Int) {
      if owners[value] == nil { values.append(value) }
      if owners[value]?.last != index { owners[value, default: []].append(index) }
    }
  }

  /// The values that select each alternative.
  private struct Selection {
    /// The values that select one alternative only, by the alternative's position.
    var own: [[String]]
    /// The values that select several alternatives.
    private(set) var shared: [(owners: [Int], tags: [String])] = []
    private var positions: [[Int]: Int] = [:]

    init(count: Int) { own = Array(repeating: [], count: count) }

    mutating func share(_ value: String, _ owners: [Int]) {
      if let position = positions[owners] {
        shared[position].tags.append(value)
      } else {
        positions[owners] = shared.count
        shared.append((owners, [value]))
      }
    }
  }

  /// The values that may select each alternative: those that it allows itself, or those in the mapping, or its name.
  private func claims(of alternatives: [Alternative], _ discriminator: Discriminator) -> Claims {
    var claims = Claims()
    for (index, alternative) in alternatives.enumerated() {
      if let own = alternative.own {
        for value in own { claims.add(value, by: index) }
      } else if let target = alternative.pointer {
        for tag in tags(of: target, discriminator) { claims.add(tag, by: index) }
      }
    }
    return claims
  }

  /// Gives each claimed value to the only alternative that claims it, to the one that it is mapped to, or to the one with that
  /// name. Other values select all alternatives that claim them.
  private func selection(
    of alternatives: [Alternative], by discriminator: Discriminator, _ claims: Claims
  ) -> Selection {
    let mapping = Dictionary(discriminator.mapping.map { ($0.tag, $0.target) }) { first, _ in first }
    let names = alternatives.map { $0.pointer.map(comparableName) }
    var selection = Selection(count: alternatives.count)
    for value in claims.values {
      let owners = claims.owners[value] ?? []
      if owners.count == 1 {
        selection.own[owners[0]].append(value)
        continue
      }
      let mapped = mapping[value].flatMap { target in owners.first { alternatives[$0].pointer == target } }
      let name = Self.comparable(value)
      let named = owners.filter { names[$0] == name }
      if let owner = mapped ?? (named.count == 1 ? named[0] : nil) {
        selection.own[owner].append(value)
      } else {
        selection.share(value, owners)
      }
    }
    return selection
  }

  /// Finds a value for each alternative that has none yet, and reports mapped values that the other alternatives cannot have.
  ///
  /// - Returns: `false` if an alternative has no value, which is reported.
  private func addUnselected(
    _ alternatives: [Alternative], to selection: inout Selection, by discriminator: Discriminator, _ claims: Claims,
    at pointer: String
  ) -> Bool {
    let reachable = Set(selection.shared.flatMap(\.owners))
    for (index, alternative) in alternatives.enumerated() {
      guard selection.own[index].isEmpty, !reachable.contains(index) else {
        warnOfContradictions(to: alternative, in: discriminator, at: pointer)
        continue
      }
      // If other alternatives claim all of its values, the mapping's value is merely missing from the list.
      let mapped = alternative.pointer.flatMap { discriminator.tags[$0] } ?? []
      let unlisted = mapped.filter { claims.owners[$0] == nil }
      if let target = alternative.pointer, !unlisted.isEmpty {
        selection.own[index] = unlisted
        tagValues[MemberPlace(schema: target, member: discriminator.member)] = unlisted
        log.warn(
          "`\(discriminator.member)` of `\(Pointer.lastName(of: target))` does not list the value that it is mapped to, "
            + unlisted.map { "`\($0)`" }.joined(separator: " or ") + "; that is taken", at: pointer)
        continue
      }
      // If all of its values select other alternatives, its shape distinguishes it from these.
      guard let value = alternative.own?.first, let owners = claims.owners[value] else {
        log.warn("an alternative has no value of `\(discriminator.member)` that selects it", at: pointer)
        return false
      }
      for owner in owners { selection.own[owner].removeAll { $0 == value } }
      selection.share(value, owners)
    }
    return true
  }

  /// The variant for values that several alternatives share: a nested union, if they remain several.
  private func variant(
    of alternatives: [Use], sharing tags: [String], of member: String, at pointer: String
  ) throws(ImportError) -> UnionShape.Variant {
    var uses: [Use] = []
    for alternative in alternatives {
      for use in try parts(of: alternative, selectedBy: tags, member, at: pointer) where !uses.contains(use) {
        uses.append(use)
      }
    }
    log.note(
      "\(tags.map { "`\($0)`" }.joined(separator: ", ")) of `\(member)` selects several alternatives; "
        + "their shapes distinguish them", at: pointer)
    let union = UnionShape(tag: nil, variants: uses.map { UnionShape.Variant(use: $0) })
    return .init(tags: tags, use: uses.count == 1 ? uses[0] : Use(.union(union)))
  }

  /// Reports values in a mapping that the mapped alternative cannot have.
  private func warnOfContradictions(
    to alternative: Alternative, in discriminator: Discriminator, at pointer: String
  ) {
    guard let own = alternative.own, let target = alternative.pointer, let mapped = discriminator.tags[target] else {
      return
    }
    let allowed = Set(own)
    for tag in mapped where !allowed.contains(tag) {
      log.warn(
        "`\(tag)` is mapped to `\(Pointer.lastName(of: target))`, whose `\(discriminator.member)` is "
          + own.prefix(5).map { "`\($0)`" }.joined(separator: " or ") + "; that is taken", at: pointer)
    }
  }

  /// The values that a base class lists for all its extensions.
  struct ListedValues {
    let all: Set<String>
    /// The values, by the form in which names are compared.
    let byName: [String: [String]]

    init(_ values: [String]) {
      all = Set(values)
      byName = Dictionary(grouping: values, by: SchemaReader.comparable)
    }
  }

  /// The values listed by a base class that select an extension without a list: those in the mapping, or its name.
  ///
  /// - Returns: The values; `nil` if there are none, which is reported.
  func selected(
    _ pointer: String, among values: ListedValues, _ discriminator: Discriminator, at base: String
  ) -> [String]? {
    let mapped = discriminator.tags[pointer]?.filter(values.all.contains)
    let own = mapped ?? values.byName[comparableName(of: pointer)] ?? []
    if !own.isEmpty { return own }
    log.warn(
      "no value of `\(discriminator.member)` selects `\(Pointer.lastName(of: pointer))`; it is not an alternative",
      at: base
    )
    return nil
  }

  /// Whether a value is the one that selects a schema without a mapping: its name, in any case.
  func isName(_ value: String, of pointer: String) -> Bool { Self.comparable(value) == comparableName(of: pointer) }

  /// The value that selects a schema without a mapping, in the form in which names are compared.
  private func comparableName(of pointer: String) -> String {
    let schema = try? document.value(at: pointer, referredFrom: pointer)
    return Self.comparable(schema?["x-ms-discriminator-value"]?.string ?? Pointer.lastName(of: pointer))
  }

  /// The form in which names are compared: without separators, in lowercase.
  private static func comparable(_ name: String) -> String { Words(name).pascal.lowercased() }

  /// For an alternative that is a union with the same tag, the variants that some of its values select; other alternatives
  /// unchanged.
  private func parts(
    of use: Use, selectedBy tags: [String], _ member: String, at pointer: String
  ) throws(ImportError) -> [Use] {
    guard !isBeingRead(use), case .union(let union) = try resolved(use, at: pointer).shape, union.tag == member else {
      return [use]
    }
    var result: [Use] = []
    for variant in union.variants where variant.tags.contains(where: tags.contains) {
      if case .union(let inner) = variant.use.shape, inner.tag == nil {
        result += inner.variants.map(\.use)
      } else {
        result.append(variant.use)
      }
    }
    return result
  }

  // MARK: The values that a schema allows

  /// The values that a member can have according to the `enum` and `const` of the schemas; `nil` if it can have any.
  ///
  /// It reads the document directly, because schemas that refer back to the union cannot be read yet.
  ///
  /// - Parameter depth: The number of schemas around this one.
  func values(of member: String, in schema: DocumentValue, at pointer: String, depth: Int = 0) -> [String]? {
    narrowed(schema, at: pointer, member: member, depth: depth) { part, place in
      let own = part["properties"]?[member].flatMap { described in
        values(of: described, at: Pointer.child(Pointer.child(place, "properties"), member), depth: depth + 1)
      }
      return own
    } of: { part, place in
      values(of: member, in: part, at: place, depth: depth + 1)
    }
  }

  /// The values in a schema's `enum` or `const`.
  private func values(of schema: DocumentValue, at pointer: String, depth: Int) -> [String]? {
    narrowed(schema, at: pointer, member: "", depth: depth) { part, _ in
      let listed = part["enum"]?.list ?? part["const"].map { [$0] }
      let texts = listed?.compactMap(\.scalarText) ?? []
      return texts.isEmpty ? nil : texts
    } of: { part, place in
      values(of: part, at: place, depth: depth + 1)
    }
  }

  /// The values that all keywords of a schema, and of those that it refers to, allow together.
  ///
  /// - Parameters:
  ///   - member: The member that has the values; empty if the schema itself has them.
  ///   - depth: The number of schemas around this one.
  private func narrowed(
    _ schema: DocumentValue, at pointer: String, member: String, depth: Int,
    own: (DocumentValue, String) -> [String]?, of part: (DocumentValue, String) -> [String]?
  ) -> [String]? {
    guard depth <= Self.maximumChain else { return nil }
    // A loop follows the references, because thousands can form a chain.
    let first = (try? document.wholeSchema(schema, at: pointer)) ?? schema
    var steps: [(key: MemberPlace?, schema: DocumentValue, pointer: String)] = [(nil, first, pointer)]
    var last = first
    var result: [String]?
    while let target = last["$ref"]?.string {
      let key = MemberPlace(schema: target, member: member)
      if let known = memberValues[key] {
        result = known
        break
      }
      // A schema that contains itself adds no limit.
      memberValues[key] = .some(nil)
      guard let next = try? document.value(at: target, referredFrom: pointer) else { break }
      last = (try? document.wholeSchema(next, at: target)) ?? next
      steps.append((key, last, target))
    }
    for step in steps.reversed() {
      var all = [own(step.schema, step.pointer), result]
      all += limits(of: step.schema, at: step.pointer, part)
      result = Self.common(all.compactMap { $0 })
      if let key = step.key { memberValues[key] = .some(result) }
    }
    return result
  }

  /// The values that each part of `allOf` allows, and those that the alternatives of `oneOf` and `anyOf` allow; `nil` for any.
  private func limits(
    of schema: DocumentValue, at pointer: String, _ part: (DocumentValue, String) -> [String]?
  ) -> [[String]?] {
    var limits: [[String]?] = []
    for (index, each) in (schema["allOf"]?.list ?? []).enumerated() {
      limits.append(part(each, Pointer.child(Pointer.child(pointer, "allOf"), String(index))))
    }
    for keyword in ["oneOf", "anyOf"] {
      var all: [String] = []
      var isLimited = false
      for (index, each) in (schema[keyword]?.list ?? []).enumerated() where !Self.isNull(each) {
        guard let values = part(each, Pointer.child(Pointer.child(pointer, keyword), String(index))) else {
          isLimited = false
          break
        }
        isLimited = true
        all += values
      }
      var seen: Set<String> = []
      if isLimited { limits.append(all.filter { seen.insert($0).inserted }) }
    }
    return limits
  }

  /// The values that are in all lists. A list without any of the earlier ones' values replaces them.
  private static func common(_ lists: [[String]]) -> [String]? {
    var result: [String]?
    for list in lists {
      guard let values = result else {
        result = list
        continue
      }
      let allowed = Set(list)
      let common = values.filter(allowed.contains)
      result = common.isEmpty ? list : common
    }
    return result
  }
}
