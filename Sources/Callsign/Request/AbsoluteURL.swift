/// An absolute URL taken apart (RFC 3986 §3), its path and query left exactly as they were written.
struct AbsoluteURL: Hashable, Sendable {
  /// In lower case.
  var scheme: String
  /// In lower case; an IPv6 address keeps its brackets.
  var host: String
  /// `nil` where none was written.
  var port: Int?
  /// As written; empty, or beginning with a slash.
  var path: String
  /// As written, without the question mark; `nil` where there was none.
  var query: String?
  /// Whether a user name or password was written before the host. They are not kept.
  var hasUserInformation: Bool

  /// `nil` when it has no scheme or host, or a port that is none. A fragment is dropped.
  init?(_ text: String) {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let afterScheme = text.utf8[colon...]
    guard colon != text.startIndex, afterScheme.starts(with: "://".utf8),
      let start = text.utf8.index(colon, offsetBy: 3, limitedBy: text.utf8.endIndex)
    else { return nil }
    scheme = text[..<colon].lowercased()
    var rest = text.utf8[start...]
    if let hash = rest.firstIndex(of: UInt8(ascii: "#")) { rest = rest[..<hash] }
    let authorityEnd =
      rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
    var authority = rest[..<authorityEnd]
    rest = rest[authorityEnd...]
    if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
      query = String(Substring(rest[rest.index(after: mark)...]))
      rest = rest[..<mark]
    }
    path = String(Substring(rest))

    hasUserInformation = false
    if let at = authority.lastIndex(of: UInt8(ascii: "@")) {
      hasUserInformation = true
      authority = authority[authority.index(after: at)...]
    }
    // The colons of an IPv6 address are inside its brackets.
    let hostEnd = authority.lastIndex(of: UInt8(ascii: "]")) ?? authority.startIndex
    if let colon = authority[hostEnd...].lastIndex(of: UInt8(ascii: ":")) {
      let digits = authority[authority.index(after: colon)...]
      if !digits.isEmpty {
        guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
          let number = UInt16(Substring(digits))
        else { return nil }
        port = Int(number)
      }
      authority = authority[..<colon]
    }
    guard !authority.isEmpty else { return nil }
    host = String(Substring(authority)).lowercased()
  }

  /// The port that is meant.
  var effectivePort: Int? { port ?? Self.defaultPort(scheme) }

  /// Host, and port unless it is the scheme's own.
  var authority: String {
    guard let port, port != Self.defaultPort(scheme) else { return host }
    return "\(host):\(port)"
  }

  /// Scheme and authority, by which credentials are bounded.
  var origin: String { "\(scheme)://\(authority)" }

  /// The path, `/` where it is empty, with the query.
  var target: String {
    let path = path.isEmpty ? "/" : path
    return query.map { "\(path)?\($0)" } ?? path
  }

  /// Whether the host is this machine, which no network lies between.
  var isLoopback: Bool {
    host == "localhost" || host == "[::1]" || host.hasSuffix(".localhost")
      || (host.hasPrefix("127.") && host.split(separator: ".").count == 4
        && host.utf8.allSatisfy { $0 == UInt8(ascii: ".") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
  }

  private static func defaultPort(_ scheme: String) -> Int? {
    switch scheme {
    case "https": 443
    case "http": 80
    default: nil
    }
  }
}
