import ArgumentParser
import CallsignCommandLine
import CallsignX
import XCatalogue

/// `xapi mcp`
struct MCPCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mcp",
    abstract: "Offers the API to an assistant, by the Model Context Protocol.",
    discussion: """
      Speaks on standard input and output, or with --http as a server on this machine, whose address is the first line of \
      the output. Up to 40 operations become one tool each; for more, as without --only, three tools \
      search, describe and call them. A change is made once you have confirmed it in the assistant's program.

        xapi mcp --only users,posts --read-only
        xapi mcp --http 8931
      """)

  @OptionGroup var options: MCPOptions

  func run() async throws {
    let catalogues = [EmbeddedCatalogue.x2, .x1].compactMap { $0.catalogue() }
    guard let api = catalogues.first?.api else { throw ExitCode(ExitStatus.invalidInput.rawValue) }
    do {
      let credentials = XCredentials(
        file: options.credentials, account: options.account, profile: options.profile, baseURL: options.baseURL)
      let auth = try await credentials.authenticators(api)
      var options = options
      options.baseURL = try credentials.place()
      try await options.serve(catalogues, name: "xapi", prefix: "X", auth: auth, conventions: .x)
    } catch let error as CommandLineError {
      StandardError.write("error: \(error)")
      throw ExitCode(error.status.rawValue)
    }
  }
}
