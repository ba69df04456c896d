import CallsignHTTP
import Foundation
import HTTPTypes

extension TransportRequest {
  /// The request as a command for a POSIX shell, to try it out or to report it. Credentials are redacted.
  ///
  /// A body that is read while it is sent is left to standard input, and one that is no text is given in base 64.
  ///
  /// - Parameter redaction: What may be shown.
  public func curlCommand(redaction: Redaction = Redaction()) -> String {
    // The URL goes out as it stands: without sets, ranges, or its dots taken out.
    var words = ["curl", "--globoff", "--path-as-is"]
    switch head.method {
    case .get: if body.length != 0 { words += ["--request", "GET"] }
    case .head: words.append("--head")
    default: words += ["--request", head.method.rawValue]
    }
    for field in head.headerFields {
      let value = redaction.value(field)
      // Without a value, a colon at the end would take the field out.
      words += ["--header", value.isEmpty ? "\(field.name.rawName);" : "\(field.name.rawName): \(value)"]
    }
    for name in [HTTPField.Name.accept, .userAgent] where head.headerFields[name] == nil {
      words += ["--header", "\(name.rawName):"]
    }
    if body.length != 0, head.headerFields[.contentType] == nil { words += ["--header", "Content-Type:"] }

    var input = ""
    switch body {
    case .none: break
    case .data(let data):
      let shown = redaction.body(data, contentType: head.headerFields[.contentType])
      if shown.isEmpty { break }
      if let text = String(data: shown, encoding: .utf8), !shown.contains(0) {
        words += ["--data-raw", text]
      } else {
        input = "printf %s \(Self.quote(shown.base64EncodedString())) | base64 -d | "
        words += ["--data-binary", "@-"]
      }
    case .stream: words += ["--data-binary", "@-"]
    }
    words.append(redaction.url("\(head.scheme ?? "https")://\(head.authority ?? "")\(head.path ?? "/")"))
    return input + words.map(Self.quote).joined(separator: " ")
  }

  /// A word that a POSIX shell takes as it stands (IEEE 1003.1, 2.2.2).
  private static func quote(_ word: String) -> String {
    let isPlain =
      !word.isEmpty && word.utf8.allSatisfy { PercentEncoding.isUnreserved($0) || "/:@=,+%".utf8.contains($0) }
    return isPlain ? word : "'" + word.replacingOccurrences(of: "'", with: #"'\''"#) + "'"
  }
}

extension Client {
  /// A call as a command for a POSIX shell, without credentials.
  ///
  /// - Throws: ``CallError/invalidCall(_:)`` when it cannot be sent.
  public func curlCommand(for call: Call, redaction: Redaction = Redaction()) throws(CallError) -> String {
    try prepare(call).curlCommand(redaction)
  }

  /// A free call as a command for a POSIX shell, without credentials.
  ///
  /// - Throws: ``CallError/invalidCall(_:)`` when it cannot be sent.
  public func curlCommand(
    _ method: HTTPRequest.Method, _ url: String, query: [String: (any ParameterValue & Sendable)?] = [:],
    body: CallBody? = nil, options: CallOptions = CallOptions(), redaction: Redaction = Redaction()
  ) throws(CallError) -> String {
    let call = FreeCall(method: method, url: url, query: query, body: body, credentials: .none, options: options)
    return try prepare(call, baseURLs: []).curlCommand(redaction)
  }
}

extension APIClient {
  /// A free call as a command for a POSIX shell, without credentials.
  ///
  /// - Parameter pathOrURL: A path below the API's first base URL, or an absolute URL.
  /// - Throws: ``CallError/invalidCall(_:)`` when it cannot be sent.
  public func curlCommand(
    _ method: HTTPRequest.Method, _ pathOrURL: String, query: [String: (any ParameterValue & Sendable)?] = [:],
    body: CallBody? = nil, options: CallOptions = CallOptions(), redaction: Redaction = Redaction()
  ) throws(CallError) -> String {
    let call = FreeCall(method: method, url: pathOrURL, query: query, body: body, credentials: .none, options: options)
    return try client.prepare(call, baseURLs: Self.baseURLs).curlCommand(redaction)
  }
}

extension PreparedCall {
  fileprivate func curlCommand(_ redaction: Redaction) -> String {
    request(to: address).curlCommand(redaction: redaction)
  }
}
