import ArgumentParser
import Callsign
import CallsignAuth
import CallsignCatalogue
import CallsignDynamic
import Foundation

/// The options of both programs' `mcp`.
package struct ContextOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Offer these operations and groups alone, separated by commas.", valueName: "names"))
  package var only: String?

  @Flag(help: "Offer what only reads.")
  package var readOnly = false

  @Flag(help: "Make changes for clients that cannot ask the person first.")
  package var allowChanges = false

  @Option(help: ArgumentHelp("Send everything there, such as to a sandbox.", valueName: "url"))
  package var baseURL: String?

  @Option(help: ArgumentHelp("A JSON file with credentials.", valueName: "file"))
  package var credentials: String?

  @Option(help: ArgumentHelp("Whose credentials.", valueName: "name"))
  package var account: String?

  @Option(help: ArgumentHelp("The credentials of that login.", valueName: "name"))
  package var profile: String?

  package init() {}

  /// Serves some catalogues until standard input ends.
  ///
  /// - Throws: `CommandLineError` where nothing has a name of `--only`.
  package func serve(
    _ catalogues: [Catalogue], name: String, auth: [any Authenticator],
    conventions: any APIConventions = .standard
  ) async throws(CommandLineError) {
    let chosen = Set((only ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) })
    let known = Set(catalogues.flatMap(\.groups).flatMap { [$0.name] + $0.endpoints.map(\.name) })
    if let unknown = chosen.subtracting(known).min() {
      throw CommandLineError("--only: there is no operation or group \(unknown)")
    }
    var configuration = ClientConfiguration()
    if let baseURL { configuration.hosts = .all(to: baseURL) }
    let client = Client(auth: auth, configuration: configuration)
    var options = ContextServer.Options(name: name)
    options.only = chosen
    options.isReadOnly = readOnly
    options.allowsChanges = allowChanges
    await ContextServer.serve(
      catalogues.map { DynamicAPI($0, client: client, conventions: conventions) }, options)
  }
}
