// Sound: all parts are ranges that were compared with the number of bytes, and are used only in the closure that gets the text's
// bytes.

import CallsignSupport

/// An absolute URL in parts (RFC 3986 §3), its path and query exactly as they are sent.
public struct AbsoluteURL: Hashable, Sendable {
  /// In lower case.
  public var scheme: String
  /// In lower case; an IPv6 address keeps its brackets.
  public var host: String
  /// `nil` if none was written.
  public var port: Int?
  /// As written; empty, or beginning with a slash.
  public var path: String
  /// As written, without the question mark; `nil` if there was none.
  public var query: String?
  /// Whether a user name or password was written before the host. They are not kept.
  package var hasUserInformation: Bool

  /// `nil` when it has no scheme or host, a colon in the host outside the brackets of an IPv6 address, or a port that is
  /// none. A fragment is dropped.
  public init?(_ text: String) {
    var text = text
    let url = text.withUTF8 { bytes in AbsoluteURLBytes(bytes).map { AbsoluteURL($0) } }
    guard let url else { return nil }
    self = url
  }

  private init(_ parts: AbsoluteURLBytes) {
    func lowercased(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
      let text = String(decoding: bytes, as: UTF8.self)
      return AbsoluteURLBytes.hasCapitals(bytes) ? text.lowercased() : text
    }
    scheme = lowercased(parts.scheme)
    host = lowercased(parts.host)
    port = parts.port
    path = String(decoding: parts.path, as: UTF8.self)
    query = parts.query.map { String(decoding: $0, as: UTF8.self) }
    hasUserInformation = parts.hasUserInformation
  }

  /// Takes a URL's parts as they are, to be checked before it is used: an invalid port stays with the host, and a
  /// scheme or host keeps its capitals.
  package init(scheme: String, authority: String, target: String) {
    self.scheme = scheme
    hasUserInformation = false
    var host = authority[...]
    if let at = host.lastIndex(of: "@") {
      hasUserInformation = true
      host = host[host.index(after: at)...]
    }
    if let colon = host.lastIndex(of: ":"), !host[colon...].contains("]") {
      let digits = host[host.index(after: colon)...]
      // A sign would be read as part of a number.
      if digits.utf8.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }) {
        port = UInt16(digits).map(Int.init)
      }
      if port != nil || digits.isEmpty { host = host[..<colon] }
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

  /// Scheme and authority, which limit where credentials may go.
  public var origin: String { "\(scheme)://\(authority)" }

  /// The path, `/` if it is empty, with the query.
  public var target: String {
    let path = path.isEmpty ? "/" : path
    return query.map { "\(path)?\($0)" } ?? path
  }

  /// The whole URL, as it is sent.
  public var text: String {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends ``text``.
  func append(to output: inout [UInt8]) {
    output.reserveCapacity(
      output.count + scheme.utf8.count + host.utf8.count + path.utf8.count + (query?.utf8.count ?? 0) + 12)
    output.append(contentsOf: scheme.utf8)
    output.append(contentsOf: "://".utf8)
    output.append(contentsOf: host.utf8)
    if let port, port != Self.defaultPort(scheme) {
      output.append(UInt8(ascii: ":"))
      output.append(contentsOf: String(port).utf8)
    }
    appendTarget(to: &output)
  }

  /// Appends ``target``.
  func appendTarget(to output: inout [UInt8]) {
    output.append(contentsOf: (path.isEmpty ? "/" : path).utf8)
    if let query {
      output.append(UInt8(ascii: "?"))
      output.append(contentsOf: query.utf8)
    }
  }

  /// Whether scheme, host and port are another's.
  func hasOrigin(of other: AbsoluteURL) -> Bool {
    host == other.host && port == other.port && scheme == other.scheme
  }

  /// Whether the host is this machine, which no network lies between.
  package var isLoopback: Bool {
    // The host of a request that was made by hand may have capitals.
    let name = host.utf8.contains { $0 >= 0x41 && $0 <= 0x5A } ? host.lowercased() : host
    return name == "localhost" || name == "[::1]" || name.hasSuffix(".localhost") || isLoopbackNumber
  }

  /// Whether the host is four numbers with dots between them, the first one 127.
  private var isLoopbackNumber: Bool {
    guard host.hasPrefix("127.") else { return false }
    var numbers = 0
    var last = UInt8(ascii: ".")
    for byte in host.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): if last == UInt8(ascii: ".") { numbers += 1 }
      case UInt8(ascii: "."): break
      default: return false
      }
      last = byte
    }
    return numbers == 4
  }

  package static func defaultPort(_ scheme: String) -> Int? {
    switch scheme {
    case "https": 443
    case "http": 80
    default: nil
    }
  }
}

