/// A JSON or YAML value whose objects keep the order of their members, which is the API's own order.
indirect enum DocumentValue: Equatable, Sendable {
  case null
  case bool(Bool)
  /// As it is written, so that `1.0` and large numbers lose nothing.
  case number(String)
  case string(String)
  case list([DocumentValue])
  case object(DocumentObject)

  subscript(key: String) -> DocumentValue? {
    if case .object(let object) = self { object[key] } else { nil }
  }

  var object: DocumentObject? { if case .object(let object) = self { object } else { nil } }
  var list: [DocumentValue]? { if case .list(let list) = self { list } else { nil } }
  var string: String? { if case .string(let string) = self { string } else { nil } }
  var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }

  /// A scalar's text: what a person would write for it.
  var scalarText: String? {
    switch self {
    case .string(let text), .number(let text): text
    case .bool(let flag): flag ? "true" : "false"
    case .null, .list, .object: nil
    }
  }
}

/// An object's members in the document's order, found by key without a search.
struct DocumentObject: Equatable, Sendable {
  private(set) var members: [Member] = []
  private var positions: [String: Int] = [:]

  struct Member: Equatable, Sendable {
    var key: String
    var value: DocumentValue
  }

  init(_ members: [(String, DocumentValue)] = []) {
    for (key, value) in members { set(key, value) }
  }

  mutating func set(_ key: String, _ value: DocumentValue) {
    if let position = positions[key] {
      members[position].value = value
    } else {
      positions[key] = members.count
      members.append(Member(key: key, value: value))
    }
  }

  subscript(key: String) -> DocumentValue? { positions[key].map { members[$0].value } }

  static func == (left: Self, right: Self) -> Bool { left.members == right.members }
}
