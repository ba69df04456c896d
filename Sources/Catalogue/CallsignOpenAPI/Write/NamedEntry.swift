import CallsignCatalogue

/// A parameter or a field as written on its line: a name, a type and further facts.
struct NamedEntry {
  /// The name on the wire. As a key of a model, it starts with `$$` instead of `$`.
  let name: String
  let type: TypeReference
  /// Pairs such as `summary: …`, in the order in which they are written.
  let pairs: [(key: String, text: String)]
  /// The text of the summary, without YAML's quotes.
  let summaryText: String?

  /// The value. Without one, the name is enough.
  enum Value {
    case none
    case part([String])
    case all([String])
  }

  /// The entry with another type.
  func with(_ type: TypeReference) -> NamedEntry {
    NamedEntry(name: name, type: type, pairs: pairs, summaryText: summaryText)
  }

  /// The line, which can omit what is already known from the name; several lines if the facts do not fit on one.
  func text(after known: NamedEntry?) -> String {
    let key = QuotedScalar.scalar(name)
    switch value(after: known) {
    case .none: return key + ":"
    case .part(let texts): return Self.mapping(key, texts)
    case .all(let texts) where texts.isEmpty: return "\(key): \(EndpointWriter.text(type))"
    case .all(let texts):
      if let text = shortForm(texts) { return "\(key): \(QuotedScalar.scalar(text))" }
      return Self.mapping(key, ["type: \(EndpointWriter.text(type, isInFlow: true))"] + texts)
    }
  }

  /// The facts in braces, or on separate lines if they are too long for one line.
  private static func mapping(_ key: String, _ texts: [String]) -> String {
    let line = "\(key): {\(texts.joined(separator: ", "))}"
    if line.count <= YAMLLines.width - 6 { return line }
    return key + ":" + texts.map { "\n  \($0)" }.joined()
  }

  /// The type followed by the summary, if there is nothing else to write.
  private func shortForm(_ texts: [String]) -> String? {
    guard texts.count == 1, texts[0] == summary, let summaryText else { return nil }
    return type.text(with: summaryText)
  }

  /// Whether the name alone is enough.
  func isSaid(by known: NamedEntry) -> Bool { type == known.type && pairs.elementsEqual(known.pairs, by: ==) }

  /// Whether the facts known from the name make the line shorter.
  fileprivate func leans(on known: NamedEntry) -> Bool { text(after: known).utf8.count < text(after: nil).utf8.count }

  private func value(after known: NamedEntry?) -> Value {
    guard let known else { return .all(pairs.map(\.text)) }
    if isSaid(by: known) { return .none }
    // A default on its own keeps the other facts, and a type keeps the summary.
    let changes = pairs.filter { pair in !known.pairs.contains { $0 == pair } }
    if type == known.type, changes.map(\.key) == ["default"],
      known.pairs.allSatisfy({ own in pairs.contains { $0.key == own.key } })
    {
      return .part(changes.map(\.text))
    }
    guard let summary = known.summary else { return .all(pairs.map(\.text)) }
    if self.summary == nil { return .all(pairs.map(\.text) + ["summary: ~"]) }
    return .all(pairs.filter { $0.key != "summary" || $0.text != summary }.map(\.text))
  }

  private var summary: String? { pairs.first { $0.key == "summary" }?.text }
}

extension TypeReference {
  /// The type followed by a summary; `nil` for a summary that would not be read back unchanged.
  func text(with summary: String) -> String? {
    guard let first = summary.first, let last = summary.last, !first.isWhitespace, !last.isWhitespace,
      !summary.contains(where: \.isNewline)
    else { return nil }
    return "\(text) - \(summary)"
  }
}

/// The facts that the catalogue writer states once for a name that many parameters or fields have.
struct NamedEntries {
  private(set) var entries: [String: NamedEntry] = [:]

  /// The minimum number of uses of a name.
  private static let minimumCount = 3
  /// The minimum number of bytes that it must save.
  private static let minimumGain = 48
  /// The maximum number of a name's entries to try.
  private static let maximumTries = 6

  /// Creates an empty set, without facts for any name.
  init() {}

  /// Chooses for each name the facts that make the lines of its entries shortest, if that saves enough.
  init(_ all: [NamedEntry]) {
    for (name, entries) in Dictionary(grouping: all, by: \.name) where entries.count >= Self.minimumCount {
      let whole = entries.map { $0.text(after: nil) }
      let before = whole.reduce(0) { $0 + $1.utf8.count }
      var counts: [String: (count: Int, first: Int)] = [:]
      for (index, text) in whole.enumerated() { counts[text, default: (0, index)].count += 1 }
      let likely = counts.sorted { ($1.value.count, $0.value.first) < ($0.value.count, $1.value.first) }
      var best: (entry: NamedEntry, gain: Int)?
      for (text, (_, index)) in likely.prefix(Self.maximumTries) {
        let entry = entries[index]
        // A short type is worth reading at each place.
        guard !entry.pairs.isEmpty else { continue }
        // A name with many meanings must state its meaning at each place.
        guard entries.count(where: { $0.leans(on: entry) }) * 2 > entries.count else { continue }
        let after = entries.reduce(text.utf8.count + 3) { $0 + $1.text(after: entry).utf8.count }
        if before - after >= Self.minimumGain, before - after > best?.gain ?? 0 { best = (entry, before - after) }
      }
      self.entries[name] = best?.entry
    }
  }

  subscript(name: String) -> NamedEntry? { entries[name] }

  /// The lines with the facts, by name.
  var lines: [String] { entries.values.sorted { $0.name < $1.name }.map { $0.text(after: nil) } }
}
