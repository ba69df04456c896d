import CallsignYAML

/// Parses the text of a file into nodes with locations, and turns YAML errors into diagnostics.
package struct YAMLReader {
  /// The maximum depth. A catalogue nests less deeply, and all code after the reader relies on this bound.
  static let maximumDepth = 48
  /// The maximum number of duplicate keys to report for a file.
  private static let maximumDuplicates = 16

  /// The document's root; `nil` if it is empty, or has errors that leave nothing to examine.
  package private(set) var root: YAMLNode?
  package private(set) var diagnostics: [Diagnostic] = []
  private let file: String

  package init(_ source: SourceText) {
    file = source.file
    do throws(YAMLError) {
      let document = try YAMLDocument(
        source.bytes, rules: .init(maximumDepth: Self.maximumDepth, aliases: .refused))
      root = document.root
      for key in document.duplicateKeys.prefix(Self.maximumDuplicates) {
        report(
          "the key `\(key.name)` is in this mapping already, in line \(key.first.line); remove or rename one",
          line: key.second.line, column: key.second.column)
      }
    } catch {
      // The parser finds an unclosed quote at the end of the file, but the fix belongs where the quote was opened.
      if case .syntax(let problem, let context?) = error.problem, problem.contains("unexpected end of stream"),
        context.text.contains("quoted")
      {
        report(Self.message(error), line: context.line, column: context.column)
      } else {
        report(Self.message(error), line: error.line, column: error.column)
      }
    }
  }

  private mutating func report(_ message: String, line: Int, column: Int) {
    diagnostics.append(Diagnostic(.error, message, at: SourceLocation(file: file, line: line, column: column)))
  }

  // MARK: Messages

  /// Translates libyaml's messages into the user's terms.
  private static func message(_ error: YAMLError) -> String {
    switch error.problem {
    case .syntax(let problem, let context): return message(problem: problem, context: context)
    case .secondDocument:
      return "invalid YAML: a second document begins here; a catalogue file holds one, so remove the `---`"
    case .undefinedAlias: return "invalid YAML: a value cannot begin with `*`; put it in quotes"
    case .alias(let name):
      return "aliases such as `*\(name)` are not part of the format; write the value out, or give the type a name "
        + "under `models:`"
    case .tooDeep:
      return "this nests more than \(maximumDepth) levels deep; a catalogue needs no more than a dozen"
    case .notUTF8, .anchoredCollection, .tooManyNodes, .outOfMemory: return "the YAML cannot be read: \(error.message)"
    }
  }

  private static func message(problem: String, context: YAMLError.Context?) -> String {
    let text = context?.text ?? ""
    if let advice = advice(problem, text) {
      let begun = text.contains("flow") ? context.map { " (from line \($0.line))" } ?? "" : ""
      return "invalid YAML: \(advice)\(begun)"
    }
    guard let context, !text.isEmpty else { return "invalid YAML: \(problem)" }
    return "invalid YAML: \(problem) (\(text), from line \(context.line))"
  }

  private static func advice(_ problem: String, _ context: String) -> String? {
    if problem.contains("mapping keys are not allowed") {
      return "a `?` cannot be here; put a type such as `[T]?` or `{T}?` in quotes"
    }
    if problem.contains("mapping values are not allowed") {
      return "a `:` cannot be here; put a text that contains `: ` in quotes, or check the indentation"
    }
    if problem.contains("found character that cannot start any token") {
      return context.isEmpty || context.contains("token")
        ? "this character cannot begin a value; indent with spaces, and put a text that begins so in quotes" : nil
    }
    if problem.contains("found unexpected end of stream") {
      return context.contains("quoted") ? "the quote that was opened is never closed" : "the file ends in the middle"
    }
    if problem.contains("did not find expected ',' or ']'") {
      return
        "continue a list in brackets with `,` or end it with `]`; after a type such as `[T]?` put all of it in quotes"
    }
    if problem.contains("did not find expected ',' or '}'") {
      return "continue a mapping in braces with `,` or end it with `}`; put a text with `,`, `{` or `[` in quotes"
    }
    if problem.contains("did not find expected key") {
      return "a key was expected; check the indentation, and put a type such as `[T]?` or `{T}?` in quotes"
    }
    if problem.contains("could not find expected ':'") { return "a `:` is missing after the key" }
    return nil
  }
}

extension YAMLNode {
  /// The kind of value, for messages.
  package var kind: String {
    switch content {
    case .scalar: isNull ? "nothing" : "a text"
    case .list: "a list"
    case .mapping: "a mapping"
    }
  }
}

extension YAMLMapping {
  /// The `T` of `{T}`, the map of the type language.
  package var onlyKeyWithoutValue: YAMLNode? {
    guard isFlow, entries.count == 1, let entry = entries.first, entry.value.isNull else { return nil }
    // `{$enum: }` is the long form of a model with a missing part.
    if case .scalar(let scalar) = entry.key.content, scalar.text.hasPrefix("$") { return nil }
    return entry.key
  }

  /// Whether it is written as the map of the type language, `{T}`, at least in part.
  var isTypeForm: Bool { onlyKeyWithoutValue != nil || entries.isEmpty }
}
