import CallsignSupport

/// A part of a document that does not match its type, and that was skipped so that the rest could be read.
///
/// Made for logs, as ``JSONError`` is: it names the place, and never repeats the document's content.
public struct DecodingIssue: Hashable, Sendable, CustomStringConvertible {
  /// How the part reads now.
  public enum Outcome: Hashable, Sendable {
    /// An optional member reads as if it were absent.
    case absent
    /// An element of a list or a value of a map is left out.
    case leftOut
    /// A union holds its unknown case with the original JSON.
    case unknownVariant
    /// A member that always has the same value is missing, or of another kind, and reads as that value.
    case constant
    /// A required member is missing, null or of another kind, and reads as its type's empty value: the empty text, 0, `false`,
    /// no elements, 1970, an unknown case.
    case empty
    /// A text holds U+FFFD in place of an invalid character, or a control character that was not escaped; or the
    /// document began with a byte order mark. All such places of a document are one issue, which names the first.
    case mended
  }

  /// The mistake: its place in the document, such as `data[1].text`, and the byte.
  public let error: JSONError
  /// How the part reads now.
  public let outcome: Outcome
  /// The place of the skipped part, such as `data[1]`: ``path`` itself, or the part that could not be read without it.
  public let omittedPath: String
  /// The kind of value that was found; `nothing` for a required member that is missing.
  public let found: String

  /// The place of the mistake, such as `data[1].text`. A key of a map is `*`, because it is data.
  public var path: String { error.path }
  /// The position of the mistake in the text, in bytes from 0.
  public var offset: Int { error.offset }

  /// The kind of value that the type expects.
  public var expected: String {
    switch error.kind {
    case .mismatch(let expected, _), .invalid(let expected): expected
    case .missing: "a required member"
    default: "JSON"
    }
  }

  /// Describes an issue.
  public init(error: JSONError, outcome: Outcome, omittedPath: String, found: String) {
    self.error = error
    self.outcome = outcome
    self.omittedPath = omittedPath
    self.found = found
  }

  /// The issue of a document that is skipped as a whole.
  package init(undecodable error: JSONError) {
    var found = "something else"
    if case .mismatch(_, let kind) = error.kind { found = kind }
    if case .missing = error.kind { found = "nothing" }
    self.init(error: error, outcome: .leftOut, omittedPath: "", found: found)
  }

  /// One line for people, without line breaks.
  public var description: String {
    let place = omittedPath.isEmpty ? "the document" : omittedPath
    let what =
      switch outcome {
      case .absent: "\(place) reads as absent"
      case .leftOut: "\(place) is left out"
      case .constant: "\(place) reads as what it always is"
      case .empty: "\(place) reads as empty"
      case .unknownVariant: "\(place) is kept as an unknown variant"
      case .mended: "\(place) is read anyway"
      }
    return "\(error); \(what)"
  }

  /// The same issue seen from a document that has the value at a path.
  package func within(_ path: String) -> DecodingIssue {
    DecodingIssue(
      error: error.inMember(path), outcome: outcome,
      omittedPath: JSONError(.missing, path: omittedPath, offset: 0)
        .inMember(path).path, found: found)
  }

  /// ``path`` with `[]` for every index: the same for all elements of a list.
  package var pathWithoutIndices: String {
    var result = String.UnicodeScalarView()
    var isIndex = false
    for scalar in path.unicodeScalars {
      if scalar == "]" { isIndex = false }
      if !isIndex { result.append(scalar) }
      if scalar == "[" { isIndex = true }
    }
    return String(result)
  }
}

