/// Reads catalogue files into the model and checks them.
///
/// All problems of a run are reported at once. Nothing that a file holds makes the loader crash or run without
/// bound; files that are too large or nest too deep are refused.
public struct CatalogueLoader: Sendable {
  /// Makes a loader, which keeps nothing between loads.
  public init() {}

  /// Loads all `*.yaml` and `*.yml` files in and below the folder, in the order of their relative paths.
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
    for file in files { draft.add(file) }
    return draft.result()
  }
}
