import Foundation
import Testing

/// Checks that the documentation's code compiles: each block is in a file of `Snippets`, word for word. Blocks that need libpq are
/// compiled by the tests that need it, too.
@Suite("Swift in the documentation")
struct SnippetTests {
  private static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The Markdown files at the top, in `Documentation` and `spec`, and one folder below `Examples`.
  private static func documents() throws -> [String] {
    let files = FileManager.default
    func pages(_ folder: String) throws -> [String] {
      try files.contentsOfDirectory(atPath: package.appendingPathComponent(folder).path)
        .filter { $0.hasSuffix(".md") }.map { folder.isEmpty ? $0 : "\(folder)/\($0)" }
    }
    let examples = try files.contentsOfDirectory(atPath: package.appendingPathComponent("Examples").path)
      .filter { !$0.hasPrefix(".") }
    return try (pages("") + pages("Documentation") + pages("spec") + examples.flatMap { try pages("Examples/\($0)") })
      .sorted()
  }

  /// The Swift files in the DocC catalogues: the steps of tutorials.
  private static func steps() throws -> [CodeBlock] {
    let sources = package.appendingPathComponent("Sources").path
    let files = FileManager.default.enumerator(atPath: sources)?.compactMap { $0 as? String } ?? []
    return try files.filter { $0.contains(".docc/") && $0.hasSuffix(".swift") }.sorted().map {
      CodeBlock(file: "Sources/\($0)", line: 1, lines: CodeBlock.condensed(try text("Sources/\($0)")))
    }
  }

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: package.appendingPathComponent(path), encoding: .utf8)
  }

  @Test("Each block is compiled with the tests")
  func blocks() throws {
    let folders = [
      "Tests/DocumentationTests/Snippets", "Tests/Fleet/CallsignPostgresTests/Snippets",
      "Tests/Servers/CallsignMockTests/Snippets",
      "Tests/Runtime/CallsignObservabilityTests/Tests/CallsignObservabilityTests",
      "Examples/OpenAI/Tests/OpenAIKitTests",
    ]
    let sources = try folders.flatMap { folder in
      try FileManager.default.contentsOfDirectory(atPath: Self.package.appendingPathComponent(folder).path)
        .filter { $0.hasSuffix(".swift") }
        .map { CodeBlock.condensed(try Self.text("\(folder)/\($0)")) }
    }
    let steps = try Self.steps()
    #expect(steps.count > 5)
    let blocks = try Self.documents().flatMap { CodeBlock.all(in: try Self.text($0), file: $0) } + steps
    #expect(blocks.contains { $0.file == "README.md" && !$0.isManifest })
    for block in blocks where !block.isManifest {
      #expect(
        sources.contains { block.occurs(in: $0) },
        """
        \(block.file):\(block.line): no file in \(folders.joined(separator: " or ")) has this block, so nothing says that it compiles:
        \(block.lines.joined(separator: "\n"))
        """)
    }
  }

  @Test("A block that is nowhere, or only in parts, is found out")
  func differences() {
    let markdown =
      "Text\n\n```swift\nimport XAPI\n\nlet a = 1\n  let b = 2\n```\n\n```console\nlet c\n```\n```swift\n```\n"
    let blocks = CodeBlock.all(in: markdown, file: "x.md")
    #expect(blocks.map(\.lines) == [["import XAPI", "let a = 1", "let b = 2"], []])
    #expect(blocks.map(\.line) == [3, 13])
    #expect(blocks[0].occurs(in: ["import Foundation", "import XAPI", "func f() {", "let a = 1", "let b = 2", "}"]))
    #expect(!blocks[0].occurs(in: ["func f() {", "let a = 1", "let b = 2", "}"]))
    #expect(!blocks[0].occurs(in: ["import XAPI", "let a = 1", "print(a)", "let b = 2"]))
    #expect(!blocks[0].occurs(in: ["import XAPI", "let a = 1"]))
    #expect(!blocks[0].occurs(in: ["import XAPI", "let a = 1", "let b = 3"]))
    #expect(!blocks[1].occurs(in: ["anything"]))
  }
}
