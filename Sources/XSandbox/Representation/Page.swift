/// A part of a list, newest entries first.
struct Page {
  var members: [Identifier]
  var nextToken: String?
  var previousToken: String?

  /// - Parameters:
  ///   - relation: the whole list.
  ///   - size: how many entries a page has at most.
  ///   - isIncluded: which entries count.
  init(
    of relation: Relation?, size: Int, token text: String?, parameter: String = "pagination_token", scope: String,
    isIncluded: (Identifier) -> Bool = { _ in true }
  ) throws(Problem) {
    let entries = (relation?.entries ?? []).filter { isIncluded($0.member) }
    var end = entries.count
    var start = max(0, end - size)
    if let text {
      guard let token = PageToken(text, scope: scope) else {
        throw .invalidRequest([
          InvalidParameter(
            name: parameter, values: [text],
            message: "The `\(parameter)` query parameter value [\(text)] is not valid")
        ])
      }
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
      nextToken = PageToken(direction: .forward, position: entries[start].position).text(scope: scope)
    }
    if end < entries.count, end > 0 {
      previousToken = PageToken(direction: .backward, position: entries[end - 1].position).text(scope: scope)
    }
  }

  /// The `meta` member of the answer.
  func meta(resultCount: Int) -> [String: JSON] {
    var meta: [String: JSON] = ["result_count": .integer(resultCount)]
    meta["next_token"] = nextToken.map(JSON.string)
    meta["previous_token"] = previousToken.map(JSON.string)
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
