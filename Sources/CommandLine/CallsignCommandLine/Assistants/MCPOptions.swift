import ArgumentParser
import Callsign
import CallsignAuth
import CallsignCatalogue
import CallsignDynamic
import Foundation

/// The options that both programs' `mcp` commands share.
package struct MCPOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Offer only these operations and groups, separated by commas.", valueName: "names"))
  package var only: String?

  @Flag(help: "Offer only operations that change nothing.")
  package var readOnly = false

  @Flag(help: "Make changes for clients that cannot ask the person first.")
  package var allowChanges = false

  @Option(
    help: ArgumentHelp(
      "Send everything to this server, such as a sandbox; the URL may end with the API's own base path.",
      valueName: "url"))
  package var baseURL: String?

  @Option(help: ArgumentHelp("A JSON file with credentials.", valueName: "file"))
  package var credentials: String?

  @Option(help: ArgumentHelp("Whose credentials.", valueName: "name"))
  package var account: String?

  @Option(help: ArgumentHelp("The credentials of that login.", valueName: "name"))
  package var profile: String?

  @Option(
    help: ArgumentHelp(
      "The client's certificate; the password of its key is in \(CertificateFiles.passwordVariable).", valueName: "file"
    ))
  package var cert: String?

  @Option(help: ArgumentHelp("The certificate's key, if it is in a separate file.", valueName: "file"))
  package var certKey: String?

  @Option(help: ArgumentHelp("The certificate authorities to trust in place of the system's.", valueName: "file"))
  package var cacert: String?

  @Option(
    defaultAsFlag: UInt16(0),
    help: ArgumentHelp(
      "Speak HTTP at this port of 127.0.0.1, or at a free one, in place of standard input and output.",
      valueName: "port"))
  package var http: UInt16?

  package init() {}

  /// Serves catalogues until standard input ends or, over HTTP, until the first interrupt.
  ///
  /// - Parameter prefix: The prefix of environment variables, without the underscore.
  /// - Throws: `CommandLineError` if nothing matches a name in `--only`, or the port is taken; ``ExitStatus`` if the URL cannot be
  ///   written.
  package func serve(
    _ catalogues: [Catalogue], name: String, prefix: String, auth: [any Authenticator],
    conventions: any APIConventions = .standard
  ) async throws {
    let chosen = Set((only ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) })
    let known = Set(catalogues.flatMap(\.groups).flatMap { [$0.name] + $0.endpoints.map(\.name) })
    if let unknown = chosen.subtracting(known).min() {
      throw CommandLineError("--only: unknown operation or group \(unknown)")
    }
    var configuration = ClientConfiguration()
    configuration.redaction = Redaction(catalogues)
    let files = CertificateFiles(certificate: cert, key: certKey, authorities: cacert)
    let urls = baseURL.map { [$0] } ?? catalogues.flatMap(\.api.hosts).map(\.sampleURL)
    if let transport = try files.transport(to: urls) { configuration.transport = transport }
    let client = Client(auth: auth, configuration: configuration)
    var options = MCPServer.Options(name: name)
    options.only = chosen
    options.place = baseURL
    options.isReadOnly = readOnly
    options.allowsChanges = allowChanges
    let apis = catalogues.map { DynamicAPI($0, client: client, conventions: conventions) }
    guard let http else { return await MCPServer.serve(apis, options) }
    let variable = prefix + "_MCP_TOKEN"
    let token = ProcessInfo.processInfo.environment[variable].flatMap { $0.isEmpty ? nil : Secret($0) }
    if token == nil {
      StandardError.write(
        "Every program on this machine can call this server. Set \(variable) to require that bearer token.")
    }
    let interrupts = Interrupts()
    let endpoint = MCPEndpoint(OperationTools(apis, options), options, token: token)
    let listener = try await MCPListener.start(endpoint, port: http)
    do throws(ExitStatus) { try Terminal().write(listener.address + "\n") } catch {
      await listener.stop()
      throw error
    }
    await interrupts.wait()
    await listener.stop()
  }
}
