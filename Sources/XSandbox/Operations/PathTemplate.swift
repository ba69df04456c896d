/// A path with `{placeholders}`, each of which takes one segment, but for what follows it there (`{id}.json`).
struct PathTemplate: Sendable, Hashable {
  private enum Part: Sendable, Hashable {
    case literal(String)
    case placeholder(String, suffix: String)
  }

  private let parts: [Part]

  init(_ text: String) {
    parts = text.split(separator: "/", omittingEmptySubsequences: true).map { part in
      guard part.hasPrefix("{"), let end = part.firstIndex(of: "}") else { return .literal(String(part)) }
      return .placeholder(String(part[..<end].dropFirst()), suffix: String(part[part.index(after: end)...]))
    }
  }

  /// How many literal segments there are: of two templates that match, the one with more of them is meant.
  var literalCount: Int {
    parts.filter { if case .literal = $0 { true } else { false } }.count
  }

  /// - Returns: what stands in the placeholders, or `nil` if the path is another.
  func match(_ segments: [String]) -> [String: String]? {
    guard segments.count == parts.count else { return nil }
    var values: [String: String] = [:]
    for (part, segment) in zip(parts, segments) {
      switch part {
      case .literal(let text): guard text == segment else { return nil }
      case .placeholder(let name, let suffix):
        guard segment.hasSuffix(suffix), segment.utf8.count > suffix.utf8.count else { return nil }
        values[name] = String(segment.dropLast(suffix.count))
      }
    }
    return values
  }
}
