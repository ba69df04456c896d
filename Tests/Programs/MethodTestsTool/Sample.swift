import Foundation

/// One value: in Swift, as a text on the wire if it has one, and as JSON.
struct Sample {
  var swift: String
  var text: String
  var json: String
}

/// Creates values of the catalogue's types. Each parameter gets a distinct value: by its name, or by its number among the
/// parameters.
struct Samples {
  let catalogue: Catalogue

  /// 14 November 2023, 22:13:20 UTC, a Tuesday.
  private static let date = "Date(timeIntervalSince1970: 1_700_000_000)"
  private static let dateLetters: [(letters: String, text: String)] = [
    ("EEE", "Tue"), ("MMM", "Nov"), ("yyyy", "2023"), ("SSS", "000"), ("MM", "11"), ("dd", "14"), ("HH", "22"),
    ("mm", "13"), ("ss", "20"), ("d", "14"), ("Z", "+0000"),
  ]

  func sample(_ type: TypeExpression, for name: String, number: Int = 0) throws -> Sample {
    switch type {
    case .map(let value):
      let inner = try sample(value, for: name)
      return Sample(swift: "[\"key\": \(inner.swift)]", text: "", json: "{\"key\":\(inner.json)}")
    case .list(let element):
      let samples = try list(of: element, for: name)
      func joined(_ part: KeyPath<Sample, String>) -> String {
        samples.map { $0[keyPath: part] }.joined(separator: ",")
      }
      return Sample(swift: "[\(joined(\.swift))]", text: joined(\.text), json: "[\(joined(\.json))]")
    case .name(let word, let argument):
      return try scalar(word, argument, for: name, number: number) ?? model(word, for: name, number: number)
    }
  }

  private func list(of element: TypeExpression, for name: String) throws -> [Sample] {
    if case .name(let word, _) = element, let model = catalogue.models[word] {
      let cases = Self.cases(of: model)
      if !cases.isEmpty { return cases.prefix(2).map(Self.enumSample) }
    }
    return try [sample(element, for: name + "-1"), sample(element, for: name + "-2")]
  }

  private func scalar(_ word: String, _ argument: String, for name: String, number: Int = 0) -> Sample? {
    let bounds = argument.split(separator: ",").first.map(String.init) ?? ""
    switch word {
    case "string": return Sample(swift: "\"\(name) é\"", text: "\(name) é", json: "\"\(name) é\"")
    case "int":
      let limits = bounds.components(separatedBy: "..").compactMap { Int($0) }
      let value = limits.last.map { max(limits[0], $0 - number) } ?? 7 + number
      return Sample(swift: "\(value)", text: "\(value)", json: "\(value)")
    case "number": return Sample(swift: "-1.5", text: "-1.5", json: "-1.5")
    case "bool":
      let value = number % 2 == 0 ? "false" : "true"
      return Sample(swift: value, text: value, json: value)
    case "date": return date(argument)
    case "bytes": return Sample(swift: "Data([0, 255])", text: "\\u{0}ÿ", json: "\"AP8=\"")
    case "file":
      return Sample(
        swift: "FilePart(Data(\"some bytes\".utf8), fileName: \"a.png\")", text: "a.png: some bytes",
        json: "{\"base64\":\"c29tZSBieXRlcw==\",\"name\":\"a.png\"}")
    case "json": return Sample(swift: "[\"a\": 1]", text: "", json: "{\"a\":1}")
    default: return nil
    }
  }

  private func date(_ format: String) -> Sample {
    func quoted(_ text: String) -> Sample { Sample(swift: Self.date, text: text, json: "\"\(text)\"") }
    switch format {
    case "": return quoted("2023-11-14T22:13:20Z")
    case "day":
      return Sample(
        swift: "Date(timeIntervalSince1970: 1_699_920_000)", text: "2023-11-14", json: "\"2023-11-14\"")
    case "seconds": return Sample(swift: Self.date, text: "1700000000", json: "1700000000")
    case "milliseconds": return Sample(swift: Self.date, text: "1700000000000", json: "1700000000000")
    default:
      var text = ""
      var rest = Substring(format)
      while let first = rest.first {
        let known = Self.dateLetters.first { rest.hasPrefix($0.letters) }
        text += known?.text ?? String(first)
        rest = rest.dropFirst(known?.letters.count ?? 1)
      }
      return quoted(text)
    }
  }

  // MARK: Models

