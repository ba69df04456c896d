import CallsignYAML

extension FileReader {
  /// Reads one entry of `endpoints:`. An endpoint without a readable `call:` is dropped.
  func readEndpoint(_ entry: YAMLEntry) -> (Endpoint, EndpointMarks)? {
    guard let name = name(entry) else { return nil }
    if name.isEmpty { error("an endpoint needs a name; write one such as `getPet`", at: entry.key) }
    guard let own = mapping(entry.value, EndpointKey.self, in: "endpoint `\(name)`") else { return nil }
    var keys = withMixins(own, of: name)
    keys[.params] = keys[.params].map(parts.filledIn(params:))
    guard let callEntry = keys[.call] else {
      error("endpoint `\(name)` has no `call`; write one such as `call: GET /pets/{id}`", at: entry.key)
      return nil
    }
    guard let call = readCall(callEntry) else { return nil }
    var endpoint = Endpoint(name: name, method: call.method, path: call.path, location: location(entry.key))
    var marks = EndpointMarks(call: location(callEntry.value), placeholders: call.placeholders)
    marks.values = keys.mapValues { location($0.value) }

    endpoint.swiftName = swiftName(keys[.name])
    endpoint.summary = keys[.summary].flatMap { line($0) }
    endpoint.details = keys[.details].flatMap { text($0) }
    endpoint.documentation = keys[.docs].flatMap { $0.value.isRemoval ? nil : text($0) }
    endpoint.host = keys[.host].flatMap { text($0) }
    marks.auth = keys[.auth].map { readAuth($0) ?? [] }
    endpoint.auth = marks.auth?.map(\.requirement) ?? []
    endpoint.limits = keys[.limits].map { $0.value.isRemoval ? [] : readLimits($0) } ?? []
    endpoint.deprecation = deprecation(keys[.deprecated])
    endpoint.isRepeatable = keys[.repeatable].flatMap { flag($0) }
    endpoint.returns = keys[.returns].map { readType($0.value, of: "`returns`") }
    endpoint.status = keys[.status].flatMap { readStatus($0) }
    if let entry = keys[.stream] { readStream(entry, into: &endpoint, &marks) }
    if let entry = keys[.body] { readBody(entry, into: &endpoint) }
    endpoint.isBodyRequired = keys[.bodyRequired].flatMap { flag($0) } ?? false
    endpoint.accept = keys[.accept].flatMap { readMediaType($0) }
    endpoint.errors = keys[.errors].map { readErrors($0) } ?? []
    endpoint.responseHeaders = keys[.responseHeaders].map { readResponseHeaders($0) } ?? []
    endpoint.idempotencyKey = keys[.idempotency].flatMap { readHeaderName($0) }

    readParameters(keys[.params], of: &endpoint, &marks)
    for (key, kind) in [
      (EndpointKey.oneOf, ParameterRule.Kind.oneOf), (.anyOf, .anyOf), (.together, .together),
    ] {
      if let entry = keys[key] { readRules(entry, kind, into: &endpoint, &marks) }
    }
    if let entry = keys[.pages] { readPages(entry, into: &endpoint, &marks) }
    if let entry = keys[.poll] { readPoll(entry, into: &endpoint, &marks) }
    return (endpoint, marks)
  }

  // MARK: Media types

  /// Reads a format, or a media type: of JSON, or of a body that is a single parameter.
  private func readBody(_ entry: YAMLEntry, into endpoint: inout Endpoint) {
    guard let text = text(entry) else { return }
    guard text.contains("/") else {
      endpoint.body = choice(entry, BodyFormat.self)
      return
    }
    endpoint.contentType = readMediaType(entry)
    if MediaType.isJSON(text), !text.contains("*") { endpoint.body = .json }
  }

  /// `application/merge-patch+json`, with or without parameters.
  private func readMediaType(_ entry: YAMLEntry) -> String? {
    guard let text = text(entry) else { return nil }
    guard MediaType.isValid(text) else {
      error("`\(text)` is not a media type; write one such as `text/csv`", at: entry.value)
      return nil
    }
    return text
  }

  /// `201`
  private func readStatus(_ entry: YAMLEntry) -> Int? {
    guard let text = text(entry) else { return nil }
    if let status = Int(text), (200...299).contains(status) { return status }
    error("`status` is that of a successful response, from 200 to 299; write one such as `201`", at: entry.value)
    return nil
  }

  // MARK: call

  private struct CallLine {
    var method: String
    var path: String
    var placeholders: [(name: String, location: SourceLocation)] = []
  }

  private static let methods = Endpoint.methods

