import Foundation
import Yams

/// A catalogue file as a tree in which every scalar is a text.
enum CatalogueTree {
  case text(String)
  case list([CatalogueTree])
  case map([(key: String, value: CatalogueTree)])

  init(file: URL) throws {
    guard let node = try Yams.compose(yaml: String(contentsOf: file, encoding: .utf8)) else {
      self = .map([])
      return
    }
    self.init(node)
  }

  private init(_ node: Node) {
    switch node {
    case .sequence(let nodes): self = .list(nodes.map { CatalogueTree($0) })
    case .mapping(let pairs): self = .map(pairs.map { (key: $0.key.string ?? "", value: CatalogueTree($0.value)) })
    case .scalar(let scalar): self = .text(scalar.string)
    default: self = .text("")
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
