import CallsignYAML
import Foundation

/// A catalogue file as a tree whose scalars are all texts.
enum CatalogueTree {
  case text(String)
  case list([CatalogueTree])
  case map([(key: String, value: CatalogueTree)])

  init(file: URL) throws {
    let document = try YAMLDocument(Array(Data(contentsOf: file)), rules: .init(maximumDepth: 48, aliases: .refused))
    self = document.root.map { CatalogueTree($0) } ?? .map([])
  }

  private init(_ node: YAMLNode) {
    switch node.content {
    case .list(let nodes): self = .list(nodes.map { CatalogueTree($0) })
    case .mapping(let mapping):
      self = .map(
        mapping.entries.map { entry in
          guard case .scalar(let key) = entry.key.content else { return (key: "", value: CatalogueTree(entry.value)) }
          return (key: key.text, value: CatalogueTree(entry.value))
        })
    case .scalar(let scalar): self = .text(scalar.text)
    }
  }

  var entries: [(key: String, value: CatalogueTree)] { if case .map(let entries) = self { entries } else { [] } }
  var elements: [CatalogueTree] { if case .list(let elements) = self { elements } else { [] } }
  var text: String? { if case .text(let text) = self { text } else { nil } }

  subscript(key: String) -> CatalogueTree? { entries.first { $0.key == key }?.value }

  /// With the contents of the named mixins, after the tree's own parameters or fields; other keys stay as they are.
  func mixed(_ key: String, _ fields: String?, _ mixins: [String: CatalogueTree]) -> CatalogueTree {
    guard let like = self[key] else { return self }
    var all = entries.filter { $0.key != key }
    for name in [like.text].compactMap({ $0 }) + like.elements.compactMap(\.text) {
      for (key, value) in mixins[name]?.entries ?? [] {
        if key == fields {
          all += value.entries
        } else if let index = all.firstIndex(where: { $0.key == key }) {
          all[index].value = .map(all[index].value.entries + value.entries)
        } else {
          all.append((key, value))
        }
      }
    }
    return .map(all)
  }

  /// With the entries below a key as their names say.
  func named(_ key: String, _ names: [String: CatalogueTree]) -> CatalogueTree {
    .map(entries.map { ($0.key, $0.key == key ? $0.value.named(names) : $0.value) })
  }

  /// With the facts about its entries' names, if the entries state nothing, or no type. Summaries are not looked at here.
  func named(_ names: [String: CatalogueTree]) -> CatalogueTree {
    guard case .map(let entries) = self else { return self }
    return .map(
      entries.map { name, value in
        guard let known = names[name] else { return (name, value) }
        if value.text == "" { return (name, known) }
        guard case .map(let own) = value, !own.isEmpty, own.allSatisfy({ $0.value.text != "" }), value["type"] == nil,
          value["value"] == nil
        else { return (name, value) }
        let rest = known["type"] == nil ? [("type", known)] : known.entries
        return (name, .map(own + rest.filter { entry in !own.contains { $0.key == entry.0 } }))
      })
  }

  /// With a type in the place of each of its names.
  func replacing(_ name: String, with type: String) -> CatalogueTree {
    switch self {
    case .map(let entries): return .map(entries.map { ($0.key, $0.value.replacing(name, with: type)) })
    case .list(let elements): return .list(elements.map { $0.replacing(name, with: type) })
    case .text(let text):
      guard let range = text.firstRange(of: name) else { return self }
      let marks = { (character: Character?) in character.map { !$0.isLetter && !$0.isNumber } ?? true }
      let isWhole = marks(text[..<range.lowerBound].last) && marks(text[range.upperBound...].first)
      return isWhole ? .text(text[..<range.lowerBound] + type + text[range.upperBound...]) : self
    }
  }

  /// A type as it is written, if YAML read `[T]` and `{T}` as its own lists and maps.
  var typeText: String {
    switch self {
    case .text(let text): text
    case .list(let elements): "[" + elements.map(\.typeText).joined(separator: ", ") + "]"
    case .map(let entries): "{" + entries.map(\.key).joined(separator: ", ") + "}"
    }
  }
}

struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
