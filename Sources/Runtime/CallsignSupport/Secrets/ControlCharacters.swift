extension Unicode.Scalar {
  /// Whether it is a C0 or C1 control character, or DEL. In a text, these could move a terminal's cursor.
  package var isControlCharacter: Bool { value <= 0x1F || (0x7F...0x9F).contains(value) }

  /// Whether it is invisible, or changes the order or the lines of visible characters.
  fileprivate var isInvisible: Bool {
    if value < 0xAD { return false }
    switch properties.generalCategory {
    case .format, .lineSeparator, .paragraphSeparator: return true
    default: return properties.isDefaultIgnorableCodePoint
    }
  }

  /// Whether it joins or separates the characters around it, as emoji and many scripts need it.
  fileprivate var isJoiner: Bool { value == 0x200C || value == 0x200D }

  /// Whether a joiner next to it may be visible.
  fileprivate var isJoined: Bool { !isASCII && (!isInvisible || properties.isVariationSelector) }
}

extension String {
  /// The text without control characters, fit for a one-line message. In place of invisible characters it has escapes
  /// such as `\u{202E}`, so that nothing is other than it looks.
  package var printable: String {
    replacingControlCharacters(with: nil).replacingInvisibleCharacters {
      "\\u{\(String($0.value, radix: 16, uppercase: true))}"
    }
  }

  /// The text as a terminal or a file for people may have it: ``printable``, but with its line feeds and tabs, and with
  /// U+FFFD in the place of each other control character.
  package var printableLines: String {
    replacingControlCharacters(with: "\u{FFFD}", keeping: ["\n", "\t"]).replacingInvisibleCharacters {
      "\\u{\(String($0.value, radix: 16, uppercase: true))}"
    }
  }

  /// The text, which is JSON, with JSON's own escapes in the place of invisible characters.
  package var printableJSON: String {
    replacingInvisibleCharacters { scalar in
      String(scalar).utf16.map { unit in
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }.joined()
    }
  }

  /// The text with something else in the place of each invisible character. Joiners stay between what they join.
  private func replacingInvisibleCharacters(_ replacement: (Unicode.Scalar) -> String) -> String {
    guard unicodeScalars.contains(where: \.isInvisible) else { return self }
    var result = String.UnicodeScalarView()
    let scalars = Array(unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      let previous = index > 0 ? scalars[index - 1] : nil
      let next = index + 1 < scalars.count ? scalars[index + 1] : nil
      let isSeen =
        switch scalar {
        case _ where scalar.properties.isVariationSelector: previous?.isInvisible == false
        // Between letters of ASCII it changes nothing that anybody sees.
        case _ where scalar.isJoiner: [previous, next].allSatisfy { $0?.isJoined == true }
        default: !scalar.isInvisible
        }
      if isSeen {
        result.append(scalar)
      } else {
        result += replacement(scalar).unicodeScalars
      }
    }
    return String(result)
  }

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
