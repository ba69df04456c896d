import CallsignCatalogue
import CallsignGenerator
import CallsignYAML
import Foundation

/// Writes a catalogue as a Swift source: its text cut into an excerpt for each operation and model, and for each
/// operation the models that it needs. A program that makes one call so reads a few lines of YAML instead of all.
///
/// Arguments: the property's name, the Swift file, and the catalogue's files.
@main struct EmbedCataloguesTool {
  static func main() {
    do {
      var arguments = CommandLine.arguments.dropFirst()
      guard let name = arguments.popFirst(), let output = arguments.popFirst(), !arguments.isEmpty else {
        throw Failure("usage: EmbedCataloguesTool NAME OUTPUT FILE...")
      }
      let sources = try arguments.map { path in
        CatalogueSource(path: path, bytes: Array(try Data(contentsOf: URL(fileURLWithPath: path))))
      }
      let result = CatalogueLoader().load(files: sources)
      guard let catalogue = result.catalogue else {
        throw Failure(result.diagnostics.map { "\($0)" }.joined(separator: "\n"))
      }
      let text = try Writer(catalogue, try sources.map { try FileExcerpts($0) }).text(name: name)
      let data = Data(text.utf8)
      // A file that says the same is not compiled again.
      if FileManager.default.contents(atPath: output) != data { try data.write(to: URL(fileURLWithPath: output)) }
    } catch {
      try? FileHandle.standardError.write(contentsOf: Data("error: \(error)\n".utf8))
      exit(1)
    }
  }
}

struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// A catalogue file, cut where its sections and their entries begin.
struct FileExcerpts {
  /// The file's name without extension.
  let name: String
  /// The lines of `api:` or `group:`, the key's own included; empty where there is none.
  private(set) var api = ""
  private(set) var group = ""
  /// The entries of `mixins` and `patterns`, and the templates of models, which any excerpt may need.
  private(set) var mixins = ""
  private(set) var patterns = ""
  private(set) var templates = ""
  /// The entries' lines by their names, in the file's order.
  private(set) var endpoints: [(name: String, text: String)] = []
  private(set) var models: [(name: String, text: String)] = []

  init(_ source: CatalogueSource) throws {
    name = URL(fileURLWithPath: source.path).deletingPathExtension().lastPathComponent
    let lines = String(decoding: source.bytes, as: UTF8.self).components(separatedBy: "\n")
    let document = try YAMLDocument(source.bytes, rules: .init(maximumDepth: 48, aliases: .refused))
    guard case .mapping(let root)? = document.root?.content else { return }
    let starts = root.entries.map(\.key.line) + [lines.count + 1]
    for (index, entry) in root.entries.enumerated() {
      let section = Self.text(lines, entry.key.line..<starts[index + 1])
      switch Self.name(entry) {
      case "api": api = section
      case "group": group = section
      case "endpoints": endpoints = try Self.entries(entry, lines, until: starts[index + 1])
      case "mixins": mixins = try Self.entries(entry, lines, until: starts[index + 1]).map(\.text).joined()
      case "patterns": patterns = try Self.entries(entry, lines, until: starts[index + 1]).map(\.text).joined()
      case "models":
        for entry in try Self.entries(entry, lines, until: starts[index + 1]) {
          if entry.name.contains("<") { templates += entry.text } else { models.append(entry) }
        }
      default: throw Failure("\(source.path): nothing here knows the section `\(Self.name(entry))`")
      }
    }
  }

  private static func entries(
    _ section: YAMLEntry, _ lines: [String], until end: Int
  ) throws -> [(name: String, text: String)] {
    guard case .mapping(let mapping) = section.value.content else { return [] }
    if mapping.isFlow { throw Failure("write the entries of `\(name(section))` on lines of their own") }
    let starts = mapping.entries.map(\.key.line) + [end]
    return mapping.entries.enumerated().map { (name($1), text(lines, $1.key.line..<starts[$0 + 1])) }
  }

  /// The lines from the first on, without comments and empty ones at the end.
  private static func text(_ lines: [String], _ range: Range<Int>) -> String {
    var excerpt = range.compactMap { lines.indices.contains($0 - 1) ? lines[$0 - 1] : nil }
    while let last = excerpt.last?.drop(while: { $0 == " " }), last.isEmpty || last.hasPrefix("#") {
      excerpt.removeLast()
    }
    return excerpt.joined(separator: "\n") + "\n"
  }

  private static func name(_ entry: YAMLEntry) -> String {
    if case .scalar(let scalar) = entry.key.content { scalar.text } else { "" }
  }
}

/// Writes the Swift source.
struct Writer {
  private let catalogue: Catalogue
  private let files: [FileExcerpts]

  init(_ catalogue: Catalogue, _ files: [FileExcerpts]) throws {
    self.catalogue = catalogue
    self.files = files
  }

  func text(name: String) -> String {
    var lines = ["extension EmbeddedCatalogue {", "  static let \(name): EmbeddedCatalogue = {"]
    var api = files.map(\.api).joined()
    for (section, texts) in [("mixins", files.map(\.mixins)), ("patterns", files.map(\.patterns))] {
      let text = texts.joined()
      if !text.isEmpty { api += "\n\(section):\n\(text)" }
    }
    let templates = files.map(\.templates).joined()
    lines.append("    var catalogue = EmbeddedCatalogue(api: \(literal(api)), templates: \(literal(templates)))")
    for file in files { lines.append("    catalogue.groups.append((\(literal(file.name)), \(literal(file.group))))") }
    for (group, file) in zip(catalogue.groups, files) {
      for (endpoint, excerpt) in zip(group.endpoints, file.endpoints) {
        let selection = CatalogueSelection([endpoint.name]).applied(to: catalogue)
        let models = selection.groups.flatMap { $0.models.map(\.name) }.joined(separator: " ")
        let facts = [endpoint.name, group.name, endpoint.method, endpoint.path, endpoint.summary ?? "", models]
        lines.append(
          "    catalogue.operations.append(.init(\(facts.map(literal).joined(separator: ", ")), \(literal(excerpt.text))))"
        )
      }
    }
    for (name, text) in files.flatMap(\.models) {
      lines.append("    catalogue.models[\(literal(name))] = \(literal(text))")
    }
    return (lines + ["    return catalogue", "  }()", "}", ""]).joined(separator: "\n")
  }

  private func literal(_ text: String) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": literal += "\\\""
      case "\\": literal += "\\\\"
      case "\n": literal += "\\n"
      default: literal.unicodeScalars.append(scalar)
      }
    }
    return literal + "\""
  }
}
