import CallsignCatalogue
import CallsignGenerator
import ChildProcesses
import Foundation
import TestSupport
import Testing

/// Whatever a catalogue's texts and names contain, the generated Swift parses and contains nothing else.
@Suite struct HostileTextTests {
  private static let pieces = [
    "\"", "\\", "\\(", "*/", "/*", "///", "\n", "\r\n", "\u{2028}", "\u{0}", "\u{7}", "\u{7F}", "\u{FEFF}", "\u{202E}",
    "\u{1F600}", "`", "``", "```", "\"\"\"", "#\"", "\\u{", "}", "{", "$0", "#if", "é", "日本", " ", "fatalError()", "-",
    "//", "import Foundation", "'", "%", "\t", "\u{0301}", "@", "class", "self", "Type", "1",
  ]

  @Test("Any text in a catalogue becomes Swift that parses") func anyTextParses() throws {
    var random = SeededGenerator(seed: 4_2026)
    func text(_ limit: Int = 6) -> String {
      (0..<Int.random(in: 0...limit, using: &random)).map { _ in Self.pieces.randomElement(using: &random) ?? "" }
        .joined()
    }
    func name(_ prefix: String, _ index: Int) -> String { text(3) + prefix + String(index) + text(2) }

    let folder = try TemporaryFolder()
    var paths: [String] = []
    for round in 0..<40 {
      let string = TypeReference(.scalar(.string), isOptional: true, constraints: Constraints(pattern: text()))
      let parameters = (0..<4).map { index in
        Parameter(
          name: name("p", index), place: [.query, .header, .field, .query][index], type: string, summary: text(),
          deprecation: Deprecation(message: text()))
      }
      let endpoint = Endpoint(
        name: name("call", 0), method: "POST", path: "/" + text(), summary: text(), details: text(12),
        documentation: text(), auth: [AuthRequirement(scheme: text(), scopes: [text(), text()])],
        limits: [RateLimit(subject: text(), requests: 1, windowSeconds: 1)],
        deprecation: Deprecation(message: text()), parameters: parameters,
        body: BodyFormat.allCases.randomElement(using: &random),
        rules: [ParameterRule(kind: .anyOf, parameters: parameters.map(\.name))],
        returns: TypeReference(.named("Model")))
      let fields = (0..<3).map { index in
        Field(name: name("f", index), type: string, summary: text(), deprecation: Deprecation(message: text()))
      }
      let models = [
        Model(name: "Model", summary: text(), documentation: text(), shape: .object(fields: fields, extra: nil)),
        Model(
          name: name("Enum", 1), shape: .enumeration((0..<3).map { EnumCase(value: name("v", $0), summary: text()) })),
        Model(
          name: name("Union", 2),
          shape: .union(
            Union(
              tag: text(),
              variants: [Union.Variant(tags: [text(), text() + "2"], type: TypeReference(.named("Model")))]))),
        Model(name: name("Alias", 3), summary: text(), shape: .alias(string)),
      ]
      let catalogue = Catalogue(
        api: API(
          name: "API\(round)", summary: text(), documentation: text(),
          hosts: [CatalogueHost(name: "a", url: "https://" + text())]),
        groups: [Group(name: "g", file: "some/\(text())/file\(text()).yaml", endpoints: [endpoint], models: models)])
      for file in Generator().generate(catalogue) {
        let path = "hostile\(round).swift"
        try folder.write(file.text, to: path)
        paths.append(folder.url.appendingPathComponent(path).path)
        // The text of a summary never becomes code.
        for line in file.text.split(separator: "\n") where line.contains("fatalError()") {
          let code = line.drop { $0 == " " }
          #expect(code.hasPrefix("//") || code.contains("\""), "\(line)")
        }
      }
    }
    #expect(try parse(paths) == "")
  }

  /// The compiler's messages about the files, without type checking; empty if it accepts them.
  private func parse(_ paths: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["swiftc", "-frontend", "-parse", "-swift-version", "6"] + paths
    let pipe = Pipe.forChildProcess()
    process.standardError = pipe
    process.standardOutput = pipe
    try process.start()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let text = String(decoding: output, as: UTF8.self)
    return process.terminationStatus == 0 ? text : "status \(process.terminationStatus)\n" + text
  }
}
