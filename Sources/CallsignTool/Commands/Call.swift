import ArgumentParser
import CallsignCatalogue
import CallsignCommandLine
import Foundation

/// `callsign call CATALOGUE OPERATION …`
struct Call: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Calls an operation of a catalogue.",
    usage: "callsign call CATALOGUE OPERATION [--parameter value …] [options]",
    discussion: """
      CATALOGUE is a folder of catalogue files, or an OpenAPI document, which is imported first, with the overlay beside \
      it. Without an operation its operations are listed. Credentials come from a login (`callsign login`), or from the \
      environment, as \
      CALLSIGN_BEARER_TOKEN, CALLSIGN_OAUTH2_ACCESS_TOKEN, CALLSIGN_USERNAME and CALLSIGN_PASSWORD, or \
      CALLSIGN_KEY_SCHEME for an API key, or \
      from the file that --credentials names.

        callsign call Catalogue getPet --id 7
        callsign call openapi.json createPet --help
      """)

  @Argument(parsing: .captureForPassthrough, help: "The catalogue, the operation, and what it takes.")
  var words: [String] = []

  func run() async throws {
    guard let path = words.first, path != "--help", path != "-h" else {
      return print(Self.helpMessage() + "\n" + OperationHelp.options)
    }
    guard words.count > 1 else {
      let terminal = Terminal()
      let operations = try CatalogueInput.operations(at: path).matching([])
      return try terminal.write(OperationList.table(operations, width: terminal.resultWidth))
    }
    let catalogue = try CatalogueInput.catalogue(at: path, of: words[1])
    let api = catalogue.api
    let target = CallCommand.Target(
      catalogue: catalogue, operation: words[1], command: "callsign call \(path) \(words[1])",
      credentials: { try Self.credentials(api, $0).authenticators() },
      place: { try Self.credentials(api, $0).place() })
    let status = await CallCommand(target).run(Array(words.dropFirst(2)))
    if status != .success { throw ExitCode(status.rawValue) }
  }

  private static func credentials(_ api: API, _ options: CallWords.Options) throws(CommandLineError) -> APICredentials {
    try APICredentials(
      api, file: options.credentials, account: options.account, profile: options.profile, baseURL: options.baseURL)
  }
}
