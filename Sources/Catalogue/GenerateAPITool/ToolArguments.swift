import CallsignCatalogue
import CallsignGenerator

/// The tool's command line. Few people see it, so it does not use a library that everyone would have to build.
struct ToolArguments {
  static let usage = """
    usage: GenerateAPITool --output-dir FOLDER (--catalogue FOLDER_OR_FILE... | (--file CATALOGUE_FILE SWIFT_NAME...)...)
                           [--config callsign.yaml] [--target NAME] [--access public|package|internal] [--only ENDPOINT_OR_GROUP]...
                           [--protocol NAME] [--state FILE] [--debug]
    """

  struct Problem: Error {
    var message: String
  }

  private var outputFolder: String?
  private var catalogue: [String] = []
  private var files: [(path: String, outputs: [String])] = []
  private var overrides = GenerationSettings()
  private var settingsFile: String?
  private var target: String?
  private var stateFile: String?
  private var options = GenerationOptions()

  init(_ arguments: [String]) throws(Problem) {
    var rest = arguments[...]
    while let name = rest.popFirst() {
      switch name {
      case "--output-dir": outputFolder = try Self.value(of: name, &rest)
      case "--catalogue":
        catalogue += try Self.values(of: name, &rest)
      case "--file":
        let path = try Self.value(of: name, &rest)
        files.append((path, try Self.values(of: name, &rest)))
      case "--config": settingsFile = try Self.value(of: name, &rest)
      case "--target": target = try Self.value(of: name, &rest)
      case "--state": stateFile = try Self.value(of: name, &rest)
      case "--debug": options.emitsIntoClient = false
      case "--only": overrides.only.append(try Self.value(of: name, &rest))
      case "--protocol": overrides.protocolName = try Self.value(of: name, &rest)
      case "--access":
        let value = try Self.value(of: name, &rest)
        guard AccessLevel(rawValue: value) != nil else {
          throw Problem(message: "`\(value)` is not an access level; use public, package or internal")
        }
        overrides.access = value
      default: throw Problem(message: "unknown argument `\(name)`")
      }
    }
  }

  func job() throws(Problem) -> GenerationJob {
    guard let outputFolder else { throw Problem(message: "--output-dir is missing") }
    guard catalogue.isEmpty != files.isEmpty else { throw Problem(message: "give either --catalogue or --file") }
    let input: GenerationJob.Input =
      if !files.isEmpty {
        .files(files)
      } else if catalogue.count == 1, let folder = catalogue.first {
        .folder(folder)
      } else {
        .files(catalogue.map { ($0, []) })
      }
    // The build plugin's folder contains only files known to SwiftPM; stale files there are not compiled.
    return GenerationJob(
      input: input, outputFolder: outputFolder, options: options, overrides: overrides, removesStale: files.isEmpty,
      settingsFile: settingsFile, moduleName: target.map(SwiftName.module), stateFile: stateFile)
  }

  private static func value(of name: String, _ rest: inout ArraySlice<String>) throws(Problem) -> String {
    guard let value = rest.popFirst() else { throw Problem(message: "\(name) needs a value") }
    return value
  }

  /// Parses one or more values.
  private static func values(of name: String, _ rest: inout ArraySlice<String>) throws(Problem) -> [String] {
    var values = [try value(of: name, &rest)]
    while rest.first?.hasPrefix("--") == false { values.append(rest.removeFirst()) }
    return values
  }
}
