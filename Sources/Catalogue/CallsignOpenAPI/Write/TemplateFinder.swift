import CallsignCatalogue

/// Finds the models that a template makes from some types and words.
struct TemplateFinder {
  /// A model as a use of a template: `Response<Post>`.
  struct Use {
    var template: ModelTemplate
    var text: String
    /// Whether the model's summary differs from the template's.
    var hasOwnSummary: Bool
    /// The models whose summaries appear in the template's texts.
    var summarized: Set<String> = []
  }

  let templates: [ModelTemplate]
  /// The summaries, by model name.
  let summaries: [String: String]

  init(_ templates: [ModelTemplate], _ models: [Model]) {
    self.templates = templates
    summaries = templates.isEmpty ? [:] : Dictionary(models.map { ($0.name, $0.summary ?? "") }) { first, _ in first }
  }

  /// The uses that models can be written as, by model name.
  func uses(in models: [Model]) -> [String: Use] {
    guard !templates.isEmpty else { return [:] }
    var uses: [String: Use] = [:]
    var summarized: Set<String> = []
    for model in models {
      let all = templates.compactMap { use(of: $0, as: model) }
      guard let use = all.first(where: { !$0.hasOwnSummary }) ?? all.first else { continue }
      // A template can only include a summary that is written with its model.
      if !use.hasOwnSummary, summarized.contains(model.name) { continue }
      if use.summarized.contains(where: { uses[$0]?.hasOwnSummary == false }) { continue }
      summarized.formUnion(use.summarized)
      uses[model.name] = use
    }
    return uses
  }

  /// The use of the template that makes the model, ignoring the summary, if there is one.
  private func use(of template: ModelTemplate, as model: Model) -> Use? {
    guard model.swiftName == nil, model.documentation == template.model.documentation,
      model.deprecation == template.model.deprecation
    else { return nil }
    var match = TemplateMatch(template, summaries)
    guard match.takes(template.model.shape, model.shape) else { return nil }
    let hasSameSummary = match.takes(template.model.summary, model.summary)
    guard hasSameSummary || model.summary != nil, let text = match.text else { return nil }
    return Use(
      template: template, text: text, hasOwnSummary: !hasSameSummary, summarized: match.summarized)
  }
}

/// The values of a template's names that make a model from it.
private struct TemplateMatch {
  let template: ModelTemplate
  let summaries: [String: String]
  private var types: [String: TypeReference] = [:]
  private var words: [String: String] = [:]
  private(set) var summarized: Set<String> = []

  init(_ template: ModelTemplate, _ summaries: [String: String]) {
    self.template = template
    self.summaries = summaries
  }

  /// The use as text; `nil` if a name has no value.
  var text: String? {
    var texts: [String] = []
    for name in template.parameters {
      guard let text = types[name]?.text ?? words[name] else { return nil }
      texts.append(text)
    }
    return "\(template.name)<\(texts.joined(separator: ", "))>"
  }

  mutating func takes(_ pattern: Model.Shape, _ shape: Model.Shape) -> Bool {
    switch (pattern, shape) {
    case (.alias(let pattern), .alias(let type)): return takes(pattern, type)
    case (.object(let pattern, nil), .object(let fields, nil)):
      guard !pattern.isEmpty, pattern.count == fields.count else { return false }
      for (pattern, field) in zip(pattern, fields) {
        guard takes(pattern.type, field.type) else { return false }
        var same = pattern
        (same.type, same.summary) = (field.type, field.summary)
        guard same == field else { return false }
      }
      // Texts can include the summaries of types that have become known only now.
      return zip(pattern, fields).allSatisfy { takes($0.summary, $1.summary) }
    default: return false
    }
  }

  private mutating func takes(_ pattern: TypeReference, _ type: TypeReference) -> Bool {
    if case .named(let name) = pattern.kind, template.parameters.contains(name) {
      var bound = type
      // The template's own marks do not belong to the type.
      if pattern.isOptional { bound.isOptional = false }
      if pattern.isNullable { bound.isNullable = false }
      guard type.isOptional || !pattern.isOptional, type.isNullable || !pattern.isNullable, !type.isIndirect else {
        return false
      }
      if let known = types[name] { return known == bound }
      types[name] = bound
      return true
    }
    var (own, other) = (pattern, type)
    switch (pattern.kind, type.kind) {
    case (.list(let inner), .list(let element)), (.map(let inner), .map(let element)):
      guard takes(inner, element) else { return false }
      own.kind = .scalar(.json)
      other.kind = .scalar(.json)
    default: break
    }
    return own == other
  }

  /// Matches a text in which at most one name stands for words that are not known yet.
  mutating func takes(_ pattern: String?, _ text: String?) -> Bool {
    guard let pattern, let text else { return pattern == text }
    var known = ""
    let parts = ModelTemplate.parts(of: pattern)
    for (index, part) in parts.enumerated() {
      guard case .name(let name) = part else {
        if case .words(let words) = part { known += words }
        continue
      }
      if let type = types[name] {
        guard case .named(let model) = type.kind, let summary = summaries[model], !summary.isEmpty else { return false }
        summarized.insert(model)
        known += known.isEmpty ? summary : ModelTemplate.insideSentence(summary)
      } else if let words = words[name] {
        known += words
      } else if template.parameters.contains(name) {
        var rest = ""
        switch parts.count - index {
        case 1: break
        case 2: if case .words(let words) = parts[index + 1] { rest = words } else { return false }
        default: return false
        }
        guard !rest.contains("{"), text.hasPrefix(known), text.hasSuffix(rest),
          text.count > known.count + rest.count
        else { return false }
        let words = String(text.dropFirst(known.count).dropLast(rest.count))
        let marks = ",<>{}".unicodeScalars
        guard !words.unicodeScalars.contains(where: { marks.contains($0) }), !words.contains(where: \.isNewline),
          words.first != " ", words.last != " "
        else { return false }
        self.words[name] = words
        return true
      } else {
        known += "{\(name)}"
      }
    }
    return known == text
  }
}
