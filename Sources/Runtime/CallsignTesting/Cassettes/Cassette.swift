import Callsign
import CallsignHTTP
import CallsignJSON
import CallsignSupport
import Foundation
import HTTPTypes

/// Exchanges with a server as stored in a file: readable JSON, without secrets.
struct Cassette: Sendable {
  var exchanges: [RecordedExchange] = []
}

/// A request and its response, as stored in a cassette.
struct RecordedExchange: Sendable, Hashable {
  var method: String
  var url: String
  /// Text, base 64, or only the number of bytes.
  var requestBody: Content
  var status: Int
  var headers: [[String]]
  var responseBody: Content

  enum Content: Sendable, Hashable {
    case none
    case text(String)
    case bytes(Data)
    /// A body that was read while it was sent; only its length is kept.
    case length(Int?)
  }

  /// Whether this is the response to a request. Commas may be encoded in either: both forms mean the same list.
  func responses(_ method: String, _ url: String, _ body: Content) -> Bool {
    self.method == method && Self.plainCommas(self.url) == Self.plainCommas(url)
      && (requestBody == body || requestBody.isSameForm(as: body))
  }

  /// The URL or form with commas that are not encoded.
  static func plainCommas(_ text: String) -> String { text.replacingOccurrences(of: "%2C", with: ",") }
}

extension RecordedExchange.Content {
  fileprivate func isSameForm(as other: RecordedExchange.Content) -> Bool {
    guard case .text(let own) = self, case .text(let other) = other else { return false }
    return RecordedExchange.plainCommas(own) == RecordedExchange.plainCommas(other)
  }
}

/// Why a cassette cannot be read or written.
public enum CassetteError: CallsignError, Hashable {
  /// The file cannot be read.
  case unreadable(file: String)
  /// The file is not a cassette.
  case malformed(file: String)
  /// The file cannot be written.
  case unwritable(file: String)

  /// The problem and the advice, in one line.
  public var description: String {
    switch self {
    case .unreadable(let file): "the cassette \(file.printable) cannot be read; \(advice)"
    case .malformed(let file): "\(file.printable) is not a cassette; \(advice)"
    case .unwritable(let file): "the cassette \(file.printable) cannot be written; \(advice)"
    }
  }

  /// Advice on what to do, in one sentence.
  public var advice: String {
    switch self {
    case .unreadable: "record it first, or correct the path"
    case .malformed: "record it again"
    case .unwritable: "check the folder and its permissions"
    }
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }
  /// The same as ``advice``.
  public var recoverySuggestion: String? { advice as String }
}

extension RecordedExchange.Content {
  init(_ data: Data) {
    if data.isEmpty {
      self = .none
    } else if let text = String(data: data, encoding: .utf8) {
      self = .text(text)
    } else {
      self = .bytes(data)
    }
  }

  init(_ body: RequestBody, _ redaction: Redaction, contentType: String?) {
    switch body {
    case .none: self = .none
    case .data(let data): self.init(redaction.body(data, contentType: contentType))
    case .stream(let length, _): self = .length(length)
    }
  }

  var data: Data {
    switch self {
    case .none, .length: Data()
    case .text(let text): Data(text.utf8)
    case .bytes(let data): data
    }
  }

  fileprivate var json: JSONValue {
    switch self {
    case .none: .null
    case .text(let text): .object(["text": .string(text)])
    case .bytes(let data): .object(["base64": .string(data.base64EncodedString())])
    case .length(let length): .object(["length": length.map { .integer($0) } ?? .null])
    }
  }

  fileprivate init?(_ json: JSONValue?) {
    if let text = json?["text"]?.string {
      self = .text(text)
    } else if let text = json?["base64"]?.string {
      guard let data = Data(base64Encoded: text) else { return nil }
      self = .bytes(data)
    } else if let length = json?["length"] {
      self = .length(length.int)
    } else {
      self = .none
    }
  }
}

extension Cassette {
  init(contentsOf file: URL) throws(CassetteError) {
    guard let data = try? Data(contentsOf: file) else { throw .unreadable(file: file.path) }
    try self.init(data, file: file.path)
  }

  /// - Parameter file: The file's name, for the error.
  init(_ data: Data, file: String) throws(CassetteError) {
    guard let json = try? JSONValue(jsonData: data), let list = json["exchanges"]?.array else {
      throw .malformed(file: file)
    }
    for item in list {
      guard let request = item["request"], let response = item["response"], let method = request["method"]?.string,
        let url = request["url"]?.string, let status = response["status"]?.int, (100...999).contains(status),
        let sent = RecordedExchange.Content(request["body"]), let received = RecordedExchange.Content(response["body"])
      else { throw .malformed(file: file) }
      let headers = (response["headers"]?.array ?? []).compactMap { $0.array?.compactMap(\.string) }
      exchanges.append(
        RecordedExchange(
          method: method, url: url, requestBody: sent, status: status, headers: headers.filter { $0.count == 2 },
          responseBody: received))
    }
  }

  func write(to file: URL) throws(CassetteError) {
    let text = try text(file: file.path)
    guard (try? text.write(to: file, options: .atomic)) != nil else { throw .unwritable(file: file.path) }
  }

  /// The file's content.
  ///
  /// - Parameter file: The file's name, for the error.
  func text(file: String) throws(CassetteError) -> Data {
    let list: [JSONValue] = exchanges.map { exchange in
      .object([
        "request": .object([
          "method": .string(exchange.method), "url": .string(exchange.url), "body": exchange.requestBody.json,
        ]),
        "response": .object([
          "status": .integer(exchange.status),
          "headers": .array(exchange.headers.map { .array($0.map { .string($0) }) }),
          "body": exchange.responseBody.json,
        ]),
      ])
    }
    guard let plain = try? JSONValue.object(["exchanges": .array(list)]).jsonData(),
      // Indented and sorted, so that people can read it and version control can compare it.
      let object = try? JSONSerialization.jsonObject(with: plain),
      let pretty = try? JSONSerialization.data(
        withJSONObject: object, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
    else { throw .unwritable(file: file) }
    return pretty
  }
}
