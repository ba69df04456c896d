import CallsignCatalogue
import CallsignHTTP
import CallsignJSON
import CallsignSupport
import Foundation
import HTTPTypes

/// A response to be sent, to memory or to a socket.
package struct OutgoingResponse: Sendable {
  package var status: Int
  package var headers: HTTPFields
  package var body: ResponseBody
  /// The announced number of bytes; `nil` if the end is not known.
  package var length: Int?
  /// Whether the connection is closed before the end of the body, even if the status has no body.
  package var isCut = false

  init(status: Int, headers: HTTPFields, bytes: Data) {
    self.status = status
    self.headers = headers
    body = ResponseBody(bytes)
    length = bytes.count
  }

  init(status: Int, headers: HTTPFields, records: RecordStream) {
    self.status = status
    self.headers = headers
    body = ResponseBody(records)
  }

  /// Announces the length but sends no bytes, like the response to a HEAD request (RFC 9110 §9.3.2).
  mutating func leaveOutBody() {
    body = ResponseBody(Data())
    length = length ?? 0
  }

  /// A problem document (RFC 9457).
  ///
  /// - Parameters:
  ///   - status: The status.
  ///   - detail: The reason as text.
  ///   - operation: The operation's name.
  ///   - problems: The invalid parameters.
  ///   - headers: Further header fields.
  static func problem(
    _ status: Int, _ detail: String, operation: String? = nil, problems: [ArgumentProblem] = [],
    headers: HTTPFields = [:]
  ) -> OutgoingResponse {
    var headers = headers
    headers[.contentType] = "application/problem+json"
    let document = problemDocument(status, detail, operation: operation, problems: problems)
    return OutgoingResponse(status: status, headers: headers, bytes: JSONText.data(document))
  }

  /// The body of a problem document (RFC 9457).
  static func problemDocument(
    _ status: Int, _ detail: String, operation: String? = nil, problems: [ArgumentProblem] = []
  ) -> JSONValue {
    var members: [String: JSONValue] = [
      "type": "about:blank", "title": .string(ReasonPhrase.of(status)), "status": .integer(status),
      "detail": .string(detail),
    ]
    if let operation { members["operation"] = .string(operation) }
    if !problems.isEmpty {
      members["errors"] = .array(
        problems.map {
          [
            "parameter": .string($0.parameter), "in": .string($0.place), "detail": .string($0.detail),
            "allowed": .string($0.allowed),
          ]
        })
    }
    return .object(members)
  }
}

/// Writes JSON, or a placeholder if it cannot be written.
enum JSONText {
  /// The compact text, with members sorted by name, so that equal values give equal bytes.
  static func data(_ value: JSONValue) -> Data { Data(text(value).utf8) }

  static func text(_ value: JSONValue) -> String {
    switch value {
    case .object(let members):
      let parts = members.sorted { $0.key < $1.key }.map { "\(JSONValue.string($0.key)):\(text($0.value))" }
      return "{" + parts.joined(separator: ",") + "}"
    case .array(let elements): return "[" + elements.map(text).joined(separator: ",") + "]"
    default: return value.description
    }
  }
}

/// The usual phrase for a status (RFC 9110 §15).
package enum ReasonPhrase {
  private static let known: [HTTPResponse.Status] = [
    .ok, .created, .accepted, .nonAuthoritativeInformation, .noContent, .resetContent, .partialContent,
    .multipleChoices, .movedPermanently, .found, .seeOther, .notModified, .temporaryRedirect, .permanentRedirect,
    .badRequest, .unauthorized, .init(code: 402, reasonPhrase: "Payment Required"), .forbidden, .notFound,
    .methodNotAllowed, .notAcceptable, .proxyAuthenticationRequired,
    .requestTimeout, .conflict, .gone, .lengthRequired, .preconditionFailed, .contentTooLarge, .uriTooLong,
    .unsupportedMediaType, .rangeNotSatisfiable, .expectationFailed, .misdirectedRequest, .unprocessableContent,
    .tooEarly, .upgradeRequired, .preconditionRequired, .tooManyRequests, .requestHeaderFieldsTooLarge,
    .unavailableForLegalReasons, .internalServerError, .notImplemented, .badGateway, .serviceUnavailable,
    .gatewayTimeout, .httpVersionNotSupported, .networkAuthenticationRequired,
  ]
  private static let phrases = Dictionary(known.map { ($0.code, $0.reasonPhrase) }) { first, _ in first }

  package static func of(_ status: Int) -> String { phrases[status] ?? "Status \(status)" }
}

