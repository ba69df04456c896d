import CallsignHTTP
import CallsignJSON
import CallsignSupport
import Logging

/// A way to read responses that are not in every part what the catalogue says.
public enum DecodingPolicy: Sendable, Hashable {
  /// Passes over what cannot be read, and tells of it in ``Response/issues``, the log and
  /// ``ClientConfiguration/reportIssues``. An optional member of another shape reads as absent; a list element or map value
  /// that cannot be read is left out; a union whose variant cannot be read holds its JSON as unknown. A model without one of
  /// its required members cannot be read; the call fails only where that is so of the response itself. The default.
  case tolerant
  /// Fails at the first part that is not what the catalogue says. For tests.
  case strict
}

/// Tells of what was passed over in responses: each time to the one who asked, and once for each endpoint and path to the log.
final class IssueReporter: Sendable {
  /// The most paths that are remembered. What comes later is logged no more.
  private static let pathLimit = 1_000

  private let logger: Logger
  private let handler: (@Sendable (_ issues: [DecodingIssue], _ endpoint: String) -> Void)?
  private let logged = Locked<Set<String>>([])

  init(_ configuration: ClientConfiguration) {
    logger = configuration.logger
    handler = configuration.reportIssues
  }

  func report(_ issues: [DecodingIssue], endpoint: String) {
    handler?(issues, endpoint)
    for issue in issues {
      let path = issue.pathWithoutIndices
      let isNew = logged.withLock { logged in
        logged.count < Self.pathLimit && logged.insert("\(endpoint) \(path)").inserted
      }
      guard isNew else { continue }
      logger.warning(
        "a response is not what the catalogue says",
        metadata: [
          "endpoint": "\(endpoint)", "path": "\(path.printable)", "expected": "\(issue.expected)",
          "found": "\(issue.found)", "byte": "\(issue.offset)",
        ])
    }
  }
}
