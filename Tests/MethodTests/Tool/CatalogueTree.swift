import CallsignYAML
import Foundation

/// A catalogue file as a tree in which every scalar is a text.
enum CatalogueTree {
  case text(String)
  case list([CatalogueTree])
  case map([(key: String, value: CatalogueTree)])

  init(file: URL) throws {
    let rules = YAMLDocument.Rules(maximumDepth: 64, aliases: .refused)
    guard let root = try YAMLDocument(Array(Data(contentsOf: file)), rules: rules).root else {
      self = .map([])
      return
    }
    self.init(root)
  }

  private init(_ node: YAMLNode) {
    switch node.content {
    case .list(let nodes): self = .list(nodes.map { CatalogueTree($0) })
    case .mapping(let mapping):
      self = .map(
        mapping.entries.map { entry in
          if case .scalar(let key) = entry.key.content {
            (key: key.text, value: CatalogueTree(entry.value))
          } else {
            (key: "", value: CatalogueTree(entry.value))
          }
        })
    case .scalar(let scalar): self = .text(scalar.text)
    }
  }

  var entries: [(key: String, value: CatalogueTree)] { if case .map(let entries) = self { entries } else { [] } }
  var elements: [CatalogueTree] { if case .list(let elements) = self { elements } else { [] } }
  var text: String? { if case .text(let text) = self { text } else { nil } }

  subscript(key: String) -> CatalogueTree? { entries.first { $0.key == key }?.value }

  /// A type as it is written, where YAML took `[T]` and `{T}` for its own lists and maps.
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
