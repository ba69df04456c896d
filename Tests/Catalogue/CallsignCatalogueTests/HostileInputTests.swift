import CallsignCatalogue
import CatalogueTestSupport
import Foundation
import Testing

@Suite("Hostile files get an error, in bounded time and memory", .timeLimit(.minutes(10)))
struct HostileInputTests {
  private func problems(_ bytes: [UInt8]) -> [String] {
    CatalogueLoader().load(files: [CatalogueSource(path: "a.yaml", bytes: bytes)]).diagnostics.map(\.description)
  }

  private func problems(_ text: String) -> [String] { problems(Array(text.utf8)) }

  @Test("other encodings are named")
  func encodings() {
    #expect(problems([0xFF, 0xFE, 0x61, 0x00]) == ["a.yaml:1:1: error: the file is UTF-16; save it as UTF-8"])
    #expect(problems([0xFE, 0xFF, 0x00, 0x61]) == ["a.yaml:1:1: error: the file is UTF-16; save it as UTF-8"])
    #expect(
      problems([0xFF, 0xFE, 0x00, 0x00, 0x61]) == ["a.yaml:1:1: error: the file is UTF-32; save it as UTF-8"])
    #expect(
      problems(Array("group:\n  summary: é".utf8) + [0xE9, 0x0A]) == [
        "a.yaml:2:13: error: this is not UTF-8; save the file as UTF-8"
      ])
  }

  @Test("a UTF-8 byte order mark is skipped")
  func byteOrderMark() throws {
    let result = CatalogueLoader().load(files: [
      CatalogueSource(path: "a.yaml", bytes: [0xEF, 0xBB, 0xBF] + Array((shopAPI + "models: {A: Strin}").utf8))
    ])
    #expect(
      result.diagnostics.map(\.description) == ["a.yaml:6:13: error: unknown type `Strin`; did you mean `string`?"])
  }

  @Test("control characters")
  func controlCharacters() {
    let advice = "cannot be in YAML; remove it, or write it as an escape inside double quotes"
    #expect(problems("group:\n  summary: a\u{0}b") == ["a.yaml:2:13: error: the control character U+0000 \(advice)"])
    #expect(problems("a\u{1B}[31m: b") == ["a.yaml:1:2: error: the control character U+001B \(advice)"])
  }

  @Test("control characters of a name are escapes in a message, which so stays a line and moves no terminal's cursor")
  func escapedControlCharacters() {
    let found = problems(#""a\e[2J\nb.yaml:1:1: error: \u009b": {}"#)
    let first = #"a.yaml:1:1: error: unknown key `a\u{1B}[2J\u{A}b.yaml:1:1: error: \u{9B}`"#
    #expect(found.contains { $0.hasPrefix(first) })
    #expect(found.allSatisfy { $0.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control } })
  }

  @Test("columns count characters, and every line break that YAML knows counts as one")
  func placesBeyondASCII() {
    let text = "# é\r\n# b\r# c\u{85}# d\u{2028}group: {\"summary\": \"日本\", hots: x}\n"
    #expect(
      load(["a.yaml": shopAPI, "b.yaml": text]).diagnostics.map(\.description) == [
        "b.yaml:5:26: error: unknown key `hots` in `group`; did you mean `host`?"
      ])
  }

  enum Nesting: String, CaseIterable {
    case brackets, braces, dashes, questionMarks, indentation

    var text: String {
      switch self {
      case .brackets: String(repeating: "[", count: 2_000_000)
      case .braces: String(repeating: "{a: ", count: 500_000)
      case .dashes: String(repeating: "- ", count: 500_000)
      case .questionMarks: String(repeating: "? ", count: 500_000)
      case .indentation: (0..<1_500).map { String(repeating: " ", count: $0) + "a:\n" }.joined()
      }
    }
  }

  @Test("deep nesting", arguments: Nesting.allCases)
  func deepNesting(nesting: Nesting) {
    let found = problems(nesting.text)
    #expect(found.count == 1)
    #expect(found.first?.contains("nests more than 48 levels deep") == true)
  }

  @Test("nesting that YAML's parser takes, but no catalogue has")
  func fairlyDeepNesting() {
    for depth in [60, 900] {
      let found = problems(
        "models: {A: " + String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + "}")
      #expect(
        found == ["a.yaml:1:60: error: this nests more than 48 levels deep; a catalogue needs no more than a dozen"])
    }
  }

  @Test("a type that nests deep")
  func deepType() {
    let type = String(repeating: "[", count: 100_000)
    expectProblems(
      "models:\n  A: \"\(type)\"", "2:39: error: types nest at most 32 deep; name one")
  }

  @Test("aliases that expand beyond the memory")
  func aliasBomb() {
    var text = "a0: &a0 [x, x]\n"
    for level in 1...60 { text += "a\(level): &a\(level) [*a\(level - 1), *a\(level - 1)]\n" }
    let message =
      "aliases such as `*a0` are not part of the format; write the value out, or give the type a name "
      + "under `models:`"
    #expect(problems(text) == ["a.yaml:2:10: error: \(message)"])
    // As a key, where merely comparing it would take for ever.
    #expect(problems(text.replacingOccurrences(of: "a60: ", with: "? ")).count == 1)
    for glued in ["{\"a\":*a}", "[x,*a]", "\n- *a", "\u{85} *a"] {
      #expect(problems("x: &a 1\ny: \(glued)").first?.contains("aliases such as `*a`") == true, "\(glued)")
    }
    for malformed in ["- *a", "!t *a"] {
      #expect(problems("x: &a 1\ny: \(malformed)").first?.contains("invalid YAML") == true, "\(malformed)")
    }
  }

  @Test("a file is refused by its size")
  func hugeFile() {
    #expect(
      problems([UInt8](repeating: 0x61, count: 100_000_000)) == [
        "a.yaml:1:1: error: the file has 100 MB; a catalogue file may have 8 MB: split it by groups of endpoints"
      ])
  }

  @Test("huge scalars, keys and lists end in an error")
  func hugeScalars() {
    let huge = String(repeating: "x", count: 4_000_000)
    #expect(problems("group: {summary: \"\(huge)\"}").count == 1)
    #expect(!problems("\"\(huge)\": 1").isEmpty)
    #expect(!problems("models: {A: \"\\u0065num [\(huge)\", B: \"string(/\(huge)\"}").isEmpty)
    #expect(!problems("models:\n  A: enum [\(String(repeating: "a,", count: 100_000))]").isEmpty)
    #expect(!problems("endpoints:\n  a:\n    call: GET /\(String(repeating: "{a}", count: 2_000))").isEmpty)
  }

  @Test("many slips, many duplicates")
  func manyProblems() {
    let slips = (0..<4_000).map { "  M\($0): Modle\($0)\n" }.joined()
    #expect(problems("models:\n" + slips).count == 4_001)
    let duplicates = "models:\n" + String(repeating: "  A: int\n", count: 200)
    #expect((1...20).contains(problems(duplicates).count))
  }

  @Test("a chain of many thousand models, and one that ends in itself")
  func longChains() {
    let structs = (0..<20_000).map { "  M\($0): {n: M\($0 + 1)}\n" }.joined()
    let aliases = (0..<20_000).map { "  A\($0): A\($0 + 1)\n" }.joined()
    let text = "models:\n" + structs + "  M20000: {n: M0}\n" + aliases + "  A20000: A0\n"
    #expect(loadShop(text).diagnostics.count == 2)
  }

  @Test("a good file that ends anywhere is an error or a catalogue, never a crash")
  func truncatedFile() {
    let bytes = Array(Samples.everything.utf8)
    for count in stride(from: 0, to: bytes.count, by: 7) { _ = problems(Array(bytes.prefix(count))) }
    #expect(problems(bytes) == [])
  }
}
