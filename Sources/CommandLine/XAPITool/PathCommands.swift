import ArgumentParser
import Callsign
import CallsignCommandLine
import CallsignX
import Foundation
import HTTPTypes

/// The arguments that the four commands for paths share: `xapi get 2/users/me user.fields=created_at`.
struct PathCall: ParsableArguments {
  @Argument(help: "A path below https://api.x.com, or a URL of X.")
  var path: String

  @Argument(help: "Query parameters, as name=value.")
  var query: [String] = []

  @Option(help: ArgumentHelp("A JSON body: a file, or - for standard input.", valueName: "file"))
  var body: String?

  @Option(name: [.customShort("d"), .long], help: ArgumentHelp("A JSON body, or @ with a file.", valueName: "json"))
  var data: String?

  @OptionGroup var access: AccessOptions

  @Option(help: "oauth1, oauth2 or bearer. Default: those that the path accepts, if the catalogue has it.")
  var auth: PathCredentials.Scheme?

  @Option(name: .shortAndLong, help: "json, lines, table, yaml or csv.")
  var output: String = "json"

  @Option(help: ArgumentHelp("Show only these members, separated by commas.", valueName: "names"))
  var fields: String?

  @Option(help: ArgumentHelp("Pick from the response by JMESPath.", valueName: "expression"))
  var filter: String?

  @Flag(name: .shortAndLong, help: "Write texts without quotation marks.")
  var raw = false

  @Flag(help: "Print the request as a command for curl.")
  var curl = false

  @Flag(name: .shortAndLong, help: "Report request and response, without secrets.")
  var verbose = false

  func run(_ method: HTTPRequest.Method) async throws {
    let terminal = Terminal()
    guard path.contains("/") else {
      let advice = method == .post ? "; to publish a post, use `xapi createPosts --text \(path.shellQuoted)`" : ""
      throw ValidationError("`\(path)` is not a path, such as 2/users/me\(advice)")
    }
    guard let format = OutputFormat(rawValue: output) else {
      throw ValidationError("--output is one of \(OutputFormat.allCases.map(\.rawValue).joined(separator: ", ")).")
    }
    if body != nil, data != nil { throw ValidationError("The body is given twice.") }
    var parameters: [String: (any ParameterValue & Sendable)?] = [:]
    for word in query {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2 else { throw ValidationError("`\(word)` is not name=value.") }
      guard !parameters.keys.contains(parts[0]) else {
        throw ValidationError(
          "`\(parts[0])` is given twice; write repeated parameters into the path, as in 2/users?a=1&a=2.")
      }
      parameters[parts[0]] = parts[1]
    }
    try CallWords.validate(filter: filter)
    let filter = try filter.map(CallWords.filter)
    let fields = fields.map { $0.split(separator: ",").map(String.init) } ?? []
    let writer = ResultWriter(format, fields: fields, terminal: terminal, filter: filter, writesRawText: raw)
    let sent = parameters
    let status = await CommandRun(terminal).run { try await call(method, sent, writer) }
    if status != .success { throw ExitCode(status.rawValue) }
  }

  private func call(
    _ method: HTTPRequest.Method, _ query: [String: (any ParameterValue & Sendable)?], _ writer: ResultWriter
  ) async throws {
    let content = try givenBody().map { (body) throws(CommandLineError) in
      CallBody.json(try StandardInput.json(ofBody: body))
    }
    var configuration = ClientConfiguration()
    if verbose { configuration.middleware = [CallCommand.trace(writer.terminal)] }
    let credentials = try XCredentials(access)
    var path = path
    if let place = try credentials.place() {
      configuration.hosts = .all(to: place)
      path = Self.path(path, below: place)
    }
    let authenticators = curl ? [] : try await credentials.authenticators(XCredentials.api())
    let x = XAPI(auth: authenticators, configuration: configuration)
    if curl {
      return try writer.terminal.write(try x.curlCommand(method, path, query: query, body: content) + "\n")
    }
    if let auth { try Self.require(auth, among: authenticators) }
    let choice =
      auth.map { CallCredentials.accepting($0.rawValue) }
      ?? PathCredentials.choice(method, path, among: authenticators)
    var call = Call(method, path, below: x.ownBaseURLs, query: query, body: content, auth: choice)
    if let operation = PathCredentials.stream(method, path) {
      if let name = operation.endpoint.lengthFramingParameter, try x.client.preview(call).url.hasQueryParameter(name) {
        call.frameByLength()
      }
      return try await RecordOutput(writer).write(x.client.stream(call))
    }
    let execution = try CallExecution(x.client, call)
    let whole = try await execution.wholeResponse()
    if ContentKind.isEmpty(whole.body) || Self.isNoJSON(whole) {
      return try writer.write(.null, whole, items: nil)
    }
    let response: Response<JSONValue> = try execution.decode(whole)
    try writer.write(response.value, whole, items: nil)
  }

  /// The body of `--body FILE`, `-d JSON` or `-d @FILE`.
  private func givenBody() throws(CommandLineError) -> Data? {
    if let data, !data.hasPrefix("@") { return Data(data.utf8) }
    guard let file = body ?? data.map({ String($0.dropFirst()) }) else { return nil }
    return try StandardInput().body(file)
  }

  /// Refuses to call where the credentials that `--auth` asks for are not there.
  static func require(
    _ scheme: PathCredentials.Scheme, among authenticators: [any Authenticator]
  ) throws(CommandLineError) {
    let requirement = AuthRequirement(scheme: scheme.rawValue)
    if authenticators.contains(where: { $0.satisfies(requirement) }) { return }
    let kind = scheme.rawValue
    throw CommandLineError(
      "--auth \(kind) asks for credentials that are missing; nothing was sent", .noPermission)
  }

  /// Converts a URL of the place that receives the calls, such as a sandbox's, to a path below it.
  static func path(_ text: String, below place: String) -> String {
    let place = place.hasSuffix("/") ? String(place.dropLast()) : place
    guard text.lowercased().hasPrefix(place.lowercased()) else { return text }
    let rest = text.dropFirst(place.count)
    guard let next = rest.first else { return "/" }
    return next == "/" ? String(rest) : next == "?" ? "/" + rest : text
  }

  /// Whether a response declares and contains something other than JSON. HTML pages come from a proxy.
  private static func isNoJSON(_ response: RawResponse) -> Bool {
    guard let type = response.headers[.contentType]?.lowercased(), !type.contains("json"), !type.contains("html") else {
      return false
    }
    return (try? JSONValue(jsonData: response.body)) == nil
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
