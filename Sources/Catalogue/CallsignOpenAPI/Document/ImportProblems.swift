import CallsignCatalogue
import CallsignSupport
import Foundation

/// A reason why a document cannot be imported at all.
public enum ImportError: CallsignError, Equatable {
  /// The text is not valid JSON or YAML; `line` and `column` count from 1.
  case syntax(message: String, line: Int, column: Int)
  /// The text is JSON or YAML, but not an OpenAPI 3 document.
  case notOpenAPI(String)
  /// A `$ref` leads nowhere, into another document, or back to itself.
  case reference(String, at: String)
  /// Values are nested deeper than in any real document.
  case tooDeep(at: String)
  /// Aliases expand the document to more values than any real one has.
  case tooLarge
  /// The document contradicts the OpenAPI specification at this place.
  case invalid(String, at: String)
  /// The overlay has errors, in itself or in combination with the document.
  case overlay([Diagnostic])

  /// The problem without its location.
  package var reason: String {
    switch self {
    case .syntax(let message, _, _), .notOpenAPI(let message): message
    case .overlay(let diagnostics): diagnostics.map(\.description).joined(separator: "\n")
    case .reference(let message, _), .invalid(let message, _): message
    case .tooDeep: "nested too deeply; give the inner schemas names under #/components/schemas"
    case .tooLarge: "the document's YAML aliases multiply it to many times its size; write their values out"
    }
  }

  /// The location in the document, if there is one, and what to do.
  public var description: String {
    switch self {
    case .syntax(_, let line, let column): "\(line):\(column): \(reason)"
    case .notOpenAPI, .tooLarge, .overlay: reason
    case .reference(_, let pointer), .tooDeep(let pointer), .invalid(_, let pointer): "\(pointer): \(reason)"
    }
  }
}

/// A part of the document that the catalogue states differently or not at all.
public struct ImportWarning: Sendable, Hashable, CustomStringConvertible {
  /// How serious a warning is.
  public enum Severity: String, Sendable {
    /// A caller may miss it.
    case warning
    /// Good to know; nothing is lost that a caller would use.
    case note
  }

  /// How serious the warning is.
  public var severity: Severity
  /// Describes the difference and names the operation, parameter or schema.
  public var message: String
  /// The location in the document, as a JSON pointer (RFC 6901) in URI form.
  public var pointer: String

  /// Creates a warning or note about a place in the document.
  public init(_ severity: Severity, _ message: String, at pointer: String) {
    self.severity = severity
    self.message = message
    self.pointer = pointer
  }

  /// `pointer: severity: message`
  public var description: String { "\(pointer): \(severity.rawValue): \(message)" }

  private static let missingSummary = "has no summary"

  /// Reports that an operation has no summary.
  ///
  /// - Parameter isInDocument: Whether the document has a summary that was not to be copied.
  static func missingSummary(of operation: String, isInDocument: Bool) -> String {
    let reason = isInDocument ? ": `--summaries` copies the document's" : ""
    return "`\(operation)` \(missingSummary)\(reason); write one in the overlay"
  }

  /// Whether it only says that a person should write a sentence about an operation.
  package var isAboutSummary: Bool { message.contains("` \(Self.missingSummary)") }

  /// The maximum number of warnings that differ only in names and are still shown one by one.
  private static let maximumLike = 3

  /// The warnings to show to a person. If several say the same about many places, only the first is shown, with their number.
  /// Warnings also count as the same if there are more than a few that differ only in the names in them.
  package static func told(_ warnings: [ImportWarning]) -> [ImportWarning] {
    struct Kind: Hashable {
      var severity: Severity
      var message: String
    }
    var counts: [Kind: Int] = [:]
    var exactCounts: [Kind: Int] = [:]
    let kinds = warnings.map { Kind(severity: $0.severity, message: withoutNames($0.message)) }
    for (warning, kind) in zip(warnings, kinds) {
      counts[kind, default: 0] += 1
      exactCounts[Kind(severity: warning.severity, message: warning.message), default: 0] += 1
    }
    return zip(warnings, kinds).compactMap { warning, kind in
      let exact = Kind(severity: warning.severity, message: warning.message)
      let isAlike = counts[kind].map { $0 > maximumLike } ?? true
      let count =
        isAlike || warning.isAboutSummary ? counts.removeValue(forKey: kind) : exactCounts.removeValue(forKey: exact)
      guard let count else { return nil }
      return ImportWarning(warning.severity, warning.message + others(count), at: warning.pointer)
    }
  }

  /// The message without the texts in backticks.
  private static func withoutNames(_ message: String) -> String {
    message.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .map { $0.isMultiple(of: 2) ? String($1) : "" }.joined(separator: "`")
  }

  /// The end of a message that is shown once: it says that other places are also affected.
  fileprivate static func others(_ count: Int) -> String {
    switch count {
    case 1: ""
    case 2: ", here and in 1 other place"
    default: ", here and in \(count - 1) other places"
    }
  }
}

