import ArgumentParser
import CallsignCatalogue
import CallsignCommandLine
import CallsignGenerator
import CallsignSupport

/// `callsign generate PATH --into FOLDER`
struct Generate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Writes the Swift sources of a catalogue into a folder.",
    discussion: """
      Does the same as the build plugin does during a build, for committed sources. Only files whose \
      text changed are written; one whose catalogue file is gone is removed. With an error in the catalogue nothing is \
      written, and the exit status is 1. The settings of a callsign.yaml also apply here, either in the catalogue's folder or in \
      the target's folder around a folder called Catalogue. Options override them.
      """)

  @Argument(help: "The catalogue's folder, or a file that is a whole catalogue.", completion: .directory)
  var path: String

  @Option(help: "The folder for the Swift files.", completion: .directory)
  var into: String

  @Option(help: "Who can see what is generated: public, package or internal. Default: callsign.yaml's, or public.")
  var access: AccessLevel?

  @Option(
    help:
      "An endpoint or a group to generate, with the models that it needs; may be repeated. Default: callsign.yaml's, or all."
  )
  var only: [String] = []

  @Option(
    name: .customLong("protocol"),
    help: "The name of a protocol with the same methods, for mocks. Default: callsign.yaml's, or none.")
  var protocolName: String?

  @Option(help: "The settings file. Default: the catalogue's callsign.yaml, if it has one.")
  var config: String?

  @Flag(name: .shortAndLong, help: "Print nothing if the catalogue has no problems.")
  var quiet = false

  func validate() throws {
    if into.isEmpty { throw ValidationError("--into is empty; name the folder for the Swift files") }
    guard let protocolName else { return }
    let settings = "protocol: \(DefaultValue.quoted(protocolName))"
    let problems = GenerationSettings.read(CatalogueSource(path: "", bytes: Array(settings.utf8))).diagnostics
    if let problem = problems.first { throw ValidationError("--protocol: \(problem.message)") }
  }

  func run() throws {
    if let problem = InputFile.problem(ofCatalogue: path) {
      StandardError.write(problem)
      throw ExitCode.failure
    }
    let report: GenerationJob.Report
    do {
      report = try GenerationJob(
        input: .folder(path), outputFolder: into,
        overrides: GenerationSettings(access: access?.rawValue, only: only, protocolName: protocolName),
        removesStale: true, settingsFile: config
      ).run()
    } catch {
      StandardError.write("\(into): error: the sources cannot be written: \(error.fileErrorReason)")
      throw ExitCode(73)
    }
    for diagnostic in report.diagnostics { StandardError.write(diagnostic.description) }
    if report.diagnostics.hasErrors { throw ExitCode.failure }
    guard !quiet else { return }
    for name in report.written { print("wrote \(name)") }
    for name in report.removed { print("removed \(name)") }
    print("\(report.written.count) written, \(report.unchanged.count) unchanged, \(report.removed.count) removed")
  }
}

extension AccessLevel: ExpressibleByArgument {}
