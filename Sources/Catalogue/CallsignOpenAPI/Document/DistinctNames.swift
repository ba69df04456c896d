import CallsignCatalogue

/// Numbers names that are taken. Of a thousand that fall together, each is tried once.
struct NameCounter {
  /// The number to try next, by name.
  private var numbers: [String: Int] = [:]

  /// The name, or where it is taken the name with the first number from 2 on behind it that makes it free. Names that were
  /// taken once count as taken for good.
  mutating func free(_ name: String, after separator: String = "", isTaken: (String) -> Bool) -> String {
    guard isTaken(name) else { return name }
    var number = numbers[name] ?? 2
    while isTaken("\(name)\(separator)\(number)") { number += 1 }
    numbers[name] = number + 1
    return "\(name)\(separator)\(number)"
  }
}

/// The Swift names of what stands side by side: the members of an object, the values of an enum, the parameters of an
/// operation.
///
/// Of names that fall together in Swift, the one that is spelled as in Swift has it, whatever the document's order is; next
/// comes one without signs around it. The others say their sign (`$filter` is `dollarFilter`), or have a number behind them.
struct DistinctNames {
  private var taken: Set<String>
  private var counter = NameCounter()

  /// - Parameter taken: Names that are not to be had.
  init(taken: Set<String> = []) { self.taken = taken }

  /// Names for all of a list, in its order.
  ///
  /// - Parameters:
  ///   - names: Names as the API has them.
  ///   - swiftName: The Swift name of one, if nothing else has it.
  /// - Returns: For each, the name to have instead; `nil` if it has its own.
  mutating func names(for names: [String], _ swiftName: (String) -> String) -> [String?] {
    let usual = names.map(swiftName)
    var result = [String?](repeating: nil, count: names.count)
    var ranks = [[Int]](repeating: [], count: 3)
    for (index, name) in names.enumerated() { ranks[Self.rank(name, usual[index])].append(index) }
    for index in ranks.joined() where !taken.insert(usual[index]).inserted {
      result[index] = free(Self.spelledOut(names[index]).map(swiftName) ?? usual[index])
    }
    return result
  }

  /// A name that nothing else has, after the given one.
  mutating func free(_ name: String) -> String {
    let free = counter.free(name) { [taken] in taken.contains($0) }
    taken.insert(free)
    return free
  }

  /// The number of the turn in which names are given: 0 is the first.
  private static func rank(_ name: String, _ swiftName: String) -> Int {
    if name == swiftName { return 0 }
    guard let first = name.unicodeScalars.first, let last = name.unicodeScalars.last else { return 2 }
    return isWordPart(first) && isWordPart(last) ? 1 : 2
  }

  private static func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || scalar.properties.numericType != nil
  }

  /// A name with the signs before it in words: `$filter` is `dollar_filter`; `nil` for one that begins with a letter or
  /// digit, or is all signs.
  private static func spelledOut(_ name: String) -> String? {
    let signs = name.unicodeScalars.prefix { !isWordPart($0) }
    guard !signs.isEmpty, signs.endIndex < name.unicodeScalars.endIndex else { return nil }
    return NameWords(String(signs)).list.joined(separator: "_") + "_" + String(name.unicodeScalars[signs.endIndex...])
  }
}