/// The state of a tolerant reading: what it has skipped, and where it is.
///
/// Only one reader has it at a time. It is a class so that a reader without one has only a single word to check.
package final class Tolerance {
  /// The most issues that one document's reading keeps; a document may have millions of mistakes.
  package static let issueLimit = 1_000

  package private(set) var issues: [DecodingIssue] = []
  private var path: [String] = []
  /// The offset of a union that must be read as unknown.
  package var unreadableUnion: Int?
  /// The offset of the last union whose variant was recognized by its shape.
  package var shapedUnion: Int?

  package init() {}

  package var count: Int { issues.count }

  package func enter(member name: String) { path.append(name) }
  package func enter(element index: Int) { path.append("[\(index)]") }
  package func leave() { path.removeLast() }

  /// Forgets what was recorded inside a part that is skipped as a whole.
  package func drop(to count: Int) { issues.removeLast(issues.count - count) }

  /// Records a mistake in what is being read.
  package func record(_ error: JSONError, _ outcome: DecodingIssue.Outcome, found: String) {
    guard issues.count < Self.issueLimit else { return }
    issues.append(
      DecodingIssue(
        error: JSONError(error.kind, path: whole(error.path), offset: error.offset), outcome: outcome,
        omittedPath: whole(""), found: found))
  }

  private func whole(_ inner: String) -> String {
    (path + [inner]).reduce(into: "") { result, part in
      if part.isEmpty { return }
      if !result.isEmpty, part.utf8.first != UInt8(ascii: "[") { result += "." }
      result += part
    }
  }
}

extension JSONCodable {
  /// Reads a whole JSON document in UTF-8, as far as it can be read.
  ///
  /// An optional member of the wrong shape reads as absent. An element of a list or a value of a map that cannot be
  /// read is left out. A union whose variant cannot be read keeps its JSON as unknown. A required member that always
  /// has the same value reads as that value. Any other required member that is missing, null or of another kind reads
  /// as its type's empty value.
  ///
  /// A model cannot be read without its required `id`, without any of its members, or without a member of a closed
  /// enum. A document cannot be read without the model that it wraps, such as `data`. A union's variant that is
  /// recognized only by its members cannot be read without a required one. In these cases, the nearest enclosing
  /// member, element or union is treated as described above. An invalid character in a string, such as a byte that is
  /// not UTF-8 or half of a surrogate pair, reads as U+FFFD; only the first such place is reported. A document without
  /// mistakes is read exactly as ``init(jsonData:)`` reads it.
  ///
  /// - Parameters:
  ///   - data: The document.
  ///   - issues: Receives the skipped parts, in document order: the first 1,000 of them.
  /// - Throws: ``JSONError`` if the text is not JSON, or if no part is left that could be skipped.
  public init(jsonData data: Data, issues: inout [DecodingIssue]) throws(JSONError) {
    let first: JSONError
    do throws(JSONError) {
      self = try Self(jsonData: data)
      return
    } catch { first = error }
    let broken: JSONError
    do throws(JSONError) {
      self = try Self(tolerantly: data, after: first, &issues)
      return
    } catch { broken = error }
    guard broken.isAboutCharacters, let text = RepairedJSON(data) else { throw broken }
    var further: [DecodingIssue] = []
    do throws(JSONError) {
      do throws(JSONError) { self = try Self(jsonData: text.data) } catch {
        self = try Self(tolerantly: text.data, after: error, &further)
      }
    } catch { throw text.original(error) }
    issues.append(DecodingIssue(error: broken, outcome: .mended, omittedPath: broken.path, found: "something else"))
    issues += further.map { text.original($0) }
  }

  /// Reads a document without the parts that cannot be read.
  ///
  /// - Parameter first: The error of the first reading.
  private init(tolerantly data: Data, after first: JSONError, _ issues: inout [DecodingIssue]) throws(JSONError) {
    guard first.isAboutContent else { throw first }
    let tolerance = Tolerance()
    self = try JSONReader.read(data) { (reader) throws(JSONError) in
      reader.tolerance = tolerance
      try reader.beginDocument()
      let value: Self = try reader.value()
      try reader.endDocument()
      return value
    }
    issues += tolerance.issues.sorted { $0.offset < $1.offset }
    // A custom type may behave differently the second time; that must not get lost.
    if tolerance.issues.isEmpty {
      issues.append(DecodingIssue(error: first, outcome: .absent, omittedPath: first.path, found: "something else"))
    }
  }
}
