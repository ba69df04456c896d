import ArgumentParser
import CallsignCatalogue
import CallsignSupport

/// `callsign check PATH`
struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Checks a catalogue and reports its problems.",
    discussion: """
      Every problem is a line `file:line:column: error: message` on standard output. The exit status is 1 if there are \
      errors, and 0 if there are only warnings.
      """)

  @Argument(help: "The catalogue's folder, or a file that is a whole catalogue.", completion: .directory)
  var path: String

  @Option(
    help: ArgumentHelp(
      "The Swift target that the catalogue is for.", discussion: "An API of the target's name gets a warning.",
      valueName: "name"))
  var target: String?

  @Flag(name: .shortAndLong, help: "Print nothing if the catalogue has no problems.")
  var quiet = false

  func run() throws {
    if let problem = InputFile.problem(ofCatalogue: path) {
      print(problem.description.printableLines)
      throw ExitCode.failure
    }
    let result = CatalogueLoader(moduleName: target.map(SwiftName.module)).load(folder: path)
    for diagnostic in result.diagnostics { print(diagnostic) }
    guard let catalogue = result.catalogue else { throw ExitCode.failure }
    if !quiet { print(Self.summary(of: catalogue).printableLines) }
  }

  /// `Petstore: 4 endpoints and 3 models in 2 files`
  private static func summary(of catalogue: Catalogue) -> String {
    "\(catalogue.api.name): \(catalogue.counts) in \(catalogue.groups.count.counting("file"))"
  }
}
