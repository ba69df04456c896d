import CallsignCatalogue
import CallsignJSON
import Foundation

/// Generates values of types: valid, plausible, and the same for the same seed.
///
/// Each member and element has a separate seed, so that one does not change another. The values of an object with an `id` depend on
/// it: pet 7 in a list equals pet 7 requested by ID.
struct ValueGenerator: Sendable {
  let types: ModelIndex
  /// The base seed of responses. The seeds of objects with an ID are derived from it.
  let seed: Seed
  /// The direction, which decides about members to leave out: in responses those that are only sent, in requests those that only
  /// the API sets.
  var direction: ValueChecker.Direction = .response
  /// Examples for models and their members, for responses.
  var examples = ExampleBook(nil)
  /// Members that are always left out if they are optional.
  private static let failures: Set<String> = ["errors", "error", "warnings", "problem"]
  /// Below this depth, only required members are generated.
  private static let sparseDepth = 5

  private var checker: ValueChecker { ValueChecker(types: types, direction: direction) }

  /// Generates a value.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - seed: The seed.
  ///   - name: The name of the member or parameter, which guides the choice of text.
  ///   - depth: The depth of nesting.
  ///   - fixed: Members to set if the value is an object and its type allows them.
  func value(
    _ type: TypeReference, _ seed: Seed, name: String, depth: Int = 0, fixed: [String: JSONValue] = [:]
  ) -> JSONValue {
    let resolved = types.resolve(type)
    var generator = seed.generator
    if resolved.isNullable {
      if Self.failures.contains(name) || depth > 40 { return .null }
      if depth > 0, generator.chance(depth > Self.sparseDepth ? 1 : 0.15) { return .null }
    }
    switch resolved.kind {
    case .scalar(let scalar):
      return ScalarGenerator(scalar: scalar, constraints: resolved.constraints, name: name).value(&generator)
    case .enumeration(let model, let cases):
      let value = generator.pick(cases.map(\.value)) ?? ""
      return model.isInteger ? Int(value).map { JSONValue.integer($0) } ?? .null : .string(value)
    case .list(let element):
      let least = resolved.constraints.minimum.flatMap { Int($0) } ?? 0
      let most = resolved.constraints.maximum.flatMap { Int($0) } ?? .max
      let usual = depth > Self.sparseDepth || depth > 40 ? 0 : depth > 2 ? 1 : Int.random(in: 1...3, using: &generator)
      // A document's bound may be larger than a test wants to read.
      let count = min(max(usual, min(least, 1_000)), max(most, 0))
      return .array(
        (0..<count).map { self.value(element, seed.derived($0), name: Self.singular(name), depth: depth + 1) })
    case .map(let element):
      guard depth <= Self.sparseDepth else { return .object([:]) }
      let keys = (0..<2).map { index in
        var generator = seed.derived("key").derived(index).generator
        return PlausibleText.phrase(&generator, 1...1).lowercased()
      }
      return .object(
        Dictionary(
          keys.map { ($0, value(element, seed.derived($0), name: $0, depth: depth + 1)) }, uniquingKeysWith: { $1 }))
    case .object(let model, let fields, _):
      return object(model, fields, seed, depth, fixed)
    case .union(_, let union): return variant(union, seed, name, depth, fixed)
    case .missing: return .null
    }
  }

  /// Whether a value fits the type and is read as intended.
  func accepts(_ value: JSONValue, _ type: TypeReference) -> Bool { checker.accepts(value, type) }

  /// Whether a value from a request can be in a response, that is, without members that the response's type lacks.
  func acceptsGiven(_ value: JSONValue, _ type: TypeReference) -> Bool {
    ValueChecker(types: types, direction: direction, isStrict: true).accepts(value, type)
  }

