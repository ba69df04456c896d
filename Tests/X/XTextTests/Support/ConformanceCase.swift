import CallsignYAML
import Foundation
import TestSupport

/// A case of twitter-text's conformance suite.
struct ConformanceCase: CustomStringConvertible {
  let file: String
  let section: String
  let name: String
  let text: String
  let hits: [Range<Int>]
  let json: String?
  let expected: Outcome

  var description: String { "\(file)/\(section): \(name)" }

  /// The case as `xapi text --jsonl` takes it.
  var line: String {
    get throws {
      var members: [String: Any] = ["test": "\(file)/\(section)", "text": text]
      if file == "hit_highlighting" { members["hits"] = hits.map { [$0.lowerBound, $0.upperBound] } }
      members["json"] = json
      return String(decoding: try JSONSerialization.data(withJSONObject: members), as: UTF8.self)
    }
  }

  /// A value in the form of the suite, without a difference between texts and numbers.
  indirect enum Outcome: Hashable, CustomStringConvertible {
    case value(String)
    case list([Outcome])
    case object([String: Outcome])

    var description: String {
      switch self {
      case .value(let text): text
      case .list(let values): "[" + values.map(\.description).joined(separator: ", ") + "]"
      case .object(let members):
        "{" + members.sorted { $0.key < $1.key }.map { "\($0): \($1)" }.joined(separator: ", ") + "}"
      }
    }

    init(_ node: YAMLNode) {
      switch node.content {
      case .scalar(let scalar): self = .value(node.isNull ? "null" : scalar.text)
      case .list(let nodes): self = .list(nodes.map(Outcome.init))
      case .mapping(let mapping):
        self = .object(Dictionary(mapping.entries.map { ($0.key.text, Outcome($0.value)) }) { first, _ in first })
      }
    }
  }

  /// The cases of a file: `extract`, `validate`; none where the corpora are missing.
  static func all(of file: String) throws -> [ConformanceCase] {
    guard let url = Corpora.url("twitter-text/\(file).yml") else { return [] }
    let rules = YAMLDocument.Rules(maximumDepth: 16, aliases: .allowed)
    guard let root = try YAMLDocument([UInt8](Data(contentsOf: url)), rules: rules).root else { return [] }
    return root["tests"]?.entries.flatMap { entry in
      entry.value.items.map { node in
        ConformanceCase(
          file: file, section: entry.key.text, name: node["description"]?.text ?? "", text: node["text"]?.text ?? "",
          hits: node["hits"]?.items.map { hit in
            let bounds = hit.items.compactMap { Int($0.text) }
            return bounds[0]..<bounds[1]
          } ?? [], json: node["json"]?.text,
          expected: node["expected"].map(Outcome.init) ?? .value("null"))
      }
    } ?? []
  }
}

extension YAMLNode {
  fileprivate var text: String {
    guard case .scalar(let scalar) = content else { return "" }
    return scalar.text
  }

  fileprivate var items: [YAMLNode] {
    guard case .list(let nodes) = content else { return [] }
    return nodes
  }

  fileprivate var entries: [YAMLEntry] {
    guard case .mapping(let mapping) = content else { return [] }
    return mapping.entries
  }

  fileprivate subscript(_ key: String) -> YAMLNode? { entries.first { $0.key.text == key }?.value }
}
