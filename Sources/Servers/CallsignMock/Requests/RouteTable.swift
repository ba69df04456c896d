import CallsignCatalogue

/// Finds the operations for a request's method, host and path.
struct RouteTable: Sendable {
  /// An operation whose path matches.
  struct Match: Sendable {
    var endpoint: Endpoint
    /// The texts of the path's parameters, as sent.
    var parameters: [String: String]
    /// The number of literal characters in the template. The more there are, the better the match.
    var weight: Int
    /// Whether the request was sent to the operation's own host.
    var isOwnHost: Bool
  }

  /// A class, so that a search through all routes copies no endpoint.
  private final class Route: Sendable {
    let endpoint: Endpoint
    let template: PathTemplate
    let host: PathTemplate
    /// The path of the host's URL.
    let prefix: PathTemplate?

    init(_ endpoint: Endpoint, host: PathTemplate, prefix: PathTemplate?) {
      self.endpoint = endpoint
      self.host = host
      self.prefix = prefix
      template = PathTemplate(endpoint.path)
    }
  }

  private let routes: [Route]

  init(_ catalogue: Catalogue) {
    routes = catalogue.groups.flatMap(\.endpoints).map { endpoint in
      // A path in the catalogue may contain a query, which other parameters also state.
      let parts = Self.parts(of: catalogue.api.host(of: endpoint)?.url ?? "")
      return Route(
        endpoint, host: PathTemplate(parts.host.lowercased()),
        prefix: parts.path.isEmpty || parts.path == "/" ? nil : PathTemplate(parts.path, isPrefix: true))
    }
  }

  /// The matching operations, whatever their method, best first.
  func matches(_ request: IncomingRequest) -> [Match] {
    let whole = PathUnit.units(of: request.path.isEmpty ? "/" : request.path)
    let host = PathUnit.units(of: request.host)
    var found = routes.compactMap { candidate($0, whole, host) }
    if found.contains(where: \.match.isOwnHost) { found.removeAll { !$0.match.isOwnHost } }
    // A path that begins with the host's own path is read that way, even if the whole path matches another operation.
    let isBelow = found.contains { $0.form == .below && $0.match.endpoint.method == request.method }
    if isBelow { found.removeAll { $0.form == .without } }
    // Sorting keeps the catalogue's order for equal matches.
    return found.map(\.match).enumerated().sorted {
      ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset)
    }.map(\.element)
  }

  /// How a path relates to the path of the host's URL.
  private enum Form {
    /// The URL has no path.
    case bare
    /// The path begins with it.
    case below
    /// The path does not begin with it, for example because all hosts lead here.
    case without
  }

  private func candidate(_ route: Route, _ whole: [PathUnit], _ host: [PathUnit]) -> (match: Match, form: Form)? {
    func match(_ parameters: [String: String], _ weight: Int) -> Match {
      Match(
        endpoint: route.endpoint, parameters: parameters, weight: weight, isOwnHost: route.host.match(host) != nil)
    }
    if let prefix = route.prefix, let rest = prefix.rest(of: whole), let found = route.template.match(rest) {
      return (match(found, prefix.weight + route.template.weight), .below)
    }
    let form = route.prefix == nil ? Form.bare : .without
    return route.template.match(whole).map { (match($0, route.template.weight), form) }
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

/// A byte of a path, either literal or percent-encoded.
struct PathUnit: Sendable, Equatable {
  let byte: UInt8
  /// Always false for a character with the same meaning in both forms (RFC 3986 §6.2.2.2).
  let isEncoded: Bool

  /// Whether it ends a segment.
  var isSlash: Bool { byte == UInt8(ascii: "/") && !isEncoded }

  /// Whether the byte means the same as another in a path: only a slash changes its meaning when encoded.
  func means(_ other: PathUnit) -> Bool { byte == other.byte && isSlash == other.isSlash }

  static func units(of path: String) -> [PathUnit] {
    let source = Array(path.utf8)
    var units: [PathUnit] = []
    units.reserveCapacity(source.count)
    var place = 0
    while place < source.count {
      if source[place] == UInt8(ascii: "%"), place + 2 < source.count,
        let value = FormText.byte(source[place + 1], source[place + 2])
      {
        units.append(PathUnit(byte: value, isEncoded: !isUnreserved(value)))
        place += 3
      } else {
        units.append(PathUnit(byte: source[place], isEncoded: false))
        place += 1
      }
    }
    return units
  }

  /// The path made of these units, with uppercase hexadecimal digits.
  static func text(_ units: some Sequence<PathUnit>) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    let bytes = units.flatMap { unit in
      unit.isEncoded ? [UInt8(ascii: "%"), digits[Int(unit.byte >> 4)], digits[Int(unit.byte & 15)]] : [unit.byte]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"):
      true
    default: false
    }
  }
}

