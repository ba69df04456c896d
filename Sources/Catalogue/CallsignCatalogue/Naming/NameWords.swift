/// The words of a catalogue name, in its order and case.
package struct NameWords {
  package private(set) var list: [String] = []
  /// Whether the whole name is one word in capitals, such as `URL` or `CHAT`.
  private(set) var isSingleAcronym = false

  /// Splits a name, or any other text.
  package init(_ wire: String) {
    var pieces: [[Unicode.Scalar]] = []
    var piece: [Unicode.Scalar] = []
    var hasLowercase = false
    var hasUppercase = false
    for scalar in wire.unicodeScalars {
      if Self.isIdentifierPart(scalar) {
        if Self.isLower(scalar) { hasLowercase = true } else if Self.isUpper(scalar) { hasUppercase = true }
        piece.append(scalar)
      } else {
        if !piece.isEmpty { pieces.append(piece) }
        piece.removeAll(keepingCapacity: true)
      }
    }
    if !piece.isEmpty { pieces.append(piece) }

    let isAllCapitals = hasUppercase && !hasLowercase
    isSingleAcronym = isAllCapitals && pieces.count == 1
    if let sign = Self.sign(of: wire) { list.append(sign) }
    for piece in pieces {
      if isSingleAcronym {
        list.append(Self.text(piece[...]))
      } else if isAllCapitals {
        list.append(Self.text(piece[...]).lowercased())
      } else {
        Self.split(piece, into: &list)
      }
    }
    if list.isEmpty { list = Self.spelledOut(wire) }
  }

  /// Splits a name in camel case: `getHTTPStatus` becomes `get`, `HTTP`, `Status`. Digits stay with the previous word, and the `s`
  /// of `userIDs` stays with the acronym.
  private static func split(_ piece: [Unicode.Scalar], into list: inout [String]) {
    var start = 0
    for index in piece.indices.dropFirst() where isUpper(piece[index]) {
      let previous = piece[index - 1]
      let isHump: Bool
      if isUpper(previous) {
        // The last capital of a run starts the next word if lowercase letters follow.
        let next = index + 1 < piece.count ? piece[index + 1] : nil
        isHump = next.map { isLower($0) } == true && !isPluralEnd(piece, at: index + 1)
      } else {
        isHump = true
      }
      if isHump {
        list.append(text(piece[start..<index]))
        start = index
      }
    }
    list.append(text(piece[start...]))
  }

  /// Whether the scalar is the `s` of a plural such as `IDs`, followed by the end of the word or a capital.
  private static func isPluralEnd(_ piece: [Unicode.Scalar], at index: Int) -> Bool {
    piece[index] == "s" && (index + 1 == piece.count || isUpper(piece[index + 1]))
  }

  private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }

  private static func isLower(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII ? UInt8(ascii: scalar).isLowercase : scalar.properties.isLowercase
  }

  private static func isUpper(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII ? UInt8(ascii: scalar).isUppercase : scalar.properties.isUppercase
  }

  private static func isIdentifierPart(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII {
      let byte = UInt8(ascii: scalar)
      return byte.isLowercase || byte.isUppercase || byte.isDigit
    }
    // No script that Swift accepts is outside the planes that contain letters.
    return scalar.properties.isXIDContinue && scalar.value < 0xE0000
  }

  /// Distinguishes `+1` from `-1`.
  private static func sign(of wire: String) -> String? {
    let bytes = wire.utf8.prefix(2)
    guard bytes.count == 2, let first = bytes.first, let second = bytes.last, second.isDigit else { return nil }
    return first == UInt8(ascii: "+") ? "plus" : first == UInt8(ascii: "-") ? "minus" : nil
  }

  /// Spells out a name that consists only of symbols.
  private static func spelledOut(_ wire: String) -> [String] {
    wire.isEmpty
      ? ["empty"]
      : wire.unicodeScalars.prefix(8).map { scalar in
        symbols[scalar] ?? "u" + String(scalar.value, radix: 16)
      }
  }

  private static let symbols: [Unicode.Scalar: String] = [
    " ": "space", "!": "exclamation", "#": "number", "$": "dollar", "%": "percent", "&": "and", "*": "asterisk",
    "+": "plus", ",": "comma", "-": "minus", ".": "dot", "/": "slash", ":": "colon", ";": "semicolon", "<": "less",
    "=": "equals", ">": "greater", "?": "question", "@": "at", "^": "caret", "_": "underscore", "|": "or",
    "~": "tilde",
  ]
}
