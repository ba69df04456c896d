import CallsignCatalogue
import CallsignJSON

/// Names that the APIs of models take for tools and their arguments; what has another character, or is longer, is refused
/// there with all of a session's tools.
enum ToolNames {
  /// The most characters of a name.
  private static let limit = 64

  /// Whether a name is taken as it is.
  ///
  /// - Parameter others: The characters that are taken besides letters, digits, `_` and `-`.
  static func fits(_ name: String, others: String = "") -> Bool {
    (1...limit).contains(name.utf8.count) && name.unicodeScalars.allSatisfy { isTaken($0, others) }
  }

  private static func isTaken(_ scalar: Unicode.Scalar, _ others: String) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_", "-": true
    default: others.unicodeScalars.contains(scalar)
    }
  }

  /// A name that fits, and that no other one is: it is put into the others.
  ///
  /// - Parameter placeholder: Stands for a name of which no letter and no digit is left.
  static func unique(
    _ name: String, others: String = "", placeholder: String, among taken: inout Set<String>
  ) -> String {
    var plain = ""
    var isReplaced = false
    for scalar in name.unicodeScalars {
      let isKept = isTaken(scalar, others)
      // A word in other letters is one gap, however long it is.
      if isKept || !isReplaced { plain.unicodeScalars.append(isKept ? scalar : "_") }
      isReplaced = !isKept
    }
    plain = String(plain.prefix(limit))
    if !plain.contains(where: { $0.isLetter || $0.isNumber }) { plain = placeholder }
    var result = plain
    var number = 2
    while !taken.insert(result).inserted {
      result = plain.prefix(limit - 1 - "\(number)".count) + "_\(number)"
      number += 1
    }
    return result
  }
}

/// The names by which a tool takes an operation's arguments: the operation's own where these fit.
struct ArgumentNames: Sendable {
  /// By the operation's own names.
  private let aliases: [String: String]
  private let names: [String: String]

  init(_ endpoint: CallsignCatalogue.Endpoint) {
    let own = endpoint.parameters.filter { $0.constant == nil }.map(\.name)
    var taken = Set(own.filter { Self.fits($0) })
    if let wait = WaitArgument(of: endpoint) { taken.insert(wait.name) }
    var aliases: [String: String] = [:]
    for (index, name) in own.enumerated() where !Self.fits(name) {
      aliases[name] = ToolNames.unique(name, others: ".", placeholder: "argument_\(index + 1)", among: &taken)
    }
    self.aliases = aliases
    names = Dictionary(aliases.map { ($0.value, $0.key) }) { first, _ in first }
  }

  private static func fits(_ name: String) -> Bool { ToolNames.fits(name, others: ".") }

  /// The name by which the tool takes a parameter.
  func alias(of parameter: String) -> String { aliases[parameter] ?? parameter }

  /// The arguments by the operation's own names, which are understood, too.
  func own(_ arguments: [String: JSONValue]) -> [String: JSONValue] {
    Dictionary(arguments.map { (names[$0.key] ?? $0.key, $0.value) }) { first, _ in first }
  }
}
