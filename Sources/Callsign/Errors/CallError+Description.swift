import CallsignHTTP
import Foundation
import HTTPTypes

extension CallError: CustomStringConvertible, CustomDebugStringConvertible, LocalizedError {
  /// What happened and what to do, in one line that is fit for a log: no body, no header, no credential.
  public var description: String {
    switch self {
    case .api(let error): error.description
    case .rateLimited(let limit, let error):
      "the API allows no further calls for now"
        + (error.map { " (\($0.summary))" } ?? ", as earlier answers told; the call was not sent")
        + (limit?.reset.map { "; the limit is reset at \($0.formatted(.iso8601))" } ?? "")
    case .authorization(let error): error.description
    case .transport(let error): error.summary
    case .decoding(let failure):
      "the answer (\(failure.status.code)) is not what the catalogue says: \(failure.error)".printable
    case .unexpectedContent(let content): content.description
    case .cancelled: "the call was cancelled"
    case .mayHaveSucceeded(let error):
      "the answer was lost and the call may have succeeded; check before calling again (\(error.summary))"
    case .invalidCall(let problem): problem.description
    }
  }

  fileprivate static func attempted(_ count: Int) -> String { count > 1 ? ", after \(count) requests" : "" }

  /// The same as ``description``.
  public var debugDescription: String { description }
  /// The same as ``description``.
  public var errorDescription: String? { description }
}

extension APIError: CustomStringConvertible, LocalizedError {
  /// Status, codes and titles, and what to do where that is known, in one line.
  public var description: String { "the API answered \(summary)" + (advice.map { "; \($0)" } ?? "") }
  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// Status, codes and titles; an API's longer texts may quote the request, so they stay in ``problems``.
  package var summary: String {
    var result = "\(status.code) \(status.reasonPhrase)".trimmingCharacters(in: .whitespaces)
    if !codes.isEmpty { result += ", code " + codes.map(String.init).joined(separator: ", ") }
    let titles = titles.filter { $0 != status.reasonPhrase }
    if !titles.isEmpty { result += ": " + titles.joined(separator: "; ") }
    switch content {
    case .json: break
    case .html: result += ", with an HTML page"
    case .xml: result += ", with an XML document"
    case .empty: result += ", with an empty body"
    case .other: result += ", with a body that is not JSON"
    }
    return String(result.printable.prefix(400)) + CallError.attempted(attempts)
  }
}

extension AuthorizationError: CustomStringConvertible, LocalizedError {
  /// What to do, in one line.
  public var description: String {
    response.map { "\(advice) (the API answered \($0.summary))" } ?? advice
  }
  /// The same as ``description``.
  public var errorDescription: String? { description }
}

extension DecodingFailure: CustomStringConvertible, LocalizedError {
  /// What is wrong and where, in one line.
  public var description: String { CallError.decoding(self).description }
  /// The same as ``description``.
  public var errorDescription: String? { description }
}

extension InvalidCall: LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }
}

extension UnexpectedContent: CustomStringConvertible, LocalizedError {
  /// What came instead, in one line.
  public var description: String {
    let what =
      switch kind {
      case .html: "the answer is an HTML page instead of JSON; a proxy or gateway may have sent it"
      case .xml: "the answer is an XML document instead of JSON"
      case .empty: "the answer is empty where a value was expected"
      case .truncated: "the answer's JSON ends before it is complete"
      case .other: "the answer is not JSON"
      case .redirect:
        "the API redirects to where this call does not follow: another origin, from a write, or once too often"
      case .repeatedPage: "the API named a page that was read already; reading on would never end"
      case .framing: "a record of the stream is longer than the client accepts, or its length is no number"
      }
    return "\(what) (status \(status.code), \(body.count) bytes)"
  }
  /// The same as ``description``.
  public var errorDescription: String? { description }
}

extension TransportError: LocalizedError {
  /// What happened on the way, in one line.
  public var errorDescription: String? { summary }

  var summary: String {
    let what =
      switch kind {
      case .invalidRequest(let why): "the request cannot be sent: \(why)"
      case .cannotResolveHost: "the host's name cannot be resolved"
      case .cannotConnect: "the host cannot be reached"
      case .tls: "no trusted TLS connection could be made"
      case .proxy: "the proxy refused the connection"
      case .timedOut: "the time allowed has passed"
      case .connectionLost: "the connection was lost before the answer was complete"
      case .protocolViolation: "the answer is not HTTP"
      case .bodyTooLarge: "the answer is larger than the client accepts"
      case .bodySource: "the request's body could not be read"
      case .cancelled: "the transfer was cancelled"
      case .other: "the transfer failed"
      }
    return (detail.map { "\(what) (\($0))" } ?? what).printable + CallError.attempted(attempts)
  }
}

extension RawResponse: CustomStringConvertible, CustomReflectable {
  /// Status and size.
  public var description: String { "\(status.code), \(body.count) bytes" }
  /// Status and size; bodies and headers are not for logs.
  public var customMirror: Mirror { Mirror(self, children: ["status": status.code, "bytes": body.count]) }
}
