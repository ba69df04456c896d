/// A resource that a request named and that doesn't exist (or that the caller may not see): an element of `errors` beside `data`.
struct MissingResource: Sendable, Equatable {
  enum Kind: String, Sendable {
    case user
    case post
    case list
  }

  var kind: Kind
  /// The parameter that named it.
  var parameter: String
  var value: String

  static let title = "Not Found Error"
  static let type = Problem.typePrefix + "resource-not-found"

  var detail: String { "Could not find \(kind.rawValue) with \(parameter): [\(value)]." }

  var members: [String: JSON] {
    [
      "resource_type": .string(kind.rawValue), "resource_id": .string(value), "parameter": .string(parameter),
      "value": .string(value),
    ]
  }

  var document: JSON {
    .object(
      members.merging(["title": .string(Self.title), "detail": .string(detail), "type": .string(Self.type)]) { $1 })
  }
}
