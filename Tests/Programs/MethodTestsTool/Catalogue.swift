import Foundation

/// The facts of a catalogue from which its tests are made.
struct Catalogue {
  var apiName = ""
  var hosts: [(name: String, url: String)] = []
  var models: [String: CatalogueTree] = [:]
  /// By file, in its order.
  var endpoints: [(file: String, endpoints: [Endpoint])] = []

  init(files: [URL]) throws {
    let trees = try files.map { (file: $0, tree: try CatalogueTree(file: $0)) }
    func section(_ name: String) -> [String: CatalogueTree] {
      Dictionary(trees.flatMap { $0.tree[name]?.entries ?? [] }) { first, _ in first }
    }
    let (parameters, fields) = (section("params"), section("fields"))
    let mixins = section("mixins")
    let templates = section("models").filter { $0.key.contains("<") }
    for (_, tree) in trees {
      if let api = tree["api"] {
        apiName = api["name"]?.text ?? ""
        hosts = api["hosts"]?.entries.map { ($0.key, $0.value.text ?? "") } ?? []
      }
      for (name, model) in tree["models"]?.entries ?? [] where !name.contains("<") {
        models[name] = Self.made(model, templates).mixed("$like", "fields", mixins).named(fields)
      }
    }
    for (name, model) in models {
      guard let names = model["$members"]?.text.flatMap({ models[$0]?.entries.map(\.key) }) else { continue }
      let without = (model["$except"]?.elements ?? []).compactMap(\.text)
      let values = names.filter { !$0.hasPrefix("$") && !without.contains($0) }
      models[name] = .map(model.entries + [("$enum", .list(values.map { .text($0) }))])
    }
    for (file, tree) in trees {
      let groupHost = tree["group"]?["host"]?.text
      let list = try (tree["endpoints"]?.entries ?? []).map { name, facts in
        let facts = facts.mixed("like", nil, mixins).named("params", parameters)
        do {
          return try Endpoint(name, facts, host: host(facts["host"]?.text ?? groupHost))
        } catch {
          throw Failure("\(name): \(error)")
        }
      }
      endpoints.append((file.deletingPathExtension().lastPathComponent, list))
    }
  }

  /// The model that a template creates, for a use such as `Page<Post, posts>`; another model stays unchanged.
  private static func made(_ model: CatalogueTree, _ templates: [String: CatalogueTree]) -> CatalogueTree {
    guard let text = model.text ?? model["$type"]?.text, let (name, arguments) = parts(text),
      let (key, template) = templates.first(where: { parts($0.key)?.name == name }), let names = parts(key)?.arguments
    else { return model }
    return zip(names, arguments).reduce(template) { $0.replacing($1.0, with: $1.1) }
  }

  /// The name and the text within `<…>`; `nil` if there is no such text.
  private static func parts(_ text: String) -> (name: String, arguments: [String])? {
    guard let open = text.firstIndex(of: "<"), let close = text.lastIndex(of: ">"),
      text[..<open].allSatisfy({ $0.isLetter || $0.isNumber })
    else { return nil }
    let arguments = text[text.index(after: open)..<close].split(separator: ",").map(String.init)
    return (String(text[..<open]), arguments.map { $0.trimmingCharacters(in: .whitespaces) })
  }

  private func host(_ name: String?) throws -> String {
    guard let host = name == nil ? hosts.first : hosts.first(where: { $0.name == name }) else {
      throw Failure("there is no host \(name ?? "")")
    }
    return host.url
  }
}

struct Endpoint {
  let name: String
  let method: String
  let verb: String
  /// With host.
  let path: String
  let parameters: [Parameter]
  let choices: [Choice]
  let body: String?
  let isStream: Bool
  let isDeprecated: Bool
  /// The parameter that requests a page, if there are pages.
  let pageParameter: String?
  /// The value that asks for the first page: -1 for cursors, 1 for page numbers, otherwise none.
  let firstPage: String?

