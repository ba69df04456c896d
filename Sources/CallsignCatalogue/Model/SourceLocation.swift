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