  private func object(
    _ model: CallsignCatalogue.Model, _ fields: [Field], _ seed: Seed, _ depth: Int, _ fixed: [String: JSONValue]
  ) -> JSONValue {
    guard depth < 64 else { return .object([:]) }
    var members: [String: JSONValue] = [:]
    var seed = seed
    let example = direction == .response ? examples.model(model.name, seed) : nil
    if let id = fields.first(where: { $0.name == "id" && !isLeftOut($0) && isPlain($0.type) }) {
      let given = fixed["id"].flatMap { accepted($0, id.type) }
      let value =
        id.constant.flatMap { self.constant($0, id.type) } ?? given
        // The objects in a list must differ.
        ?? (depth == 0 ? self.example(of: id, model, example, seed) : nil)
        ?? value(id.type, seed.derived("id"), name: model.name + "id", depth: depth + 1)
      members["id"] = value
      if !value.isNull { seed = self.seed.derived(model.name).derived(value.description) }
    }
    for field in fields where members[field.name] == nil && !isLeftOut(field) {
      if let constant = field.constant, let value = self.constant(constant, field.type) {
        members[field.name] = value
        continue
      }
      if let given = fixed[field.name].flatMap({ accepted($0, field.type) }) {
        members[field.name] = given
        continue
      }
      let seed = seed.derived(field.name)
      if field.type.isOptional {
        let isExample = example.map { $0[field.name] != nil && !Self.failures.contains(field.name) }
        guard isExample ?? includes(field, seed, depth) else {
          if direction == .response, examples.isPresent(field.name, of: model.name) { members[field.name] = .null }
          continue
        }
      }
      if direction == .response, let value = self.example(of: field, model, example, seed) {
        members[field.name] = value
        continue
      }
      members[field.name] = value(field.type, seed.derived("value"), name: field.name, depth: depth + 1)
    }
    return .object(members)
  }

  /// The document's example value for a member, from the example of the model or of the member itself.
  private func example(
    of field: Field, _ model: CallsignCatalogue.Model, _ example: [String: JSONValue]?, _ seed: Seed
  ) -> JSONValue? {
    if Self.failures.contains(field.name) { return nil }
    if let value = example?[field.name].flatMap({ fitted($0, field.type) }) { return value }
    return examples.field(field.name, of: model.name, seed) { fitted($0, field.type) }
  }

  /// Whether to include an optional member: most at the top, fewer further down, and no objects at the bottom.
  private func includes(_ field: Field, _ seed: Seed, _ depth: Int) -> Bool {
    if Self.failures.contains(field.name) { return false }
    var generator = seed.generator
    if types.height(of: field.type) > 40 { return false }
    if isPlain(field.type) { return generator.chance(depth <= Self.sparseDepth ? 0.9 : 0.3) }
    return depth < Self.sparseDepth && generator.chance([0.95, 0.85, 0.6, 0.3, 0.15][min(depth, 4)])
  }

  private func isLeftOut(_ field: Field) -> Bool { direction == .response ? field.isWriteOnly : field.isReadOnly }

  private func isPlain(_ type: TypeReference) -> Bool {
    switch types.resolve(type).kind {
    case .scalar, .enumeration: true
    default: false
    }
  }

  private func constant(_ text: String, _ type: TypeReference) -> JSONValue? {
    let value = ParameterText(types: types).value(.text(text), type)
    return accepts(value, type) ? value : nil
  }

  private static func singular(_ name: String) -> String { name.hasSuffix("s") ? String(name.dropLast()) : name }
}

// MARK: Unions

extension ValueGenerator {
  private func variant(
    _ union: CallsignCatalogue.Union, _ seed: Seed, _ name: String, _ depth: Int, _ fixed: [String: JSONValue]
  ) -> JSONValue {
    guard depth < 64 else { return .null }
    var generator = seed.generator
    var order = Array(union.variants.indices)
    order.shuffle(using: &generator)
    if depth > Self.sparseDepth {
      order.sort { types.height(of: union.variants[$0].type) < types.height(of: union.variants[$1].type) }
    } else {
      // Recursive variants come last.
      order.sort { types.height(of: union.variants[$0].type) < 40 && types.height(of: union.variants[$1].type) >= 40 }
    }
    var fallback: JSONValue?
    for (attempt, index) in order.enumerated() where attempt < 8 || fallback == nil {
      let variant = union.variants[index]
      var made = value(variant.type, seed.derived(index), name: name, depth: depth + 1, fixed: fixed)
      if let tag = union.tag {
        guard case .object(var members) = made, let word = generator.pick(variant.tags) else { continue }
        let type = types.member(tag, of: variant.type) ?? TypeReference(.scalar(.string))
        members[tag] = ParameterText(types: types).value(.text(word), type)
        made = .object(members)
        if accepts(made, variant.type) { return made }
      } else if let read = checker.variant(of: made, in: union),
        read == index || accepts(made, union.variants[read].type)
      {
        return made
      }
      fallback = fallback ?? made
    }
    return fallback ?? .null
  }
}