/// Collects the warnings of an import in order, each once.
final class ImportLog {
  /// Whether a broken part ends the import instead of being repaired with a warning.
  let isStrict: Bool
  private(set) var warnings: [ImportWarning] = []
  private var seen: Set<ImportWarning> = []
  private var counts: [(severity: ImportWarning.Severity, message: String, first: String, count: Int)] = []
  private var positions: [String: Int] = [:]
  private var countedPlaces: Set<String> = []

  /// The file that is being read, if it is not the document itself.
  var file = ""
  /// The paths of files that were included in the document, by their names under `x-files`.
  var files: [String: String] = [:]

  init(isStrict: Bool = false) { self.isStrict = isStrict }

  /// Maps places back to the original document if it is Swagger 2.0.
  var swaggerPlaces: SwaggerPlaces?

  /// Replaces places in files with those that readers know: `pets.yaml#/Pet` for `#/x-files/pets/Pet`.
  func readable(_ text: String) -> String {
    let text = swaggerPlaces == nil ? text : SwaggerPlaces.text(text)
    let sign = "#/x-files/"
    guard !files.isEmpty, text.contains(sign) else { return text }
    let parts = text.components(separatedBy: sign)
    return parts.dropFirst().reduce(parts[0]) { result, part in
      // The longest name at the start of the text that ends at the text's end or before a sign that no name contains.
      let ends = part.indices.filter { "/`:;, ".contains(part[$0]) } + [part.endIndex]
      let names = ends.lazy.reversed().map { String(part[..<$0]) }
      guard let name = names.first(where: { files[$0] != nil }), let path = files[name] else {
        return result + sign + part
      }
      return "\(result)\(path)#\(part.dropFirst(name.count))"
    }
  }

  /// The warnings, with the places that readers know.
  var readableWarnings: [ImportWarning] {
    warnings.map { ImportWarning($0.severity, readable($0.message), at: readablePlace($0.pointer)) }
  }

  private func readablePlace(_ pointer: String) -> String { readable(swaggerPlaces?.place(pointer) ?? pointer) }

  /// The error, with the places that its readers know.
  func readable(_ error: ImportError) -> ImportError {
    switch error {
    case .reference(let message, let place): .reference(readable(message), at: readablePlace(place))
    case .invalid(let message, let place): .invalid(readable(message), at: readablePlace(place))
    case .tooDeep(let place): .tooDeep(at: readablePlace(place))
    case .notOpenAPI(let message): .notOpenAPI(readable(message))
    case .syntax, .tooLarge, .overlay: error
    }
  }

  /// Reads a part of the document that may be broken.
  ///
  /// - Parameters:
  ///   - consequence: What happens to a broken part, such as "the parameter is left out".
  ///   - place: The location of the part.
  /// - Returns: The part; `nil` if it is broken, which has been reported.
  /// - Throws: The part's error, if the import is strict.
  func repairing<Part>(
    _ consequence: String, at place: String, _ read: () throws(ImportError) -> Part
  ) throws(ImportError) -> Part? {
    do throws(ImportError) {
      return try read()
    } catch {
      if isStrict { throw error }
      warn("\(error.reason); \(consequence)", at: place)
      return nil
    }
  }

  func warn(_ message: String, at pointer: String) { add(ImportWarning(.warning, message, at: pointer)) }
  func note(_ message: String, at pointer: String) { add(ImportWarning(.note, message, at: pointer)) }

  /// Reports a duplicate key in an object. In JSON the last one counts, in YAML the first.
  ///
  /// - Throws: A syntax error, if the import is strict.
  func noteDuplicate(_ key: String, line: Int, column: Int, counts: String) throws(ImportError) {
    if isStrict { throw .syntax(message: "the key `\(key)` appears twice", line: line, column: column) }
    warn("the key `\(key)` appears twice (\(line):\(column)); the \(counts) one counts", at: file + "#")
  }

  /// Counts a keyword that only documents a value, to report it once with the number of occurrences.
  func countUnsaid(keyword: String, at pointer: String) {
    count("the catalogue has no word for `\(keyword)`", at: pointer)
  }

  /// Counts something that a document may contain in hundreds of places, to report it once with the number of occurrences.
  func count(_ message: String, _ severity: ImportWarning.Severity = .note, at pointer: String) {
    // A shared parameter is read by every operation that uses it.
    guard countedPlaces.insert("\(message) \(pointer)").inserted else { return }
    if let position = positions[message] {
      counts[position].count += 1
    } else {
      positions[message] = counts.count
      counts.append((severity, message, pointer, 1))
    }
  }

  /// The first path that was left out and the reason, as the end of a sentence; empty if there is none.
  var firstPathLeftOut: String {
    let warning = warnings.first { $0.severity == .warning && $0.pointer.hasPrefix("#/paths/") }
    return warning.map { "; the first at fault is \($0.pointer): \($0.message)" } ?? ""
  }

  func tellCounts() {
    for entry in counts {
      add(ImportWarning(entry.severity, entry.message + ImportWarning.others(entry.count), at: entry.first))
    }
    (counts, positions) = ([], [:])
  }

  private func add(_ warning: ImportWarning) {
    if seen.insert(warning).inserted { warnings.append(warning) }
  }
}
