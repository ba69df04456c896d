import CallsignCatalogue

/// Numbers names that are taken. Even among a thousand equal names, each number is tried only once.
struct NameCounter {
  /// The next number to try, by name.
  private var numbers: [String: Int] = [:]

  /// The name or, if it is taken, the name followed by the first number from 2 that makes it free. A name that was taken once
  /// counts as taken for good.
  mutating func free(_ name: String, after separator: String = "", isTaken: (String) -> Bool) -> String {
    guard isTaken(name) else { return name }
    var number = numbers[name] ?? 2
    while isTaken("\(name)\(separator)\(number)") { number += 1 }
    numbers[name] = number + 1
    return "\(name)\(separator)\(number)"
  }
}

/// The Swift names of siblings: the members of an object, the values of an enum, or the parameters of an operation.
///
/// If several names become equal in Swift, the one already spelled as in Swift keeps the name, whatever the order in the document;
/// next comes one without leading or trailing signs. The others spell out their sign (`$filter` becomes `dollarFilter`) or get a
/// number.
struct DistinctNames {
  private var taken: Set<String>
  private var counter = NameCounter()

  /// - Parameter taken: Names that are not available.
  init(taken: Set<String> = []) { self.taken = taken }

  /// Finds names for a whole list, in its order.
  ///
  /// - Parameters:
  ///   - names: The API's names.
  ///   - swiftName: The Swift name of a name, if it is free.
  /// - Returns: For each name, the name to use instead; `nil` if it keeps its own.
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

  /// A free name, based on the given one.
  mutating func free(_ name: String) -> String {
    let free = counter.free(name) { [taken] in taken.contains($0) }
    taken.insert(free)
    return free
  }

  /// In which round a name is assigned; 0 is the first.
  private static func rank(_ name: String, _ swiftName: String) -> Int {
    if name == swiftName { return 0 }
    guard let first = name.unicodeScalars.first, let last = name.unicodeScalars.last else { return 2 }
    return isWordPart(first) && isWordPart(last) ? 1 : 2
  }

  private static func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || scalar.properties.numericType != nil
  }

  /// A name with its leading signs spelled out: `$filter` becomes `dollar_filter`; `nil` for a name that begins with a letter or
  /// digit, or consists only of signs.
  private static func spelledOut(_ name: String) -> String? {
    let signs = name.unicodeScalars.prefix { !isWordPart($0) }
    guard !signs.isEmpty, signs.endIndex < name.unicodeScalars.endIndex else { return nil }
    return NameWords(String(signs)).list.joined(separator: "_") + "_" + String(name.unicodeScalars[signs.endIndex...])
  }
}
