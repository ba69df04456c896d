/// Something in the document that the catalogue says differently or not at all.
public struct ImportWarning: Sendable, Hashable, CustomStringConvertible {
  public enum Severity: String, Sendable {
    /// A caller may miss it.
    case warning
    /// Good to know; nothing is lost that a caller would use.
    case note
  }

  public var severity: Severity
  public var message: String
  /// Where in the document, as a JSON pointer (RFC 6901) in URI form.
  public var pointer: String

  public init(_ severity: Severity, _ message: String, at pointer: String) {
    self.severity = severity
    self.message = message
    self.pointer = pointer
  }

  public var description: String { "\(pointer): \(severity.rawValue): \(message)" }
}

/// Collects what an import has to say, in the order in which it comes up, each once.
final class ImportLog {
  private(set) var warnings: [ImportWarning] = []
  private var seen: Set<ImportWarning> = []
  private var keywordCounts: [(keyword: String, first: String, count: Int)] = []
  private var countedPlaces: Set<String> = []

  func warn(_ message: String, at pointer: String) { add(ImportWarning(.warning, message, at: pointer)) }
  func note(_ message: String, at pointer: String) { add(ImportWarning(.note, message, at: pointer)) }

  /// Counts a keyword that only documents a value, to be named once with its number.
  func countUnsaid(keyword: String, at pointer: String) {
    // A shared parameter is read by every operation that has it.
    guard countedPlaces.insert("\(keyword) \(pointer)").inserted else { return }
    if let index = keywordCounts.firstIndex(where: { $0.keyword == keyword }) {
      keywordCounts[index].count += 1
    } else {
      keywordCounts.append((keyword, pointer, 1))
    }
  }

  func noteCountedKeywords() {
    for entry in keywordCounts {
      let others = entry.count - 1
      note(
        "the catalogue has no word for `\(entry.keyword)`"
          + (others == 0 ? "" : ", here and in \(others) other \(others == 1 ? "place" : "places")"),
        at: entry.first)
    }
    keywordCounts = []
  }

  private func add(_ warning: ImportWarning) {
    if seen.insert(warning).inserted { warnings.append(warning) }
  }
}
