import CallsignCatalogue

/// Looks for a catalogue's regular expressions in arguments.
///
/// The API judges where a search may take long: documents come from anywhere, and so do arguments.
enum PatternCheck {
  /// Whether a text has no match of a pattern. One that Swift cannot read, or that may take long, refuses nothing.
  static func refuses(_ text: String, _ pattern: String) -> Bool {
    guard PatternCost(pattern)?.isLow(for: text) == true, let expression = try? Regex(pattern) else { return false }
    // By code points, as JSON Schema has them and as the cost was counted: one character may be written in two ways.
    do { return try expression.matchingSemantics(.unicodeScalar).firstMatch(in: text) == nil } catch { return false }
  }
}
