import CallsignCatalogue

/// Turns a checked catalogue into Swift source text: first a plan, then text.
///
/// The same catalogue and options always give the same bytes.
public struct Generator: Sendable {
  /// The parts to generate.
  public var options: GenerationOptions

  /// Creates a generator.
  public init(options: GenerationOptions = GenerationOptions()) { self.options = options }

  /// The Swift files of each group of the catalogue, in its order.
  ///
  /// - Parameters:
  ///   - catalogue: The catalogue, without errors.
  ///   - parts: The number of Swift files for each catalogue file, by its path. Files that are not listed become one. If there
  ///     are several, the declarations keep their order and are distributed by size.
  public func generate(_ catalogue: Catalogue, parts: [String: Int] = [:]) -> [GeneratedFile] {
    let selected = options.only.isEmpty ? catalogue : CatalogueSelection(options.only).applied(to: catalogue)
    let module = ModulePlanner(catalogue: selected, protocolName: options.protocolName).plan()
    let emitter = FileEmitter(module: module, options: options)
    return module.files.flatMap { file in
      emitter.texts(of: file, parts: parts[file.source] ?? 1).map { text in
        GeneratedFile(source: file.source, group: file.group, text: text)
      }
    }
  }
}

/// A Swift file generated from a catalogue file.
public struct GeneratedFile: Sendable, Hashable {
  /// The path of the catalogue file, as given to the loader.
  public var source: String
  /// The name of the catalogue's group.
  public var group: String
  /// The Swift source.
  public var text: String
}
