/// A catalogue split into excerpts, one for each operation or model. A call reads only what it needs, which takes a few
/// milliseconds; reading all of X's catalogue takes a hundred, and GitHub's whole document takes seconds.
package struct CatalogueExcerpts: Sendable {
  /// An operation's line in a list, and its excerpt of the catalogue.
  package struct Operation: Sendable {
    /// The name in the catalogue.
    package let name: String
    /// The name of the file that has it.
    package let group: String
    /// The HTTP method.
    package let method: String
    /// The path with `{placeholders}`.
    package let path: String
    /// A one-line summary; empty if the catalogue has none.
    package let summary: String
    /// The names of the models that the operation names directly, separated by spaces.
    package let models: String
    /// The names of the operations that follow this one, separated by spaces.
    package let followers: String
    /// The operation's lines of YAML.
    package let text: String

    package init(
      _ name: String, _ group: String, _ method: String, _ path: String, _ summary: String, _ models: String,
      _ followers: String, _ text: String
    ) {
      self.name = name
      self.group = group
      self.method = method
      self.path = path
      self.summary = summary
      self.models = models
      self.followers = followers
      self.text = text
    }
  }

  /// A model's excerpt.
  package struct Model: Sendable {
    package let name: String
    /// The names of the models that the model names directly, separated by spaces.
    package let models: String
    /// The model's lines of YAML; empty for a model made from a template.
    package let text: String

    package init(_ name: String, _ models: String, _ text: String) {
      self.name = name
      self.models = models
      self.text = text
    }
  }

  /// A file's name, with its `group:` section.
  package struct Group: Sendable {
    package let name: String
    package let text: String

    package init(_ name: String, _ text: String) {
      self.name = name
      self.text = text
    }
  }

  /// The API section, and the parts that any excerpt may use.
  package let api: String
  package let templates: String
  /// The names of the models that every response may need, separated by spaces.
  package let commonModels: String
  package var groups: [Group] = []
  /// All operations, in the catalogue's order.
  package var operations: [Operation] = []
  package var models: [Model] = []

  package init(api: String, templates: String, commonModels: String) {
    self.api = api
    self.templates = templates
    self.commonModels = commonModels
  }

  /// The catalogue with some of its operations and everything they need.
  ///
  /// - Parameter names: Names of operations; `nil` for all.
  /// - Returns: `nil` if an excerpt cannot be read on its own.
  package func catalogue(of names: Set<String>? = nil) -> Catalogue? {
    var names = names
    if let given = names {
      let followers = operations.filter { given.contains($0.name) }.flatMap { Self.words($0.followers) }
      names?.formUnion(followers)
    }
    let chosen = operations.filter { names?.contains($0.name) ?? true }
    var files: [CatalogueSource] = []
    func add(_ name: String, _ text: String) {
      files.append(CatalogueSource(path: name + ".yaml", bytes: Array(text.utf8)))
    }
    let texts = [templates].filter { !$0.isEmpty } + models(of: chosen)
    add("api", api + (texts.isEmpty ? "" : "\nmodels:\n" + texts.joined(separator: "\n")))
    for group in groups {
      let texts = chosen.filter { $0.group == group.name }.map(\.text)
      if !texts.isEmpty {
        let name = group.name == "api" ? "api-operations" : group.name
        add(name, group.text + "\nendpoints:\n" + texts.joined(separator: "\n"))
      }
    }
    return CatalogueLoader().load(files: files).catalogue
  }

  /// The lines of all models that the operations use, by model name.
  private func models(of operations: [Operation]) -> [String] {
    let known = Dictionary(models.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    var needed: Set<String> = []
    var pending = Self.words(commonModels) + operations.flatMap { Self.words($0.models) }
    while let name = pending.popLast() {
      guard needed.insert(name).inserted, let model = known[name] else { continue }
      pending += Self.words(model.models)
    }
    return needed.sorted().compactMap { known[$0]?.text }.filter { !$0.isEmpty }
  }

  private static func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
}
