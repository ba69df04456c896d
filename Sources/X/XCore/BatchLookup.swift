import CallsignSupport

/// Many ids or names to look up with several calls, because X accepts a hundred at a time.
package struct BatchLookup {
  private static let size = 100

  /// The ids or names of each call. None is requested twice.
  package let batches: [[String]]
  private let wanted: [String]
  private let key: (String) -> String

  /// - Parameters:
  ///   - wanted: The ids or names; any number.
  ///   - key: The text that all spellings of an id or name have in common.
  package init(_ wanted: [String], key: @escaping (String) -> String = { $0 }) {
    self.wanted = wanted
    self.key = key
    var asked: Set<String> = []
    let distinct = wanted.filter { asked.insert(key($0)).inserted }
    batches = stride(from: 0, to: distinct.count, by: Self.size).map { start in
      Array(distinct[start..<min(start + Self.size, distinct.count)])
    }
  }

  /// Sorts the results into the order of the request. If a name was requested twice, its result appears twice.
  ///
  /// - Parameter keyOfElement: The key of a result; `nil` for a result that was not requested.
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
