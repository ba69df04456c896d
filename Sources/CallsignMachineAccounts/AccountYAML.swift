import CallsignYAML
import Foundation

extension MachineAccountFile {
  /// The file's YAML; `nil` where it is empty.
  func yaml(_ bytes: Data) throws(MachineAccountError) -> YAMLNode? {
    let document: YAMLDocument
    do throws(YAMLError) {
      document = try YAMLDocument([UInt8](bytes), rules: .init(maximumDepth: 15, aliases: .ofScalars))
    } catch {
      // Only the place: the parser's own words can repeat the file's.
      let place = "(line \(error.line), column \(error.column))"
      switch error.problem {
      case .notUTF8: throw malformed("is not UTF-8 \(place)")
      case .anchoredCollection: throw malformed("has an anchor on a list or mapping \(place)")
      case .tooDeep: throw malformed("nests too deeply \(place)")
      default: throw malformed("is not YAML \(place)")
      }
    }
    if let key = document.duplicateKeys.first {
      throw malformed("is not YAML (the key of line \(key.first.line) is there again in line \(key.second.line))")
    }
    return document.root
  }
}

extension YAMLNode {
  /// The members of a mapping whose names are texts; `nil` if this is none. An empty value is an empty mapping.
  var members: [(name: String, value: YAMLNode)]? {
    switch content {
    case .mapping(let mapping):
      mapping.entries.compactMap { entry in
        guard case .scalar(let name) = entry.key.content else { return nil }
        return (name.text, entry.value)
      }
    case .scalar(let scalar): Self.nullTexts.contains(scalar.text) ? [] : nil
    case .list: nil
    }
  }

  subscript(_ name: String) -> YAMLNode? { members?.first { $0.name == name }?.value }

  /// A text that is there and not empty, in quotes or not.
  var text: String? {
    guard case .scalar(let scalar) = content, !Self.nullTexts.contains(scalar.text) else { return nil }
    return scalar.text
  }
}