  /// `GET /pets/{id}`
  private func readCall(_ entry: YAMLEntry) -> CallLine? {
    guard let text = text(entry), case .scalar(let scalar) = entry.value.content else { return nil }
    let bytes = Array(text.utf8)
    let place = locator(entry.value, scalar)
    // Locations count Unicode scalars.
    var isASCII = true
    for byte in bytes where byte >= 0x80 { isASCII = false }
    let locate = { (index: Int) in
      guard !isASCII else { return place(index) }
      let before = String(decoding: bytes.prefix(index), as: UTF8.self).unicodeScalars.count
      return place(before + max(0, index - bytes.count))
    }
    let part = { (range: Range<Int>) in String(decoding: bytes[range], as: UTF8.self) }
    var methodEnd = 0
    while methodEnd < bytes.count, bytes[methodEnd] != UInt8(ascii: " ") { methodEnd += 1 }
    let method = part(0..<methodEnd)
    var pathStart = methodEnd
    while pathStart < bytes.count, bytes[pathStart] == UInt8(ascii: " ") { pathStart += 1 }
    guard pathStart < bytes.count, bytes[pathStart] == UInt8(ascii: "/") else {
      error("`call` is a method and a path that begins with `/`, such as `GET /pets/{id}`", at: locate(methodEnd + 1))
      return nil
    }
    if !Self.methods.contains(method) {
      let advice =
        Self.methods.contains(method.uppercased())
        ? "; write it in capitals" : suggestions.clause(for: method, among: Self.methods) ?? "; write one such as `GET`"
      error("`\(method)` is not an HTTP method\(advice)", at: locate(0))
    }
    var call = CallLine(method: method.uppercased(), path: part(pathStart..<bytes.count))
    var open: Int?
    var index = pathStart
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "{"):
        if let open { return pathProblem("the `{` is never closed; add `}`", at: locate(open)) }
        open = index
      case UInt8(ascii: "}"):
        guard let start = open else { return pathProblem("this `}` closes nothing; remove it", at: locate(index)) }
        var name = part((start + 1)..<index)
        // Reserved expansion (RFC 6570): the value can contain slashes.
        if name.hasPrefix("+") { name.removeFirst() }
        if name.isEmpty {
          return pathProblem("a placeholder names a parameter, such as `{id}`", at: locate(start))
        }
        // A repeated placeholder has the same value.
        if !call.placeholders.contains(where: { $0.name == name }) { call.placeholders.append((name, locate(start))) }
        open = nil
      case UInt8(ascii: "?"), UInt8(ascii: "#"):
        if open == nil {
          return pathProblem(
            "the path ends before `\(part(index..<(index + 1)))`; write a query as `params:`", at: locate(index))
        }
      case let byte where open == nil && (byte <= 0x20 || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "\"")):
        return pathProblem("a path cannot have this character; write it percent-encoded", at: locate(index))
      default: break
      }
      index += 1
    }
    if let open { return pathProblem("the `{` is never closed; add `}`", at: locate(open)) }
    return call
  }

  private func pathProblem(_ message: String, at location: SourceLocation) -> CallLine? {
    error(message, at: location)
    return nil
  }

  // MARK: limits

  /// `{user: 300/15m}`, or `{user: [50/15m, 1000/1d]}` for several windows that count at once.
  func readLimits(_ entry: YAMLEntry) -> [RateLimit] {
    entries(entry).flatMap { entry -> [RateLimit] in
      guard let subject = name(entry) else { return [] }
      guard case .list(let nodes) = entry.value.content else {
        return text(entry).flatMap { readLimit($0, of: subject, at: entry.value) }.map { [$0] } ?? []
      }
      return nodes.compactMap { node in
        guard case .scalar(let scalar) = node.content, !node.isNull else {
          error("a rate limit is a text such as `300/15m`, not \(node.kind)", at: node)
          return nil
        }
        return readLimit(scalar.text, of: subject, at: node)
      }
    }
  }

  private func readLimit(_ text: String, of subject: String, at node: YAMLNode) -> RateLimit? {
    guard let limit = RateLimit(subject: subject, parsing: text) else {
      error("`\(text)` is not a rate limit; write requests per window, such as `300/15m` (units s, m, h, d)", at: node)
      return nil
    }
    guard limit.requests > 0, limit.windowSeconds > 0 else {
      error("a rate limit of nothing cannot be kept; write requests per window, such as `300/15m`", at: node)
      return nil
    }
    return limit
  }

  // MARK: stream

  /// `lines`, `length`, or `{framing: lines, length: delimited, backfill: backfill_minutes, id: data.id}`.
  private func readStream(_ entry: YAMLEntry, into endpoint: inout Endpoint, _ marks: inout EndpointMarks) {
    guard case .mapping = entry.value.content else {
      endpoint.stream = choice(entry, StreamFraming.self)
      return
    }
    guard let keys = mapping(entry.value, StreamKey.self, in: "`stream`") else { return }
    endpoint.stream = keys[.framing].map { choice($0, StreamFraming.self) } ?? .lines
    endpoint.lengthFramingParameter = keys[.length].flatMap { text($0) }
    let id = keys[.id].flatMap { text($0) }
    endpoint.backfill = keys[.backfill].flatMap { text($0) }.map { Backfill(parameter: $0, id: id) }
    endpoint.streamEnd = keys[.end].flatMap { text($0) }
    if let entry = keys[.record], let record = text(entry) {
      switch record {
      case "event": endpoint.hasWholeEvents = true
      case "data": break
      default: error("`record` is `data`, an event's data, or `event`, the whole of it", at: entry.value)
      }
    }
    if endpoint.stream != .events {
      for key in [StreamKey.end, .record] {
        guard let entry = keys[key] else { continue }
        error("`\(key.rawValue)` is about events; write `framing: events`, or remove it", at: entry.key)
      }
    }
    marks.stream = keys.mapValues { location($0.value) }
    if keys[.backfill] == nil, let entry = keys[.id] {
      error("`id` shows which records `backfill` repeats; add `backfill`, or remove `id`", at: entry.key)
    }
  }

  // MARK: pages

  private func readPages(_ entry: YAMLEntry, into endpoint: inout Endpoint, _ marks: inout EndpointMarks) {
    guard let keys = mapping(entry.value, PagesKey.self, in: "`pages`") else { return }
    let styles: [(PagesKey, Pagination.Style)] = [
      (.token, .token), (.cursor, .cursor), (.maxID, .maxID), (.page, .page), (.offset, .offset), (.lastID, .lastID),
      (.url, .url), (.link, .link),
    ]
    let given = styles.filter { keys[$0.0] != nil }
    guard let (key, style) = given.first, given.count == 1, let styleEntry = keys[key] else {
      error(
        "`pages` has one of `token`, `cursor`, `max_id`, `page`, `offset` and `last_id`, which names the request's "
          + "parameter, `url` if the response has the next page's URL, or `link: next`", at: entry.key)
      return
    }
    guard let parameter = text(styleEntry) else { return }
    guard let itemsEntry = keys[.items] else {
      error("`pages` has no `items`; name the member with the elements, such as `items: data`", at: entry.key)
      return
    }
    guard let items = text(itemsEntry) else { return }
    var page = Pagination(
      style: style, parameter: parameter, next: keys[.next].flatMap { text($0) },
      previous: keys[.previous].flatMap { text($0) }, items: items, size: keys[.size].flatMap { text($0) },
      id: keys[.id].flatMap { text($0) }, since: keys[.since].flatMap { text($0) }, location: location(entry.key))
    page.nextHeader = keys[.nextHeader].flatMap { readHeaderName($0) }
    page.more = keys[.more].flatMap { text($0) }
    page.total = keys[.total].flatMap { text($0) }
    if let entry = keys[.first] {
      page.first = text(entry).flatMap { Int($0) }.flatMap { (0...1_000_000).contains($0) ? $0 : nil }
      if page.first == nil { error("`first` is the number of the first page, such as `0`", at: entry.value) }
    }
    if style == .link, parameter != "next" {
      error("the next page is the one that the `Link` field calls `next`; write `link: next`", at: styleEntry.value)
    }
    let allowed = Self.allowedPagesKeys(style)
    for (key, entry) in keys.all where key.rawValue != style.rawValue && !allowed.contains(key) {
      error("`\(key.rawValue)` has no meaning for pages by `\(style.rawValue)`; remove it", at: entry.key)
    }
    if style == .token || style == .cursor, keys[.next] == nil, keys[.nextHeader] == nil {
      error(
        "`pages` has no `next`; name the member with the next token, such as `next: meta.next_token`",
        at: entry.key
      )
    }
    if style == .maxID || style == .lastID, page.id == nil, keys[.id] == nil {
      error("`pages` has no `id`; name the element's field with its id, such as `id: id`", at: entry.key)
    }
    if let entry = keys[.since], keys[.id] == nil {
      error("`since` asks for elements with a greater id; name the member with the id, such as `id: id`", at: entry.key)
    }
    if style != .maxID, style != .lastID, keys[.since] == nil, let entry = keys[.id] {
      error("`id` shows which elements are newer than `since`; add `since`, or remove `id`", at: entry.key)
    }
    endpoint.pages = page
    marks.pages = keys.mapValues { location($0.value) }
  }

  private static func allowedPagesKeys(_ style: Pagination.Style) -> Set<PagesKey> {
    switch style {
    case .token, .cursor: [.next, .nextHeader, .previous, .items, .id, .since, .size, .more]
    case .url: [.previous, .items, .id, .since, .size, .more]
    case .link: [.nextHeader, .items, .id, .since, .size, .more]
    case .maxID, .lastID: [.items, .id, .since, .size, .more]
    case .offset: [.items, .id, .since, .size, .more, .total]
    case .page: [.items, .id, .since, .size, .more, .total, .first]
    }
  }
}

extension RateLimit {
  /// Parses `300/15m`: a number of requests, and a window in seconds, minutes, hours or days. Neither has to be above zero.
  package init?(subject: String, parsing text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(\.trimmed)
    guard parts.count == 2, let requests = Int(parts[0]), let unit = parts[1].last,
      let factor = ["s": 1, "m": 60, "h": 3_600, "d": 86_400][unit]
    else { return nil }
    let digits = parts[1].dropLast()
    // `/h` is short for `/1h`.
    guard let count = digits.isEmpty ? 1 : Int(digits), (0...100_000_000).contains(count) else { return nil }
    self.init(subject: subject, requests: requests, windowSeconds: count * factor)
  }
}
