import ArgumentParser
import CallsignCommandLine
import Foundation

/// The command line for the X API.
///
/// The first word is a command, or an operation: `xapi createPosts --text hi`. `Documentation/CommandLine.md` lists the exit
/// statuses.
@main
struct XAPITool: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "xapi",
    abstract: "Works with the X API, version 2 and 1.1.",
    usage: """
      xapi OPERATION [--parameter value …] [options]
      xapi COMMAND
      """,
    discussion: """
      Every documented operation is called by its name, such as xapi createPosts --text hi. `xapi endpoints WORD` finds \
      operations, and `xapi OPERATION --help` says what one takes.
      """,
    version: ProgramStart.version,
    // One per line, in the order of the help.
    subcommands: [
      Endpoints.self,
      Get.self,
      Post.self,
      Put.self,
      Delete.self,
      Login.self,
      Logout.self,
      Accounts.self,
      WhoAmI.self,
      UploadCommand.self,
      Doctor.self,
      MCPCommand.self,
      Decode.self,
      SandboxCommand.self,
      TextCommand.self,
      Completions.self,
    ])

  static func main() async {
    ProgramStart.occupyStandardStreams()
    var words = Array(CommandLine.arguments.dropFirst())
    if words.first == CompletionRequest.command { return Completer.respond(Array(words.dropFirst())) }
    ProgramStart.checkArguments()
    words = CallWords.commandFirst(words)
    let commands = Set(configuration.subcommands.map { $0._commandName } + ["help"])
    if words.count == 2, words[0] == "help", !commands.contains(words[1]) { words = [words[1], "--help"] }
    if let first = words.first, !first.hasPrefix("-"), !commands.contains(first) {
      Foundation.exit(await OperationCommand(name: first).run(Array(words.dropFirst())).rawValue)
    }
    await run(words)
  }
}
