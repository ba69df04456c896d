import ArgumentParser
import Callsign
import CallsignCommandLine
import CallsignX
import Foundation
import HTTPTypes

/// The arguments that the four commands for paths share: `xapi get 2/users/me user.fields=created_at`.
struct PathCall: ParsableArguments {
  @Argument(help: "A path below https://api.twitter.com, or a URL of X.")
  var path: String

  @Argument(help: "Query parameters, as name=value.")
  var query: [String] = []

  @Option(help: ArgumentHelp("A JSON body: a file, or - for standard input.", valueName: "file"))
  var body: String?

  @OptionGroup var access: AccessOptions

  @Option(name: .shortAndLong, help: "json, lines, table, yaml or csv.")
  var output: String = "json"

  @Option(help: ArgumentHelp("Show these members alone, separated by commas.", valueName: "names"))
  var fields: String?

  @Option(help: ArgumentHelp("Pick from the answer by JMESPath.", valueName: "expression"))
  var filter: String?

  @Flag(name: .shortAndLong, help: "Write texts without quotation marks.")
  var raw = false

  @Flag(help: "Print the request as a command for curl.")
  var curl = false

  @Flag(name: .shortAndLong, help: "Report request and answer, without secrets.")
  var verbose = false

  func run(_ method: HTTPRequest.Method) async throws {
    let terminal = Terminal()
    guard let format = OutputFormat(rawValue: output) else {
      throw ValidationError("--output is one of \(OutputFormat.allCases.map(\.rawValue).joined(separator: ", ")).")
    }
    var parameters: [String: (any ParameterValue & Sendable)?] = [:]
    for word in query {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2 else { throw ValidationError("'\(word)' is not name=value.") }
      guard !parameters.keys.contains(parts[0]) else {
        throw ValidationError("'\(parts[0])' is given twice; write such a query into the path.")
      }
      parameters[parts[0]] = parts[1]
    }
    var content: CallBody?
    if let body {
      let data = body == "-" ? try FileHandle.standardInput.readToEnd() : FileManager.default.contents(atPath: body)
      guard let data else {
        terminal.report("error: the body's file \(body) cannot be read")
        throw ExitCode(ExitStatus.noInput.rawValue)
      }
      guard let value = try? JSONValue(jsonData: data) else {
        terminal.report("error: the body is not JSON")
        throw ExitCode(ExitStatus.invalidInput.rawValue)
      }
      content = .json(value)
    }
    var configuration = ClientConfiguration()
    if verbose { configuration.middleware = [CallCommand.trace(terminal)] }
    try CallWords.validate(filter: filter)
    let filter = try filter.map(CallWords.filter)
    let (settings, call, query) = (configuration, content, parameters)
    let status = await CommandRun(terminal).run {
      var configuration = settings
      let credentials = try XCredentials(access)
      if let place = try credentials.place() { configuration.hosts = .all(to: place) }
      let auth = curl ? [] : try await credentials.authenticators(XCredentials.api())
      let x = XAPI(auth: auth, configuration: configuration)
      if curl { return try terminal.write(try x.curlCommand(method, path, query: query, body: call) + "\n") }
      let answer = try await x.call(method, path, query: query, body: call)
      let fields = fields.map { $0.split(separator: ",").map(String.init) } ?? []
      let writer = ResultWriter(format, fields: fields, terminal: terminal, filter: filter, writesRawText: raw)
      try writer.write(answer.value, items: nil)
    }
    if status != .success { throw ExitCode(status.rawValue) }
  }
}

/// `xapi get PATH`
struct Get: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Calls a path that the catalogue may lack.")
  @OptionGroup var call: PathCall
  func run() async throws { try await call.run(.get) }
}

/// `xapi post PATH`
struct Post: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Posts to a path.")
  @OptionGroup var call: PathCall
  func run() async throws { try await call.run(.post) }
}

/// `xapi put PATH`
struct Put: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Puts to a path.")
  @OptionGroup var call: PathCall
  func run() async throws { try await call.run(.put) }
}

/// `xapi delete PATH`
struct Delete: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Deletes what is at a path.")
  @OptionGroup var call: PathCall
  func run() async throws { try await call.run(.delete) }
}
