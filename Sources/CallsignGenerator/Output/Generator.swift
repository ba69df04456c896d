import CallsignCatalogue

/// Turns a checked catalogue into Swift source text: plan first, then text.
///
/// The same catalogue and options give the same bytes.
public struct Generator: Sendable {
  /// The parts to generate.
  public var options: GenerationOptions

  /// Makes a generator.
  public init(options: GenerationOptions = GenerationOptions()) { self.options = options }

  /// One file for each group of the catalogue, in its order.
  public func generate(_ catalogue: Catalogue) -> [GeneratedFile] {
    let selected = options.only.isEmpty ? catalogue : CatalogueSelection(options.only).applied(to: catalogue)
    let module = ModulePlanner(catalogue: selected, hasProtocol: options.protocolName != nil).plan()
    return module.files.map { file in
      GeneratedFile(
        source: file.source, group: file.group, text: FileEmitter(module: module, options: options).text(of: file))
    }
  }
}

/// The Swift text for one catalogue file.
public struct GeneratedFile: Sendable, Hashable {
  /// The path of the catalogue file, as it was given to the loader.
  public var source: String
  /// The name of the catalogue's group.
  public var group: String
  /// The Swift source.
  public var text: String
}
