import Foundation

extension Sandbox {
  /// A received request, with the status of its response. Credentials are masked.
  public struct Request: Sendable {
    /// The HTTP method.
    public let method: String
    /// The path as sent, percent-encoded.
    public let path: String
    /// The decoded query parameters, in the order in which they were sent.
    public let query: [Parameter]
    /// The headers. If a name is repeated, the last value counts.
    public let headers: [String: String]
    /// The first 256 KiB of the body as sent. Credentials in a form are masked.
    public let body: Data
    /// The status of the response; 0 if the connection was closed before one.
    public let status: Int
    /// The time of arrival, on the sandbox's clock.
    public let date: Date
    /// Its OAuth 1.0a signature, split into parts; `nil` if it has none.
    let signature: SignatureTrace?

    /// A name and a value.
    public struct Parameter: Sendable, Hashable {
      /// The decoded name.
      public let name: String
      /// The decoded value.
      public let value: String
    }

    /// The body as text; bytes that are not UTF-8 become replacement characters.
    public var bodyText: String { String(decoding: body, as: UTF8.self) }

    /// The value of a header. The name ignores case.
    public func header(_ name: String) -> String? {
      headers.first { $0.key.caseInsensitiveCompare(name) == .orderedSame }?.value
    }
  }
}

/// The log of the last requests.
actor RequestLog {
  private let capacity: Int
  private(set) var requests: [Sandbox.Request] = []
  /// The number of requests since the start, which is the number of the last one.
  private(set) var count = 0

  init(capacity: Int) { self.capacity = capacity }

  func record(_ request: IncomingRequest, status: Int, date: Date, signature: SignatureTrace?) {
    count += 1
    requests.append(
      Sandbox.Request(
        method: request.method, path: request.path,
        query: Redaction.query(of: request).map(Sandbox.Request.Parameter.init),
        headers: Dictionary(request.headers.map { ($0.name, Redaction.header($0)) }, uniquingKeysWith: { $1 }),
        body: Redaction.body(of: request), status: status, date: date, signature: signature))
    if requests.count > capacity { requests.removeFirst(requests.count - capacity) }
  }

  func clear() { requests = [] }

  /// The requests with a greater number, oldest first, with their numbers.
  func requests(after number: Int, atMost limit: Int) -> [(number: Int, request: Sandbox.Request)] {
    let new = requests.suffix(max(0, min(count - number, limit)))
    return new.enumerated().map { (count - new.count + 1 + $0.offset, $0.element) }
  }
}

extension Sandbox {
  /// The received requests, oldest first.
  public func requests() async -> [Request] { await pipeline.log.requests }

  /// Clears the log of received requests.
  public func forgetRequests() async { await pipeline.log.clear() }
}
