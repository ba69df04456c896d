// The generator compiles this file, too (through a symbolic link), to write down only the names that differ.

/// The Swift name that a member mostly has: `created_at` is `createdAt`, `user_id` is `userID`.
enum PropertyName {
  static func usual(of wire: String) -> String {
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
