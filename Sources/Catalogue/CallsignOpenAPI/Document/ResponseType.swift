import CallsignCatalogue

/// The media types of a response, and which of them a catalogue uses.
enum ResponseType {
  static let lines: Set<String> = [
    "application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines",
    "application/stream+json", "application/json-lines",
  ]
  static let events = "text/event-stream"

  /// The position of the type that a catalogue uses; 0 if none is preferred.
  ///
  /// - Parameter names: The names of the types, without parameters.
  static func choice(among names: [String]) -> Int {
    names.firstIndex { lines.contains($0) } ?? names.firstIndex { $0.hasSuffix("/json") || $0.hasSuffix("+json") }
      ?? names.firstIndex(of: "*/*") ?? 0
  }

  /// Whether two lists of types lead to the same way of reading a response.
  static func isSame(_ types: [String], _ others: [String]) -> Bool { reading(types) == reading(others) }

  /// The type that is read, and whether there are events, which become a separate operation.
  private static func reading(_ types: [String]) -> [String] {
    let names = types.map(MediaType.name)
    guard !names.isEmpty else { return [] }
    let position = choice(among: names)
    let chosen = MediaType.hasParameters(types[position]) ? types[position].lowercased() : names[position]
    return names.contains(events) ? [chosen, events] : [chosen]
  }
}
