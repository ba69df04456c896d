import Callsign
import CallsignHTTP
import Foundation
import HTTPTypes

/// Records what a client sends and receives, for a ``CassettePlayer`` to answer from later, in tests.
///
/// Secrets are taken out before anything is kept: header fields that are not on ``Redaction/shownHeaders`` (credentials
/// and cookies are not), and the values of ``Redaction/hiddenParameters`` in URLs and bodies.
///
/// ```swift
/// let recorder = CassetteRecorder()
/// let x = XAPI(auth: …, configuration: ClientConfiguration(middleware: [recorder]))
/// // … calls …
/// try recorder.save(to: file)
/// ```
///
/// Lost connections are not recorded. A body of which the reader did not see the end is recorded as far as it was read.
public final class CassetteRecorder: Middleware {
  private let redaction: Redaction
  private let exchanges = Locked<[Cassette.Exchange?]>([])

  /// Begins an empty cassette.
  ///
  /// - Parameter redaction: What may be kept.
  public init(redaction: Redaction = Redaction()) { self.redaction = redaction }

  /// Writes what was recorded so far, in the order in which it was sent.
  public func save(to file: URL) throws(CassetteError) {
    try Cassette(exchanges: exchanges.withLock { $0.compactMap { $0 } }).write(to: file)
  }

  /// Sends the request on, and records it with its answer.
  public func send(
    _ request: TransportRequest, context: AttemptContext, next: Next
  ) async throws(TransportError) -> TransportResponse {
    let place = exchanges.withLock { exchanges in
      exchanges.append(nil)
      return exchanges.count - 1
    }
    var response = try await next(request)
    let head = response.head
    let headers = head.headerFields.filter { redaction.shownHeaders.contains($0.name.canonicalName) }
    let exchange = Cassette.Exchange(
      method: request.head.method.rawValue, url: redaction.url(context.url),
      requestBody: Cassette.Content(
        request.body, redaction, contentType: request.head.headerFields[.contentType]),
      status: head.status.code, headers: headers.map { [$0.name.rawName, $0.value] }, responseBody: .none)
    // Kept at once, for a body that nobody reads.
    exchanges.withLock { $0[place] = exchange }
    response.body = ResponseBody(
      ObservedBody(response.body, limit: .max / 2) { [exchanges, redaction] body, _ in
        let type = head.headerFields[.contentType]
        let content = Cassette.Content(redaction.body(body ?? Data(), contentType: type))
        exchanges.withLock { $0[place]?.responseBody = content }
      })
    return response
  }
}

extension CassetteRecorder: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// How much was recorded, and nothing of it.
  public var description: String { "CassetteRecorder(\(exchanges.withLock { $0.count }) exchanges)" }
  /// The same as ``description``.
  public var debugDescription: String { description }
  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
