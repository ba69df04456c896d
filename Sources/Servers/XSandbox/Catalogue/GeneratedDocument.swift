import Foundation

/// Corrects generated responses if X's document says more than the catalogue's types.
enum GeneratedDocument {
  /// The counts that the document requires.
  private static let userCounts = ["followers_count", "following_count", "listed_count", "post_count"]

  static func mended(_ value: JSON) -> JSON {
    switch value {
    case .null, .boolean, .integer, .number, .string: return value
    case .array(let elements): return .array(elements.map(mended))
    case .object(let members): return .object(mended(members.mapValues(mended)))
    }
  }

  private static func mended(_ members: [String: JSON]) -> [String: JSON] {
    var members = members
    // In v1.1, an ID appears both as a number and as a text.
    for (name, value) in members where name.hasSuffix("id_str") && value != .null {
      let number = String(name.dropLast("_str".count))
      if case .integer(let id)? = members[number] { members[name] = .string(String(id)) }
    }
    let isUser = members["username"] != nil
    if isUser, let counts = members["public_metrics"] {
      members["public_metrics"] = userCounts.reduce(counts) { $0[$1] == nil ? $0.with($1, 0) : $0 }
    }
    if members["media_key"] != nil, let counts = members["public_metrics"], counts["view_count"] == nil {
      members["public_metrics"] = counts.with("view_count", 0)
    }
    // The catalogue also contains the older `tweet`.
    if let withheld = members["withheld"], withheld["scope"] != nil {
      members["withheld"] = withheld.with("scope", isUser ? "user" : "post")
    }
    return members
  }
}
