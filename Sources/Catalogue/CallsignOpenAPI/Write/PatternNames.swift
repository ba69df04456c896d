import CallsignCatalogue

/// The names that the catalogue writer gives to regular expressions that many types use.
///
/// The same catalogue always gives the same names. An expression gets a name only if that makes the files shorter.
struct PatternNames {
  /// The names, by expression.
  private var names: [String: String] = [:]

  /// The minimum number of uses of an expression.
  private static let minimumCount = 4
  /// The minimum number of bytes that it must save.
  private static let minimumGain = 24

  /// Creates an empty set of names.
  init() {}

  /// Names an expression after what uses it, if most of its uses have the same name. Another name would mislead.
  init(_ catalogue: Catalogue) {
    var owners: [String: [String: Int]] = [:]
    var catalogue = catalogue
    catalogue.forEachType { type, owner in
      // A slash can be written with or without an escape.
      guard let pattern = type.constraints.pattern, !pattern.contains("/") else { return }
      owners[pattern, default: [:]][Self.name(owner), default: 0] += 1
    }
    var taken: Set<String> = []
    for (pattern, counts) in owners.sorted(by: { $0.key < $1.key }) {
      let count = counts.values.reduce(0, +)
      guard count >= Self.minimumCount, let most = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }),
        most.value * 2 > count
      else { continue }
      let name = most.key.counted(while: taken.contains)
      let length = pattern.utf8.count + 2
      guard count * (length - name.utf8.count) - name.utf8.count - length - 8 >= Self.minimumGain else { continue }
      taken.insert(name)
      names[pattern] = name
    }
  }

  /// `service_sid` from `ServiceSid`.
  private static func name(_ owner: String) -> String {
    let words = Words(owner).list.map { $0.lowercased().filter { $0.isASCII } }.filter { !$0.isEmpty }
    let name = words.joined(separator: "_")
    return name.first?.isLetter == true ? name : "pattern"
  }

  /// The lines that define them, by name.
  var lines: [String] {
    names.sorted { $0.value < $1.value }.map { "\($0.value): \(QuotedScalar.scalar("/\($0.key)/"))" }
  }

  /// The catalogue with the expressions replaced by their names.
  func naming(_ catalogue: Catalogue) -> Catalogue {
    guard !names.isEmpty else { return catalogue }
    var catalogue = catalogue
    catalogue.forEachType { type, _ in name(&type) }
    return catalogue
  }

  /// The template with the expressions replaced by their names.
  func naming(_ template: ModelTemplate) -> ModelTemplate {
    guard !names.isEmpty else { return template }
    var model = template.model
    model.forEachType { type, _ in name(&type) }
    return ModelTemplate(name: template.name, parameters: template.parameters, model: model)
  }

  private func name(_ type: inout TypeReference) {
    type.constraints.patternName = type.constraints.pattern.flatMap { names[$0] }
  }
}

extension Catalogue {
  /// Calls the body with each type of a parameter, a response or a model, and with the name of its owner.
  fileprivate mutating func forEachType(_ body: (inout TypeReference, String) -> Void) {
    for group in groups.indices {
      for index in groups[group].endpoints.indices {
        for position in groups[group].endpoints[index].parameters.indices {
          let name = groups[group].endpoints[index].parameters[position].name
          groups[group].endpoints[index].parameters[position].type.forEachPart { body(&$0, name) }
        }
        let name = groups[group].endpoints[index].name
        groups[group].endpoints[index].returns?.forEachPart { body(&$0, name) }
      }
      for index in groups[group].models.indices { groups[group].models[index].forEachType(body) }
    }
  }
}

extension Model {
  fileprivate mutating func forEachType(_ body: (inout TypeReference, String) -> Void) {
    switch shape {
    case .object(var fields, var extra):
      for index in fields.indices {
        let name = fields[index].name
        fields[index].type.forEachPart { body(&$0, name) }
      }
      extra?.forEachPart { body(&$0, name) }
      shape = .object(fields: fields, extra: extra)
    case .union(var union):
      for index in union.variants.indices { union.variants[index].type.forEachPart { body(&$0, name) } }
      shape = .union(union)
    case .alias(var type):
      type.forEachPart { body(&$0, name) }
      shape = .alias(type)
    case .enumeration: break
    }
  }
}

extension TypeReference {
  /// Calls the body with the type and the types of its elements.
  fileprivate mutating func forEachPart(_ body: (inout TypeReference) -> Void) {
    switch kind {
    case .list(var element):
      element.forEachPart(body)
      kind = .list(element)
    case .map(var element):
      element.forEachPart(body)
      kind = .map(element)
    case .named, .scalar: break
    }
    body(&self)
  }
}
