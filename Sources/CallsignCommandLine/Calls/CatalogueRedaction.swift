import Callsign
import CallsignCatalogue
import CallsignJSON

extension Redaction {
  /// Hides the API keys of catalogues besides, wherever their schemes put them.
  init(_ catalogues: [Catalogue]) {
    let keys = Set(catalogues.flatMap(\.api.schemes).compactMap { $0.key?.name.lowercased() })
    self.init(
      shownHeaders: Self.harmlessHeaders.subtracting(keys), hiddenParameters: Self.secretParameters.union(keys))
  }
}

extension HiddenTexts {
  /// JSON without the hidden texts, in names as well as in values.
  func removed(from value: JSONValue) -> JSONValue {
    switch value {
    case .string(let text): return .string(removed(from: text))
    case .integer, .number, .literal:
      let text = value.description
      let clean = removed(from: text)
      return clean == text ? value : .string(clean)
    case .array(let elements): return .array(elements.map { removed(from: $0) })
    case .object(let members):
      let clean = members.map { (removed(from: $0.key), removed(from: $0.value)) }
      return .object(Dictionary(clean) { $1 })
    case .null, .bool: return value
    }
  }
}
