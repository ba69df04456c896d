import CallsignSupport

/// A mistake or a suspicious entry in a catalogue, with its location and how to fix it.
public struct Diagnostic: Sendable, Hashable, CustomStringConvertible {
  /// How serious a diagnostic is.
  public enum Severity: String, Sendable, Hashable {
    /// The catalogue cannot be used until you fix this.
    case error
    /// The catalogue works, but probably not as you intended.
    case warning
  }

  /// Whether this prevents use of the catalogue.
  public var severity: Severity
  /// A one-line message that ends with what to do.
  public var message: String
  /// The location in the catalogue. Line 0 means the whole file or folder.
  public var location: SourceLocation

  /// Describes a problem.
  public init(_ severity: Severity, _ message: String, at location: SourceLocation) {
    self.severity = severity
    self.message = message
    self.location = location
  }

  /// `file:line:column: error: message`, the format that compilers and editors share. Control characters and invisible characters
  /// are escaped, as in `\u{1B}`, because in a name they could start a new line or move a terminal's cursor.
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

  /// Two diagnostics are equal if a user would see the same text, so locations count here.
  public static func == (left: Self, right: Self) -> Bool { left.description == right.description }
  /// Hashes the text that a user sees.
  public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}

extension [Diagnostic] {
  /// Whether any of them is an error.
  public var hasErrors: Bool { contains { $0.severity == .error } }

  /// Sorted by file, line and column. Diagnostics for the same place keep the order in which they were found.
  package func sortedByPlace() -> [Diagnostic] {
    enumerated().sorted { left, right in
      let (a, b) = (left.element.location, right.element.location)
      if a.file != b.file { return a.file.utf8.lexicographicallyPrecedes(b.file.utf8) }
      return (a.line, a.column, left.offset) < (b.line, b.column, right.offset)
    }.map(\.element)
  }
}

/// A location in a catalogue file. Lines and columns count from 1; columns count characters.
public struct SourceLocation: Sendable, Hashable {
  /// The file's path as given.
  public var file: String
  /// From 1.
  public var line: Int
  /// From 1, in characters.
  public var column: Int

  /// Creates a value from its properties.
  public init(file: String, line: Int, column: Int) {
    self.file = file
    self.line = line
    self.column = column
  }

  /// The location of something that comes from no file, such as an imported document.
  public static let none = SourceLocation(file: "", line: 0, column: 0)

  /// Locations are always equal, so they never make two catalogues differ.
  public static func == (_: Self, _: Self) -> Bool { true }
  /// Adds nothing, as all locations are equal.
  public func hash(into _: inout Hasher) {}
}

extension Unicode.Scalar {
  /// Whether the scalar is a C0 or C1 control character or DEL. CallsignHTTP has the same property, but the build plugin does not
  /// use that module.
  var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }
}
