import CallsignYAML

/// Reads catalogue files into the model and checks them.
///
/// It reports all problems of a run at once. No file content makes the loader crash or run without bound; it rejects files that are
/// too large or nested too deeply.
public struct CatalogueLoader: Sendable {
  /// The Swift module that the generated code is for, if known. An API with the same name gets a warning.
  public var moduleName: String?

  /// Creates a loader. It keeps no state between loads.
  public init(moduleName: String? = nil) { self.moduleName = moduleName }

  /// Loads all `*.yaml` and `*.yml` files in the folder and its subfolders, in the order of their relative paths, and the examples
  /// in an `examples.json`.
  ///
  /// Diagnostics name each file by the folder's path as given, followed by the relative path. You can also pass the path of a
  /// single file.
  public func load(folder: String) -> LoadResult {
    let (sources, diagnostics) = CatalogueFolder(path: folder).sources()
    if diagnostics.hasErrors && sources.isEmpty { return LoadResult(catalogue: nil, diagnostics: diagnostics) }
    var result = load(files: sources)
    result.diagnostics = (diagnostics + result.diagnostics).sortedByPlace()
    if diagnostics.hasErrors { result.catalogue = nil }
    return result
  }

  /// Loads the files as one catalogue. The order of the files is the order of the groups.
  public func load(files: [CatalogueSource]) -> LoadResult {
    var draft = CatalogueDraft()
    let isExamples = { (file: CatalogueSource) in CatalogueFolder.isExamples(file.path) }
    draft.add(files.filter { !isExamples($0) })
    var result = load(draft)
    // If files cannot be read, one of them may be what uses the parts.
    if !result.diagnostics.hasErrors, !draft.unused.isEmpty {
      result.diagnostics = (result.diagnostics + draft.unused).sortedByPlace()
    }
    result.catalogue?.examples = files.first(where: isExamples).flatMap { CatalogueExamples(json: $0.bytes) }
    return result
  }

  /// Loads the parsed trees of files. They may contain nodes from other texts, numbered 1, 2, …
  ///
  /// Unused mixins and templates are not reported here: a merge writes out what it uses, and an overlay may keep them for other
  /// imports.
  package func load(
    _ trees: [(source: SourceText, root: YAMLNode?)], after others: [SourceText]
  ) -> LoadResult {
    var draft = CatalogueDraft()
    draft.add(trees, after: others)
    return load(draft)
  }

  /// Checks the draft.
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

/// A catalogue, or the reason why there is none.
public struct LoadResult: Sendable {
  /// `nil` if any diagnostic is an error.
  public var catalogue: Catalogue?
  /// All diagnostics, by file, line and column.
  public var diagnostics: [Diagnostic]

  /// Creates the result of a load.
  public init(catalogue: Catalogue?, diagnostics: [Diagnostic]) {
    self.catalogue = catalogue
    self.diagnostics = diagnostics
  }
}
