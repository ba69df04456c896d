import ArgumentParser
import CallsignCatalogue

/// The name that `--name` gives to an API.
enum APIName {
  /// Refuses a name that no catalogue may have.
  static func check(_ name: String) throws {
    let text = "api: {name: \(DefaultValue.quoted(name)), hosts: {api: https://api.example}}"
    let problems = CatalogueLoader().load(files: [CatalogueSource(path: "api.yaml", bytes: Array(text.utf8))])
      .diagnostics
    guard let problem = problems.first(where: { $0.severity == .error }) else { return }
    throw ValidationError("--name: \(problem.message)")
  }

  /// Types beside which a file of a package's could not name the API's own.
  private static let taken: Set<String> = [
    "Authenticator", "Call", "CallError", "CallOptions", "Client", "ClientConfiguration", "Endpoint", "EventStream",
    "FilePart", "InMemoryTransport", "JSONValue", "Model", "NoContent", "Nullable", "OpenEnum", "Pages", "RateLimit",
    "Response", "Suite", "Test", "Testing", "Transport", "TransportResponse",
  ]

  /// What is wrong with a name for the API of a package.
  static func problem(ofPackage name: String) -> String? {
    guard taken.contains(name) else { return nil }
    return "`\(name)` is a type or module of Callsign or Swift Testing, too, and a file that imports both cannot tell "
      + "them apart; give the API another name with --name, such as \(name)API"
  }
}
