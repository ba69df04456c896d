import ArgumentParser
import CallsignCommandLine
import CallsignDynamic
import Foundation
import XCatalogue

/// `xapi completions SHELL`
struct Completions: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Prints a script that lets a shell complete commands, operations, parameters and values.",
    discussion: """
        xapi completions bash > ~/.local/share/bash-completion/completions/xapi
        xapi completions zsh > ~/.zfunc/_xapi            a folder of $fpath
        xapi completions fish > ~/.config/fish/completions/xapi.fish
      """)

  @Argument(help: "bash, zsh or fish.")
  var shell: CompletionScript

  func run() throws { try Terminal().write(shell.text(program: "xapi")) }
}

extension CompletionScript: ExpressibleByArgument {}

/// Responds to the shells' completion scripts.
enum Completer {
  /// Prints how a line can continue. If there is no answer, it prints nothing, because the user is typing.
  static func respond(_ words: [String]) {
    guard let line = words.first else { return }
    try? Terminal().write(respond(CompletionRequest(line: line)).text)
  }

  static func respond(_ request: CompletionRequest) -> CompletionResponse {
    let profiles = XCredentials.profiles.names
    let versions = [EmbeddedCatalogue.x2, .x1]
    guard let first = request.words.first else {
      let commands = XAPITool.configuration.subcommands.map {
        CompletionResponse.Candidate($0._commandName, $0.configuration.abstract)
      }
      let operations = versions.flatMap(\.operations).map { CompletionResponse.Candidate($0.name, $0.summary) }
      return CompletionResponse(commands + operations).beginning(with: request.current)
    }
    let rest = Array(request.words.dropFirst())
    if let command = XAPITool.configuration.subcommands.first(where: { $0._commandName == first }) {
      if command == WhoAmI.self { return operation("getUsersMe", rest, request.current, profiles) }
      if command == Endpoints.self, !request.current.hasPrefix("-") {
        let names = versions.flatMap(\.operations).map { CompletionResponse.Candidate($0.name, $0.summary) }
        return CompletionResponse(names).beginning(with: request.current)
      }
      return CommandCompletion(command, profiles: profiles).respond(rest, current: request.current)
    }
    return operation(first, rest, request.current, profiles)
  }

  private static func operation(
    _ name: String, _ words: [String], _ current: String, _ profiles: [String]
  ) -> CompletionResponse {
    let plain = name.split(separator: ".", maxSplits: 1).last.map(String.init) ?? name
    for (client, embedded) in [("XAPI", EmbeddedCatalogue.x2), ("XAPIv1", EmbeddedCatalogue.x1)] {
      guard name == plain || name.hasPrefix(client + "."), embedded.operations.contains(where: { $0.name == plain }),
        let catalogue = embedded.catalogue(of: [plain]), let operation = try? DynamicAPI(catalogue).operation(plain)
      else { continue }
      return OperationCompletion(operation, profiles: profiles).respond(words, current: current)
    }
    return CompletionResponse()
  }
}
