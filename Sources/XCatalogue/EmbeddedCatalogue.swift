import CallsignCatalogue

/// A catalogue that is a part of the program, in excerpts: only what a call needs is read, which takes a few
/// milliseconds where all of X's catalogue takes a hundred.
package struct EmbeddedCatalogue: Sendable {
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
    /// One line of plain words; empty where the catalogue has none.
    package let summary: String
    /// The names of the models that it needs, separated by spaces.
    let models: String
    /// Its lines of YAML.
    let text: String

    init(
      _ name: String, _ group: String, _ method: String, _ path: String, _ summary: String, _ models: String,
      _ text: String
    ) {
      self.name = name
      self.group = group
      self.method = method
      self.path = path
      self.summary = summary
      self.models = models
      self.text = text
    }
  }

  /// X's API, version 2.
  package static var x2: EmbeddedCatalogue { v2 }
  /// X's REST API v1.1.
  package static var x1: EmbeddedCatalogue { v1 }

  /// The API, and what any of the excerpts may be made of.
  let api: String
  let templates: String
  /// The files' names, with their `group:` sections.
  var groups: [(name: String, text: String)] = []
  /// All operations, in the catalogue's order.
  package internal(set) var operations: [Operation] = []
  /// The models' lines of YAML by their names.
  var models: [String: String] = [:]

  init(api: String, templates: String) {
    self.api = api
    self.templates = templates
  }

  /// The catalogue with some of its operations and what they need.
  ///
  /// - Parameter names: Names of operations; `nil` for all.
  /// - Returns: `nil` where an excerpt cannot be read alone, which tests rule out.
  package func catalogue(of names: Set<String>? = nil) -> Catalogue? {
    let chosen = operations.filter { names?.contains($0.name) ?? true }
    var needed: Set<Substring> = []
    for operation in chosen { needed.formUnion(operation.models.split(separator: " ")) }
    var files: [CatalogueSource] = []
    func add(_ name: String, _ text: String) {
      files.append(CatalogueSource(path: name + ".yaml", bytes: Array(text.utf8)))
    }
    let models = [templates].filter { !$0.isEmpty } + needed.sorted().compactMap { self.models[String($0)] }
    add("api", api + (models.isEmpty ? "" : "\nmodels:\n" + models.joined(separator: "\n")))
    for (name, header) in groups {
      let texts = chosen.filter { $0.group == name }.map(\.text)
      if !texts.isEmpty {
        add(name == "api" ? "api-operations" : name, header + "\nendpoints:\n" + texts.joined(separator: "\n"))
      }
    }
    return CatalogueLoader().load(files: files).catalogue
  }
}
