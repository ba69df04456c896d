import Foundation
import LoopbackSockets

/// A request as it arrived. Nothing is decoded or normalised, because signatures cover these bytes.
struct IncomingRequest: Sendable {
  /// Upper-case HTTP method.
  var method: String
  /// The path of the request target, percent-encoded as it was sent.
  var path: String
  /// The query without `?`, percent-encoded as it was sent; empty when there is none.
  var query: String
  var headers: [HeaderField]
  var body: Data
  /// The client that waits; `nil` for a request that came from no socket.
  var client: LoopbackClient?

  /// The value of a header field; several of one name are joined (RFC 9110 §5.2).
  func header(_ name: String) -> String? {
    let values = headers.filter { $0.name.caseInsensitiveCompare(name) == .orderedSame }.map(\.value)
    return values.isEmpty ? nil : values.joined(separator: ", ")
  }

  /// The media type of the body in lower case, without its parameters.
  var mediaType: String? {
    header("Content-Type")?
      .split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false).first
      .map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
  }

  /// The address by which the client reaches the sandbox, as far as it says so.
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

  /// The path's segments, percent-decoded, without the empty one before the first slash. `nil` when one is not UTF-8.
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

/// The values of a request's form body and query. Of a repeated name, the first value counts.
struct RequestForm: Sendable {
  private var values: [String: String] = [:]

  /// - Parameter includingQuery: whether the query counts as well; secrets do not belong there.
  init(_ request: IncomingRequest, includingQuery: Bool = false) {
    let parameters = request.formParameters + (includingQuery ? request.queryParameters : [])
    for parameter in parameters where values[parameter.nameText] == nil {
      values[parameter.nameText] = parameter.valueText
    }
  }

  /// The value of a name; `nil` if there is none or it is empty.
  subscript(name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }

  /// Whether there is a parameter of this name, even an empty one.
  func has(_ name: String) -> Bool { values[name] != nil }
}
