/// Writes a test for each endpoint of one catalogue file.
struct TestWriter {
  let catalogue: Catalogue
  let samples: Samples
  let imports: [String]
  /// The catalogue that was read for calls without generated code.
  private var catalogues: String { catalogue.apiName == "XAPI" ? "XCatalogues.v2" : "XCatalogues.v1" }

  init(_ catalogue: Catalogue, imports: [String]) {
    self.catalogue = catalogue
    samples = Samples(catalogue: catalogue)
    self.imports = imports
  }

  func text(file: String, endpoints: [Endpoint]) throws -> String {
    var lines = ["// Made by MethodTestsTool from \(file).yaml, without the generator that is tested."]
    lines += Set(imports + ["Foundation", "TestSupport", "Testing"]).sorted().map { "import \($0)" }
    guard !endpoints.isEmpty else { return lines.joined(separator: "\n") + "\n" }
    lines += ["", "@Suite(\"Methods of \(file).yaml\") struct \(Names.type(file))Methods {"]
    for endpoint in endpoints {
      do {
        lines += try test(of: endpoint)
      } catch {
        throw Failure("\(file).yaml: \(endpoint.name): \(error)")
      }
    }
    return (lines + ["}", ""]).joined(separator: "\n")
  }

  /// The names of all endpoints, so that a test can find an endpoint without a name.
  var list: String {
    let names = catalogue.endpoints.flatMap { $0.endpoints.map(\.name) }.sorted()
    return "let testedEndpoints = \"\"\"\n" + names.map { "  \($0)\n" }.joined() + "  \"\"\"\n"
  }

  private func test(of endpoint: Endpoint) throws -> [String] {
    var lines = [""]
    if endpoint.isDeprecated { lines.append("  @available(*, deprecated)") }
    lines.append("  @Test(\"\(endpoint.method) sends \(endpoint.verb) \(endpoint.path)\")")
    lines.append("  func \(endpoint.method)() async throws {")
    let count = endpoint.choices.map { alternativesCount($0) }.max() ?? 1
    for round in 0..<count { lines += try call(endpoint, round: round, asPages: false) }
    if endpoint.pageParameter != nil { lines += try call(endpoint, round: 0, asPages: true) }
    return lines + ["  }"]
  }

  private func alternativesCount(_ choice: Choice) -> Int {
    choice.alternatives.map { alternative in
      alternative.parts.map { part in if case .choice(let inner) = part { alternativesCount(inner) } else { 1 } }.max()
        ?? 1
    }.reduce(0, +)
  }

  // MARK: One call

  /// A request that is built as the catalogue says.
  private struct Expectation {
    var path: String
    var query: [String] = []
    var fields: [String] = []
    var members: [String] = []
    var headers: [String] = []
    var body: String?
    /// The arguments as JSON, for the call without generated code.
    var arguments: [String] = []
  }

  private struct Argument {
    var text: String
    var isOptional: Bool
  }

  private func call(_ endpoint: Endpoint, round: Int, asPages: Bool) throws -> [String] {
    var expected = Expectation(path: endpoint.path)
    var arguments: [Argument] = []
    var chosen: Set<String> = []
    for (number, parameter) in endpoint.parameters.enumerated() {
      if asPages, parameter.wire == endpoint.pageParameter {
        if let first = endpoint.firstPage {
          add(Sample(swift: "", text: first, json: first), parameter, endpoint, to: &expected, isArgument: false)
        }
        continue
      }
      if let constant = parameter.constant {
        var sample = try samples.sample(parameter.type, for: parameter.wire)
        sample.text = constant
        if sample.json.hasPrefix("\"") { sample.json = "\"\(constant)\"" } else { sample.json = constant }
        add(sample, parameter, endpoint, to: &expected, isArgument: false)
      } else if let choice = endpoint.choices.first(where: { $0.parameters.contains(parameter.wire) }) {
        guard chosen.insert(choice.label).inserted else { continue }
        let value = try value(of: choice, round: round, endpoint, &expected)
        arguments.append(Argument(text: "\(Names.label(choice.label)): \(value)", isOptional: choice.isOptional))
      } else {
        let sample = try samples.sample(parameter.type, for: parameter.wire, number: number)
        add(sample, parameter, endpoint, to: &expected)
        arguments.append(
          Argument(text: "\(Names.label(parameter.label)): \(sample.swift)", isOptional: parameter.isOptional))
      }
    }
    let ordered = arguments.filter { !$0.isOptional } + arguments.filter(\.isOptional)
    let name = asPages ? endpoint.method + "Pages" : endpoint.method
    let text = "x.\(name)(\(ordered.map(\.text).joined(separator: ", ")))"
    let isSequence = asPages || endpoint.isStream
    let number = asPages ? "Pages" : "\(round)"
    let same = "\"\(endpoint.name)\", #\"{\(expected.arguments.joined(separator: ","))}\"#"
    return [
      "    let request\(number) = try await expectRequest(\(expectation(expected, endpoint))) { (x: \(catalogue.apiName)) in",
      isSequence ? "      for try await _ in \(throwing(text)) { break }" : "      _ = try await \(text)",
      "    }",
      "    try await expectSame(\(catalogues), \(same)\(asPages ? ", asPages: true" : ""), as: request\(number))",
    ]
  }

