import ArgumentParser
import Foundation

/// The command line of the X API.
///
/// Exit status: 0 when all is well, 1 when a command failed, 64 (`EX_USAGE`) when it was called wrongly.
@main
struct XAPITool: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "xapi",
    abstract: "Works with the X API, version 2 and 1.1.",
    // One line each, in the order of the help.
    subcommands: [
      Decode.self,
      SandboxCommand.self,
      TextCommand.self,
    ])
}

/// Messages for a person, apart from the result.
enum StandardError {
  static func write(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }
}