/// A body that ends with a closed connection before all bytes are sent.
final class TruncatedBody: ResponseBodySource {
  private let pending: Locked<Data>

  init(_ bytes: Data) { pending = Locked(bytes) }

  func next() async throws(TransportError) -> Data? {
    let bytes = pending.withLock { pending in
      defer { pending = Data() }
      return pending
    }
    guard bytes.isEmpty else { return bytes }
    throw TransportError(.connectionLost, delivery: .delivered)
  }
}

/// The framed records of a stream, sent one after the other at a fixed rate.
final class RecordStream: ResponseBodySource {
  private struct State {
    var index = 0
    var isOver = false
  }

  private let framing: StreamFraming
  private let end: String?
  private let hasWholeEvents: Bool
  private let interval: Duration
  private let count: Int?
  private let record: @Sendable (Int) -> JSONValue
  private let state = Locked(State())

  /// - Parameters:
  ///   - framing: How the records are separated.
  ///   - endpoint: The operation, which defines how events are written and how the stream ends.
  ///   - interval: The pause between two records.
  ///   - count: The number of records; `nil` if the stream does not end.
  ///   - record: Makes the record with a number, from 0.
  init(
    framing: StreamFraming, endpoint: Endpoint, interval: Duration, count: Int?,
    record: @escaping @Sendable (Int) -> JSONValue
  ) {
    self.framing = framing
    end = endpoint.streamEnd
    hasWholeEvents = endpoint.hasWholeEvents
    self.interval = interval
    self.count = count
    self.record = record
  }

  func next() async throws(TransportError) -> Data? {
    let index: Int? = state.withLock { state in
      if state.isOver { return nil }
      defer { state.index += 1 }
      return state.index
    }
    guard let index else { return nil }
    if index > 0, interval > .zero {
      do { try await Task.sleep(for: interval) } catch { throw TransportError(.cancelled, delivery: .delivered) }
    }
    if let count, index >= count {
      state.withLock { $0.isOver = true }
      switch framing {
      case .array: return Data((count == 0 ? "[]\n" : "]\n").utf8)
      case .events: return end.map { Data("data: \($0)\n\n".utf8) }
      case .lines, .length: return nil
      }
    }
    let value = record(index)
    let text = JSONText.text(value)
    switch framing {
    case .lines: return Data("\(text)\r\n".utf8)
    case .length: return Data("\(text.utf8.count + 2)\r\n\(text)\r\n".utf8)
    case .array: return Data("\(index == 0 ? "[" : ",")\n\(text)".utf8)
    case .events: return Data(event(value, text, index).utf8)
    }
  }

  /// WHATWG HTML §9.2.5
  private func event(_ value: JSONValue, _ text: String, _ index: Int) -> String {
    guard hasWholeEvents, case .object(let members) = value else { return "id: \(index + 1)\ndata: \(text)\n\n" }
    var lines: [String] = []
    if let id = members["id"].flatMap(ParameterText.plain) { lines.append("id: \(id)") }
    if let name = members["event"].flatMap(ParameterText.plain) { lines.append("event: \(name)") }
    let data = members["data"] ?? .null
    let body = data.string ?? JSONText.text(data)
    lines += body.split(separator: "\n", omittingEmptySubsequences: false).map { "data: \($0)" }
    return lines.joined(separator: "\n") + "\n\n"
  }
}
