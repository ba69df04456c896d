import Yams

/// Turns the text of a file into nodes with places, and what is wrong with its YAML into diagnostics.
///
/// Yams composes by recursion, as deep as libyaml lets a document nest (1,000 levels), so this runs on a thread with
/// a stack that holds that; see ``DeepStack``.
struct YAMLReader {
  /// What nests deeper is no catalogue. Everything behind the reader relies on this bound.
  static let maximumDepth = 48
  /// So many duplicate keys are reported for a file; each costs another parse.
  private static let maximumDuplicates = 16

  private(set) var diagnostics: [Diagnostic] = []
  private let source: SourceText
  private var isTooDeep = false

  init(_ source: SourceText) { self.source = source }

  /// The document's root; `nil` when it is empty or has errors that leave nothing to look at.
  mutating func root() -> YAMLNode? {
    if let alias = AliasScan.firstAlias(in: source.bytes) {
      let place = source.position(ofByte: alias.offset)
      report(
        "aliases such as `*\(alias.name)` are not part of the format; write the value out, or give the type a name "
          + "under `models:`", line: place.line, column: place.column)
      return nil
    }
    var text = source
    for _ in 0...Self.maximumDuplicates {
      do throws(YAMLProblem) {
        guard let node = try Self.compose(text) else { return nil }
        let root = convert(node, depth: 0)
        return isTooDeep ? nil : root
      } catch {
        switch error {
        case .syntax(let message, let line, let column):
          report(message, line: line, column: column)
          return nil
        case .duplicateKey(let name, let line, let column):
          let second = DuplicateKey(name: name, firstLine: line, firstColumn: column).second(in: text)
          let place = second.map { text.position(ofByte: $0) } ?? (line, column)
          reportDuplicate(name, first: line, at: place)
          // With the second key renamed the rest of the file can be checked in the same run.
          guard let second, let renamed = Self.renameKey(at: second, in: text, number: diagnostics.count) else {
            return nil
          }
          text = renamed
        }
      }
    }
    return nil
  }

  private mutating func reportDuplicate(_ name: String, first: Int, at place: (line: Int, column: Int)) {
    report(
      "the key `\(name)` is in this mapping already, in line \(first); remove or rename one",
      line: place.line, column: place.column)
  }

  private mutating func report(_ message: String, line: Int, column: Int) {
    diagnostics.append(
      Diagnostic(.error, message, at: SourceLocation(file: source.file, line: line, column: column)))
  }

  // MARK: Yams

  private enum YAMLProblem: Error {
    case syntax(message: String, line: Int, column: Int)
    case duplicateKey(name: String, line: Int, column: Int)
  }

  private static func compose(_ source: SourceText) throws(YAMLProblem) -> Yams.Node? {
    do {
      let text = String(decoding: source.bytes, as: UTF8.self)
      // Without resolver rules every scalar is text; `1` and `"1"` are the same key.
      return try Parser(yaml: text, resolver: .basic, encoding: .utf8).singleRoot()
    } catch let error as YamlError {
      throw problem(error, in: source)
    } catch {
      throw .syntax(message: "the YAML cannot be read: \(error)", line: 1, column: 1)
    }
  }

  private static func problem(_ error: YamlError, in source: SourceText) -> YAMLProblem {
    switch error {
    case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
      .composer(let context, let problem, let mark, _):
      // A quote that is never closed is found at the end of the file, and mended where it was opened.
      let isOpenQuote = problem.contains("unexpected end of stream") && context?.text.contains("quoted") == true
      let place = isOpenQuote ? context?.mark ?? mark : mark
      return .syntax(
        message: YAMLSyntaxMessage.text(problem: problem, context: context?.text, contextLine: context?.mark.line),
        line: place.line, column: place.column)
    case .duplicatedKeysInMapping(let duplicates, let context):
      return .duplicateKey(name: duplicates.first ?? "", line: context.mark.line, column: context.mark.column)
    case .reader(let problem, _, _, _):
      return .syntax(message: "the YAML cannot be read: \(problem)", line: 1, column: 1)
    default:
      return .syntax(message: "the YAML cannot be read: \(error)", line: 1, column: 1)
    }
  }

  // MARK: Duplicate keys

  /// The first character of a key that was renamed to get past it; from the private use area.
  private static let renamedMarks: ClosedRange<UInt32> = 0xE000...0xE0FF

  private static func renameKey(at offset: Int, in source: SourceText, number: Int) -> SourceText? {
    var bytes = source.bytes
    var start = offset
    if start < bytes.count, bytes[start] == UInt8(ascii: "\"") || bytes[start] == UInt8(ascii: "'") { start += 1 }
    var end = start + 1
    while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
    guard end <= bytes.count, let mark = Unicode.Scalar(renamedMarks.lowerBound + UInt32(number & 0xFF)) else {
      return nil
    }
    bytes.replaceSubrange(start..<end, with: Array(String(mark).utf8))
    return try? SourceText(file: source.file, bytes: bytes)
  }

  private static func isRenamed(_ node: YAMLNode) -> Bool {
    guard case .scalar(let scalar) = node.content, let first = scalar.text.unicodeScalars.first else { return false }
    return renamedMarks.contains(first.value)
  }

  // MARK: Conversion

  private mutating func convert(_ node: Yams.Node, depth: Int) -> YAMLNode {
    let line = node.mark?.line ?? 0
    let column = node.mark?.column ?? 0
    guard depth <= Self.maximumDepth else {
      if !isTooDeep {
        report(
          "this nests more than \(Self.maximumDepth) levels deep; a catalogue needs no more than a dozen", line: line,
          column: column)
      }
      isTooDeep = true
      return YAMLNode(content: .list([]), line: line, column: column)
    }
    switch node {
    case .scalar(let scalar):
      let style: YAMLScalar.Style =
        switch scalar.style {
        case .singleQuoted: .singleQuoted
        case .doubleQuoted: .doubleQuoted
        case .literal, .folded: .block
        case .any, .plain: .plain
        }
      return YAMLNode(
        content: .scalar(YAMLScalar(text: scalar.string, style: style)), line: line, column: column)
    case .sequence(let sequence):
      var nodes: [YAMLNode] = []
      nodes.reserveCapacity(sequence.count)
      for element in sequence { nodes.append(convert(element, depth: depth + 1)) }
      return YAMLNode(content: .list(nodes), line: line, column: column)
    case .mapping(let mapping):
      return YAMLNode(content: .mapping(convert(mapping, line, column, depth)), line: line, column: column)
    case .alias:
      // Yams resolves aliases while composing, and `AliasScan` has refused them before.
      return YAMLNode(content: .list([]), line: line, column: column)
    }
  }

  private mutating func convert(_ mapping: Yams.Node.Mapping, _ line: Int, _ column: Int, _ depth: Int) -> YAMLMapping {
    var entries: [YAMLEntry] = []
    entries.reserveCapacity(mapping.count)
    for (key, value) in mapping {
      let key = convert(key, depth: depth + 1)
      if Self.isRenamed(key) { continue }
      entries.append(YAMLEntry(key: key, value: convert(value, depth: depth + 1)))
    }
    // A block mapping begins where its first key does, one in braces at the brace.
    let isFlow = mapping.first.map { $0.key.mark?.line != line || $0.key.mark?.column != column } ?? true
    return YAMLMapping(entries: entries, isFlow: isFlow)
  }
}
