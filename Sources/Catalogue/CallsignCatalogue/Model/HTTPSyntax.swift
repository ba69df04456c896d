/// The names of header fields.
package enum HeaderName {
  /// Whether the name is a token (RFC 9110 §5.6.2).
  package static func isValid(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.allSatisfy { $0.isLowercase || $0.isUppercase || $0.isDigit || symbols.contains($0) }
  }

  private static let symbols = Set("!#$%&'*+-.^_`|~".utf8)

  static func advice(_ name: String) -> String {
    "`\(name)` cannot be a header's name; use letters, digits and `-`"
  }
}

/// Media types, such as `application/json; charset=utf-8`.
package enum MediaType {
  /// The type without its parameters, in lowercase.
  package static func name(_ text: String) -> String { text.prefix { $0 != ";" }.trimmed.lowercased() }

  /// Whether it is a type and a subtype, both tokens (RFC 9110 §8.3.1), followed only by what a header field allows.
  package static func isValid(_ text: String) -> Bool {
    let parts = name(text).split(separator: "/", omittingEmptySubsequences: false)
    return parts.count == 2 && parts.allSatisfy { HeaderName.isValid(String($0)) }
      && text.unicodeScalars.allSatisfy { (0x20...0x7E).contains($0.value) }
  }

  /// Whether the media type is JSON. Any type, `*/*`, counts as JSON.
  package static func isJSON(_ text: String) -> Bool {
    let type = name(text)
    return type.hasSuffix("/json") || type.hasSuffix("+json") || type == "*/*"
  }

  /// Whether the media type is XML.
  package static func isXML(_ text: String) -> Bool {
    let type = name(text)
    return type.hasSuffix("/xml") || type.hasSuffix("+xml")
  }

  /// Whether the type has parameters that distinguish it from others with the same name. A character set does not.
  package static func hasParameters(_ text: String) -> Bool {
    text.split(separator: ";").dropFirst().contains { parameter in
      let name = parameter.drop { $0 == " " }.prefix { $0 != "=" && $0 != " " }
      return !name.isEmpty && name.lowercased() != "charset"
    }
  }
}
