/// An absolute URL taken apart (RFC 3986 §3), its path and query left exactly as they were written.
package struct AbsoluteURL: Hashable, Sendable {
  /// In lower case.
  package var scheme: String
  /// In lower case; an IPv6 address keeps its brackets.
  package var host: String
  /// `nil` where none was written.
  package var port: Int?
  /// As written; empty, or beginning with a slash.
  package var path: String
  /// As written, without the question mark; `nil` where there was none.
  package var query: String?
  /// Whether a user name or password was written before the host. They are not kept.
  package var hasUserInformation: Bool

  /// `nil` when it has no scheme or host, or a port that is none. A fragment is dropped.
  package init?(_ text: String) {
    var text = text
    guard let url = text.withUTF8({ Self($0) }) else { return nil }
    self = url
  }

  private init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    func text(_ range: Range<Int>) -> String {
      String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
    }
    func lowercased(_ range: Range<Int>) -> String {
      let hasCapitals = bytes[range].contains { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
      return hasCapitals ? text(range).lowercased() : text(range)
    }
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon > 0, bytes[colon...].starts(with: "://".utf8)
    else {
      return nil
    }
    scheme = lowercased(0..<colon)
    let end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.count
    let start = colon + 3
    guard start < end else { return nil }
    let authorityEnd =
      bytes[start..<end].firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? end
    let pathEnd = bytes[authorityEnd..<end].firstIndex(of: UInt8(ascii: "?")) ?? end
    path = text(authorityEnd..<pathEnd)
    query = pathEnd < end ? text((pathEnd + 1)..<end) : nil

    var host = start..<authorityEnd
    hasUserInformation = false
    if let at = bytes[host].lastIndex(of: UInt8(ascii: "@")) {
      hasUserInformation = true
      host = (at + 1)..<host.upperBound
    }
    // The colons of an IPv6 address are inside its brackets.
    let bracket = bytes[host].lastIndex(of: UInt8(ascii: "]")) ?? host.lowerBound
    if let colon = bytes[bracket..<host.upperBound].lastIndex(of: UInt8(ascii: ":")) {
      let digits = (colon + 1)..<host.upperBound
      if !digits.isEmpty {
        guard bytes[digits].allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
          let number = UInt16(text(digits))
        else { return nil }
        port = Int(number)
      }
      host = host.lowerBound..<colon
    }
    guard !host.isEmpty else { return nil }
    self.host = lowercased(host)
  }

  /// The port that is meant.
  package var effectivePort: Int? { port ?? Self.defaultPort(scheme) }

  /// Host, and port unless it is the scheme's own.
  package var authority: String {
    guard let port, port != Self.defaultPort(scheme) else { return host }
    return "\(host):\(port)"
  }

  /// Scheme and authority, by which credentials are bounded.
  package var origin: String { "\(scheme)://\(authority)" }

  /// The path, `/` where it is empty, with the query.
  package var target: String {
    let path = path.isEmpty ? "/" : path
    return query.map { "\(path)?\($0)" } ?? path
  }

  /// Whether the host is this machine, which no network lies between.
  package var isLoopback: Bool {
    host == "localhost" || host == "[::1]" || host.hasSuffix(".localhost")
      || (host.hasPrefix("127.") && host.split(separator: ".").count == 4
        && host.utf8.allSatisfy { $0 == UInt8(ascii: ".") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
  }

  package static func defaultPort(_ scheme: String) -> Int? {
    switch scheme {
    case "https": 443
    case "http": 80
    default: nil
    }
  }
}
