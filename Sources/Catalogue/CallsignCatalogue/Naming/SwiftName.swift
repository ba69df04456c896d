/// The rules by which the catalogue's names become Swift names, following the Swift API Design Guidelines.
///
/// A name is split into words at every character that no identifier has, and at its camel humps; the words are put
/// together again with acronyms in one case: `expanded_url` is `expandedURL`, `UserId` is `UserID`. Every input has
/// a valid response, and the same one each time. Two names may fall together; the checker says so, and `name:` in the
/// catalogue decides.
public enum SwiftName {
  /// The name of a type: `user_id` and `UserId` are `UserID`.
  public static func type(_ wire: String) -> String {
    let name = plain(wire, isCapitalized: true) ?? typeOfAnyText(wire)
    return typeNamesTaken.contains(name) ? name + "Model" : name
  }

  private static func typeOfAnyText(_ wire: String) -> String {
    let words = NameWords(wire)
    var name = ""
    for word in words.list {
      append(words.isSingleAcronym ? word : capitalized(word), to: &name)
    }
    return startable(name)
  }

  /// The name of the module that a target's name becomes: `My-API` is `My_API`.
  public static func module(_ target: String) -> String {
    var name = String.UnicodeScalarView()
    for scalar in target.unicodeScalars {
      let isDigit = ("0"..."9").contains(scalar)
      if name.isEmpty, isDigit { name.append("_") }
      name.append(isDigit || SwiftIdentifier.isValid(String(scalar)) ? scalar : "_")
    }
    return String(name)
  }

  /// The name of a property, an argument label or a local variable: `user.fields` is `userFields`.
  ///
  /// The response is not escaped; see ``escaped(_:)`` and ``escapedLabel(_:)``.
  public static func member(_ wire: String) -> String {
    let name = plain(wire, isCapitalized: false) ?? memberOfAnyText(wire)
    return memberNamesTaken.contains(name) ? name + "Value" : name
  }

  /// A name of small letters, with digits behind them and single signs between, as most are by far; `nil` for others. The
  /// generator asks for each several times, and is a debug build where apps are built: hence the pointers.
  private static func plain(_ wire: String, isCapitalized: Bool) -> String? {
    var wire = wire
    let isOneWord = wire.withUTF8 { isPlain($0) }
    guard let isOneWord else { return nil }
    if isOneWord, !isCapitalized { return wire }
    return wire.withUTF8 { bytes in
      // No acronym is longer than it was.
      String(unsafeUninitializedCapacity: bytes.count) { joined(bytes, isCapitalized: isCapitalized, into: $0) }
    }
  }

  /// Whether a name of small letters, digits behind them and single signs is one word; `nil` for others.
  private static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool? {
    guard let start = bytes.baseAddress else { return nil }
    let count = bytes.count
    var isOneWord = true
    var isInWord = false
    var hasDigits = false
    var index = 0
    while index < count {
      let byte = start[index]
      if byte >= 0x61, byte <= 0x7A {
        if hasDigits { return nil }
        isInWord = true
      } else if !isInWord {
        return nil
      } else if byte >= 0x30, byte <= 0x39 {
        hasDigits = true
      } else {
        if byte >= 0x80 || (byte >= 0x41 && byte <= 0x5A) { return nil }
        isOneWord = false
        isInWord = false
        hasDigits = false
      }
      index += 1
    }
    return isInWord ? isOneWord : nil
  }

  /// Writes the words of a plain name one behind the other.
  ///
  /// - Returns: The number of bytes.
  private static func joined(
    _ bytes: UnsafeBufferPointer<UInt8>, isCapitalized: Bool, into name: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    guard let wire = bytes.baseAddress, let name = name.baseAddress else { return 0 }
    let count = bytes.count
    var length = 0
    var start = 0
    while start < count {
      var lettersEnd = start
      while lettersEnd < count, wire[lettersEnd] >= 0x61, wire[lettersEnd] <= 0x7A { lettersEnd += 1 }
      var end = lettersEnd
      while end < count, wire[end] >= 0x30, wire[end] <= 0x39 { end += 1 }
      var index = start
      if start > 0 || isCapitalized {
        if lettersEnd - start <= 5,
          let spelling = acronyms[
            String(decoding: UnsafeBufferPointer(start: wire + start, count: lettersEnd - start), as: UTF8.self)]
        {
          for byte in spelling.utf8 {
            name[length] = byte
            length += 1
          }
          index = lettersEnd
        } else {
          name[length] = wire[start] - 0x20
          length += 1
          index = start + 1
        }
      }
      while index < end {
        name[length] = wire[index]
        length += 1
        index += 1
      }
      start = end + 1
    }
    return length
  }

  private static func memberOfAnyText(_ wire: String) -> String {
    let words = NameWords(wire)
    var name = ""
    for (index, word) in words.list.enumerated() {
      append(index == 0 ? word.lowercased() : capitalized(word), to: &name)
    }
    return startable(name)
  }

  /// The name of a model's property: as ``member(_:)``, without those that every model has from the runtime.
  public static func property(_ wire: String) -> String {
    let name = member(wire)
    return propertyNamesTaken.contains(name) ? name + "Value" : name
  }

  /// The name of an enum's case: as ``member(_:)``, without those that would be taken for another.
  ///
  /// `.none` would be read as `Optional.none` and silently send nothing; `.unknown` holds what the catalogue lacks.
  public static func enumCase(_ wire: String) -> String {
    let name = member(wire)
    return caseNamesTaken.contains(name) ? name + "Value" : name
  }

