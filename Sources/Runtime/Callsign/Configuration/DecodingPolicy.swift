import CallsignHTTP
import CallsignJSON
import CallsignSupport
import Logging

/// A way to read responses that are not in every part what the catalogue says.
public enum DecodingPolicy: Sendable, Hashable {
  /// Passes over what cannot be read, and tells of it in ``Response/issues``, the log and
  /// ``ClientConfiguration/reportIssues``. An optional member of another shape reads as absent; a list element or map value
  /// that cannot be read is left out; a union whose variant cannot be read holds its JSON as unknown. A required member that
  /// is missing or of another shape reads as its type's empty value, but a model without its `id` cannot be read; the call
  /// fails only where that is so of the response itself. The default.
  case tolerant
  /// Fails at the first part that is not what the catalogue says. For tests.
  case strict
}

/// Tells of what was passed over in responses: each time to the one who asked, and to the log in one line for a response, if
/// it has a path that the log does not have yet for the endpoint.
final class IssueReporter: Sendable {
  /// The most paths that are remembered. What comes later is logged no more.
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
