/// A place in a catalogue file. Lines and columns count from 1; columns count characters.
public struct SourceLocation: Sendable, Hashable {
  public var file: String
  public var line: Int
  public var column: Int

  public init(file: String, line: Int, column: Int) {
    self.file = file
    self.line = line
    self.column = column
  }

  /// The location of what comes from no file, such as an imported document.
  public static let none = SourceLocation(file: "", line: 0, column: 0)

  /// Locations never make two catalogues differ.
  public static func == (_: Self, _: Self) -> Bool { true }
  public func hash(into _: inout Hasher) {}
}
