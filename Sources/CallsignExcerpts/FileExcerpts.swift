import CallsignCatalogue
import CallsignYAML

/// A catalogue file, cut where its sections and their entries begin.
struct FileExcerpts {
  /// The file's name without folders and extension.
  let name: String
  /// The lines of `api:` or `group:`, the key's own included; empty where there is none.
  private(set) var api = ""
  private(set) var group = ""
  /// The entries of `params`, `fields`, `mixins` and `patterns`, and the templates of models, which any excerpt may need.
  private(set) var parameters = ""
  private(set) var fields = ""
  private(set) var mixins = ""
  private(set) var patterns = ""
  private(set) var templates = ""
  /// The entries' lines by their names.
  private(set) var endpoints: [String: String] = [:]
  private(set) var models: [String: String] = [:]
  /// The models whose fields' names are an enum's values, by the enum's name.
  private(set) var members: [String: String] = [:]

  init(_ source: CatalogueSource) throws(ExcerptError) {
    let file = source.path.split(separator: "/").last ?? ""
    name = String(file.split(separator: ".", omittingEmptySubsequences: false).dropLast().joined(separator: "."))
    let lines = source.bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    let document: YAMLDocument
    do { document = try YAMLDocument(source.bytes, rules: .init(maximumDepth: 48, aliases: .refused)) } catch {
      throw ExcerptError("\(source.path): \(error)")
    }
    guard case .mapping(let root)? = document.root?.content else { return }
    let starts = root.entries.map(\.key.line) + [lines.count + 1]
    for (entry, end) in zip(root.entries, starts.dropFirst()) {
      let section = Self.text(lines, entry.key.line..<max(entry.key.line, end))
      switch Self.name(entry) {
      case "api": api = section
      case "group": group = section
      case "endpoints":
        for (name, text) in try Self.entries(entry, lines, until: end) { endpoints[name] = text }
      case "params": parameters = try Self.entries(entry, lines, until: end).map(\.text).joined()
      case "fields": fields = try Self.entries(entry, lines, until: end).map(\.text).joined()
      case "mixins": mixins = try Self.entries(entry, lines, until: end).map(\.text).joined()
      case "patterns": patterns = try Self.entries(entry, lines, until: end).map(\.text).joined()
      case "models":
        for (name, text) in try Self.entries(entry, lines, until: end) {
          if name.contains("<") { templates += text } else { models[name] = text }
        }
        members = Self.members(entry)
      default: throw ExcerptError("\(source.path): nothing here knows the section `\(Self.name(entry))`")
      }
    }
  }

  private static func members(_ section: YAMLEntry) -> [String: String] {
    guard case .mapping(let models) = section.value.content else { return [:] }
    var members: [String: String] = [:]
    for model in models.entries {
      guard case .mapping(let mapping) = model.value.content,
        let entry = mapping.entries.first(where: { name($0) == "$members" }),
        case .scalar(let scalar) = entry.value.content
      else { continue }
      members[name(model)] = scalar.text
    }
    return members
  }

  private typealias Lines = [ArraySlice<UInt8>]

  private static func entries(
    _ section: YAMLEntry, _ lines: Lines, until end: Int
  ) throws(ExcerptError) -> [(name: String, text: String)] {
    guard case .mapping(let mapping) = section.value.content else { return [] }
    if mapping.isFlow { throw ExcerptError("write the entries of `\(name(section))` on lines of their own") }
    let ends = mapping.entries.dropFirst().map(\.key.line) + [end]
    return zip(mapping.entries, ends).map { entry, end in
      (name(entry), text(lines, entry.key.line..<max(entry.key.line, end)))
    }
  }

  /// The lines from the first on, without comments and empty ones at the end.
  private static func text(_ lines: Lines, _ range: Range<Int>) -> String {
    var excerpt = lines[(range.lowerBound - 1).clamped(to: lines)..<(range.upperBound - 1).clamped(to: lines)]
    while let last = excerpt.last?.drop(while: { $0 == 0x20 || $0 == 0x0D }), last.isEmpty || last.first == 0x23 {
      excerpt.removeLast()
    }
    return String(decoding: Array(excerpt.joined(separator: [0x0A])), as: UTF8.self) + "\n"
  }

  private static func name(_ entry: YAMLEntry) -> String {
    if case .scalar(let scalar) = entry.key.content { scalar.text } else { "" }
  }
}

extension Int {
  fileprivate func clamped(to lines: [ArraySlice<UInt8>]) -> Int { Swift.min(Swift.max(0, self), lines.count) }
}

/// The reason why a catalogue cannot be cut into excerpts, in words.
package struct ExcerptError: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
