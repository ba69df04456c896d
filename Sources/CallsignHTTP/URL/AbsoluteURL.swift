/// An absolute URL in parts (RFC 3986 §3), its path and query exactly as they are sent.
public struct AbsoluteURL: Hashable, Sendable {
  /// In lower case.
  public var scheme: String
  /// In lower case; an IPv6 address keeps its brackets.
  public var host: String
  /// `nil` where none was written.
  public var port: Int?
  /// As written; empty, or beginning with a slash.
  public var path: String
  /// As written, without the question mark; `nil` where there was none.
  public var query: String?
  /// Whether a user name or password was written before the host. They are not kept.
  package var hasUserInformation: Bool

  /// `nil` when it has no scheme or host, or a port that is none. A fragment is dropped.
  public init?(_ text: String) {
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
          let number = Int(text(digits)).flatMap(UInt16.init(exactly:))
        else { return nil }
        port = Int(number)
      }
      host = host.lowerBound..<colon
    }
    guard !host.isEmpty else { return nil }
    self.host = lowercased(host)
  }

  /// Takes a URL's parts as they are, to be checked before it is used: what is no port stays with the host, and a scheme
  /// or host keeps its capitals.
  package init(scheme: String, authority: String, target: String) {
    self.scheme = scheme
    hasUserInformation = false
    var host = authority[...]
    if let at = host.lastIndex(of: "@") {
      hasUserInformation = true
      host = host[host.index(after: at)...]
    }
    if let colon = host.lastIndex(of: ":"),
      let number = Int(host[host.index(after: colon)...]).flatMap(UInt16.init(exactly:)), !host[colon...].contains("]")
    {
      port = Int(number)
      host = host[..<colon]
    }
    self.host = String(host)
    let mark = target.firstIndex(of: "?")
    path = mark.map { String(target[..<$0]) } ?? target
    query = mark.map { String(target[target.index(after: $0)...]) }
  }

  /// The port, or the scheme's own.
  public var effectivePort: Int? { port ?? Self.defaultPort(scheme) }

  /// Host, and port unless it is the scheme's own.
  public var authority: String {
    guard let port, port != Self.defaultPort(scheme) else { return host }
    return "\(host):\(port)"
  }

  /// Scheme and authority, by which credentials are bounded.
  public var origin: String { "\(scheme)://\(authority)" }

  /// The path, `/` where it is empty, with the query.
  public var target: String {
    let path = path.isEmpty ? "/" : path
    return query.map { "\(path)?\($0)" } ?? path
  }

  /// The whole URL, as it is sent.
  public var text: String {
    var text = scheme
    text.reserveCapacity(scheme.utf8.count + host.utf8.count + path.utf8.count + (query?.utf8.count ?? 0) + 12)
    text += "://"
    text += authority
    text += path.isEmpty ? "/" : path
    if let query {
      text += "?"
      text += query
    }
    return text
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

extension AbsoluteURL {
  /// Resolves a `Location` against this URL (RFC 3986 §5.2); `nil` when it is not http or https, or cannot be read.
  package func resolving(_ reference: String) -> AbsoluteURL? {
    let reference = reference.prefix { $0 != "#" }
    guard reference.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return nil }
    if reference.hasPrefix("//") { return AbsoluteURL("\(scheme):\(reference)")?.normalized }
    if let colon = reference.firstIndex(of: ":"), reference[..<colon].allSatisfy({ !"/?".contains($0) }) {
      guard let url = AbsoluteURL(String(reference)), url.scheme == "http" || url.scheme == "https" else { return nil }
      return url.normalized
    }
    var result = self
    let mark = reference.firstIndex(of: "?")
    let path = reference[..<(mark ?? reference.endIndex)]
    if let mark { result.query = String(reference[reference.index(after: mark)...]) }
    if path.isEmpty { return result.normalized }
    if mark == nil { result.query = nil }
    if path.hasPrefix("/") {
      result.path = String(path)
    } else {
      // §5.2.3
      let folder = self.path[
        ..<(self.path.lastIndex(of: "/").map { self.path.index(after: $0) } ?? self.path.startIndex)]
      result.path = (folder.isEmpty ? "/" : String(folder)) + path
    }
    return result.normalized
  }

  /// The same URL without dot segments in its path, and with characters that no URL has percent-encoded.
  private var normalized: AbsoluteURL {
    var result = self
    result.path = PercentEncoding.encodeIllegal(Self.removingDotSegments(path))
    result.query = query.map(PercentEncoding.encodeIllegal)
    return result
  }

  /// RFC 3986 §5.2.4, of a path that is empty or begins with a slash.
  private static func removingDotSegments(_ path: String) -> String {
    guard path.utf8.contains(UInt8(ascii: ".")) else { return path }
    var kept: [Substring] = []
    let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    for (index, segment) in zip(segments.indices, segments) {
      let isLast = index == segments.endIndex - 1
      switch segment {
      case ".": if isLast { kept.append("") }
      case "..":
        _ = kept.popLast()
        if isLast { kept.append("") }
      default: kept.append(segment)
      }
    }
    return "/" + kept.joined(separator: "/")
  }
}

/// A query may hold credentials, so it is not printed.
extension AbsoluteURL: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The URL without its query.
  public var description: String { origin + path }
  /// The same as ``description``.
  public var debugDescription: String { description }
  /// The URL without its query.
  public var customMirror: Mirror { Mirror(self, children: ["url": description]) }
}
