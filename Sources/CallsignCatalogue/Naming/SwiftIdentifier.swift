/// What the Swift language takes as an identifier.
enum SwiftIdentifier {
  /// Whether the name can be declared, in backticks where it is a keyword.
  static func isValid(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, name != "_" else { return false }
    guard first == "_" || (first.isASCII ? isASCIILetter(first) : first.properties.isXIDStart) else { return false }
    return name.unicodeScalars.allSatisfy { scalar in
      guard scalar.isASCII else { return scalar.properties.isXIDContinue }
      return scalar == "_" || isASCIILetter(scalar) || ("0"..."9").contains(scalar)
    }
  }

  private static func isASCIILetter(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
  }
}
