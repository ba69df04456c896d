import CallsignYAML
import Foundation
import TestSupport
import Testing

@Suite("Any text is read or refused, with a place inside it", .timeLimit(.minutes(10)))
struct YAMLFuzzTests {
  private static let pieces = [
    "[", "]", "{", "}", ": ", ":", "- ", "? ", "&a ", "&b ", "*a", "*b ", "!t ", "!!str ", "|\n", ">-\n", "|9", "'",
    "\"", "\\u0041", "\\ud800", "\\", "#", " #", "\n", "\r", "\r\n", "\t", "  ", "key", "key: ", "é", "日", "\u{2028}",
    "\u{85}", "\u{0}", "---\n", "...\n", "<<: ", "%YAML 1.1\n", "%TAG ! x\n", "\u{FEFF}", "~", ",", "@", "`", "x y",
  ]

  private func check(_ bytes: [UInt8], _ rules: YAMLDocument.Rules) {
    let lines = bytes.count { $0 == 0x0A || $0 == 0x0D || $0 == 0x85 || $0 == 0xA8 || $0 == 0xA9 } + 1
    let isInside = { (line: Int, column: Int) in
      (1...lines + 1).contains(line) && (1...bytes.count + 1).contains(column)
    }
    do {
      let document = try YAMLDocument(bytes, rules: rules)
      if let root = document.root {
        #expect(depth(root, isInside: isInside) <= rules.maximumDepth, "\(bytes)")
      }
      for key in document.duplicateKeys {
        #expect(isInside(key.first.line, key.first.column) && isInside(key.second.line, key.second.column))
      }
    } catch {
      #expect(isInside(error.line, error.column), "\(error) \(bytes)")
    }
  }

  /// The number of lists and mappings around the deepest value.
  private func depth(_ node: YAMLNode, isInside: (Int, Int) -> Bool) -> Int {
    #expect(isInside(node.line, node.column))
    switch node.content {
    case .scalar: return 0
    case .list(let nodes): return nodes.map { depth($0, isInside: isInside) + 1 }.max() ?? 0
    case .mapping(let mapping):
      return mapping.entries.flatMap { [$0.key, $0.value] }.map { depth($0, isInside: isInside) + 1 }.max() ?? 0
    }
  }

  @Test("random pieces of YAML", arguments: 0..<4 as Range<UInt64>)
  func pieces(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for round in 0..<1_500 {
      var text = ""
      for _ in 0..<Int.random(in: 1...40, using: &generator) {
        text += Self.pieces.randomElement(using: &generator) ?? ""
      }
      let aliases: [YAMLDocument.Rules.Aliases] = [.refused, .ofScalars, .allowed]
      check(Array(text.utf8), .init(maximumDepth: round % 7, aliases: aliases[round % 3]))
    }
  }

  @Test("random bytes", arguments: 0..<2 as Range<UInt64>)
  func bytes(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<1_000 {
      let count = Int.random(in: 0...60, using: &generator)
      let bytes = (0..<count).map { _ in
        // Letters would be most of the text and test nothing.
        Bool.random(using: &generator)
          ? UInt8.random(in: 0x0A...0x40, using: &generator) : UInt8.random(in: .min ... .max, using: &generator)
      }
      check(bytes, .init(maximumDepth: 8, aliases: .allowed))
    }
  }

  @Test(
    "a tree of the greatest depth fits the stack of a thread of Swift concurrency on Apple's systems",
    .needs(.plainMemory))
  func smallStack() {
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      for text in [String(repeating: "[", count: 200), String(repeating: "- ", count: 200)] {
        check(
          Array((text + "x" + String(repeating: "]", count: text.first == "[" ? 200 : 0)).utf8),
          .init(maximumDepth: 200, aliases: .allowed))
      }
      done.signal()
    }
    thread.stackSize = 512 << 10
    thread.start()
    done.wait()
  }
}
