/// Turns the catalogue's names into Swift names, following the Swift API Design Guidelines.
///
/// A name is split into words at every character that an identifier cannot contain, and at each capital in camel case. The words
/// are joined again with acronyms in one case: `expanded_url` becomes `expandedURL`, `UserId` becomes `UserID`. Every input gives a
/// valid name, always the same. If two names become equal, the checker reports it, and `name:` in the catalogue resolves the
/// conflict.
public enum SwiftName {
  /// The name of a type: `user_id` and `UserId` become `UserID`.
  public static func type(_ wire: String) -> String {
    let words = NameWords(wire)
    var joined = ""
    for word in words.list {
      append(words.isSingleAcronym ? word : capitalized(word), to: &joined)
    }
    let name = startable(joined)
    return typeNamesTaken.contains(name) ? name + "Model" : name
  }

  /// The name of a target's module: `My-API` becomes `My_API`.
  public static func module(_ target: String) -> String {
    var name = String.UnicodeScalarView()
    for scalar in target.unicodeScalars {
      let isDigit = ("0"..."9").contains(scalar)
      if name.isEmpty, isDigit { name.append("_") }
      name.append(isDigit || SwiftIdentifier.isValid(String(scalar)) ? scalar : "_")
    }
    return String(name)
  }

  /// The name of a property, an argument label or a local variable: `user.fields` becomes `userFields`.
  ///
  /// The name is not escaped; see ``escaped(_:)`` and ``escapedLabel(_:)``.
  public static func member(_ wire: String) -> String {
    var joined = ""
    for (index, word) in NameWords(wire).list.enumerated() {
      append(index == 0 ? word.lowercased() : capitalized(word), to: &joined)
    }
    let name = startable(joined)
    return memberNamesTaken.contains(name) ? name + "Value" : name
  }

  /// The name of a model's property: like ``member(_:)``, but avoids the names that the runtime gives to every model.
  public static func property(_ wire: String) -> String {
    let name = member(wire)
    return propertyNamesTaken.contains(name) ? name + "Value" : name
  }

  /// The name of an enum's case: like ``member(_:)``, but avoids names with another meaning.
  ///
  /// `.none` would be read as `Optional.none` and silently send nothing; `.unknown` holds values that the catalogue lacks.
  public static func enumCase(_ wire: String) -> String {
    let name = member(wire)
    return caseNamesTaken.contains(name) ? name + "Value" : name
  }

  /// The name of a method. A name that already is an identifier in lower camel case is kept unchanged, so that you can find it from
  /// the API's documentation and back.
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

  /// The identifier in a declaration or an expression: in backticks if the language requires them.
  public static func escaped(_ identifier: String) -> String {
    keywords.contains(identifier) ? "`\(identifier)`" : identifier
  }

  /// The identifier as an argument label. There, the language accepts all keywords but three.
  public static func escapedLabel(_ identifier: String) -> String {
    labelKeywords.contains(identifier) ? "`\(identifier)`" : identifier
  }

  /// The identifier as the label in a call. There, the compiler warns about backticks around all keywords but one.
  package static func escapedCallLabel(_ identifier: String) -> String {
    identifier == "inout" ? "`inout`" : identifier
  }

  // MARK: Putting words together

  private static func append(_ word: String, to name: inout String) {
    // `1.0` is `_1_0`, so that it differs from `10`.
    if let last = name.utf8.last, last.isDigit, let first = word.utf8.first, first.isDigit { name += "_" }
    name += word
  }

  /// A word inside a name: an acronym in its own spelling, any other word capitalized.
  private static func capitalized(_ word: String) -> String {
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

  /// Makes the name start with a letter or an underscore.
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

  /// Names that a member could have only in backticks, and that mean something else without them: `x.self` is `x`.
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

  /// The keywords that are reserved everywhere (The Swift Programming Language, "Keywords and Punctuation"), and `await`, which an
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
  /// Whether the name can be declared, in backticks if it is a keyword.
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
