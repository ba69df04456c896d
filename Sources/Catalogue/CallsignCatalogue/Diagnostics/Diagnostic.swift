import CallsignSupport

/// Something that is wrong or suspicious in a catalogue, with its place and what to do about it.
public struct Diagnostic: Sendable, Hashable, CustomStringConvertible {
  /// The weight of a diagnostic.
  public enum Severity: String, Sendable, Hashable {
    /// The catalogue cannot be used until this is mended.
    case error
    /// The catalogue works, but probably not as meant.
    case warning
  }

  /// Whether the catalogue can be used all the same.
  public var severity: Severity
  /// One line, which ends with what to do.
  public var message: String
  /// The place in the catalogue; line 0 stands for the file or folder as a whole.
  public var location: SourceLocation

  /// Describes a problem.
  public init(_ severity: Severity, _ message: String, at location: SourceLocation) {
    self.severity = severity
    self.message = message
    self.location = location
  }

  /// `file:line:column: error: message`, the form that compilers and editors share. Control characters and invisible ones,
  /// as a name may have them, are escapes: `\u{1B}`. They would begin another line, or move a terminal's cursor.
  public var description: String {
    var place = location.file
    if location.line > 0 { place += ":\(location.line):\(location.column)" }
    return Self.printable(
      place.isEmpty ? "\(severity.rawValue): \(message)" : "\(place): \(severity.rawValue): \(message)")
  }

  private static func printable(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: \.isControl) else { return text.printable }
    return text.unicodeScalars.reduce(into: "") { result, scalar in
      if scalar.isControl {
        result += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }.printable
  }

  /// Two diagnostics are the same when a user would see the same, hence places count here.
  public static func == (left: Self, right: Self) -> Bool { left.description == right.description }
  /// Hashes what is shown.
  public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}

extension [Diagnostic] {
  /// Whether any of them is an error.
  public var hasErrors: Bool { contains { $0.severity == .error } }

  /// By file, line and column, those of one place in the order in which they were found.
  package func sortedByPlace() -> [Diagnostic] {
    enumerated().sorted { left, right in
      let (a, b) = (left.element.location, right.element.location)
      if a.file != b.file { return a.file.utf8.lexicographicallyPrecedes(b.file.utf8) }
      return (a.line, a.column, left.offset) < (b.line, b.column, right.offset)
    }.map(\.element)
  }
}

/// A place in a catalogue file. Lines and columns count from 1; columns count characters.
public struct SourceLocation: Sendable, Hashable {
  /// The file's path as it was given.
  public var file: String
  /// From 1.
  public var line: Int
  /// From 1, in characters.
  public var column: Int

  /// Describes it; see the properties.
  public init(file: String, line: Int, column: Int) {
    self.file = file
    self.line = line
    self.column = column
  }

  /// The location of what comes from no file, such as an imported document.
  public static let none = SourceLocation(file: "", line: 0, column: 0)

  /// Locations never make two catalogues differ.
  public static func == (_: Self, _: Self) -> Bool { true }
  /// Adds nothing, as all locations are equal.
  public func hash(into _: inout Hasher) {}
}

extension Unicode.Scalar {
  /// Whether it is one of the control characters C0 and C1, or DEL. CallsignHTTP has the same, which the build plugin
  /// does without.
  var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }
}
