import CallsignHTTP
import CallsignJSON
import CallsignSupport
import HTTPTypes

/// The request of a response, as far as the response needs to know it.
protocol OriginalRequest: AnyObject, Sendable {
  /// The credentials, which no error may show.
  var secrets: RedactedTexts { get }
  /// The URL without credentials, before ``ClientConfiguration/hosts`` redirects it.
  var url: AbsoluteURL { get }
  /// Whether an earlier request may have carried the call out.
  var followsDoubt: Bool { get }
  /// The credentials that the call accepted, in the form of ``Endpoint/auth``; `nil` for none at all.
  var acceptedCredentials: String? { get }
}

/// An API's response as it arrived: status, headers and body.
public final class RawResponse: Sendable {
  /// The HTTP status.
  public let status: HTTPResponse.Status
  /// The header fields.
  public let headers: HTTPFields
  /// The body; empty if it was read as a stream.
  public let body: Data
  /// The conventions that the API follows for limits and errors.
  package let conventions: any APIConventions
  /// The number of requests that were sent for the call, redirects and repetitions included, until this response.
  public let attempts: Int
  /// The request, if it is known.
  private let request: (any OriginalRequest)?
  /// The problems of ``body``, once they were needed.
  private let problems = MadeOnce<ProblemList>()

  /// Keeps a response.
  ///
  /// - Parameters:
  ///   - status: The HTTP status.
  ///   - headers: The header fields. Default: none.
  ///   - body: The body. Default: empty.
  ///   - conventions: How the API states limits and errors. Default: as most APIs do.
  ///   - attempts: How many requests were sent for the call until this response. Default: 1.
  public convenience init(
    status: HTTPResponse.Status, headers: HTTPFields = HTTPFields(), body: Data = Data(),
    conventions: any APIConventions = .standard, attempts: Int = 1
  ) {
    self.init(
      status: status, headers: headers, body: body, conventions: conventions, attempts: attempts, request: nil)
  }

  init(
    status: HTTPResponse.Status, headers: HTTPFields, body: Data, conventions: any APIConventions, attempts: Int,
    request: (any OriginalRequest)?
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.conventions = conventions
    self.attempts = attempts
    self.request = request
  }

  /// The same response with another body.
  package func with(body: Data) -> RawResponse {
    RawResponse(
      status: status, headers: headers, body: body, conventions: conventions, attempts: attempts,
      request: request)
  }

  /// The credentials of the request, which no error may show; `nil` if the request is not known.
  package var secrets: RedactedTexts? { request?.secrets }

  /// The URL of the response, without credentials and before ``ClientConfiguration/hosts`` redirects it. Relative
  /// references in the response are resolved against it (RFC 3986 §5.1.3). `nil` if it is not known.
  package var url: AbsoluteURL? { request?.url }

  /// The credentials that the call accepted, in the form of ``Endpoint/auth``; an empty text if they are not known.
  /// `nil` for none at all.
  package var acceptedCredentials: String? { request.map(\.acceptedCredentials) ?? "" }

  /// Whether an earlier request may have carried the call out.
  var followsDoubt: Bool { request?.followsDoubt ?? false }

  /// The state of the endpoint's rate limit, if the API states it.
  public var rateLimit: RateLimit? { conventions.rateLimit(in: headers) }

  /// The `errors` of a body that is a JSON object. The body is read only once for this.
  var problemsBesideData: [ProblemDetails] {
    problems.value {
      let problems = ProblemDetails.beside(data: body)
      return ProblemList(problems.isEmpty ? problems : secrets?.removed(from: problems) ?? problems)
    }.problems
  }

  private final class ProblemList: Sendable {
    let problems: [ProblemDetails]

    init(_ problems: [ProblemDetails]) { self.problems = problems }
  }
}

extension RawResponse {
  /// The response's media type, without parameters and in lower case, such as `text/csv`.
  public var mediaType: String? {
    headers[.contentType].map { value in
      value.prefix { $0 != ";" }.trimmingWhitespace().lowercased()
    }
  }

  /// The response's entity tag (RFC 9110 §8.8.3), for a ``CallCondition``.
  public var entityTag: String? { headers[.eTag] }

  /// The body as text, in the character set that the response names; `nil` if that character set is not supported. A
  /// JSON string becomes the text that it contains.
  var text: String? {
    if let type = mediaType, type.hasSuffix("/json") || type.hasSuffix("+json"), let text = try? String(jsonData: body)
    {
      return text
    }
    return CharacterSetName.text(of: body, named: headers[.contentType] ?? "")
  }
}

// Header fields as the types of a catalogue.
extension RawResponse {
  /// A header field as text; `nil` if it is missing.
  public func header(_ name: StaticString) -> String? { HTTPField.Name(name.description).flatMap { headers[$0] } }

  /// A header field as a whole number; `nil` if it is missing or has another value.
  public func header(_ name: StaticString) -> Int? { trimmed(name).flatMap { Int($0) } }

  /// A header field as a number; `nil` if it is missing or has another value.
  public func header(_ name: StaticString) -> Double? { trimmed(name).flatMap { Double(written: $0) } }

  /// A header field as a flag, `true`, `false`, `1` or `0`; `nil` if it is missing or has another value.
  public func header(_ name: StaticString) -> Bool? {
    switch trimmed(name)?.lowercased() {
    case "true", "1": true
    case "false", "0": false
    default: nil
    }
  }

  /// A header field as a date, in the given format or as HTTP writes dates (RFC 9110 §5.6.7); `nil` if it is missing or
  /// not a date.
  public func header(_ name: StaticString, _ format: DateFormat = .rfc3339) -> Date? {
    trimmed(name).flatMap { HTTPDate.date($0) ?? format.date(from: $0) }
  }

  private func trimmed(_ name: StaticString) -> String? {
    let text: String? = header(name)
    return text?.trimmingWhitespace()
  }
}

extension RawResponse: CustomStringConvertible, CustomReflectable {
  /// Status and size.
  public var description: String { "\(status.code), \(body.count) bytes" }
  /// Status and size; bodies and headers are not for logs.
  public var customMirror: Mirror { Mirror(self, children: ["status": status.code, "bytes": body.count]) }
}
