import CallsignCatalogue

/// Finds the operations of a request's method, host and path.
struct RouteTable: Sendable {
  /// An operation whose path fits.
  struct Match: Sendable {
    var endpoint: Endpoint
    /// The texts of the path's parameters, as they were sent.
    var parameters: [String: String]
    /// The number of characters of the template that are no parameters: the more, the better it fits.
    var weight: Int
    /// Whether the request went to the operation's own host.
    var isOwnHost: Bool
  }

  private struct Route: Sendable {
    var endpoint: Endpoint
    var template: PathTemplate
    var host: String
    /// The path of the host's URL.
    var prefix: PathTemplate?
  }

  private let routes: [Route]

  init(_ catalogue: Catalogue) {
    routes = catalogue.groups.flatMap(\.endpoints).map { endpoint in
      // A path in the catalogue may have a query of its own, which other parameters say too.
      let parts = Self.parts(of: catalogue.api.host(of: endpoint)?.url ?? "")
      return Route(
        endpoint: endpoint, template: PathTemplate(endpoint.path), host: parts.host.lowercased(),
        prefix: parts.path.isEmpty || parts.path == "/" ? nil : PathTemplate(parts.path, isPrefix: true))
    }
  }

  /// The operations that fit, whatever their method, best first.
  func matches(_ request: IncomingRequest) -> [Match] {
    let whole = request.path.isEmpty ? "/" : PathTemplate.normalized(request.path)
    // The path of the host's URL is there where the client knows it, and not where all hosts lead here.
    var found = routes.compactMap { route -> Match? in
      let inner = route.prefix.flatMap { $0.rest(of: whole) }
      let matched = inner.flatMap { route.template.match($0) } ?? route.template.match(whole)
      guard let matched else { return nil }
      let isOwnHost = PathTemplate(route.host).match(request.host) != nil
      return Match(
        endpoint: route.endpoint, parameters: matched, weight: route.template.weight + (inner == nil ? 0 : 1),
        isOwnHost: isOwnHost)
    }
    if found.contains(where: \.isOwnHost) { found.removeAll { !$0.isOwnHost } }
    // Sorting keeps the catalogue's order of equals.
    return found.enumerated().sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }.map(\.element)
  }

  private static func parts(of url: String) -> (host: String, path: String) {
    guard let scheme = url.range(of: "://") else { return ("", url) }
    let rest = url[scheme.upperBound...]
    let slash = rest.firstIndex(of: "/") ?? rest.endIndex
    let authority = rest[..<slash]
    let host = authority.lastIndex(of: ":").map { authority[..<$0] } ?? authority
    return (String(host), String(rest[slash...]))
  }
}

/// A path with `{names}` in it, or a host.
struct PathTemplate: Sendable {
  private enum Part: Sendable {
    case literal([UInt8])
    /// - Parameters:
    ///   - isOpen: Slashes too, as in `{+name}`.
    ///   - isAgain: It has the value that it had before in the path.
    case parameter(String, isOpen: Bool, isAgain: Bool)
  }

  private let parts: [Part]
  private let isPrefix: Bool
  /// The number of characters that are no parameters.
  let weight: Int
  private static let maximumLength = 16_384

  /// - Parameters:
  ///   - text: The template.
  ///   - isPrefix: Whether more may follow.
  init(_ text: String, isPrefix: Bool = false) {
    var parts: [Part] = []
    var names: Set<String> = []
    var rest = Self.normalized(text)[...]
    if isPrefix { while rest.last == "/" { rest = rest.dropLast() } }
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      if open > rest.startIndex { parts.append(.literal(Array(rest[..<open].utf8))) }
      let expression = rest[rest.index(after: open)..<close]
      let isOpen = expression.hasPrefix("+")
      let name = String(isOpen ? expression.dropFirst() : expression)
      parts.append(.parameter(name, isOpen: isOpen, isAgain: !names.insert(name).inserted))
      rest = rest[rest.index(after: close)...]
    }
    if !rest.isEmpty { parts.append(.literal(Array(rest.utf8))) }
    self.parts = parts
    self.isPrefix = isPrefix
    weight = parts.reduce(0) { sum, part in
      if case .literal(let bytes) = part { sum + bytes.count } else { sum }
    }
  }

  /// A path without the differences that mean nothing: unreserved characters that are percent-encoded all the same, and
  /// small letters in such digits (RFC 3986 §6.2.2).
  static func normalized(_ path: String) -> String {
    guard path.utf8.contains(UInt8(ascii: "%")) else { return path }
    let source = Array(path.utf8)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(source.count)
    var place = 0
    while place < source.count {
      guard source[place] == UInt8(ascii: "%"), place + 2 < source.count,
        let value = FormText.byte(source[place + 1], source[place + 2])
      else {
        bytes.append(source[place])
        place += 1
        continue
      }
      if isUnreserved(value) {
        bytes.append(value)
      } else {
        let digits = Array("0123456789ABCDEF".utf8)
        bytes += [UInt8(ascii: "%"), digits[Int(value >> 4)], digits[Int(value & 15)]]
      }
      place += 3
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"):
      true
    default: false
    }
  }

  /// The parameters of a path as they are in it, percent-encoded; `nil` where it does not fit.
  func match(_ path: String) -> [String: String]? {
    let bytes = Array(path.utf8)
    guard bytes.count <= Self.maximumLength else { return nil }
    var found: [String: Range<Int>] = [:]
    var steps = 100_000
    guard let end = match(parts[...], bytes, 0, &found, &steps), isPrefix || end == bytes.count else { return nil }
    return found.mapValues { String(decoding: bytes[$0], as: UTF8.self) }
  }

  /// The part of a path that follows the prefix.
  func rest(of path: String) -> String? {
    let bytes = Array(path.utf8)
    guard bytes.count <= Self.maximumLength else { return nil }
    var found: [String: Range<Int>] = [:]
    var steps = 100_000
    guard let end = match(parts[...], bytes, 0, &found, &steps), end == bytes.count || bytes[end] == UInt8(ascii: "/")
    else { return nil }
    return end == bytes.count ? "/" : String(decoding: bytes[end...], as: UTF8.self)
  }

  private func match(
    _ parts: ArraySlice<Part>, _ bytes: [UInt8], _ place: Int, _ found: inout [String: Range<Int>], _ steps: inout Int
  ) -> Int? {
    steps -= 1
    guard steps > 0 else { return nil }
    guard let part = parts.first else { return isPrefix || place == bytes.count ? place : nil }
    let rest = parts.dropFirst()
    switch part {
    case .literal(let text):
      guard bytes[place...].starts(with: text) else { return nil }
      return match(rest, bytes, place + text.count, &found, &steps)
    case .parameter(let name, let isOpen, let isAgain):
      let before = isAgain ? found[name] : nil
      let limit = isOpen ? bytes.count : bytes[place...].firstIndex(of: UInt8(ascii: "/")) ?? bytes.count
      // The longest first: a parameter ends with its segment, unless the template goes on in it.
      var end = limit
      while end > place {
        if let before {
          guard bytes[before].elementsEqual(bytes[place..<end]) else {
            end -= 1
            continue
          }
        }
        found[name] = before ?? place..<end
        if let whole = match(rest, bytes, end, &found, &steps) { return whole }
        end -= 1
      }
      return nil
    }
  }
}
