import CallsignHTTP
import CallsignJSON

/// The value that the API takes for an argument which a call leaves out, as a line of ``Endpoint/details`` has it.
struct ArgumentDefault: Sendable {
  private static let places: [Substring: Call.Place] = [
    "query": .query, "form": .form, "header": .header, "cookie": .cookie, "part": .part,
  ]

  /// `nil` for a member of a JSON body.
  private let place: Call.Place?
  /// How a list is written; `nil` for a single value.
  private let list: ListStyle?
  /// Whether reserved characters of a query stay as they are.
  private let keepsReserved: Bool
  private let name: String
  private let values: [JSONValue]

  /// Reads `query ["limit","10"]`, `query repeat ["tags","a","b"]`, `query reserved ["path","a/b"]` or `json ["limit",10]`; `nil`
  /// for any other text.
  init?(_ line: String) {
    guard let bracket = line.firstIndex(of: "["), let list = try? JSONValue(jsonString: String(line[bracket...])),
      let values = list.array, let name = values.first?.string
    else { return nil }
    var words = line[..<bracket].split(separator: " ")
    keepsReserved = words.contains("reserved")
    words.removeAll { $0 == "reserved" }
    guard let word = words.first, word == "json" || Self.places[word] != nil else { return nil }
    place = Self.places[word]
    self.list = words.count > 1 ? Self.style(words[1]) : nil
    self.name = name
    self.values = Array(values.dropFirst())
  }

  private static func style(_ word: Substring) -> ListStyle {
    switch word {
    case "space": .space
    case "pipe": .pipe
    case "dot": .dot
    case "repeat": .repeat
    case "brackets": .brackets
    case "indexed": .indexed
    default: .comma
    }
  }

  /// Sends the value, unless the call has one.
  func add(to call: inout Call) {
    guard !call.arguments.sent.contains(name) else { return }
    if keepsReserved { call.withReserved(list: list) { addText(to: &$0) } } else { addText(to: &call) }
  }

  private func addText(to call: inout Call) {
    guard let place else { return call.json(name, values.first) }
    let texts = values.map { $0.string ?? $0.description }
    if let list { call.add(name, texts, list: list, in: place) } else { call.add(name, texts.first, in: place) }
  }
}

extension Call {
  /// The call with the values that the API would use for missing arguments.
  func withDefaults(_ defaults: [ArgumentDefault]) -> Call {
    var call = self
    for value in defaults { value.add(to: &call) }
    return call
  }
}
