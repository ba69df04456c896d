/// The Swift names of members. The generator writes down only the names that differ from these.
package enum PropertyName {
  /// The Swift name that most members get: `created_at` becomes `createdAt`, `user_id` becomes `userID`.
  package static func usual(of wire: String) -> String {
    var name = ""
    for word in wire.split(whereSeparator: { !$0.isLetter && !$0.isNumber }) {
      switch word {
      case _ where name.isEmpty: name += word
      case "id", "url": name += word.uppercased()
      case "ids", "urls": name += word.dropLast().uppercased() + "s"
      default: name += word.prefix(1).uppercased() + word.dropFirst()
      }
    }
    return name
  }
}
