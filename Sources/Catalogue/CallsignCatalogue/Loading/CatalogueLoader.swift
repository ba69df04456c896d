import CallsignYAML

/// Reads catalogue files into the model and checks them.
///
/// All problems of a run are reported at once. Nothing that a file holds makes the loader crash or run without
/// bound; files that are too large or nest too deep are refused.
public struct CatalogueLoader: Sendable {
  /// The Swift module that the generated code is for, where it is known. An API of the same name gets a warning.
  public var moduleName: String?

  /// Makes a loader, which keeps nothing between loads.
  public init(moduleName: String? = nil) { self.moduleName = moduleName }

  /// Loads all `*.yaml` and `*.yml` files in and below the folder, in the order of their relative paths, and the examples of
  /// an `examples.json`.
  ///
  /// Diagnostics name files by the folder's path as it was given, followed by the relative path. The path of a single
  /// file is accepted too.
  public func load(folder: String) -> LoadResult {
    let (sources, diagnostics) = CatalogueFolder(path: folder).sources()
    if diagnostics.hasErrors && sources.isEmpty { return LoadResult(catalogue: nil, diagnostics: diagnostics) }
    var result = load(files: sources)
    result.diagnostics = (diagnostics + result.diagnostics).sortedByPlace()
    if diagnostics.hasErrors { result.catalogue = nil }
    return result
  }

  /// Loads the files as one catalogue; their order is the order of the groups.
  public func load(files: [CatalogueSource]) -> LoadResult {
    var draft = CatalogueDraft()
    let isExamples = { (file: CatalogueSource) in CatalogueFolder.isExamples(file.path) }
    draft.add(files.filter { !isExamples($0) })
    var result = load(draft)
    // What cannot be read may be what uses them.
    if !result.diagnostics.hasErrors, !draft.unused.isEmpty {
      result.diagnostics = (result.diagnostics + draft.unused).sortedByPlace()
    }
    result.catalogue?.examples = files.first(where: isExamples).flatMap { CatalogueExamples(json: $0.bytes) }
    return result
  }

  /// Loads the trees of files, which may have nodes of other texts: those of number 1, 2, …
  ///
  /// Mixins and templates that nothing is made of are no problem here: a merge writes out what is, and an overlay may have
  /// them for other imports.
  package func load(
    _ trees: [(source: SourceText, root: YAMLNode?)], after others: [SourceText]
  ) -> LoadResult {
    var draft = CatalogueDraft()
    draft.add(trees, after: others)
    return load(draft)
  }

  /// Checks what has been read.
  private func load(_ draft: CatalogueDraft) -> LoadResult {
    var draft = draft
    draft.resolveMembers()
    draft.resolveDefaults()
    var checks = CatalogueChecks(draft, moduleName: moduleName)
    checks.run()
    let diagnostics = (draft.diagnostics + checks.diagnostics).sortedByPlace()
    guard !diagnostics.hasErrors, let api = draft.apis.first?.api else {
      return LoadResult(catalogue: nil, diagnostics: diagnostics)
    }
    return LoadResult(catalogue: Catalogue(api: api, groups: draft.groups.map(\.group)), diagnostics: diagnostics)
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
