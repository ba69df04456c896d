import CallsignCatalogue
import CallsignSupport

/// A generator run over files on disk: load, check, generate, and write what changed.
///
/// Nothing is written unless the whole catalogue is valid.
public struct GenerationJob: Sendable {
  /// Where the catalogue is.
  public enum Input: Sendable {
    /// A folder, or a single file.
    case folder(String)
    /// Files, and the names of the Swift files for each; its declarations are distributed over them. A file without names becomes
    /// one Swift file with a name that the job chooses.
    case files([(path: String, outputs: [String])])
  }

  /// The catalogue to generate from.
  public var input: Input
  /// The output folder. It is created if it is missing.
  public var outputFolder: String
  /// The parts to generate, unless the settings file says otherwise.
  public var options: GenerationOptions
  /// Settings that override the file's, such as those from a command line.
  public var overrides: GenerationSettings
  /// Whether to remove outputs of earlier runs whose catalogue file no longer exists. Other files are never touched.
  public var removesStale: Bool
  /// A `callsign.yaml`, whose settings override the options. `nil` uses the file in the catalogue's folder or, for a folder named
  /// `Catalogue`, in the target's folder around it, if there is one.
  public var settingsFile: String?
  /// The Swift module that the outputs are for, if known.
  public var moduleName: String?
  /// The file that stores the state of a run, so that the next run reads and writes nothing else if nothing changed; `nil` stores
  /// none. It is used only if the input is files with a name for each output. It also stores warnings, so that they are shown
  /// again.
  public var stateFile: String?

  /// Creates a job. Nothing is read or written yet.
  public init(
    input: Input, outputFolder: String, options: GenerationOptions = GenerationOptions(),
    overrides: GenerationSettings = GenerationSettings(), removesStale: Bool, settingsFile: String? = nil,
    moduleName: String? = nil, stateFile: String? = nil
  ) {
    self.stateFile = stateFile
    self.overrides = overrides
    self.moduleName = moduleName
    self.settingsFile = settingsFile
    self.input = input
    self.outputFolder = outputFolder
    self.options = options
    self.removesStale = removesStale
  }

  /// The result of a run.
  public struct Report: Sendable {
    /// The problems of the catalogue, by location. If any of them is an error, nothing was written.
    public var diagnostics: [Diagnostic] = []
    /// Names of the files that were written because their text changed.
    public var written: [String] = []
    /// Names of the files whose text did not change.
    public var unchanged: [String] = []
    /// Names of the files that were removed.
    public var removed: [String] = []
  }