  private func model(_ name: String, for parameter: String, number: Int) throws -> Sample {
    guard let facts = catalogue.models[name] else { throw Failure("there is no type `\(name)`") }
    if let alias = alias(facts) { return try sample(TypeExpression.parse(alias).type, for: parameter, number: number) }
    if let first = Self.cases(of: facts).first { return Self.enumSample(first) }
    let json = try json(ofModel: name, for: parameter, inside: [])
    let type = "\(catalogue.apiName).\(facts["$name"]?.text ?? Names.type(name))"
    return Sample(swift: "\(type)(jsonString: #\"\(json)\"#)", text: "", json: json)
  }

  private func alias(_ facts: CatalogueTree) -> String? {
    if let type = facts["$type"] { return type.typeText }
    if case .text(let text) = facts, !text.hasPrefix("enum "), !text.hasPrefix("union ") { return text }
    return nil
  }

  /// The values of an enum with their Swift names; none if the type is not an enum.
  private static func cases(of facts: CatalogueTree) -> [(wire: String, name: String)] {
    var values: [(key: String, value: CatalogueTree)] = []
    if case .text(let text) = facts, text.hasPrefix("enum ") {
      let inner = text.dropFirst("enum ".count).drop { $0 == "[" || $0 == " " }.prefix { $0 != "]" }
      values = inner.split(separator: ",").map { word in
        (key: word.trimmingCharacters(in: [" ", "\""]), value: CatalogueTree.text(""))
      }
    } else if let list = facts["$enum"] {
      values = list.elements.flatMap { element in
        element.text.map { [(key: $0, value: CatalogueTree.text(""))] } ?? element.entries
      }
      values += list.entries
    }
    return values.map { ($0.key, $0.value["name"]?.text ?? Names.enumCase($0.key)) }
  }

  private static func enumSample(_ value: (wire: String, name: String)) -> Sample {
    Sample(swift: ".\(value.name)", text: value.wire, json: "\"\(value.wire)\"")
  }

  /// All fields of a model, except those that would nest it in itself.
  private func json(ofModel name: String, for parameter: String, inside outer: Set<String>) throws -> String {
    guard let facts = catalogue.models[name] else { throw Failure("there is no type `\(name)`") }
    if let alias = alias(facts) { return try json(of: TypeExpression.parse(alias).type, for: parameter, inside: outer) }
    if let first = Self.cases(of: facts).first { return "\"\(first.wire)\"" }
    var tag = ""
    if let variants = facts["$union"] {
      let (value, first) = variants.entries.first ?? ("", variants.elements.first ?? .text(""))
      let type = first["type"]?.typeText ?? first.typeText
      if let key = facts["$tag"]?.text { tag = "\"\(key)\":\"\(value)\"" }
      let json = try json(of: TypeExpression.parse(type).type, for: parameter, inside: outer.union([name]))
      guard !tag.isEmpty else { return json }
      // A variant that also declares the tag has it once.
      let own = "\"\(facts["$tag"]?.text ?? "")\":\"\(facts["$tag"]?.text ?? "") é\""
      if json.contains(own) { return json.replacing(own, with: tag) }
      return json == "{}" ? "{\(tag)}" : "{\(tag)," + json.dropFirst()
    }
    if case .text(let text) = facts {
      let first = text.dropFirst("union [".count).prefix { $0 != "," && $0 != "]" }
      return try json(of: TypeExpression.parse(String(first)).type, for: parameter, inside: outer.union([name]))
    }
    var members: [String] = []
    for (key, field) in facts.entries where !key.hasPrefix("$") || key.hasPrefix("$$") {
      var typeText = field.typeText
      if case .map = field { typeText = field["type"]?.typeText ?? typeText }
      let (type, isOptional) = try TypeExpression.parse(typeText)
      if isOptional, outer.count >= 4 || mentions(type, outer.union([name])) { continue }
      let wire = key.hasPrefix("$$") ? String(key.dropFirst()) : key
      members.append("\"\(wire)\":\(try json(of: type, for: wire, inside: outer.union([name])))")
    }
    return "{" + members.joined(separator: ",") + "}"
  }

  private func json(of type: TypeExpression, for name: String, inside outer: Set<String>) throws -> String {
    switch type {
    case .list(let element): "[\(try json(of: element, for: name, inside: outer))]"
    case .map(let value): "{\"key\":\(try json(of: value, for: name, inside: outer))}"
    case .name(let word, let argument):
      try scalar(word, argument, for: name)?.json ?? json(ofModel: word, for: name, inside: outer)
    }
  }

  private func mentions(_ type: TypeExpression, _ names: Set<String>) -> Bool {
    switch type {
    case .list(let inner), .map(let inner): mentions(inner, names)
    case .name(let word, _): names.contains(word)
    }
  }
}
