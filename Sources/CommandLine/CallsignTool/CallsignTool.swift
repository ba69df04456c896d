import ArgumentParser
import CallsignCommandLine

/// The package's command line: everything about catalogues that the build plugin does not do.
///
/// `Documentation/CommandLine.md` lists the exit statuses.
@main
struct CallsignTool: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "callsign",
    abstract: "Checks endpoint catalogues, turns them into typed Swift, and calls what they describe.",
    version: ProgramStart.version,
    // One per line, in the order of the help.
    subcommands: [
      New.self,
      Check.self,
      Generate.self,
      ImportOpenAPI.self,
      PackageCommand.self,
      Call.self,
      Login.self,
      Logout.self,
      MCPCommand.self,
      Diff.self,
      Sign.self,
      Mock.self,
      Completions.self,
    ])

  static func main() async {
    ProgramStart.occupyStandardStreams()
    var words = Array(CommandLine.arguments.dropFirst())
    if words.first == CompletionRequest.command { return Completer.respond(Array(words.dropFirst())) }
    ProgramStart.checkArguments()
    words = CallWords.commandFirst(words, leading: Set(CallLine.options.keys))
    let commands = configuration.subcommands.map { $0._commandName } + ["help"]
    ProgramStart.checkCommand(words.first, among: commands, of: "callsign")
    await run(words)
  }
}
