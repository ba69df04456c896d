import ArgumentParser
import Callsign
import CallsignCatalogue

/// The options of a command line about an API: its name, and the URLs of its hosts.
enum APIOptions {
  /// Refuses a name that no catalogue may have.
  static func check(name: String) throws {
    if let problem = problem(name: name) { throw ValidationError("--name: \(problem)") }
  }

  /// The base URLs that `--server` gives, by the names of their hosts.
  ///
  /// - Throws: `ValidationError` about one that no catalogue may have.
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

  /// The first error of a catalogue that has these facts and no others.
  private static func problem(
    name: String = "API", host: String = "api", url: String = "https://api.example"
  ) -> String? {
    let quoted = DefaultValue.quoted
    let text = "api: {name: \(quoted(name)), hosts: {\(quoted(host)): \(quoted(url))}}"
    return CatalogueLoader().load(files: [CatalogueSource(path: "api.yaml", bytes: Array(text.utf8))]).diagnostics
      .first { $0.severity == .error }?.message
  }

  /// Types beside which a file of a package's could not name the API's own.
  private static let taken: Set<String> = [
    "Authenticator", "Call", "CallError", "CallOptions", "Client", "ClientConfiguration", "Endpoint", "EventStream",
    "FilePart", "InMemoryTransport", "JSONValue", "Model", "NoContent", "Nullable", "OpenEnum", "Pages", "RateLimit",
    "Response", "Suite", "Test", "Testing", "Transport", "TransportResponse",
  ]

  /// The problem of a name for the API of a package; `nil` where there is none.
  static func problem(ofPackage name: String) -> String? {
    guard taken.contains(name) else { return nil }
    return "`\(name)` is also a type or module of Callsign or Swift Testing, and a file that imports both cannot tell "
      + "them apart; give the API another name with --name, such as \(name)API"
  }
}