  /// Runs the job.
  ///
  /// - Throws: A file system error while writing.
  public func run() throws -> Report {
    var report = Report()
    var sources: [CatalogueSource]?
    if case .files(let files) = input {
      sources = read(files, &report.diagnostics)
      if report.diagnostics.hasErrors { return report }
    }
    let outputs = givenOutputs
    let state = outputs == nil ? nil : stateFile.map(GenerationState.init)
    if let state, let sources, let outputs,
      let warnings = state.warnings(facts, inputs: sources, outputs: outputs.map(\.path))
    {
      report.diagnostics = warnings
      report.unchanged = outputs.map(\.name)
      return report
    }
    state?.forget()
    let loaded = load(sources)
    report.diagnostics = loaded.diagnostics
    let options = settled(&report.diagnostics)
    guard let catalogue = loaded.catalogue, !report.diagnostics.hasErrors else { return report }
    if !options.only.isEmpty {
      report.diagnostics += unknownNames(options.only, catalogue)
      if report.diagnostics.hasErrors { return report }
    }
    if let problem = problem(ofProtocol: options.protocolName, catalogue.api.name) {
      report.diagnostics.append(problem)
      return report
    }
    let files = Generator(options: options).generate(catalogue, parts: givenNames.mapValues(\.count))
    let names = outputNames(of: files)
    let folder = URL(fileURLWithPath: outputFolder, isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (file, name) in zip(files, names) {
      let url = folder.appendingPathComponent(name)
      let data = Data(file.text.utf8)
      if let existing = try? Data(contentsOf: url), existing == data {
        report.unchanged.append(name)
      } else {
        try data.write(to: url, options: .atomic)
        report.written.append(name)
      }
    }
    if removesStale { report.removed = try Self.removeOutputs(besides: Set(names), in: folder) }
    if let state, let sources, let outputs {
      state.keep(facts, inputs: sources, outputs: outputs.map(\.path), warnings: report.diagnostics)
    }
    return report
  }

  /// An error about the protocol's name, located in the file that sets it.
  private func problem(ofProtocol name: String?, _ apiName: String) -> Diagnostic? {
    let problem: String
    switch name {
    case apiName: problem = "the protocol has the API's own name; call it `\(apiName)Protocol`"
    case let name? where GeneratedNames.types.contains(name):
      problem = "the protocol is called `\(name)`, which generated code needs itself; call it `\(apiName)Protocol`"
    default: return nil
    }
    let file = overrides.protocolName == nil ? settingsFile ?? settingsFileOfFolder : nil
    return Diagnostic(.error, problem, at: file.map { SourceLocation(file: $0, line: 0, column: 0) } ?? .none)
  }

  /// Errors about names in `only`, located in the file that sets it.
  private func unknownNames(_ only: [String], _ catalogue: Catalogue) -> [Diagnostic] {
    let file = overrides.only.isEmpty ? settingsFile ?? settingsFileOfFolder : nil
    let place = file.map { SourceLocation(file: $0, line: 0, column: 0) } ?? .none
    var suggestions = Suggestions()
    return CatalogueSelection(only).unknownNames(in: catalogue).map { name in
      let known = catalogue.groups.flatMap { [$0.name] + $0.endpoints.map(\.methodName) }
      let advice = suggestions.closest(to: name, among: known).map { "; did you mean `\($0)`?" } ?? ""
      return Diagnostic(.error, "`only` names `\(name)`, which is neither an endpoint nor a group\(advice)", at: place)
    }
  }

  /// Everything that a run depends on apart from the program and the catalogue files.
  private var facts: [String] {
    let settings = (settingsFile ?? settingsFileOfFolder).map { file in
      "\(file) " + ((try? String(contentsOfFile: file, encoding: .utf8)) ?? "-")
    }
    var partCounts: [String] = []
    if case .files(let files) = input { partCounts = files.map { "\($0.outputs.count)" } }
    // Listed one by one, because describing a whole value takes longer than everything else in a run with nothing to do.
    return [
      options.access.rawValue, options.protocolName ?? "-", overrides.access ?? "-", overrides.protocolName ?? "-",
      settings ?? "-", moduleName ?? "-", outputFolder, removesStale ? "removes" : "keeps",
      "\(options.only.count) \(overrides.only.count)", options.emitsIntoClient ? "into clients" : "once",
    ] + options.only + overrides.only + partCounts
  }

  /// The given output names, by catalogue file.
  private var givenNames: [String: [String]] {
    guard case .files(let files) = input else { return [:] }
    let given = files.filter { !$0.outputs.isEmpty }
    return Dictionary(given.map { ($0.path, $0.outputs) }, uniquingKeysWith: { first, _ in first })
  }

  /// The outputs, if all of them have been given a name.
  private var givenOutputs: [(name: String, path: String)]? {
    guard case .files(let files) = input, files.allSatisfy({ !$0.outputs.isEmpty }) else { return nil }
    let folder = outputFolder.hasSuffix("/") ? outputFolder : outputFolder + "/"
    return files.flatMap(\.outputs).map { ($0, folder + $0) }
  }

  /// The options, overridden by the settings file, and that in turn by `overrides`.
  private func settled(_ diagnostics: inout [Diagnostic]) -> GenerationOptions {
    var options = options
    if let file = settingsFile ?? settingsFileOfFolder {
      do {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
        let (settings, problems) = GenerationSettings.read(CatalogueSource(path: file, bytes: bytes))
        diagnostics += problems
        options.take(settings)
      } catch {
        diagnostics.append(unreadable(file, error))
      }
    }
    options.take(overrides)
    return options
  }

  private var settingsFileOfFolder: String? {
    if case .folder(let path) = input { GenerationSettings.file(forCatalogue: path) } else { nil }
  }

  private func unreadable(_ path: String, _ error: any Error) -> Diagnostic {
    Diagnostic(
      .error, "the file cannot be read: \(error.fileErrorReason)",
      at: SourceLocation(file: path, line: 0, column: 0))
  }

  /// - Parameter sources: The files, if the input is files.
  private func load(_ sources: [CatalogueSource]?) -> LoadResult {
    let loader = CatalogueLoader(moduleName: moduleName)
    if case .folder(let path) = input { return loader.load(folder: path) }
    return loader.load(files: sources ?? [])
  }

  private func read(
    _ files: [(path: String, outputs: [String])], _ diagnostics: inout [Diagnostic]
  ) -> [CatalogueSource] {
    var sources: [CatalogueSource] = []
    for file in files {
      do {
        let data = try Data(contentsOf: URL(fileURLWithPath: file.path))
        sources.append(CatalogueSource(path: file.path, bytes: [UInt8](data)))
      } catch {
        diagnostics.append(unreadable(file.path, error))
      }
    }
    return sources
  }

  private func outputNames(of files: [GeneratedFile]) -> [String] {
    var given = givenNames.mapValues { $0[...] }
    return zip(files, OutputNames.names(for: files.map(\.source))).map { file, name in
      given[file.source]?.popFirst() ?? name
    }
  }

  /// Removes all outputs of earlier runs from a folder, and then the folder if it is empty. The folder may be missing.
  package static func removeOutputs(in path: String) throws {
    guard FileManager.default.fileExists(atPath: path) else { return }
    _ = try removeOutputs(besides: [], in: URL(fileURLWithPath: path, isDirectory: true))
    if try FileManager.default.contentsOfDirectory(atPath: path).isEmpty {
      try FileManager.default.removeItem(atPath: path)
    }
  }

  /// Removes generated files, recognized by name and first line, except the named ones.
  private static func removeOutputs(besides names: Set<String>, in folder: URL) throws -> [String] {
    var removed: [String] = []
    let marker = Data(FileEmitter.marker.utf8)
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    where name.hasSuffix(OutputNames.suffix) && !names.contains(name) {
      let url = folder.appendingPathComponent(name)
      guard try Data(contentsOf: url).starts(with: marker) else { continue }
      try FileManager.default.removeItem(at: url)
      removed.append(name)
    }
    return removed
  }
}
