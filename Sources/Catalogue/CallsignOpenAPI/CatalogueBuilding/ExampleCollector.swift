import CallsignCatalogue

/// Collects the document's examples of responses, models and members, by the catalogue's names, as the JSON of `examples.json`.
struct ExampleCollector {
  /// The maximum length of an example. Larger ones tell a reader no more and would make up most of the file.
  private static let maximumLength = 32 << 10
  private static let maximumTotal = 6 << 20

  private let log: ImportLog
  private var responses: [(name: String, list: [String])] = []
  private var models: [(name: String, list: [String])] = []
  private var fields: [(name: String, members: [(name: String, list: [String])])] = []
  private var present: [(name: String, list: [String])] = []
  private var length = 0

  init(log: ImportLog) { self.log = log }

  mutating func addResponses(_ values: [DocumentValue], of operation: String, at pointer: String) {
    let list = texts(values, at: pointer)
    if !list.isEmpty { responses.append((operation, list)) }
  }

  /// Adds the examples of a schema with a name and of the members of any object, and which of these members every response has.
  mutating func add(_ use: Use, schema: DocumentValue?, of model: String, at pointer: String) {
    let list = texts(schema?.ownExamples ?? [], at: pointer)
    if !list.isEmpty { models.append((model, list)) }
    guard case .object(let object) = use.shape else { return }
    let names = object.members.filter(\.annotations.isPresent).map { DefaultValue.quoted($0.name) }
    if !names.isEmpty { present.append((model, names)) }
    let members = object.members.compactMap { member -> (String, [String])? in
      let own = member.annotations.examples
      let list = texts(own.isEmpty ? member.annotations.onlyValue.map { [$0] } ?? [] : own, at: pointer)
      return list.isEmpty ? nil : (member.name, list)
    }
    if !members.isEmpty { fields.append((model, members)) }
  }

  private mutating func texts(_ values: [DocumentValue], at pointer: String) -> [String] {
    var result: [String] = []
    for value in values {
      let text = value.json
      guard text.utf8.count <= Self.maximumLength, length + text.utf8.count <= Self.maximumTotal else {
        log.countUnsaid(keyword: "example (of such a size)", at: pointer)
        continue
      }
      length += text.utf8.count
      if !result.contains(text) { result.append(text) }
    }
    return result
  }

  /// The text of the file; `nil` if the document has no examples.
  func text(_ origin: ImportOrigin) -> String? {
    guard length > 0 || !present.isEmpty else { return nil }
    let title = origin.title.split(whereSeparator: \.isNewline).joined(separator: " ")
    var text = CatalogueExamples.mark + DefaultValue.quoted(" “\(title)”. Each import writes it again.").dropFirst()
    for (key, entries) in [("responses", responses), ("models", models), ("present", present)] where !entries.isEmpty {
      text += ",\n\(DefaultValue.quoted(key)): {\n" + Self.lines(entries) + "\n}"
    }
    if !fields.isEmpty {
      let lines = fields.sorted { $0.name < $1.name }.map {
        "\(DefaultValue.quoted($0.name)): {\n\(Self.lines($0.members))\n}"
      }
      text += ",\n\"fields\": {\n" + lines.joined(separator: ",\n") + "\n}"
    }
    return text + "\n}\n"
  }

  private static func lines(_ entries: [(name: String, list: [String])]) -> String {
    entries.sorted { $0.name < $1.name }
      .map { "\(DefaultValue.quoted($0.name)): [\($0.list.joined(separator: ", "))]" }.joined(separator: ",\n")
  }
}

extension DocumentValue {
  /// The value as JSON on one line.
  var json: String {
    switch self {
    case .null: "null"
    case .bool(let flag): flag ? "true" : "false"
    case .number(let text): Self.isJSONNumber(text) ? text : DefaultValue.quoted(text)
    case .string(let text): DefaultValue.quoted(text)
    case .list(let list): "[" + list.map(\.json).joined(separator: ",") + "]"
    case .object(let object):
      "{" + object.members.map { DefaultValue.quoted($0.key) + ":" + $0.value.json }.joined(separator: ",") + "}"
    }
  }

  /// YAML allows numbers that JSON does not: `+1`, `.5`, `007`.
  private static func isJSONNumber(_ text: String) -> Bool {
    let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
    guard let first = digits.first, (0x30...0x39).contains(first), let last = digits.last, (0x30...0x39).contains(last)
    else { return false }
    return first != 0x30 || digits.count == 1 || !(0x30...0x39).contains(digits.dropFirst().first ?? 0)
  }
}
