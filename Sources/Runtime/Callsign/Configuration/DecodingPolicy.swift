import CallsignHTTP
import CallsignJSON
import CallsignSupport
import Logging

/// How to read responses that do not match the catalogue in every part.
public enum DecodingPolicy: Sendable, Hashable {
  /// Skips the parts that cannot be read, and reports them in ``Response/issues``, the log and
  /// ``ClientConfiguration/reportIssues``. An optional member of another shape reads as absent. A list element or map
  /// value that cannot be read is left out. A union whose variant cannot be read holds its JSON as unknown. A required
  /// member that is missing or of another shape reads as its type's empty value, but a model without its `id` cannot be
  /// read. The call fails only if the response itself cannot be read. The default.
  case tolerant
  /// Fails at the first part that does not match the catalogue. For tests.
  case strict
}

/// Reports the skipped parts of responses: each time to the caller, and to the log in one line per response, if it has
/// a path that was not logged yet for the endpoint.
final class IssueReporter: Sendable {
  /// The maximum number of paths to remember. Later ones are not logged.
  private static let pathLimit = 1_000
  /// The most paths that one line names.
  private static let namedPaths = 8

  private let logger: Logger
  private let handler: (@Sendable (_ issues: [DecodingIssue], _ endpoint: String) -> Void)?
  private let logged = Locked<Set<String>>([])

  init(_ configuration: ClientConfiguration) {
    logger = configuration.logger
    handler = configuration.reportIssues
  }

  func report(_ issues: [DecodingIssue], endpoint: String) {
    handler?(issues, endpoint)
    let new = logged.withLock { logged in
      issues.filter { issue in
        logged.count < Self.pathLimit && logged.insert("\(endpoint) \(issue.pathWithoutIndices)").inserted
      }
    }
    guard !new.isEmpty else { return }
    let texts = new.prefix(Self.namedPaths).map { issue in
      "\(issue.pathWithoutIndices): expected \(issue.expected), found \(issue.found)".printable
    }
    let more = new.count > texts.count ? "; \(new.count - texts.count) more" : ""
    logger.warning(
      "a response is not what the catalogue says",
      metadata: [
        "endpoint": "\(endpoint)", "issues": "\(issues.count)", "new": "\(texts.joined(separator: "; "))\(more)",
      ])
  }
}
