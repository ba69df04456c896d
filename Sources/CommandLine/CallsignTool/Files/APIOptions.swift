import ArgumentParser
import Callsign
import CallsignCatalogue

/// The command-line options for an API's name and the URLs of its hosts.
enum APIOptions {
  /// Rejects a name that a catalogue cannot have.
  static func check(name: String) throws {
    if let problem = problem(name: name) { throw ValidationError("--name: \(problem)") }
  }

  /// The base URLs from `--server`, by host name.
  ///
  /// - Throws: `ValidationError` for a URL that a catalogue cannot have.
  static func hosts(of servers: [String]) throws -> [String: String] {
    var result: [String: String] = [:]
    for server in servers {
      let parts = server.split(separator: "=", maxSplits: 1)
      let isNamed = parts.count == 2 && !parts[0].contains(":")
      let name = isNamed ? String(parts[0]) : "api"
      let url = isNamed ? String(parts[1]) : server
      if let problem = problem(host: name, url: url) {
        throw ValidationError("--server \(server.shellQuoted): \(problem)")
      }
      guard result.updateValue(url, forKey: name) == nil else {
        throw ValidationError("--server gives the host `\(name)` twice")
      }
    }
    return result
  }

  /// The first error of a catalogue with only these facts.
  private static func problem(
    name: String = "API", host: String = "api", url: String = "https://api.example"
  ) -> String? {
    let quoted = DefaultValue.quoted
    let text = "api: {name: \(quoted(name)), hosts: {\(quoted(host)): \(quoted(url))}}"
    return CatalogueLoader().load(files: [CatalogueSource(path: "api.yaml", bytes: Array(text.utf8))]).diagnostics
      .first { $0.severity == .error }?.message
  }

  /// Types whose names would make the API's type ambiguous in a package's files.
  private static let taken: Set<String> = [
    "Authenticator", "Call", "CallError", "CallOptions", "Client", "ClientConfiguration", "Endpoint", "EventStream",
    "FilePart", "InMemoryTransport", "JSONValue", "Model", "NoContent", "Nullable", "OpenEnum", "Pages", "RateLimit",
    "Response", "Suite", "Test", "Testing", "Transport", "TransportResponse",
  ]

  /// The problem with a name for the API of a package; `nil` if it is fine.
  static func problem(ofPackage name: String) -> String? {
    guard taken.contains(name) else { return nil }
    return "`\(name)` is also a type or module of Callsign or Swift Testing, and a file that imports both cannot tell "
      + "them apart; give the API another name with --name, such as \(name)API"
  }
}