/// The parts of an absolute URL in the bytes of its text, which they don't outlive. Nothing is copied, so scheme and host may
/// have capitals.
package struct AbsoluteURLBytes {
  package let scheme: UnsafeBufferPointer<UInt8>
  package let host: UnsafeBufferPointer<UInt8>
  package let port: Int?
  package let path: UnsafeBufferPointer<UInt8>
  package let query: UnsafeBufferPointer<UInt8>?
  fileprivate let hasUserInformation: Bool

  fileprivate init(
    scheme: UnsafeBufferPointer<UInt8>, host: UnsafeBufferPointer<UInt8>, port: Int?, path: UnsafeBufferPointer<UInt8>,
    query: UnsafeBufferPointer<UInt8>?, hasUserInformation: Bool
  ) {
    self.scheme = scheme
    self.host = host
    self.port = port
    self.path = path
    self.query = query
    self.hasUserInformation = hasUserInformation
  }

  /// `nil` if the text has no scheme or host, has a colon or a bracket that no host allows there, or has an invalid port.
  package init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    func part(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: bytes[range]) }
    let end = Self.place(of: UInt8(ascii: "#"), in: bytes, 0..<bytes.count) ?? bytes.count
    guard let colon = Self.place(of: UInt8(ascii: ":"), in: bytes, 0..<end), colon > 0, colon + 3 < end,
      bytes[colon + 1] == UInt8(ascii: "/"), bytes[colon + 2] == UInt8(ascii: "/")
    else { return nil }
    scheme = part(0..<colon)
    let start = colon + 3
    // A question mark before the first slash ends the authority; in what follows it ends the path either way.
    let mark = Self.place(of: UInt8(ascii: "?"), in: bytes, start..<end) ?? end
    let authorityEnd = Self.place(of: UInt8(ascii: "/"), in: bytes, start..<mark) ?? mark
    path = part(authorityEnd..<mark)
    query = mark < end ? part((mark + 1)..<end) : nil

    var host = start..<authorityEnd
    var hasUserInformation = false
    if let at = bytes[host].lastIndex(of: UInt8(ascii: "@")) {
      hasUserInformation = true
      host = (at + 1)..<host.upperBound
    }
    self.hasUserInformation = hasUserInformation
    // The colons of an IPv6 address are inside its brackets.
    let bracket = bytes[host].lastIndex(of: UInt8(ascii: "]")) ?? host.lowerBound
    var port: Int?
    if let colon = bytes[bracket..<host.upperBound].lastIndex(of: UInt8(ascii: ":")) {
      let digits = (colon + 1)..<host.upperBound
      if !digits.isEmpty {
        guard bytes[digits].allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
          let number = Int(String(decoding: bytes[digits], as: UTF8.self)).flatMap(UInt16.init(exactly:))
        else { return nil }
        port = Int(number)
      }
      host = host.lowerBound..<colon
    }
    guard !host.isEmpty, Self.isDelimited(bytes[host]) else { return nil }
    self.port = port
    self.host = part(host)
  }

  /// Whether colons and brackets in the host follow RFC 3986 §3.2.2. Otherwise `a:80:443` would be written as `a:80` with `https`,
  /// whose own port is 443, and lead elsewhere.
  static func isDelimited(_ host: some BidirectionalCollection<UInt8>) -> Bool {
    func isBracket(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]") }
    guard host.first == UInt8(ascii: "[") else {
      return !host.contains { $0 == UInt8(ascii: ":") || isBracket($0) }
    }
    return host.last == UInt8(ascii: "]") && !host.dropFirst().dropLast().contains(where: isBracket)
  }

  /// Whether scheme and host are in lower case, as ``AbsoluteURL`` has them.
  package var isLowercase: Bool { !Self.hasCapitals(scheme) && !Self.hasCapitals(host) }

  fileprivate static func hasCapitals(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    bytes.contains { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
  }

  private static func place(
    of byte: UInt8, in bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>
  ) -> Int? {
    guard let base = bytes.baseAddress, !range.isEmpty,
      let found = memchr(base + range.lowerBound, Int32(byte), range.count)
    else { return nil }
    return UnsafeRawPointer(found) - UnsafeRawPointer(base)
  }
}

extension AbsoluteURL {
  /// Calls `body` with the parts as bytes.
  package func withBytes<Value>(_ body: (AbsoluteURLBytes) -> Value) -> Value {
    var (scheme, host, path, query) = (scheme, host, path, query ?? "")
    return scheme.withUTF8 { scheme in
      host.withUTF8 { host in
        path.withUTF8 { path in
          query.withUTF8 { query in
            body(
              AbsoluteURLBytes(
                scheme: scheme, host: host, port: port, path: path, query: query, hasUserInformation: false))
          }
        }
      }
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

  /// RFC 3986 §5.2.4, for a path that is empty or begins with a slash.
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
