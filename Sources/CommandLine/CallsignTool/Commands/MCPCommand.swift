import ArgumentParser
import CallsignCommandLine

/// `callsign mcp CATALOGUE`
struct MCPCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mcp",
    abstract: "Offers an API to an assistant, by the Model Context Protocol.",
    discussion: """
      Speaks on standard input and output, or with --http as a server on this machine, whose address is the first line of \
      the output. Up to 40 operations become one tool each; for more, three tools search, describe and \
      call them. A change is made once you have confirmed it in the assistant's program. Credentials come from the \
      environment or a file, as for `callsign call`; if the document does not name any, choose them with --auth bearer.
      """)

  @Argument(help: "A folder of catalogue files, or an OpenAPI document: a file or an `https` URL.")
  var catalogue: String

  @OptionGroup var references: ReferenceOptions

  @OptionGroup var auth: AuthOptions

  @OptionGroup var options: MCPOptions

  func validate() throws {
    guard catalogue != "-" else {
      throw ValidationError("Standard input carries the assistant's messages; name a file or a URL.")
    }
  }

  func run() async throws {
    let requirements = try auth.requirements()
    let catalogue = try await CatalogueInput.reading { [catalogue, folders = references.folders] in
      try CatalogueInput.catalogue(at: catalogue, alsoIn: folders, auth: requirements)
    }
    do {
      if CatalogueInput.isWithoutCredentials(requirements) {
        return try await options.serve([catalogue], name: catalogue.api.name, prefix: "CALLSIGN", auth: [])
      }
      let credentials = try APICredentials(
        catalogue.api, file: options.credentials, account: options.account, profile: options.profile,
        baseURL: options.baseURL)
      let auth = try credentials.authenticators()
      if let note = APICredentials.noteOnUnused(auth, catalogue.api) { StandardError.write(note) }
      var options = options
      options.baseURL = try credentials.place()
      try await options.serve([catalogue], name: catalogue.api.name, prefix: "CALLSIGN", auth: auth)
    } catch let error as CommandLineError {
      StandardError.write("error: \(error)")
      throw ExitCode(error.status.rawValue)
    }
  }
}
