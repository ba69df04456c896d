extension StringProtocol {
  /// The text without the white space at its ends, line breaks among it. In place of `trimmingCharacters(in:)`, which is
  /// Foundation's.
  package func trimmingWhitespace() -> String {
    let scalars = unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(self[first...last])
  }
}
