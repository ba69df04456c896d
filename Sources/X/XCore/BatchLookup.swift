import CallsignSupport

/// Many ids or names of things that are looked up with several calls, as X takes a hundred at a time.
package struct BatchLookup {
  private static let size = 100

  /// The ids or names of each call. None is asked for twice.
  package let batches: [[String]]
  private let wanted: [String]
  private let key: (String) -> String

  /// - Parameters:
  ///   - wanted: The ids or names, in any number.
  ///   - key: The text that is the same for all spellings of one.
  package init(_ wanted: [String], key: @escaping (String) -> String = { $0 }) {
    self.wanted = wanted
    self.key = key
    var asked: Set<String> = []
    let distinct = wanted.filter { asked.insert(key($0)).inserted }
    batches = stride(from: 0, to: distinct.count, by: Self.size).map { start in
      Array(distinct[start..<min(start + Self.size, distinct.count)])
    }
  }

  /// Puts what was found in the order in which it was asked for; asked for twice, one is there twice.
  ///
  /// - Parameter keyOfElement: The key of what was found; `nil` for what nobody can have asked for.
  package func sorted<Element>(
    _ elements: [Element], by keyOfElement: (Element) -> String?
  ) -> (found: [Element], missing: [String]) {
    var known: [String: Element] = [:]
    for element in elements { if let key = keyOfElement(element) { known[key] = element } }
    var (found, missing): ([Element], [String]) = ([], [])
    for name in wanted {
      if let element = known[key(name)] { found.append(element) } else { missing.append(name) }
    }
    return (found, missing)
  }
}