  /// A model that is made from JSON can fail.
  private func throwing(_ call: String) -> String { call.contains("(jsonString:") ? "try \(call)" : call }

  private func value(
    of choice: Choice, round: Int, _ endpoint: Endpoint, _ expected: inout Expectation
  ) throws -> String {
    var rest = round % max(alternativesCount(choice), 1)
    for alternative in choice.alternatives {
      let inner =
        alternative.parts.map { part in
          if case .choice(let choice) = part { alternativesCount(choice) } else { 1 }
        }.max() ?? 1
      if rest >= inner {
        rest -= inner
        continue
      }
      var arguments: [String] = []
      for (index, part) in alternative.parts.enumerated() {
        switch part {
        case .parameter(let wire):
          guard let parameter = endpoint.parameters.first(where: { $0.wire == wire }) else {
            throw Failure("there is no parameter `\(wire)`")
          }
          let sample = try samples.sample(parameter.type, for: wire)
          add(sample, parameter, endpoint, to: &expected)
          arguments.append(index == 0 ? sample.swift : "\(Names.label(parameter.label)): \(sample.swift)")
        case .choice(let nested):
          let value = try value(of: nested, round: rest, endpoint, &expected)
          arguments.append(index == 0 ? value : "\(Names.label(nested.label)): \(value)")
        }
      }
      return ".\(alternative.name)(\(arguments.joined(separator: ", ")))"
    }
    throw Failure("a choice has no alternatives")
  }

  private func add(
    _ sample: Sample, _ parameter: Parameter, _ endpoint: Endpoint, to expected: inout Expectation,
    isArgument: Bool = true
  ) {
    if isArgument { expected.arguments.append("\"\(parameter.wire)\":\(sample.json)") }
    switch parameter.place {
    case .path: expected.path = expected.path.replacing("{\(parameter.wire)}", with: Self.encoded(sample.text))
    case .query: expected.query.append("\(parameter.wire)=\(sample.text)")
    case .header: expected.headers.append("\(parameter.wire): \(sample.text)")
    case .body: expected.body = sample.json
    case .field:
      if endpoint.body == "json" {
        expected.members.append("\"\(parameter.wire)\":\(sample.json)")
      } else {
        expected.fields.append("\(parameter.wire)=\(sample.text)")
      }
    }
  }

  private func expectation(_ expected: Expectation, _ endpoint: Endpoint) -> String {
    func list(_ texts: [String]) -> String { "[" + texts.map { "\"\($0)\"" }.joined(separator: ", ") + "]" }
    var parts = ["\"\(endpoint.verb) \(expected.path)\""]
    if !expected.query.isEmpty { parts.append("query: \(list(expected.query))") }
    if !expected.headers.isEmpty { parts.append("headers: \(list(expected.headers))") }
    if let body = expected.body {
      parts.append("body: .json(#\"\(body)\"#)")
    } else if endpoint.body == "json" {
      parts.append("body: .json(#\"{\(expected.members.joined(separator: ","))}\"#)")
    } else if let body = endpoint.body {
      parts.append("body: .\(body)(\(list(expected.fields)))")
    }
    return parts.joined(separator: ", ")
  }

  /// Percent-encoding of a path's segment (RFC 3986 §2.3).
  private static func encoded(_ text: String) -> String {
    text.utf8.map { byte in
      let character = Character(Unicode.Scalar(byte))
      let isPlain = character.isASCII && (character.isLetter || character.isNumber || "-._~".contains(character))
      return isPlain ? String(character) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }
}
