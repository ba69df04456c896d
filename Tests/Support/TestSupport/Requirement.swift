import Foundation
import PostgresServer
import Testing

/// Something from outside the package that a suite or a test needs.
///
/// The same policy applies to all of them: a suite or test without its requirement is skipped and says so, and `Scripts/test`
/// counts it. If `CI` is set, it fails and names the requirement, except under `Scripts/test --quick`.
package struct Requirement: Sendable {
  /// As a message has it: `nginx`, `the corpus oauth1/vectors.jsonl`.
  let name: String
  let isPresent: Bool
  /// Whether a correctly set up machine may lack it.
  var isOptional = false

  /// A program, by the name that it has on `PATH`.
  package static func program(_ name: String) -> Requirement {
    Requirement(name: name, isPresent: Program.path(of: name) != nil)
  }

  package static var nginx: Requirement { program("nginx") }
  package static var lighttpd: Requirement { program("lighttpd") }
  package static var openssl: Requirement { program("openssl") }
  /// PostgreSQL's server and its tools, of any version from 12.
  package static var postgres: Requirement {
    Requirement(name: "postgresql", isPresent: PostgresServer.programs != nil)
  }
  package static var curl: Requirement { program("curl") }
  /// Python with nothing but its standard library.
  package static var python: Requirement { Requirement(name: "python3", isPresent: Python.interpreter != nil) }

  /// Python with a module that is not of its standard library.
  package static func python(with module: String) -> Requirement {
    let package = module.prefix { $0 != "." }
    return Requirement(name: "python3 with \(package)", isPresent: Python.hasModule(module))
  }

  /// A file or folder of the corpora.
  package static func corpus(_ path: String) -> Requirement {
    Requirement(name: "the corpus \(path)", isPresent: Corpora.url(path) != nil)
  }

  /// A file that a clone of the package cannot have, wherever it may be.
  package static func file(_ name: String, at url: URL?) -> Requirement {
    Requirement(name: name, isPresent: url != nil, isOptional: true)
  }

  /// A user who may do everything, as in a container.
  package static var root: Requirement {
    Requirement(name: "the user root", isPresent: geteuid() == 0, isOptional: true)
  }

  /// A build that measures memory as it is: a sanitizer takes several times as much. `Scripts/internal/test-with-sanitizer` says
  /// that there is one.
  package static var plainMemory: Requirement {
    let sanitizer = ProcessInfo.processInfo.environment["CALLSIGN_SANITIZER"] ?? ""
    return Requirement(name: "memory without a sanitizer's own", isPresent: sanitizer.isEmpty, isOptional: true)
  }

  /// A user who may not do everything.
  package static var ordinaryUser: Requirement {
    Requirement(name: "a user who is not root", isPresent: geteuid() != 0, isOptional: true)
  }
}

extension Trait where Self == ConditionTrait {
  /// Runs the suite or test only if all of these exist.
  package static func needs(
    _ requirements: Requirement..., sourceLocation: SourceLocation = #_sourceLocation
  ) -> Self {
    let missing = requirements.filter { !$0.isPresent }
    let names = missing.map(\.name).joined(separator: " and ")
    let reason = "\(names) \(missing.count == 1 ? "is" : "are") missing"
    let mustBeThere = isStrict && missing.contains { !$0.isOptional }
    return .enabled(Comment(rawValue: missing.isEmpty ? "all is there" : reason), sourceLocation: sourceLocation) {
      if mustBeThere { throw MissingRequirement(description: "\(reason), and CI is set") }
      return missing.isEmpty
    }
  }

  private static var isStrict: Bool {
    let environment = ProcessInfo.processInfo.environment
    return environment["CI"]?.isEmpty == false && environment["CALLSIGN_QUICK"] == nil
  }
}

/// Makes a test fail that must not be skipped.
private struct MissingRequirement: Error, CustomStringConvertible {
  let description: String
}
