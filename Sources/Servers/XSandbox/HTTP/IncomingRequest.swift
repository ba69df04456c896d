import Foundation
import LoopbackSockets

/// A request as received. Nothing is decoded or normalized, because signatures cover these bytes.
struct IncomingRequest: Sendable {
  /// The HTTP method in uppercase.
  var method: String
  /// The path of the request target as sent, percent-encoded.
  var path: String
  /// The query as sent, without `?`, percent-encoded; empty if there is none.
  var query: String
  var headers: [HeaderField]
  var body: Data
  /// The client that waits; `nil` for a request that did not come from a socket.
  var client: LoopbackClient?

  /// The value of a header field. Several fields with the same name are joined (RFC 9110 §5.2).
  func header(_ name: String) -> String? {
    let values = headers.filter { $0.name.caseInsensitiveCompare(name) == .orderedSame }.map(\.value)
    return values.isEmpty ? nil : values.joined(separator: ", ")
  }

  /// The media type of the body in lowercase, without its parameters.
  var mediaType: String? {
    header("Content-Type")?
      .split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false).first
      .map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
  }

  /// The URL that the client used to reach the sandbox, as far as the request shows it.
  var origin: String {
    let host = header("Host") ?? ""
    let isPlain = host.utf8.allSatisfy { PercentEncoding.isUnreserved($0) || [0x3A, 0x5B, 0x5D].contains($0) }
    return "http://" + (host.isEmpty || !isPlain ? "127.0.0.1" : host)
  }

  var hasFormBody: Bool { mediaType == "application/x-www-form-urlencoded" }

  /// The parameters of the query.
  var queryParameters: [RequestParameter] { RequestParameter.parse(form: query) }

  /// The parameters of the body if it is a form; otherwise none.
  var formParameters: [RequestParameter] {
    hasFormBody ? RequestParameter.parse(form: String(decoding: body, as: UTF8.self)) : []
  }

  /// The percent-decoded segments of the path, without the empty one before the first slash; `nil` if one is not UTF-8.
  var segments: [String]? {
    guard path.hasPrefix("/") else { return nil }
    var segments: [String] = []
    for segment in path.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      guard let decoded = String(segment).removingPercentEncoding else { return nil }
      segments.append(decoded)
    }
    return segments
  }
}

/// A header field of a request or a response.
struct HeaderField: Sendable, Equatable {
  var name: String
  var value: String
}

/// The values of a request's form body and query. If a name is repeated, the first value counts.
struct RequestForm: Sendable {
  private var values: [String: String] = [:]

  /// - Parameter includingQuery: Whether to include the query. Secrets must not be there.
  init(_ request: IncomingRequest, includingQuery: Bool = false) {
    let parameters = request.formParameters + (includingQuery ? request.queryParameters : [])
    for parameter in parameters where values[parameter.nameText] == nil {
      values[parameter.nameText] = parameter.valueText
    }
  }

  /// The value for a name; `nil` if it is missing or empty.
  subscript(name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }

  /// Whether there is a parameter with this name, even an empty one.
  func has(_ name: String) -> Bool { values[name] != nil }
}
