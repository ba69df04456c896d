/// A catalogue file's text, wherever it comes from.
public struct CatalogueSource: Sendable {
  /// How diagnostics name the file; its last component without extension names the group.
  public var path: String
  /// UTF-8.
  public var bytes: [UInt8]

  /// Takes a file's bytes as they are.
  public init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
  }
}

/// A catalogue, or why there is none.
public struct LoadResult: Sendable {
  /// `nil` when any diagnostic is an error.
  public var catalogue: Catalogue?
  /// All that was found, by file, line and column.
  public var diagnostics: [Diagnostic]

  /// Keeps what a load found.
  public init(catalogue: Catalogue?, diagnostics: [Diagnostic]) {
    self.catalogue = catalogue
    self.diagnostics = diagnostics
  }
}