/// A path or host with `{names}` in it.
struct PathTemplate: Sendable {
  private enum Part: Sendable {
    case literal([PathUnit])
    /// - Parameters:
    ///   - isOpen: Whether it can contain slashes, as in `{+name}`.
    ///   - isAgain: Whether it must repeat the value that it had earlier in the path.
    case parameter(String, isOpen: Bool, isAgain: Bool)
  }

  private let parts: [Part]
  private let isPrefix: Bool
  /// The number of literal characters.
  let weight: Int
  private static let maximumLength = 16_384

  /// - Parameters:
  ///   - text: The template.
  ///   - isPrefix: Whether more text may follow.
  init(_ text: String, isPrefix: Bool = false) {
    var parts: [Part] = []
    var names: Set<String> = []
    var rest = text[...]
    if isPrefix { while rest.last == "/" { rest = rest.dropLast() } }
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      if open > rest.startIndex { parts.append(.literal(PathUnit.units(of: String(rest[..<open])))) }
      let expression = rest[rest.index(after: open)..<close]
      let isOpen = expression.hasPrefix("+")
      let name = String(isOpen ? expression.dropFirst() : expression)
      parts.append(.parameter(name, isOpen: isOpen, isAgain: !names.insert(name).inserted))
      rest = rest[rest.index(after: close)...]
    }
    if !rest.isEmpty { parts.append(.literal(PathUnit.units(of: String(rest)))) }
    self.parts = parts
    self.isPrefix = isPrefix
    weight = parts.reduce(0) { sum, part in
      if case .literal(let units) = part { sum + units.count } else { sum }
    }
  }

  /// The parameters of a path, percent-encoded as in the path; `nil` if it does not match.
  func match(_ path: String) -> [String: String]? { match(PathUnit.units(of: path)) }

  func match(_ path: [PathUnit]) -> [String: String]? {
    guard let (end, found) = walk(path), isPrefix || end == path.count else { return nil }
    return found.mapValues { PathUnit.text(path[$0]) }
  }

  /// The part of a path after the prefix.
  func rest(of path: [PathUnit]) -> [PathUnit]? {
    guard let (end, _) = walk(path), end == path.count || path[end].isSlash else { return nil }
    return end == path.count ? PathUnit.units(of: "/") : Array(path[end...])
  }

  private func walk(_ path: [PathUnit]) -> (end: Int, found: [String: Range<Int>])? {
    guard path.count <= Self.maximumLength else { return nil }
    var found: [String: Range<Int>] = [:]
    var steps = 100_000
    return match(parts[...], path, 0, &found, &steps).map { ($0, found) }
  }

  private func match(
    _ parts: ArraySlice<Part>, _ path: [PathUnit], _ place: Int, _ found: inout [String: Range<Int>],
    _ steps: inout Int
  ) -> Int? {
    steps -= 1
    guard steps > 0 else { return nil }
    guard let part = parts.first else { return isPrefix || place == path.count ? place : nil }
    let rest = parts.dropFirst()
    switch part {
    case .literal(let text):
      guard path[place...].starts(with: text, by: { $0.means($1) }) else { return nil }
      return match(rest, path, place + text.count, &found, &steps)
    case .parameter(let name, let isOpen, let isAgain):
      let before = isAgain ? found[name] : nil
      let limit = isOpen ? path.count : path[place...].firstIndex(where: \.isSlash) ?? path.count
      // Tries the longest match first: a parameter ends with its segment, unless the template continues within it.
      var end = limit
      while end > place {
        if let before {
          guard path[before].elementsEqual(path[place..<end]) else {
            end -= 1
            continue
          }
        }
        found[name] = before ?? place..<end
        if let whole = match(rest, path, end, &found, &steps) { return whole }
        end -= 1
      }
      return nil
    }
  }
}
