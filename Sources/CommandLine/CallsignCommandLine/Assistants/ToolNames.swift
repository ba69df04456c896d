import CallsignCatalogue
import CallsignJSON

/// Names that model APIs accept for tools and their arguments. If a name contains another character or is too long, these APIs
/// reject all tools of the session.
enum ToolNames {
  /// The maximum number of characters in a name.
  private static let limit = 64

  /// Whether a name is accepted unchanged.
  ///
  /// - Parameter others: The accepted characters in addition to letters, digits, `_` and `-`.
  static func fits(_ name: String, others: String = "") -> Bool {
    (1...limit).contains(name.utf8.count) && name.unicodeScalars.allSatisfy { isTaken($0, others) }
  }

  private static func isTaken(_ scalar: Unicode.Scalar, _ others: String) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_", "-": true
    default: others.unicodeScalars.contains(scalar)
    }
  }

  /// A valid name that is not in `others`. The name is added to `others`.
  ///
  /// - Parameter placeholder: Replaces a name in which no letter or digit remains.
  static func unique(
    _ name: String, others: String = "", placeholder: String, among taken: inout Set<String>
  ) -> String {
    var plain = ""
    var isReplaced = false
    for scalar in name.unicodeScalars {
      let isKept = isTaken(scalar, others)
      // A run of replaced characters becomes one underscore, however long it is.
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

/// The names of an operation's arguments in a tool: the operation's own names if they are valid.
struct ArgumentNames: Sendable {
  /// The aliases, by the operation's own names.
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

  /// The tool's name for a parameter.
  func alias(of parameter: String) -> String { aliases[parameter] ?? parameter }

  /// The arguments under the operation's own names. These names are also accepted.
  func own(_ arguments: [String: JSONValue]) -> [String: JSONValue] {
    Dictionary(arguments.map { (names[$0.key] ?? $0.key, $0.value) }) { first, _ in first }
  }
}
