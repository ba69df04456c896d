import CallsignCatalogue

/// Checks arguments against the catalogue's regular expressions.
///
/// If a search could take long, the check is left to the API, because both documents and arguments can come from anywhere.
enum PatternCheck {
  /// Whether the text does not match the pattern. A pattern that Swift cannot read, or that may take long, rejects nothing.
  static func refuses(_ text: String, _ pattern: String) -> Bool {
    guard PatternCost(pattern)?.isLow(for: text) == true, let expression = try? Regex(pattern) else { return false }
    // Matches by code points, like JSON Schema and like the cost estimate, because one character can be encoded in two ways.
    do { return try expression.matchingSemantics(.unicodeScalar).firstMatch(in: text) == nil } catch { return false }
  }
}
