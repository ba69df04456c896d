import CallsignJSON
import CallsignYAML
import Foundation
import TestSupport
import Testing

@testable import CallsignCommandLine

@Suite("Results as others read them") struct OutputRoundTripTests {
  /// Texts that some reader of YAML takes for something else, or refuses.
  private static let words = [
    "", " ", "a ", " a", "~", "null", "Null", "true", "False", "yes", "No", "no", "on", "off", "y", "N", "nan", ".nan",
    "inf", ".inf", "-.inf", "1", "-1", "+1", "1.5", "1e3", "0x1", "0o7", "0b1", "1_000", "12:30:00", "2001-01-01", "=",
    "<<", "-", "- x", "--- a", "...", "?", "? a", ":", "a: b", "a:", ": a", "#a", "a #b", "a#b", "&a", "*a", "!a",
    "!!str", "|", ">", "%a", "@a", "`a", "[a", "]", "{a", "}", ",", "'a", "\"a", "a'b", "a\"b", "\\", "a\nb", "\n",
    "a\n", "\r\n", "\t", "a\tb", "a \u{2028} b", "a\u{2029}b", "\u{FEFF}a", "a\u{FFFE}", "\u{FFFF}", "\u{85}", "\u{7F}",
    "\u{9F}", "\u{0}", "\u{1B}[1m", "\u{A0}", "\u{10FFFF}", "\u{345}a", "\u{301}", "é", "e\u{301}", "漢字", "👩‍👩‍👧",
  ]

  private static func text(_ generator: inout SeededGenerator) -> String {
    switch Int.random(in: 0...2, using: &generator) {
    case 0: return words.randomElement(using: &generator) ?? ""
    case 1: return generator.text(length: 0...12)
    default:
      let odd = words.randomElement(using: &generator) ?? ""
      return generator.text(length: 0...3) + odd + generator.text(length: 0...3)
    }
  }

  /// Whether a node is the value, and would not be another one to a reader that knows more words than this one.
  private static func isNode(_ node: YAMLNode, _ value: JSONValue) -> Bool {
    switch (node.content, value) {
    case (.scalar(let scalar), .string(let text)):
      let isPlain = scalar.style == .plain
      let others = ["", "~", "null", "true", "false", "yes", "no", "on", "off", "y", "n"]
      let isOther = others.contains(text.lowercased()) || Double(text) != nil
      return scalar.text.unicodeScalars.elementsEqual(text.unicodeScalars) && !(isPlain && isOther)
    case (.scalar(let scalar), .null), (.scalar(let scalar), .bool), (.scalar(let scalar), .integer),
      (.scalar(let scalar), .number), (.scalar(let scalar), .literal):
      return scalar.style == .plain && scalar.text == value.description
    case (.list(let nodes), .array(let elements)):
      return nodes.count == elements.count && zip(nodes, elements).allSatisfy { isNode($0, $1) }
    case (.mapping(let mapping), .object(let members)):
      return mapping.entries.count == members.count
        && mapping.entries.allSatisfy { entry in
          guard case .scalar(let name) = entry.key.content, let index = members.index(forKey: name.text) else {
            return false
          }
          return isNode(entry.key, .string(members[index].key)) && isNode(entry.value, members[index].value)
        }
    default: return false
    }
  }

  @Test("YAML is read as the values that were written") func yaml() throws {
    var generator = SeededGenerator(seed: 5)
    var values = Self.words.map { JSONValue.string($0) }
    for word in Self.words { values.append([.object([word: .string(word)]), .array([.string(word), []])]) }
    for unit in ["n", "\"", "é: "] {
      let name = String(repeating: unit, count: 2000)
      values.append([.object([name: ["a": 1], "b": .object([name: [2]])])])
    }
    for _ in 0..<500 { values.append(generator.json(text: Self.text)) }
    let rules = YAMLDocument.Rules(maximumDepth: 100, aliases: .refused)
    for value in values {
      let text = YAMLOutput.text(of: value) + "\n"
      let document: YAMLDocument
      do throws(YAMLError) { document = try YAMLDocument(Array(text.utf8), rules: rules) } catch {
        Issue.record("\(value) is \(text), which cannot be read: \(error.message)")
        continue
      }
      #expect(document.root.map { Self.isNode($0, value) } == true, "\(value) is \(text)")
      #expect(document.duplicateKeys.isEmpty, "\(text)")
    }
  }

  @Test("Python reads CSV as the texts that were written", .needs(.python)) func csv() async throws {
    var generator = SeededGenerator(seed: 5)
    let names = ["id", "a,b", "c \"d\"\r\n"]
    var rows: [[String]] = []
    for _ in 0..<500 {
      // Python before 3.11 reads no zero bytes.
      rows.append(names.map { _ in Self.text(&generator).replacing("\u{0}", with: "0") })
    }
    let elements = rows.map { row in
      JSONValue.object(Dictionary(uniqueKeysWithValues: zip(names, row.map { JSONValue.string($0) })))
    }
    let program = """
      import csv, io, json, sys
      text = sys.stdin.buffer.read().decode("utf-8")
      print(json.dumps(list(csv.reader(io.StringIO(text, newline="")))))
      """
    let written = Data(Columns(elements, names).csv(withNames: true).utf8)
    let output = try await onThread { try Python.run(program, input: written) }
    let read = try JSONValue(jsonData: output).array ?? []
    #expect(read.count == rows.count + 1)
    for (found, row) in zip(read, [names] + rows) {
      // As JSON, so that no two texts count as one that are written in different ways.
      #expect(Array(found.description.utf8) == Array(JSONValue.array(row.map { .string($0) }).description.utf8))
    }
  }
}
