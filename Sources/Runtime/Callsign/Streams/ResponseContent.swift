import CallsignHTTP
import CallsignJSON
import CallsignSupport

/// The content of a response whose type the API's document does not say. The response's `Content-Type` decides.
///
/// ```swift
/// switch try await logs.downloadLogs().value {
/// case .text(let csv): print(csv)
/// case .bytes(let data): try data.write(to: file)
/// case .json(let value): print(value)
/// case .events(let records), .lines(let records): for try await record in records { print(record) }
/// }
/// ```
public enum ResponseContent: Sendable {
  /// Any JSON; null for a response that is empty, or white space.
  case json(JSONValue)
  /// Text, such as CSV, HTML, XML or YAML, in the character set that the response names.
  case text(String)
  /// A file of any other type, and text in a character set that is not read.
  case bytes(Data)
  /// Server-sent events as they arrive: each is an object with `event`, `id` and `data`, which is JSON or else a text.
  case events(ResponseRecords)
  /// Lines as they arrive: each is JSON or otherwise a text.
  case lines(ResponseRecords)

  /// The JSON; `nil` for content of another type.
  public var json: JSONValue? { if case .json(let value) = self { value } else { nil } }
  /// The text; `nil` for content of another type.
  public var text: String? { if case .text(let value) = self { value } else { nil } }
  /// The bytes; `nil` for content of another type. Those of any response that is read as a whole are its `body`.
  public var bytes: Data? { if case .bytes(let value) = self { value } else { nil } }
  /// The events or lines; `nil` for content of another type.
  public var records: ResponseRecords? {
    switch self {
    case .events(let records), .lines(let records): records
    case .json, .text, .bytes: nil
    }
  }

  /// The content of a response that is read as a whole.
  ///
  /// - Returns: `nil` for invalid JSON that is declared as JSON.
  init?(whole response: RawResponse) {
    if ContentKind.isEmpty(response.body) {
      self = .json(.null)
    } else if let type = response.mediaType, !Self.isJSON(type) {
      self = Self.isText(type) ? response.text.map { .text($0) } ?? .bytes(response.body) : .bytes(response.body)
    } else if let value = try? JSONValue(jsonData: response.body) {
      self = .json(value)
    } else if response.mediaType == nil {
      self = String(data: response.body, encoding: .utf8).map { .text($0) } ?? .bytes(response.body)
    } else {
      return nil
    }
  }

  /// How a response of a media type is cut into records as it arrives; `nil` for one that is read as a whole.
  static func framing(of mediaType: String?) -> StreamFraming? {
    switch mediaType {
    case "text/event-stream": .events
    case "application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines",
      "application/jsonlines", "application/json-lines", "application/x-json-lines", "application/stream+json":
      .lines
    default: nil
    }
  }

  private static func isJSON(_ type: String) -> Bool { type.hasSuffix("/json") || type.hasSuffix("+json") }

  private static func isText(_ type: String) -> Bool {
    let others = [
      "application/xml", "application/yaml", "application/x-yaml", "application/javascript", "application/toml",
      "application/x-www-form-urlencoded", "application/sql", "application/graphql",
    ]
    return type.hasPrefix("text/") || type.hasSuffix("+xml") || type.hasSuffix("+yaml") || others.contains(type)
  }
}

/// The records of a response as they arrive. They can be read once; reading slowly slows the sender, and dropping them ends
/// the transfer.
public struct ResponseRecords: AsyncSequence, Sendable {
  /// A record: JSON, or the text of what is not JSON.
  public typealias Element = JSONValue
  /// The error that ends a transfer early.
  public typealias Failure = CallError

  let execution: CallExecution
  let head: RawResponse
  let body: ResponseBody
  let style: StreamFraming

  /// Continues where the last reader stopped, without what that reader had of the next record.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// Reads one record after the other.
  public struct Iterator: AsyncIteratorProtocol {
    private let records: ResponseRecords
    private var framing: RecordFraming
    private var isOver = false

    init(_ records: ResponseRecords) {
      self.records = records
      framing = RecordFraming(
        records.style, limit: records.execution.configuration.recordLimit, details: EndpointDetails("whole"))
    }

    /// The next record; `nil` at the end of the response.
    ///
    /// - Throws: ``CallError``: `.unexpectedContent` of the kind `framing` for a record that is longer than
    ///   ``ClientConfiguration/recordLimit``, or what ended the transfer.
    public mutating func next() async throws(CallError) -> JSONValue? { try await next(isolation: nil) }

    /// The next record; `nil` at the end of the response.
    ///
    /// - Throws: ``CallError``: `.unexpectedContent` of the kind `framing` for a record that is longer than
    ///   ``ClientConfiguration/recordLimit``, or what ended the transfer.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(CallError) -> JSONValue? {
      while true {
        do throws(RecordFraming.Violation) {
          if let record = try framing.next() { return Self.value(record) }
        } catch { throw .unexpectedContent(UnexpectedContent(kind: .framing, rawResponse: records.head)) }
        if isOver { return nil }
        var pieces = records.body.makeAsyncIterator()
        let piece: Data?
        do throws(TransportError) { piece = try await pieces.next(isolation: actor) } catch {
          throw records.execution.callError(for: error)
        }
        if let piece {
          framing.append(piece)
        } else {
          isOver = true
          if let rest = framing.rest() { return Self.value(rest) }
        }
      }
    }

    private static func value(_ record: Data) -> JSONValue {
      (try? JSONValue(jsonData: record)) ?? .string(String(decoding: record, as: UTF8.self))
    }
  }
}

extension Client {
  /// Makes a call whose response is of a type that the API's document does not say: the response's `Content-Type` decides.
  /// It is read as a whole, but for events and lines, which come as they arrive.
  ///
  /// - Throws: ``CallError``; `.unexpectedContent` or `.unreadableResult` for invalid JSON that is declared as JSON.
  public func content(_ call: Call) async throws(CallError) -> Response<ResponseContent> {
    try await CallExecution(self, call, accepting: "*/*").content()
  }
}

extension CallExecution {
  /// Sends the call, again if need be, and reads the whole response, unless it comes in records.
  func content() async throws(CallError) -> Response<ResponseContent> {
    let read: Response<ResponseContent?> = try await repeating { history throws(CallError) in
      let response = try await performAttempt(&history, rateLimitPolicy)
      let head = rawResponse(response.head, Data(), history)
      guard let style = ResponseContent.framing(of: head.mediaType) else {
        return Response(value: nil, rawResponse: try await whole(response, &history))
      }
      let records = ResponseRecords(execution: self, head: head, body: counting(response.body), style: style)
      return Response(value: style == .events ? .events(records) : .lines(records), rawResponse: head)
    }
    if let content = read.value ?? ResponseContent(whole: read.rawResponse) {
      return Response(value: content, rawResponse: read.rawResponse)
    }
    let json: Response<JSONValue> = try decode(read.rawResponse)
    return Response(value: .json(json.value), rawResponse: json.rawResponse, issues: json.issues)
  }
}
