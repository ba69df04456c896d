import CallsignYAML

/// A catalogue file, split into its sections and their entries.
struct FileExcerpts {
  /// The file's name without folders and extension.
  let name: String
  /// The lines of `api:` or `group:`, including the key; empty if the file has neither.
  private(set) var api = ""
  private(set) var group = ""
  /// The entries of `params`, `fields`, `mixins` and `patterns`, and the model templates. Any excerpt may need them.
  private(set) var parameters = ""
  private(set) var fields = ""
  private(set) var mixins = ""
  private(set) var patterns = ""
  private(set) var templates = ""
  /// The lines of each entry, by name.
  private(set) var endpoints: [String: String] = [:]
  private(set) var models: [String: String] = [:]
  /// The models whose field names are the values of an enum, by the enum's name.
  private(set) var members: [String: String] = [:]

  init(_ source: CatalogueSource) throws(ExcerptError) {
    let file = source.path.split(separator: "/").last ?? ""
    name = String(file.split(separator: ".", omittingEmptySubsequences: false).dropLast().joined(separator: "."))
    let lines = Lines(source.bytes)
    let document: YAMLDocument
    do { document = try YAMLDocument(source.bytes, rules: .init(maximumDepth: 48, aliases: .refused)) } catch {
      throw ExcerptError("\(source.path): \(error)")
    }
    guard case .mapping(let root)? = document.root?.content else { return }
    let starts = root.entries.map(\.key.line) + [lines.count + 1]
    for (entry, end) in zip(root.entries, starts.dropFirst()) {
      let section = lines.text(entry.key.line, until: end)
      switch Self.name(entry) {
      case "api": api = section
      case "group": group = section
      case "endpoints":
        for (name, text) in try Self.entries(entry, lines, until: end) { endpoints[name] = text }
      case "params": parameters = try Self.allEntries(entry, lines, until: end)
      case "fields": fields = try Self.allEntries(entry, lines, until: end)
      case "mixins": mixins = try Self.allEntries(entry, lines, until: end)
      case "patterns": patterns = try Self.allEntries(entry, lines, until: end)
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

  private static func entries(
    _ section: YAMLEntry, _ lines: Lines, until end: Int
  ) throws(ExcerptError) -> [(name: String, text: String)] {
    guard case .mapping(let mapping) = section.value.content else { return [] }
    if mapping.isFlow { throw ExcerptError("write the entries of `\(name(section))` on separate lines") }
    let ends = mapping.entries.dropFirst().map(\.key.line) + [end]
    return zip(mapping.entries, ends).map { entry, end in
      (name(entry), lines.text(entry.key.line, until: end))
    }
  }

  /// The lines of all entries of a section.
  private static func allEntries(_ section: YAMLEntry, _ lines: Lines, until end: Int) throws(ExcerptError) -> String {
    var all = ""
    for (_, text) in try entries(section, lines, until: end) { all += text }
    return all
  }

  private static func name(_ entry: YAMLEntry) -> String {
    if case .scalar(let scalar) = entry.key.content { scalar.text } else { "" }
  }
}

/// A file's lines. It loops over bytes because sequences of slices compile slowly, and every user builds this code.
private struct Lines {
  private let bytes: [UInt8]
  /// The offset of each line's first byte, and of a line after the last.
  private var starts = [0]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    for index in bytes.indices where bytes[index] == 0x0A { starts.append(index + 1) }
    starts.append(bytes.count + 1)
  }

  var count: Int { starts.count - 1 }

  /// The lines from `first` on, counted from 1, without comments and empty lines at the end.
  func text(_ first: Int, until end: Int) -> String {
    let first = min(max(0, first - 1), count)
    var end = min(max(first, end - 1), count)
    while end > first, isEmptyOrComment(end - 1) { end -= 1 }
    return end > first ? String(decoding: bytes[starts[first]..<(starts[end] - 1)], as: UTF8.self) + "\n" : "\n"
  }

  private func isEmptyOrComment(_ line: Int) -> Bool {
    for byte in bytes[starts[line]..<(starts[line + 1] - 1)] where byte != 0x20 && byte != 0x0D { return byte == 0x23 }
    return true
  }
}

/// The reason why a catalogue cannot be split into excerpts, as text.
package struct ExcerptError: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
