/// Suggests the intended name for a misspelt one.
package struct Suggestions {
  /// The maximum number of candidates to compare in a run. A file full of typing errors gets no more suggestions after that.
  private var comparisonsLeft = 100_000

  /// Starts a run.
  package init() {}

  /// The candidate with the smallest edit distance to `name`, if it is close enough to be a typing error. Of several that are
  /// equally close, the first by name.
  package mutating func closest(to name: String, among candidates: [String]) -> String? {
    guard comparisonsLeft >= candidates.count else { return nil }
    comparisonsLeft -= candidates.count
    let wanted = Array(name.lowercased().unicodeScalars)
    guard !wanted.isEmpty, wanted.count <= 64 else { return nil }
    let allowance = max(1, wanted.count / 3)
    var best: (name: String, distance: Int)?
    for candidate in candidates where candidate != name {
      let scalars = Array(candidate.lowercased().unicodeScalars)
      guard abs(scalars.count - wanted.count) <= allowance else { continue }
      let distance = Self.editDistance(wanted, scalars)
      guard distance <= allowance, distance < scalars.count else { continue }
      if let known = best, (known.distance, known.name) <= (distance, candidate) { continue }
      best = (candidate, distance)
    }
    return best?.name
  }

  /// `; did you mean `User`?`, or nothing.
  package mutating func clause(for name: String, among candidates: [String]) -> String? {
    closest(to: name, among: candidates).map { "; did you mean `\($0)`?" }
  }

  /// Counts insertions, deletions, substitutions and swaps of neighbours (Damerau's distance, optimal string alignment).
  static func editDistance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    if left.isEmpty || right.isEmpty { return max(left.count, right.count) }
    var beforePrevious: [Int] = []
    var previous = Array(0...right.count)
    for row in 1...left.count {
      var current = [row]
      current.reserveCapacity(right.count + 1)
      for column in 1...right.count {
        let isSame = left[row - 1] == right[column - 1]
        var distance = min(previous[column] + 1, current[column - 1] + 1, previous[column - 1] + (isSame ? 0 : 1))
        if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
          distance = min(distance, beforePrevious[column - 2] + 1)
        }
        current.append(distance)
      }
      (beforePrevious, previous) = (previous, current)
    }
    return previous[right.count]
  }
}
