import Callsign
import CallsignHTTP
import CallsignSupport
import Foundation
import HTTPTypes

/// Records what a client sends and receives. In tests, a ``CassettePlayer`` responds from the recording.
///
/// Secrets are removed before anything is kept: header fields that are not in ``Redaction/shownHeaders`` (credentials
/// and cookies are not), and the values of ``Redaction/hiddenParameters`` in URLs and bodies. If a response repeats the
/// credentials of its request, they are removed from it whatever its name for them is.
///
/// ```swift
/// let recorder = CassetteRecorder()
/// let x = XAPI(auth: …, configuration: ClientConfiguration(middleware: [recorder]))
/// // … calls …
/// try recorder.save(to: file)
/// ```
///
/// Lost connections are not recorded. If a reader did not read a body to its end, the recording has only the part that
/// was read. To play redirects, and pages that a `Link` field names, add `location` or `link` to
/// ``Redaction/shownHeaders``, if such URLs carry no credentials: without these fields a playback ends at the first of
/// them.
public final class CassetteRecorder: Middleware {
  private let redaction: Redaction
  private let exchanges = Locked<[RecordedExchange?]>([])

  /// Starts an empty cassette.
  ///
  /// - Parameter redaction: The rules for keeping or hiding values.
  public init(redaction: Redaction = Redaction()) { self.redaction = redaction }

  /// Writes the exchanges recorded so far, in the order of their requests.
  public func save(to file: URL) throws(CassetteError) {
    try Cassette(exchanges: exchanges.withLock { $0.compactMap { $0 } }).write(to: file)
  }

  /// Sends the request on, and records it with its response.
  public func send(
    _ request: TransportRequest, context: AttemptContext, next: Next
  ) async throws(TransportError) -> TransportResponse {
    let place = exchanges.withLock { exchanges in
      exchanges.append(nil)
      return exchanges.count - 1
    }
    let secrets = context.secrets
    var response = try await next(request)
    let head = response.head
    let headers = head.headerFields.filter { redaction.shownHeaders.contains($0.name.canonicalName) }
    let exchange = RecordedExchange(
      method: request.head.method.rawValue, url: redaction.recordedURL(of: request, context),
      requestBody: RecordedExchange.Content(
        request.body, redaction, contentType: request.headerFields[.contentType]),
      status: head.status.code, headers: headers.map { [$0.name.rawName, secrets.removed(from: $0.value)] },
      responseBody: .none)
    // Kept at once, in case nobody reads the body.
    exchanges.withLock { $0[place] = exchange }
    response.body = ResponseBody(
      ObservedBody(response.body, limit: .max / 2) { [exchanges, redaction] body, _ in
        let type = head.headerFields[.contentType]
        let clean = secrets.removed(from: redaction.body(body ?? Data(), contentType: type))
        let content = RecordedExchange.Content(clean)
        exchanges.withLock { $0[place]?.responseBody = content }
      })
    return response
  }
}

extension CassetteRecorder: RedactedStringConvertible {
  /// The number of recorded exchanges, without their content.
  public var description: String { "CassetteRecorder(\(exchanges.withLock { $0.count }) exchanges)" }
}

/// Responds from what a ``CassetteRecorder`` has recorded, without a network.
///
/// A request gets the first unused exchange that has the same method, URL and body, apart from secrets. Equal requests
/// therefore get the recorded responses one after the other. A request that was not recorded, or whose exchanges are
/// used up, fails with ``CallError/invalidCall(_:)``, which says how it differs from the nearest recorded request.
///
/// Requests of authenticators, such as a token refresh, do not pass through middleware: play with complete credentials,
/// which may be made up.
public final class CassettePlayer: Middleware {
  private struct State {
    var unused: [RecordedExchange]
    var used: [RecordedExchange] = []
  }

  private let redaction: Redaction
  private let state: Locked<State>

  /// Reads a cassette.
  ///
  /// - Parameters:
  ///   - file: The file that ``CassetteRecorder/save(to:)`` wrote.
  ///   - redaction: The same as when it was recorded.
  public init(contentsOf file: URL, redaction: Redaction = Redaction()) throws(CassetteError) {
    self.redaction = redaction
    state = Locked(State(unused: try Cassette(contentsOf: file).exchanges))
  }

  /// The number of recorded exchanges that were not requested. A test that expects all of them can compare it with 0.
  public var unused: Int { state.withLock { $0.unused.count } }

  /// Responds from the cassette; nothing is sent.
  public func send(
    _ request: TransportRequest, context: AttemptContext, next: Next
  ) async throws(TransportError) -> TransportResponse {
    let method = request.head.method.rawValue
    let url = redaction.recordedURL(of: request, context)
    let body = RecordedExchange.Content(request.body, redaction, contentType: request.headerFields[.contentType])
    let found: Result<RecordedExchange, TransportError> = state.withLock { state in
      let index = state.unused.firstIndex { $0.responses(method, url, body) }
      if let index {
        state.used.append(state.unused.remove(at: index))
        return .success(state.used[state.used.count - 1])
      }
      let isUsedUp = state.used.contains { $0.responses(method, url, body) }
      let why = isUsedUp ? "it is used up: it was recorded fewer times" : Self.difference(method, url, state.unused)
      return .failure(.invalidRequest("the cassette has no response to \(method) \(Self.path(url)): \(why)"))
    }
    let exchange = try found.get()
    var headers = HTTPFields()
    for field in exchange.headers {
      // The body is stored as it was read: neither compressed nor chunked.
      guard let name = HTTPField.Name(field[0]), name != .contentEncoding, name != .transferEncoding,
        name != .contentLength
      else { continue }
      headers.append(HTTPField(name: name, value: field[1]))
    }
    return TransportResponse(
      status: HTTPResponse.Status(code: exchange.status), headerFields: headers, body: exchange.responseBody.data)
  }

  /// How a request differs from the nearest recorded one. It names parameters, but no values.
  private static func difference(_ method: String, _ url: String, _ unused: [RecordedExchange]) -> String {
    if unused.isEmpty { return "all of its exchanges are used up; record it again" }
    if unused.contains(where: { $0.responses(method, url, $0.requestBody) }) {
      return "the body differs from the recorded one"
    }
    if let near = unused.first(where: { $0.method == method && path($0.url) == path(url) }) {
      let names = parameters(url).symmetricDifference(parameters(near.url)).map { $0.prefix { $0 != "=" } }
      return "the query differs in \(Set(names.map(String.init)).sorted().joined(separator: ", ").printable)"
    }
    if let near = unused.first(where: { path($0.url) == path(url) }) { return "it was recorded with \(near.method)" }
    return "the next exchange is \(unused[0].method) \(path(unused[0].url))"
  }

  private static func path(_ url: String) -> String { String(url.prefix { $0 != "?" }).printable }

  private static func parameters(_ url: String) -> Set<Substring> {
    Set(RecordedExchange.plainCommas(url).drop { $0 != "?" }.dropFirst().split(separator: "&"))
  }
}

extension Redaction {
  /// The URL that identifies a request. The query of a redirect's URL may repeat the credentials under other names.
  fileprivate func recordedURL(of request: TransportRequest, _ context: AttemptContext) -> String {
    let text = url(of: request, as: context.url)
    guard let mark = text.unicodeScalars.firstIndex(of: "?") else { return text }
    return text[..<mark] + context.secrets.removed(from: String(text[mark...]))
  }
}

extension CassettePlayer: RedactedStringConvertible {
  /// The number of remaining exchanges, without their content.
  public var description: String { "CassettePlayer(\(unused) exchanges left)" }
}
