/// The names of header fields.
package enum HeaderName {
  /// Whether it is a token (RFC 9110 §5.6.2).
  package static func isValid(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.allSatisfy { $0.isLowercase || $0.isUppercase || $0.isDigit || symbols.contains($0) }
  }

  private static let symbols = Set("!#$%&'*+-.^_`|~".utf8)

  static func advice(_ name: String) -> String {
    "`\(name)` cannot be a header's name; use letters, digits and `-`"
  }
}
