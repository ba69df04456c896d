import Foundation

/// A search query: words, `"phrases"`, `#tags`, `@mentions`, `from:`, `to:`, `is:`, and `-` before any of them. All
/// conditions must hold.
struct SearchQuery {
  private enum Condition {
    case text(String)
    case from(String)
    case to(String)
    case isReply
    case isQuote
    case isRepost
  }

  private var conditions: [(condition: Condition, isNegated: Bool)] = []

  /// - Throws: 501 for operators that the sandbox does not implement.
  init(_ text: String) throws(Problem) {
    for term in Self.terms(text) {
      let isNegated = term.hasPrefix("-")
      conditions.append((try Self.condition(isNegated ? String(term.dropFirst()) : term), isNegated))
    }
  }

  /// Whether all conditions are negated.
  var isOnlyNegated: Bool { conditions.allSatisfy(\.isNegated) }

  func matches(_ post: PostRecord, in database: Database) -> Bool {
    conditions.allSatisfy { Self.holds($0.condition, post, database) != $0.isNegated }
  }

  private static func holds(_ condition: Condition, _ post: PostRecord, _ database: Database) -> Bool {
    switch condition {
    case .text(let text): post.text.lowercased().contains(text)
    case .from(let username): database.user(named: username)?.id == post.author
    case .to(let username): post.repliesToUser != nil && database.user(named: username)?.id == post.repliesToUser
    case .isReply: post.repliesTo != nil
    case .isQuote: post.quotes != nil
    case .isRepost: post.reposts != nil
    }
  }

  private static func condition(_ term: String) throws(Problem) -> Condition {
    if term.hasPrefix("\"") { return .text(term.replacingOccurrences(of: "\"", with: "").lowercased()) }
    if term == "OR" || term.contains("(") || term.contains(")") {
      throw .notImplemented("OR and parentheses in a search query")
    }
    guard let colon = term.firstIndex(of: ":"), !term.hasPrefix("http") else { return .text(term.lowercased()) }
    let value = String(term[term.index(after: colon)...])
    switch (term[..<colon], value) {
    case ("from", _): return .from(value)
    case ("to", _): return .to(value)
    case ("is", "reply"): return .isReply
    case ("is", "quote"): return .isQuote
    case ("is", "retweet"): return .isRepost
    default: throw .notImplemented("the operator `\(term)` in a search query")
    }
  }

  /// Splits at spaces outside quotation marks.
  private static func terms(_ text: String) -> [String] {
    var terms: [String] = []
    var term = ""
    var isQuoted = false
    for character in text {
      if character == "\"" { isQuoted.toggle() }
      if character == " ", !isQuoted {
        if !term.isEmpty { terms.append(term) }
        term = ""
      } else {
        term.append(character)
      }
    }
    return term.isEmpty ? terms : terms + [term]
  }
}
