import Foundation
import LoopbackSockets

/// A response of the sandbox.
struct Response: Sendable {
  var status: Int
  var headers: [HeaderField] = []
  var body: Body
  /// The number of posts in it, which count towards the app's usage.
  var postCount = 0

  enum Body: Sendable {
    case bytes(Data)
    /// No response: the connection is closed.
    case nothing
    /// The response to a HEAD request: the length is announced, but no byte is sent (RFC 9110 §9.3.2).
    case head(length: Int)
    /// The header promises `total` bytes, but the connection closes after `bytes`.
    case cut(bytes: Data, total: Int)
    /// The pieces of a stream, as long as it is open.
    case stream(any StreamingBody)
    /// Bytes sent in chunks of one size, with pauses between them.
    case chunks(Data, size: Int, pause: Duration)
  }

  init(status: Int = 200, json: JSON, mediaType: String = "application/json; charset=utf-8") {
    self.status = status
    body = .bytes(json.bytes)
    headers = [HeaderField(name: "Content-Type", value: mediaType)]
  }

  /// A response without a body.
  init(status: Int) {
    self.status = status
    body = .bytes(Data())
  }

  /// A web page without scripts that caches must not store and frames must not show.
  ///
  /// - Parameter formTargets: Where its forms may lead, as in a content security policy.
  init(status: Int = 200, page: String, formTargets: [String] = ["'none'"]) {
    self.init(status: status)
    body = .bytes(Data(page.utf8))
    let policy =
      "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action "
      + formTargets.joined(separator: " ")
    headers = [
      HeaderField(name: "Content-Type", value: "text/html; charset=utf-8"),
      HeaderField(name: "Cache-Control", value: "no-store"), HeaderField(name: "Referrer-Policy", value: "no-referrer"),
      HeaderField(name: "X-Frame-Options", value: "DENY"),
      HeaderField(name: "X-Content-Type-Options", value: "nosniff"),
      HeaderField(name: "Content-Security-Policy", value: policy),
    ]
  }

  /// Redirects a browser.
  init(redirectTo address: String) {
    self.init(status: 302)
    headers = [HeaderField(name: "Location", value: address), HeaderField(name: "Cache-Control", value: "no-store")]
  }

  /// Names and values in the form of OAuth 1.0a's endpoints (RFC 5849 §2.1).
  init(form: [(name: String, value: String)]) { self.init(text: RequestParameter.form(form)) }

  /// A text with the media type that X uses for the responses of OAuth 1.0a's endpoints.
  init(text: String) {
    self.init(status: 200)
    body = .bytes(Data(text.utf8))
    headers = [
      HeaderField(name: "Content-Type", value: "text/html;charset=utf-8"),
      HeaderField(name: "Cache-Control", value: "no-store"),
    ]
  }

  /// Closes the connection before the first byte of a response.
  static var connectionClosed: Response {
    var response = Response(status: 0)
    response.body = .nothing
    return response
  }

  /// Sets a header field, and removes others with the same name.
  mutating func set(_ name: String, _ value: String) {
    headers.removeAll { $0.name.caseInsensitiveCompare(name) == .orderedSame }
    headers.append(HeaderField(name: name, value: value))
  }

  /// Announces the length without sending the bytes.
  mutating func leaveOutBody() {
    switch body {
    case .bytes(let bytes), .chunks(let bytes, _, _): body = .head(length: bytes.count)
    case .stream: body = .head(length: 0)
    case .nothing, .head, .cut: break
    }
  }

  /// Forbids caching, as RFC 6749 §5.1 requires for responses with tokens.
  mutating func forbidCaching() {
    set("Cache-Control", "no-store")
    set("Pragma", "no-cache")
  }

  /// Compresses the body if the client accepts a coding. Bodies that are cut off on purpose are unchanged.
  mutating func compress(accepting header: String?) {
    guard let coding = ContentCoding.preferred(by: header) else { return }
    switch body {
    case .bytes(let bytes) where !bytes.isEmpty:
      guard let packed = coding.encode(bytes) else { return }
      body = .bytes(packed)
    case .chunks(let bytes, let size, let pause):
      guard let packed = coding.encode(bytes) else { return }
      body = .chunks(packed, size: size, pause: pause)
    default: return
    }
    set("Content-Encoding", coding.rawValue)
    set("Vary", "Accept-Encoding")
  }
}

/// A body without a known end.
protocol StreamingBody: Sendable {
  /// Writes each piece after the client has taken the previous one. An error closes the connection.
  func write(to writer: LoopbackWriter) async throws
}

/// Thrown by a body to close the connection on purpose.
struct DeliberateCut: Error {}
