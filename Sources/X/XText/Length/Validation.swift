// Whether a text is exactly one entity.
extension PostEntities {
  /// Whether a text is a username with its `@`.
  public static func isUsername(_ text: String) -> Bool {
    let values = [CodePoint](codePointsOf: text)
    let found = MentionScanner.mentions(in: values)
    return found.count == 1 && found[0].list == nil && found[0].range == values.indices
  }

  /// Whether a text is a list of a user, as `@username/list`.
  public static func isList(_ text: String) -> Bool {
    let values = [CodePoint](codePointsOf: text)
    guard values.first?.isAtSign == true, let mention = MentionScanner.mention(values, at: 0) else { return false }
    return mention.list != nil && mention.range == values.indices
  }

  /// Whether a text is a hashtag with its sign.
  public static func isHashtag(_ text: String) -> Bool {
    let values = [CodePoint](codePointsOf: text)
    return HashtagScanner.hashtags(in: values) == [values.indices]
  }

  /// Whether a text is a cashtag with its `$`.
  public static func isCashtag(_ text: String) -> Bool {
    let values = [CodePoint](codePointsOf: text)
    return CashtagScanner.cashtags(in: values) == [values.indices]
  }

  /// Whether a text is a URL by the grammar of RFC 3986, with `http` or `https`. It does not check whether the
  /// top-level domain exists.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - unicodeDomains: Whether a domain may have letters of other scripts. Default: yes.
  ///   - requiresScheme: Whether the scheme is required. Default: yes.
  public static func isURL(_ text: String, unicodeDomains: Bool = true, requiresScheme: Bool = true) -> Bool {
    URLGrammar(allowsUnicode: unicodeDomains).isURL(
      [CodePoint](codePointsOf: text)[...], requiresScheme: requiresScheme)
  }
}

/// The grammar of URLs that stand by themselves: RFC 3986, with stricter host names.
private struct URLGrammar {
  let allowsUnicode: Bool

  func isURL(_ text: ArraySlice<CodePoint>, requiresScheme: Bool) -> Bool {
    guard !text.isEmpty else { return false }
    var rest = text
    if let colon = rest.firstIndex(where: { $0 == 0x3A || $0 == 0x2F || $0 == 0x3F || $0 == 0x23 }),
      colon > rest.startIndex, rest[colon...].starts(with: [0x3A, 0x2F, 0x2F])
    {
      let scheme = String(codePoints: rest[..<colon]).lowercased()
      guard !requiresScheme || scheme == "http" || scheme == "https" else { return false }
      rest = rest[(colon + 3)...]
    } else if requiresScheme {
      return false
    }
    let authority = rest.prefix { $0 != 0x2F && $0 != 0x3F && $0 != 0x23 }
    rest = rest[authority.endIndex...]
    let path = rest.prefix { $0 != 0x3F && $0 != 0x23 }
    rest = rest[path.endIndex...]
    // In a query and a fragment `?` stands for itself.
    return isAuthority(authority) && areCharacters(path, allowing: isPathCharacter)
      && areCharacters(rest.first == 0x3F ? rest.dropFirst().prefix { $0 != 0x23 } : [], allowing: isQueryCharacter)
      && areCharacters(rest.drop { $0 != 0x23 }.dropFirst(), allowing: isQueryCharacter)
  }

  private func isAuthority(_ authority: ArraySlice<CodePoint>) -> Bool {
    var rest = authority
    if let at = rest.firstIndex(of: 0x40) {
      guard areCharacters(rest[..<at], allowing: isUserInfoCharacter) else { return false }
      rest = rest[(at + 1)...]
    }
    if rest.first == 0x5B {
      guard let close = rest.firstIndex(of: 0x5D) else { return false }
      let address = rest[rest.index(after: rest.startIndex)..<close]
      return !address.isEmpty && address.allSatisfy(isAddressCharacter) && isPort(rest[(close + 1)...])
    }
    let host = rest.prefix { $0 != 0x3A }
    return (isIPv4(host) || isDomain(host)) && isPort(rest[host.endIndex...])
  }

  /// Nothing, or `:` and up to five digits.
  private func isPort(_ text: ArraySlice<CodePoint>) -> Bool {
    text.isEmpty || (text.first == 0x3A && 2...6 ~= text.count && text.dropFirst().allSatisfy(\.isASCIIDigit))
  }

  private func isIPv4(_ host: ArraySlice<CodePoint>) -> Bool {
    let parts = host.split(separator: 0x2E, omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { part in
        guard 1...3 ~= part.count, part.allSatisfy(\.isASCIIDigit), part.count == 1 || part.first != 0x30 else {
          return false
        }
        return part.reduce(0) { $0 * 10 + $1 - 0x30 } <= 255
      }
  }

  /// Two labels or more. All but the last two may contain `_`, and the last one begins with a letter.
  private func isDomain(_ host: ArraySlice<CodePoint>) -> Bool {
    let labels = host.split(separator: 0x2E, omittingEmptySubsequences: false)
    guard labels.count >= 2, let last = labels.last, let first = last.first, !first.isASCIIDigit else { return false }
    return labels.enumerated().allSatisfy { index, label in
      guard let first = label.first, let last = label.last, isLetterOrDigit(first), isLetterOrDigit(last) else {
        return false
      }
      return label.allSatisfy { isLetterOrDigit($0) || $0 == 0x2D || ($0 == 0x5F && index < labels.count - 2) }
    }
  }

  private func isLetterOrDigit(_ value: CodePoint) -> Bool {
    value.isASCIIAlphanumeric || (allowsUnicode && value >= 0x80)
  }

  /// Whether a text has only these characters and percent-encoded bytes.
  private func areCharacters(_ text: ArraySlice<CodePoint>, allowing isAllowed: (CodePoint) -> Bool) -> Bool {
    var index = text.startIndex
    while index < text.endIndex {
      if text[index] == 0x25 {
        guard text[index...].dropFirst().prefix(2).count(where: isHexDigit) == 2 else { return false }
        index += 3
      } else {
        guard isAllowed(text[index]) else { return false }
        index += 1
      }
    }
    return true
  }

  private func isUnreservedOrSubDelimiter(_ value: CodePoint) -> Bool {
    if value.isASCIIAlphanumeric || (0x0400...0x04FF).contains(value) { return true }
    switch value {
    // - . _ ~ and ! $ & ' ( ) * + , ; =
    case 0x2D, 0x2E, 0x5F, 0x7E, 0x21, 0x24, 0x26...0x2C, 0x3B, 0x3D: return true
    default: return false
    }
  }

  private func isUserInfoCharacter(_ value: CodePoint) -> Bool { value == 0x3A || isUnreservedOrSubDelimiter(value) }

  /// Also `/`, `:`, `@` and `|`.
  private func isPathCharacter(_ value: CodePoint) -> Bool {
    value == 0x2F || value == 0x3A || value == 0x40 || value == 0x7C || isUnreservedOrSubDelimiter(value)
  }

  private func isQueryCharacter(_ value: CodePoint) -> Bool { value == 0x3F || isPathCharacter(value) }

  private func isHexDigit(_ value: CodePoint) -> Bool { value.isASCIIDigit || (value | 0x20) &- 0x61 < 6 }

  private func isAddressCharacter(_ value: CodePoint) -> Bool { isHexDigit(value) || value == 0x3A || value == 0x2E }
}
