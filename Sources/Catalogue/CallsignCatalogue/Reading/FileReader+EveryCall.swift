import CallsignYAML

// Reads what applies to every call of an API, and the same settings of a single endpoint.
extension FileReader {
  /// `headers`, `query`, `failure`, `errors` and `idempotency` under `api`.
  func readEveryCall(_ keys: Keyed<APISectionKey, YAMLEntry>) -> EveryCall {
    var facts = EveryCall()
    facts.headers = keys[.headers].map { readConstants($0) } ?? []
    facts.query = keys[.query].map { readConstants($0) } ?? []
    facts.failures = keys[.failure].map { readFailures($0) } ?? []
    facts.errors = keys[.errors].map { readErrors($0) } ?? []
    facts.idempotencyKey = keys[.idempotency].flatMap { readHeaderName($0) }
    for constant in facts.headers where !HeaderName.isValid(constant.name) {
      guard let entry = keys[.headers].flatMap({ entries($0).first { self.name($0) == constant.name } }) else {
        continue
      }
      error(HeaderName.advice(constant.name), at: entry.key)
    }
    return facts
  }

  /// `{Notion-Version: 2022-06-28}`
  private func readConstants(_ entry: YAMLEntry) -> [Constant] {
    entries(entry).compactMap { entry in
      guard let name = name(entry), let value = text(entry) else { return nil }
      if value.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
        error("what is always sent has no line breaks and other control characters", at: entry.value)
      }
      return Constant(name: name, value: value)
    }
  }

  /// `{ok: false, status: [error, fail], code: not 0}`
  func readFailures(_ entry: YAMLEntry) -> [FailureSign] {
    entries(entry).compactMap { entry in
      guard let path = name(entry) else { return nil }
      if path.isEmpty || path.split(separator: ".", omittingEmptySubsequences: false).contains("") {
        error("a sign names a member of the response, such as `ok` or `meta.status`", at: entry.key)
        return nil
      }
      var values: [String] = []
      let nodes: [YAMLNode] = if case .list(let nodes) = entry.value.content { nodes } else { [entry.value] }
      for node in nodes {
        guard case .scalar(let scalar) = node.content else {
          error("the value of a sign is a text, number, flag or null, not \(node.kind)", at: node)
          return nil
        }
        values.append(node.isNull ? "null" : scalar.text)
      }
      let negated = values.filter { $0.hasPrefix("not ") }
      if !negated.isEmpty, negated.count < values.count {
        error("say either all values of a sign, or all that are `not` of it", at: entry.value)
        return nil
      }
      if values.isEmpty {
        error("name the value of `\(path)` that is a sign, such as `\(path): false`", at: entry.value)
        return nil
      }
      return FailureSign(
        path: path, values: negated.isEmpty ? values : negated.map { String($0.dropFirst(4)).trimmingSpaces },
        isNegated: !negated.isEmpty)
    }
  }

  /// `{404: NotFound, 4xx: Problem, default: Problem}`
  func readErrors(_ entry: YAMLEntry) -> [ErrorBody] {
    entries(entry).compactMap { entry in
      guard let status = name(entry) else { return nil }
      if status != "default", !Self.isStatus(Array(status.utf8)) {
        error("`\(status)` is not a status; write one such as `404`, `4xx` or `default`", at: entry.key)
      }
      return ErrorBody(status: status, type: readType(entry.value, of: "the errors of `\(status)`"))
    }
  }

  /// `404`, or `4xx`.
  private static func isStatus(_ text: [UInt8]) -> Bool {
    guard text.count == 3, text[0] >= 0x31, text[0] <= 0x35 else { return false }
    if text[1] == UInt8(ascii: "x"), text[2] == UInt8(ascii: "x") { return text[0] >= 0x33 }
    return text[1].isDigit && text[2].isDigit
  }

  /// Reads the name of a header field; `false` becomes an empty string.
  func readHeaderName(_ entry: YAMLEntry) -> String? {
    guard let name = text(entry) else { return nil }
    if name == "false" { return "" }
    if !HeaderName.isValid(name) { error(HeaderName.advice(name), at: entry.value) }
    return name
  }

  /// `{X-Total-Count: int, X-Request-Id: {type: string, name: requestID}}`
  func readResponseHeaders(_ entry: YAMLEntry) -> [ResponseHeader] {
    entries(entry).compactMap { entry in
      guard let name = name(entry) else { return nil }
      if !HeaderName.isValid(name) { error(HeaderName.advice(name), at: entry.key) }
      let what = "the header `\(name)`"
      var header = ResponseHeader(
        name: name, type: .unreadable(at: location(entry.value)), location: location(entry.key))
      guard case .mapping(let mapping) = entry.value.content, !mapping.isTypeForm else {
        header.type = readType(entry.value, of: what)
        return header
      }
      let keys = keys(mapping.entries, ResponseHeaderKey.self, in: what)
      if let entry = keys[.type] {
        header.type = readType(entry.value, of: what)
      } else {
        error("\(what) has no `type`; write one, such as `type: string`", at: entry.key)
      }
      header.swiftName = swiftName(keys[.name])
      header.summary = keys[.summary].flatMap { line($0) }
      return header
    }
  }

  /// Reads the place of an API key from `$in`, `$name` and `$prefix` of a scheme.
  func readKeyPlace(_ keys: Keyed<SchemeKey, YAMLEntry>, of scheme: String) -> KeyPlace? {
    guard let placeEntry = keys[.place] else {
      for key in [SchemeKey.name, .prefix] {
        guard let entry = keys[key] else { continue }
        error("`\(key.rawValue)` is about an API key; name its place, such as `$in: header`", at: entry.key)
      }
      return nil
    }
    guard let part = choice(placeEntry, KeyPlace.Part.self) else { return nil }
    guard let nameEntry = keys[.name] else {
      error("name the key in the \(part.rawValue), such as `$name: X-API-Key`", at: placeEntry.key)
      return nil
    }
    guard let name = text(nameEntry) else { return nil }
    if part != .query, !HeaderName.isValid(name) { error(HeaderName.advice(name), at: nameEntry.value) }
    return KeyPlace(part: part, name: name, prefix: keys[.prefix].flatMap { text($0) })
  }
}

extension String {
  /// The text without leading and trailing spaces.
  fileprivate var trimmingSpaces: String { self[...].trimmed }
}
