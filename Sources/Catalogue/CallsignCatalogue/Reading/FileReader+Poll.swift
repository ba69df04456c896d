import CallsignYAML

extension FileReader {
  /// Reads `{ask: getExport, with: {id: id}, done: {state: done}, failed: {state: failed}, every: 5s, cancel: cancelExport}`, or
  /// `header: Location` or `url: links.state` instead of `ask`.
  func readPoll(_ entry: YAMLEntry, into endpoint: inout Endpoint, _ marks: inout EndpointMarks) {
    guard let keys = mapping(entry.value, PollKey.self, in: "`poll`") else { return }
    marks.poll = keys.mapValues { location($0.value) }
    let places: [PollKey] = [.ask, .header, .url]
    let given = places.filter { keys[$0] != nil }
    guard let key = given.first, given.count == 1, let placeEntry = keys[key] else {
      error(
        "`poll` has one of `ask`, the endpoint that tells the state, `header`, the response's field with its URL, and "
          + "`url`, the response's member with it", at: entry.key)
      return
    }
    guard let text = text(placeEntry) else { return }
    let place: OperationPoll.Place =
      switch key {
      case .header: .header(readHeaderName(placeEntry) ?? text)
      case .url: .url(text)
      default: .endpoint(text)
      }
    var poll = OperationPoll(place: place)
    if let with = keys[.with] {
      poll.arguments = entries(with).compactMap { entry in
        guard let name = name(entry), let path = self.text(entry) else { return nil }
        marks.pollArguments[name] = location(entry.value)
        return Constant(name: name, value: path)
      }
    }
    poll.state = keys[.returns].map { readType($0.value, of: "the state") }
    if key == .ask, let entry = keys[.returns] {
      error("the state's type is what `\(text)` returns; remove this", at: entry.key)
    }
    if let entry = keys[.every], let text = self.text(entry) {
      if let interval = Self.milliseconds(text), interval > 0 {
        poll.interval = interval
      } else {
        error("`every` is a time such as `5s` (units ms, s, m, h)", at: entry.value)
      }
    }
    poll.done = keys[.done].map { readFailures($0) } ?? []
    poll.failed = keys[.failed].map { readFailures($0) } ?? []
    poll.cancel = keys[.cancel].flatMap { self.text($0) }
    endpoint.poll = poll
  }

  /// `5s`
  private static func milliseconds(_ text: String) -> Int? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let units = ["ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000]
    guard let count = Int(digits), count <= 1_000_000, let unit = units[String(text.dropFirst(digits.count))] else {
      return nil
    }
    return count * unit
  }
}
