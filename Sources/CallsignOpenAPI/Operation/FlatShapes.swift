import CallsignCatalogue

extension SchemaReader {
  /// Whether a value has members, and these have none.
  func isFlat(_ shape: Shape) throws(ImportError) -> Bool {
    switch shape {
    case .object(let object):
      for member in object.members where try !isText(member.use) { return false }
      if let extra = object.extra { return try isText(extra) }
      return !object.members.isEmpty
    case .map(let element): return try isText(element)
    default: return false
    }
  }

  func isText(_ use: Use) throws(ImportError) -> Bool {
    switch try resolved(use, at: "").shape {
    case .scalar(let scalar): ![.bytes, .json, .file].contains(scalar)
    case .enumeration: true
    default: false
    }
  }
}
