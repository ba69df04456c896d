/// A part of a list, newest entries first.
struct Page {
  var members: [Identifier]
  /// Where the page with older entries begins.
  var next: PageToken?
  /// Where the page with newer entries begins.
  var previous: PageToken?
  /// What tokens are valid for.
  private var scope = ""

  /// - Parameters:
  ///   - relation: the whole list.
  ///   - size: how many entries a page has at most.
  ///   - isIncluded: which entries count.
  init(
    of relation: Relation?, size: Int, token text: String?, parameter: String = "pagination_token", scope: String,
    isIncluded: (Identifier) -> Bool = { _ in true }
  ) throws(Problem) {
    var token: PageToken?
    if let text {
      token = PageToken(text, scope: scope)
      guard token != nil else {
        throw .invalidRequest([
          InvalidParameter(
            name: parameter, values: [text],
            message: "The `\(parameter)` query parameter value [\(text)] is not valid")
        ])
      }
    }
    self.init(of: relation, size: size, from: token, isIncluded: isIncluded)
    self.scope = scope
  }

  /// - Parameter token: where the page begins; with the newest entry unless it is given.
  init(of relation: Relation?, size: Int, from token: PageToken?, isIncluded: (Identifier) -> Bool = { _ in true }) {
    let entries = (relation?.entries ?? []).filter { isIncluded($0.member) }
    var end = entries.count
    var start = max(0, end - size)
    if let token {
      switch token.direction {
      case .forward:
        end = entries.partitioningIndex { $0.position >= token.position }
        start = max(0, end - size)
      case .backward:
        start = entries.partitioningIndex { $0.position > token.position }
        end = min(entries.count, start + size)
      }
    }
    members = entries[start..<end].reversed().map(\.member)
    if start > 0, start < entries.count {
      next = PageToken(direction: .forward, position: entries[start].position)
    }
    if end < entries.count, end > 0 {
      previous = PageToken(direction: .backward, position: entries[end - 1].position)
    }
  }

  /// The `meta` member of the answer.
  func meta(resultCount: Int) -> [String: JSON] {
    var meta: [String: JSON] = ["result_count": .integer(resultCount)]
    meta["next_token"] = next.map { .string($0.text(scope: scope)) }
    meta["previous_token"] = previous.map { .string($0.text(scope: scope)) }
    return meta
  }
}

extension [Relation.Entry] {
  /// The first index whose entry satisfies a predicate that is false before it and true after it.
  fileprivate func partitioningIndex(where isAfter: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
