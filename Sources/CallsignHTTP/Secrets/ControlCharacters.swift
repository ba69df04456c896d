extension Unicode.Scalar {
  /// Whether it is one of the control characters C0 and C1, or DEL, with which a text could move a terminal's cursor.
  package var isControlCharacter: Bool { value <= 0x1F || (0x7F...0x9F).contains(value) }
}

extension String {
  /// The text without control characters, fit for a one-line message.
  package var printable: String { replacingControlCharacters(with: nil) }

  /// The text with another character in the place of each control character.
  ///
  /// - Parameters:
  ///   - replacement: The other character; `nil` leaves control characters out.
  ///   - kept: Those that stay, such as line breaks. Default: none.
  package func replacingControlCharacters(
    with replacement: Unicode.Scalar?, keeping kept: Set<Unicode.Scalar> = []
  ) -> String {
    // Most texts have none.
    guard unicodeScalars.contains(where: { $0.isControlCharacter && !kept.contains($0) }) else { return self }
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if !scalar.isControlCharacter || kept.contains(scalar) {
        result.append(scalar)
      } else if let replacement {
        result.append(replacement)
      }
    }
    return String(result)
  }
}