  init(_ name: String, _ facts: CatalogueTree, host: String) throws {
    self.name = name
    method = facts["name"]?.text ?? name
    let call = (facts["call"]?.text ?? "").split(separator: " ").map(String.init)
    guard call.count == 2 else { throw Failure("`call` is not a method and a path") }
    (verb, path) = (call[0], host + call[1])
    let entries = facts["params"]?.entries ?? []
    let declaredBody = facts["body"]?.text
    let hasBody = declaredBody != nil || ["POST", "PUT", "PATCH"].contains(verb)
    parameters = try entries.map { wire, facts in
      try Parameter(wire, facts, path: call[1], hasBody: hasBody)
    }
    let hasFields = parameters.contains { $0.place == .field }
    body = parameters.contains { $0.place == .body } ? nil : declaredBody ?? (hasFields ? "json" : nil)
    isStream = facts["stream"] != nil
    isDeprecated = facts["deprecated"] != nil
    let style = facts["pages"]?.entries.first
    pageParameter = style?.value.text
    firstPage = ["cursor": "-1", "page": "1"][style?.key ?? ""]
    choices = try Choice.all(in: facts["one_of"])
  }
}

struct Parameter {
  enum Place: String { case path, query, header, field, body }

  let wire: String
  let type: TypeExpression
  let isOptional: Bool
  let place: Place
  let label: String
  /// The value that it is always sent with.
  let constant: String?

  init(_ wire: String, _ facts: CatalogueTree, path: String, hasBody: Bool) throws {
    self.wire = wire
    var typeText = facts.typeText
    if case .map = facts, facts["type"] != nil || facts["value"] != nil {
      typeText = facts["type"]?.typeText ?? "string"
      label = facts["name"]?.text ?? Names.member(wire)
      constant = facts["value"]?.text
      guard facts["list"] == nil else {
        throw Failure("\(wire): lists that are not comma-separated are not known here")
      }
    } else {
      label = Names.member(wire)
      constant = nil
    }
    (type, isOptional) = try TypeExpression.parse(typeText)
    if let place = facts["in"]?.text.flatMap(Place.init) {
      self.place = place
    } else {
      place = path.contains("{\(wire)}") ? .path : hasBody ? .field : .query
    }
  }
}

/// A rule that makes one argument of several parameters.
struct Choice {
  /// Parts that are sent together: parameters, and choices within them.
  struct Alternative {
    enum Part {
      case parameter(String)
      case choice(Choice)
    }

    let name: String
    let parts: [Part]
  }

  let label: String
  let isOptional: Bool
  let alternatives: [Alternative]

  /// The parameters of all alternatives.
  var parameters: [String] {
    alternatives.flatMap(\.parts).flatMap { part in
      switch part {
      case .parameter(let name): [name]
      case .choice(let choice): choice.parameters
      }
    }
  }

  static func all(in facts: CatalogueTree?) throws -> [Choice] {
    switch facts {
    case .map(let entries): try entries.map { try Choice($0.key, $0.value) }
    case .list(let rules): try rules.flatMap { try all(in: $0) }
    default: []
    }
  }

  /// - Parameter title: Type and label, such as `UserReference? user`.
  private init(_ title: String, _ facts: CatalogueTree) throws {
    let words = title.split(separator: " ").map(String.init)
    guard words.count == 2 else { throw Failure("`\(title)` is not a type and a label") }
    label = words[1]
    isOptional = words[0].hasSuffix("?")
    let named = facts.entries.map { (name: $0.key, facts: $0.value) }
    let unnamed = facts.elements.map { (name: Names.member(($0.text ?? $0.elements.first?.text) ?? ""), facts: $0) }
    alternatives = try (named + unnamed).map { name, facts in
      let parts = facts.elements.isEmpty ? [facts] : facts.elements
      return Alternative(
        name: name,
        parts: try parts.flatMap { part -> [Alternative.Part] in
          if let wire = part.text { return [.parameter(wire)] }
          return try Choice.all(in: part).map { .choice($0) }
        })
    }
  }
}
