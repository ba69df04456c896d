import CallsignHTTP
import CallsignSupport
import HTTPTypes

extension TransportRequest {
  /// The request as a command for a POSIX shell, to try it out or to report it. Credentials are redacted, also in the
  /// path.
  ///
  /// A body that is read while it is sent is expected on standard input, and a body that is not text is written in
  /// base64.
  ///
  /// - Parameter redaction: Which values are shown or hidden.
  public func curlCommand(redaction: Redaction = Redaction()) -> String {
    // The URL is sent unchanged: without sets and ranges, and with its dots.
    var words = ["curl", "--globoff", "--path-as-is"]
    switch method {
    case .get: if body.length != 0 { words += ["--request", "GET"] }
    case .head: words.append("--head")
    default: words += ["--request", method.rawValue]
    }
    for field in headerFields {
      let value = redaction.value(field)
      // Without a value, a colon at the end would take the field out.
      words += ["--header", value.isEmpty ? "\(field.name.rawName);" : "\(field.name.rawName): \(value)"]
    }
    for name in [HTTPField.Name.accept, .userAgent] where headerFields[name] == nil {
      words += ["--header", "\(name.rawName):"]
    }
    if body.length != 0, headerFields[.contentType] == nil { words += ["--header", "Content-Type:"] }

    var input = ""
    switch body {
    case .none: break
    case .data(let data):
      let shown = redaction.body(data, contentType: headerFields[.contentType])
      if shown.isEmpty { break }
      if let text = String(data: shown, encoding: .utf8), !shown.contains(0) {
        words += ["--data-raw", text]
      } else {
        input = "printf %s \(shown.base64EncodedString().shellQuoted) | base64 -d | "
        words += ["--data-binary", "@-"]
      }
    case .stream: words += ["--data-binary", "@-"]
    }
    words.append(redaction.url(of: self))
    return input + words.map(\.shellQuoted).joined(separator: " ")
  }
}

extension Client {
  /// A call as a command for a POSIX shell, without credentials. It asks for JSON, unless the call or the configuration says
  /// otherwise.
  ///
  /// - Parameters:
  ///   - call: The call.
  ///   - redaction: The secrets besides credentials. Default: those of ``ClientConfiguration/redaction``.
  /// - Throws: ``CallError/invalidCall(_:)`` when it cannot be sent.
  public func curlCommand(for call: Call, redaction: Redaction? = nil) throws(CallError) -> String {
    try preview(call).curlCommand(redaction: redaction ?? configuration.redaction)
  }

  /// The request that a call sends, without credentials.
  ///
  /// - Parameter mediaType: The media type to request instead of JSON, unless the call or the configuration has one.
  /// - Throws: ``CallError/invalidCall(_:)`` if the call cannot be sent.
  package func preview(_ call: Call, accepting mediaType: String? = nil) throws(CallError) -> TransportRequest {
    try CallExecution(self, call, accepting: mediaType).preview
  }

  /// An untyped call as a command for a POSIX shell, without credentials, and without the secrets besides: by default
  /// those of ``ClientConfiguration/redaction``.
  ///
  /// - Throws: ``CallError/invalidCall(_:)`` when it cannot be sent.
  public func curlCommand(
    _ method: HTTPRequest.Method, _ url: String, query: [String: (any ParameterValue & Sendable)?] = [:],
    body: CallBody? = nil, options: CallOptions = CallOptions(), redaction: Redaction? = nil
  ) throws(CallError) -> String {
    try curlCommand(for: Call(method, url, query: query, body: body, options: options), redaction: redaction)
  }
}

extension APIClient {
  /// An untyped call as a command for a POSIX shell, without credentials.
  ///
  /// - Parameters:
  ///   - method: The HTTP method.
  ///   - pathOrURL: A path below the API's first base URL, or an absolute URL.
  ///   - query: The query's parameters; `nil` leaves one out.
  ///   - body: The body; none by default.
  ///   - options: The settings for this call that differ from the client's.
  ///   - redaction: The secrets besides credentials. Default: those of ``ClientConfiguration/redaction``.
  /// - Throws: ``CallError/invalidCall(_:)`` when it cannot be sent.
  public func curlCommand(
    _ method: HTTPRequest.Method, _ pathOrURL: String, query: [String: (any ParameterValue & Sendable)?] = [:],
    body: CallBody? = nil, options: CallOptions = CallOptions(), redaction: Redaction? = nil
  ) throws(CallError) -> String {
    try client.curlCommand(
      for: Call(method, pathOrURL, below: ownBaseURLs, query: query, body: body, options: options),
      redaction: redaction)
  }
}
