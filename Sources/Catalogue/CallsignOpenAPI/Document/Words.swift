/// The words of a name, split at camel case and at every character that is not a letter or digit.
struct Words: Hashable {
  var list: [String]

  init(_ name: String) {
    var list: [String] = []
    var word = ""
    let characters = Array(name)
    for (index, character) in characters.enumerated() {
      guard character.isLetter || character.isNumber else {
        if !word.isEmpty { list.append(word) }
        word = ""
        continue
      }
      if character.isUppercase, let last = word.last {
        let next = index + 1 < characters.count ? characters[index + 1] : nil
        if !last.isUppercase || next?.isLowercase == true {
          list.append(word)
          word = ""
        }
      }
      word.append(character)
    }
    if !word.isEmpty { list.append(word) }
    self.list = list
  }

  private init(list: [String]) { self.list = list }

  /// `user_fields` and `userFields` become `UserFields`.
  var pascal: String { list.map(Self.capitalized).joined() }

  static func capitalized(_ word: String) -> String {
    guard let first = word.first else { return word }
    return first.uppercased() + word.dropFirst()
  }

  /// The name of one element of the collection.
  var singular: Words {
    guard let last = list.last else { return self }
    return Words(list: list.dropLast() + [Self.singular(last)])
  }

  var plural: Words {
    guard let last = list.last else { return self }
    return Words(list: list.dropLast() + [Self.plural(last)])
  }

  /// The name without directly repeated words: `MetadataMetadataAltText` becomes `MetadataAltText`.
  var collapsed: Words {
    var result: [String] = []
    for word in list where result.last.map({ $0.lowercased() != word.lowercased() }) ?? true { result.append(word) }
    return Words(list: result)
  }

  /// Words with the same singular and plural.
  private static let unchanging: Set<String> = [
    "media", "news", "series", "analytics", "metadata", "data", "info", "status", "address", "address", "process",
    "access", "class", "previous", "is", "has", "was", "gas", "bus", "this", "dns", "https", "sms", "css", "os",
  ]

  private static func singular(_ word: String) -> String {
    let lower = word.lowercased()
    if unchanging.contains(lower) { return word }
    if lower.hasSuffix("ies"), word.count > 4 { return word.dropLast(3) + "y" }
    for ending in ["sses", "shes", "ches", "xes", "uses"] where lower.hasSuffix(ending) {
      return String(word.dropLast(2))
    }
    if lower.hasSuffix("s"), !lower.hasSuffix("ss"), !lower.hasSuffix("us"), word.count > 2 {
      return String(word.dropLast())
    }
    return word
  }

  private static func plural(_ word: String) -> String {
    let lower = word.lowercased()
    if ["media", "news", "series", "analytics", "metadata", "data"].contains(lower) { return word }
    if lower.hasSuffix("y"), let before = lower.dropLast().last, !"aeiou".contains(before) {
      return word.dropLast() + "ies"
    }
    if ["s", "x", "sh", "ch"].contains(where: lower.hasSuffix) { return word + "es" }
    return word + "s"
  }

  /// The longest run of words that all names share, ignoring singular and plural; the first of equally long ones. Empty if there is
  /// none.
  static func commonRun(of names: [Words]) -> Words {
    guard let all = names.first else { return Words(list: []) }
    func key(_ word: String) -> String { singular(word).lowercased() }
    let first = Words(list: Array(all.list.prefix(longestName)))
    let rest = names.dropFirst().map { $0.list.prefix(longestName).map(key) }
    for length in stride(from: first.list.count, to: 0, by: -1) {
      for start in 0...(first.list.count - length) {
        let run = Array(first.list[start..<(start + length)])
        let keys = run.map(key)
        if rest.allSatisfy({ contains($0, keys) }) { return Words(list: run) }
      }
    }
    return Words(list: [])
  }

  /// The maximum number of words in a readable name.
  private static let longestName = 24

  private static func contains(_ words: [String], _ run: [String]) -> Bool {
    guard words.count >= run.count else { return false }
    return (0...(words.count - run.count)).contains { Array(words[$0..<($0 + run.count)]) == run }
  }
}

extension String {
  /// The name or, if it is taken, the name followed by the first number from 2 that makes it free.
  func counted(after separator: String = "", while isTaken: (String) -> Bool) -> String {
    guard isTaken(self) else { return self }
    var number = 2
    while isTaken("\(self)\(separator)\(number)") { number += 1 }
    return "\(self)\(separator)\(number)"
  }
}