  /// The name of a method. One that is an identifier in lower camel case already is kept to the letter, so that it is
  /// found from the API's own page and back.
  public static func method(_ wire: String) -> String {
    var isKept = !memberNamesTaken.contains(wire)
    var isFirst = true
    for byte in wire.utf8 {
      guard byte.isLowercase || (!isFirst && (byte.isUppercase || byte.isDigit)) else {
        isKept = false
        break
      }
      isFirst = false
    }
    return isKept && !isFirst ? wire : member(wire)
  }

  /// The name of the second method that an endpoint with `pages:` has.
  public static func pagesMethod(_ method: String) -> String { method + "Pages" }

  /// The identifier as a declaration or an expression writes it: in backticks where the language needs them.
  public static func escaped(_ identifier: String) -> String {
    keywords.contains(identifier) ? "`\(identifier)`" : identifier
  }

  /// The identifier as an argument label, where the language takes every keyword but three.
  public static func escapedLabel(_ identifier: String) -> String {
    labelKeywords.contains(identifier) ? "`\(identifier)`" : identifier
  }

  /// The identifier as the label of an argument that is given, where the compiler warns of backticks round all but one keyword.
  package static func escapedCallLabel(_ identifier: String) -> String {
    identifier == "inout" ? "`inout`" : identifier
  }

  // MARK: Putting words together

  private static func append(_ word: String, to name: inout String) {
    // `1.0` is `_1_0`, so that it differs from `10`.
    if let last = name.utf8.last, last.isDigit, let first = word.utf8.first, first.isDigit { name += "_" }
    name += word
  }

  /// A word inside a name: an acronym in its own spelling, any other with a capital.
  private static func capitalized(_ word: String) -> String {
    var text = word
    return text.withUTF8 { capitalized($0) } ?? capitalized(anyText: word)
  }

  /// The same for a word of ASCII; `nil` for others.
  private static func capitalized(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    guard let word = bytes.baseAddress else { return "" }
    let count = bytes.count
    var letters = count
    while letters > 0, word[letters - 1].isDigit { letters -= 1 }
    var index = 0
    while index < count {
      if word[index] >= 0x80 { return nil }
      index += 1
    }
    if letters > 0, letters <= 5 {
      let text = String(decoding: UnsafeBufferPointer(start: word, count: letters), as: UTF8.self)
      let digits = UnsafeBufferPointer(start: word + letters, count: count - letters)
      if let spelling = acronyms[text.lowercased()] { return spelling + String(decoding: digits, as: UTF8.self) }
    }
    guard word[0].isLowercase else { return String(decoding: bytes, as: UTF8.self) }
    return String(unsafeUninitializedCapacity: count) { name in
      guard let name = name.baseAddress else { return 0 }
      name[0] = word[0] - 0x20
      var index = 1
      while index < count {
        name[index] = word[index]
        index += 1
      }
      return count
    }
  }

  private static func capitalized(anyText word: String) -> String {
    let digits = word.utf8.reversed().prefix { $0.isDigit }.count
    let letters = word.utf8.count - digits
    if letters <= 5, digits < word.utf8.count,
      let spelling = acronyms[String(word.prefix(word.count - digits)).lowercased()]
    {
      return spelling + word.suffix(digits)
    }
    guard let first = word.first else { return word }
    let upper = first.uppercased()
    return upper + word.dropFirst()
  }

  /// An identifier begins with a letter or an underscore.
  private static func startable(_ name: String) -> String {
    guard let first = name.unicodeScalars.first else { return "empty" }
    let isLetter = first.isASCII ? !UInt8(ascii: first).isDigit : first.properties.isXIDStart
    return isLetter ? name : "_" + name
  }

  // MARK: Words of the language

  private static let acronyms: [String: String] = {
    let upper = [
      "ai", "api", "cpu", "css", "csv", "dm", "dns", "gif", "gps", "html", "http", "https", "id", "io", "ip", "iso",
      "jpg", "json", "jwt", "os", "pdf", "png", "rss", "sdk", "sha", "sms", "sql", "ssl", "tls", "tv", "ui", "uid",
      "uri", "url", "utc", "utf", "uuid", "woeid", "xml",
    ]
    let plural = ["api", "dm", "gif", "html", "id", "ip", "os", "sdk", "uid", "uri", "url", "uuid", "woeid"]
    var table: [String: String] = [:]
    for word in upper { table[word] = word.uppercased() }
    for word in plural where word != "os" && word != "html" { table[word + "s"] = word.uppercased() + "s" }
    table["oauth"] = "OAuth"
    return table
  }()

  /// Names that a nested type cannot have.
  private static let typeNamesTaken: Set<String> = ["Any", "Protocol", "Self", "Type"]

  /// Names that a member could have only in backticks, with another meaning without them: `x.self` is `x`.
  private static let memberNamesTaken: Set<String> = ["self", "init"]

  private static let propertyNamesTaken: Set<String> = [
    "customMirror", "debugDescription", "encode", "hash", "hashValue", "isMissing", "jsonData", "jsonString",
    "leaveOut", "write",
  ]

  private static let caseNamesTaken: Set<String> = [
    "encode", "hash", "hashValue", "jsonData", "jsonString", "knownCases", "names", "none", "position", "rawValue",
    "some", "unknown", "write",
  ]

  private static let labelKeywords: Set<String> = ["inout", "let", "var"]

  /// The Swift Programming Language, "Keywords and Punctuation": those reserved everywhere, and `await`, which an
  /// async function reads as an operator.
  private static let keywords: Set<String> = [
    "Any", "Protocol", "Self", "Type", "as", "associatedtype", "await", "break", "case", "catch", "class", "continue",
    "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for",
    "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator",
    "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "self", "static", "struct",
    "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
  ]
}

/// Checks identifiers of the Swift language.
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
