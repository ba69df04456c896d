import Foundation

/// A block of Swift in a Markdown file, or a step of a tutorial, which has its own Swift file.
struct CodeBlock {
  var file: String
  /// The line of the opening fence, from 1; of a file, its first line.
  var line: Int
  /// Without blank lines, and without the space before and after each line: a compiled copy is indented.
  var lines: [String]

  /// Reads the blocks that begin with ```` ```swift ````.
  static func all(in text: String, file: String) -> [CodeBlock] {
    var blocks: [CodeBlock] = []
    var open: (fence: Substring, isSwift: Bool)?
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let content = line.drop { $0 == " " }
      if let (fence, isSwift) = open {
        if content.hasPrefix(fence), content.allSatisfy({ $0 == "`" || $0 == " " }) {
          open = nil
        } else if isSwift {
          blocks[blocks.count - 1].lines += condensed(line)
        }
      } else if content.hasPrefix("```") {
        let fence = content.prefix { $0 == "`" }
        let language = content.dropFirst(fence.count).prefix { $0.isLetter }
        open = (fence, language == "swift")
        if language == "swift" { blocks.append(CodeBlock(file: file, line: index + 1, lines: [])) }
      }
    }
    return blocks
  }

  /// The text's lines as blocks have them.
  static func condensed(_ text: some StringProtocol) -> [String] {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
  }

  /// A part of a package's manifest cannot be compiled with other source text.
  var isManifest: Bool {
    ["// Package.swift", "// swift-tools-version"].contains { lines.first?.hasPrefix($0) == true }
  }

  /// Imports are at the top of a file, however far that is from the function with the rest of the block.
  private var imports: [String] { lines.filter { $0.hasPrefix("import ") || $0.hasPrefix("@testable import ") } }

  /// Whether a source text has the block, line by line and without a gap.
  func occurs(in source: [String]) -> Bool {
    let imports = Set(imports)
    let statements = lines.filter { !imports.contains($0) }
    guard !lines.isEmpty, imports.isSubset(of: source) else { return false }
    guard !statements.isEmpty else { return true }
    guard source.count >= statements.count else { return false }
    return (0...(source.count - statements.count)).contains { start in
      source[start..<(start + statements.count)].elementsEqual(statements)
    }
  }
}
