import Foundation
import Yams

/// What an account file's YAML comes to: texts, lists and mappings, in the file's order.
indirect enum YAMLTree: Sendable {
  case text(String)
  case list([YAMLTree])
  case mapping([(name: String, value: YAMLTree)])

  private static let depthLimit = 16

  /// The members of a mapping; `nil` if this is none. An empty value is an empty mapping.
  var members: [(name: String, value: YAMLTree)]? {
    switch self {
    case .mapping(let members): members
    case .text(let text): Self.isNull(text) ? [] : nil
    case .list: nil
    }
  }

  subscript(_ name: String) -> YAMLTree? { members?.first { $0.name == name }?.value }

  /// A text that is there and not empty.
  var text: String? {
    guard case .text(let text) = self, !Self.isNull(text) else { return nil }
    return text
  }

  private static func isNull(_ text: String) -> Bool { ["", "~", "null", "Null", "NULL"].contains(text) }

  /// Reads a document. Yams follows its nesting by recursion, so it needs a deep stack; see ``OwnThread``.
  init(_ bytes: Data, of file: MachineAccountFile) throws(MachineAccountError) {
    guard let text = String(bytes: bytes, encoding: .utf8) else { throw file.malformed("is not UTF-8") }
    // A few lines can name lists of lists without end; texts that are named once and used twice are harmless.
    if AnchorScan.namesCollection(text) { throw file.malformed("has an anchor on a list or mapping") }
    let node: Node?
    do {
      node = try Parser(yaml: text, resolver: .basic, encoding: .utf8).singleRoot()
    } catch let error as YamlError {
      throw file.malformed("is not YAML\(Self.place(of: error))")
    } catch {
      throw file.malformed("is not YAML")
    }
    guard let node else {
      self = .mapping([])
      return
    }
    guard let tree = Self(node, depth: 0) else { throw file.malformed("nests too deeply") }
    self = tree
  }

  private init?(_ node: Node, depth: Int) {
    guard depth < Self.depthLimit else { return nil }
    switch node {
    case .scalar(let scalar): self = .text(scalar.string)
    case .sequence(let sequence):
      var elements: [YAMLTree] = []
      for element in sequence {
        guard let element = Self(element, depth: depth + 1) else { return nil }
        elements.append(element)
      }
      self = .list(elements)
    case .mapping(let mapping):
      var members: [(name: String, value: YAMLTree)] = []
      for (key, value) in mapping {
        guard let value = Self(value, depth: depth + 1) else { return nil }
        // What is named by something other than a text is nothing that these files have.
        if case .scalar(let name) = key { members.append((name.string, value)) }
      }
      self = .mapping(members)
    case .alias: self = .text("")
    }
  }

  /// Only the place: the parser's own words can repeat what the file holds.
  private static func place(of error: YamlError) -> String {
    switch error {
    case .scanner(_, _, let mark, _), .parser(_, _, let mark, _), .composer(_, _, let mark, _):
      " (line \(mark.line), column \(mark.column))"
    case .duplicatedKeysInMapping(_, let context):
      " (a key stands twice in the mapping of line \(context.mark.line))"
    default: ""
    }
  }
}
