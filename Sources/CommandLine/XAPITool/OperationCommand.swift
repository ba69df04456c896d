import ArgumentParser
import CallsignCatalogue
import CallsignCommandLine
import CallsignDynamic
import CallsignX
import Foundation
import XCatalogue

/// `xapi OPERATION …`: one call to an operation of either version.
struct OperationCommand {
  /// The name on the command line: `createPosts`, `getStatusesShow`, or with its client's name `XAPIv1.getListsMembers`.
  let name: String

  func run(_ words: [String]) async -> ExitStatus {
    let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
    let operation = parts.last ?? name
    let found = [("XAPI", EmbeddedCatalogue.x2), ("XAPIv1", EmbeddedCatalogue.x1)].filter { client, catalogue in
      (parts.count < 2 || parts[0] == client) && catalogue.operations.contains { $0.name == operation }
    }
    guard let (_, embedded) = found.first else {
      StandardError.write("error: unknown command or operation \(name)\(suggestion(for: operation))")
      return .usage
    }
    guard found.count == 1 else {
      StandardError.write("error: both versions have \(name); say XAPI.\(name) or XAPIv1.\(name)")
      return .usage
    }
    guard let catalogue = embedded.catalogue(of: [operation]) else {
      StandardError.write("error: the catalogue of this program has no readable \(operation)")
      return .invalidInput
    }
    let api = catalogue.api
    let target = CallCommand.Target(
      catalogue: catalogue, operation: operation, command: "xapi \(name)", login: "xapi login", prefix: "X",
      conventions: .x,
      credentials: { try await XCredentials($0).authenticators(api) }, place: { try XCredentials($0).place() })
    return await CallCommand(target).run(words)
  }

  private func suggestion(for name: String) -> String {
    var suggestions = Suggestions()
    let names = (EmbeddedCatalogue.x2.operations + EmbeddedCatalogue.x1.operations).map(\.name)
    let commands = XAPITool.configuration.subcommands.map { $0._commandName }
    let closest = suggestions.closest(to: name, among: names + commands)
    return (closest.map { "; did you mean \($0)?" } ?? "") + " (`xapi endpoints WORD` finds operations)"
  }
}

/// `xapi endpoints [WORD …]`
struct Endpoints: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Lists operations, or those that have all of some words.",
    discussion: "The exact name of an operation prints its parameters, credentials and limits, as its --help does.")

  @Argument(help: "Words of an operation's name, method, path or summary.")
  var words: [String] = []

  @Option(name: .shortAndLong, help: "Always a list: json, lines, table, yaml or csv.")
  var output: OutputFormat?

  func run() throws {
    let terminal = Terminal()
    let versions = [EmbeddedCatalogue.x2, .x1]
    let lines = versions.flatMap(\.operations).map {
      OperationList.Line(name: $0.name, method: $0.method, path: $0.path, summary: $0.summary)
    }
    let found = OperationList(lines).matching(words)
    if let output { return try OperationList.write(found, as: output, to: terminal) }
    let exact = words.count == 1 ? lines.filter { $0.name == words[0] } : []
    if exact.count == 1, let single = exact.first {
      for embedded in versions {
        guard let catalogue = embedded.catalogue(of: [single.name]), !catalogue.groups.flatMap(\.endpoints).isEmpty
        else {
          continue
        }
        let operation = try DynamicAPI(catalogue).operation(single.name)
        return try terminal.write(OperationHelp(operation, command: "xapi \(single.name)").text)
      }
    }
    guard !found.isEmpty else {
      let clause = OperationList(lines).clause(for: words.joined(separator: " "))
      terminal.report("error: no operation has all of these words" + clause)
      throw ExitCode.failure
    }
    try terminal.write(OperationList.table(found, width: terminal.resultWidth))
  }
}
