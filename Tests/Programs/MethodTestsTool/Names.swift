/// Swift names for a catalogue's names, by separate rules, because the tests check the generator's rules.
enum Names {
  static func type(_ wire: String) -> String {
    let words = words(of: wire)
    return startable(joined(isAcronym(wire) ? words : words.map(capitalized)))
  }

  static func member(_ wire: String) -> String {
    let words = words(of: wire)
    let name = joined(words.prefix(1).map { $0.lowercased() } + words.dropFirst().map(capitalized))
    return name == "self" || name == "init" ? name + "Value" : startable(name)
  }

  static func enumCase(_ wire: String) -> String {
    let name = member(wire)
    return ["none", "some", "unknown"].contains(name) ? name + "Value" : name
  }

  /// A label in a call, where three keywords need backticks.
  static func label(_ name: String) -> String { ["inout", "let", "var"].contains(name) ? "`\(name)`" : name }

  private static let acronyms: Set<String> = [
    "ai", "api", "cpu", "css", "csv", "dm", "dns", "gif", "gps", "html", "http", "https", "id", "io", "ip", "iso",
    "jpg",
    "json", "jwt", "os", "pdf", "png", "rss", "sdk", "sha", "sms", "sql", "ssl", "tls", "tv", "ui", "uid", "uri", "url",
    "utc", "utf", "uuid", "woeid", "xml",
  ]
  private static let plurals: Set<String> = [
    "api", "dm", "gif", "id", "ip", "sdk", "uid", "uri", "url", "uuid", "woeid",
  ]

  private static func isAcronym(_ wire: String) -> Bool {
    wire.allSatisfy { $0.isNumber || $0.isUppercase } && wire.contains(where: \.isUppercase)
  }

  private static func words(of wire: String) -> [String] {
    if isAcronym(wire) { return [wire] }
    let pieces = wire.split { !($0.isLetter || $0.isNumber) }.map(String.init)
    if !wire.contains(where: \.isLowercase) { return pieces.map { $0.lowercased() } }
    return pieces.flatMap { piece in
      piece.matches(of: /[A-Z]+s(?![a-z])[0-9]*|[A-Z]+(?![a-z])[0-9]*|[A-Z]?[^A-Z]+/).map { String($0.output) }
    }
  }

  private static func capitalized(_ word: String) -> String {
    let letters = word.prefix { !$0.isNumber }
    let (known, digits) = (letters.lowercased(), word.dropFirst(letters.count))
    if known == "oauth" { return "OAuth" + digits }
    if acronyms.contains(known) { return known.uppercased() + digits }
    if known.hasSuffix("s"), plurals.contains(String(known.dropLast())) {
      return known.dropLast().uppercased() + "s" + digits
    }
    return word.prefix(1).uppercased() + word.dropFirst()
  }

  private static func joined(_ words: some Sequence<String>) -> String {
    words.reduce(into: "") { name, word in
      if name.last?.isNumber == true, word.first?.isNumber == true { name += "_" }
      name += word
    }
  }

  private static func startable(_ name: String) -> String { name.first?.isNumber == true ? "_" + name : name }
}
