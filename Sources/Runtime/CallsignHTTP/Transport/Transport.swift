import CallsignSupport
import HTTPTypes

/// Carries a request to a server and brings its response back.
///
/// A transport sends one request as it is: it neither follows redirects, retries, nor adds credentials; the client of
/// `Callsign` does. It must be safe to call from any number of tasks at once, and must end the transfer when the task
/// that awaits it is cancelled, or when the response's body is dropped unread.
public protocol Transport: Sendable {
  /// Sends a request and returns as soon as the response's head has arrived; the body follows through
  /// ``TransportResponse/body``.
  ///
  /// - Throws: ``TransportError``, which says whether the request may have reached the server.
  func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse
}

/// A response whose head has arrived.
public struct TransportResponse: Sendable {
  /// Status and header fields, as the server sent them.
  public var head: HTTPResponse
  /// The bytes that follow; can be read once.
  public var body: ResponseBody
  /// The protocol in use, such as `HTTP/1.1` or `HTTP/2`, if the transport knows it.
  public var protocolVersion: String?

  /// - Parameters:
  ///   - head: Status and header fields.
  ///   - body: The bytes that follow.
  ///   - protocolVersion: Where the transport knows it.
  public init(head: HTTPResponse, body: ResponseBody, protocolVersion: String? = nil) {
    self.head = head
    self.body = body
    self.protocolVersion = protocolVersion
  }
}

/// The bounds of the time that a transfer takes.
public struct Timeouts: Sendable, Hashable {
  /// For name resolution, connection and TLS handshake together. Default: 15 seconds.
  public var connect: Duration
  /// Without a byte in either direction. `nil`: no bound. Default: 60 seconds.
  public var idle: Duration?
  /// From start to the last byte of the response. `nil`: no bound, which is the default.
  public var total: Duration?

  /// - Parameters:
  ///   - connect: Default: 15 seconds.
  ///   - idle: Default: 60 seconds.
  ///   - total: Default: no bound.
  public init(connect: Duration = .seconds(15), idle: Duration? = .seconds(60), total: Duration? = nil) {
    self.connect = connect
    self.idle = idle
    self.total = total
  }
}

/// A request as a transport sends it: signed, complete, addressed absolutely.
public struct TransportRequest: Sendable {
  /// The HTTP method.
  public var method: HTTPRequest.Method
  /// The URL that it goes to, in parts.
  public var url: AbsoluteURL
  /// The header fields.
  public var headerFields: HTTPFields
  /// Default: none.
  public var body: RequestBody
  /// Default: those of ``Timeouts``.
  public var timeouts: Timeouts
  /// The encoded values of the path's placeholders. They are used to show the path without those that are secret.
  package var pathValues: [PathValue] = []

  /// An encoded value of a placeholder. If it is repeated, ``repetition`` separates its parts.
  package typealias PathValue = (name: String, encoded: String, isRepeated: Bool)

  /// A character that no encoded text has.
  package static let repetition: Character = "\0"

  /// - Parameters:
  ///   - method: The HTTP method.
  ///   - url: The destination. An empty path means `/`.
  ///   - headerFields: Default: none.
  ///   - body: Default: none.
  ///   - timeouts: Default: those of ``Timeouts``.
  public init(
    method: HTTPRequest.Method, url: AbsoluteURL, headerFields: HTTPFields = [:], body: RequestBody = .none,
    timeouts: Timeouts = Timeouts()
  ) {
    self.method = method
    self.url = url
    if url.path.isEmpty { self.url.path = "/" }
    self.headerFields = headerFields
    self.body = body
    self.timeouts = timeouts
  }

  /// Makes a request of one in the form of swift-http-types.
  ///
  /// - Parameters:
  ///   - head: Must name scheme, authority and path.
  ///   - body: Default: none.
  ///   - timeouts: Default: those of ``Timeouts``.
  public init(head: HTTPRequest, body: RequestBody = .none, timeouts: Timeouts = Timeouts()) {
    method = head.method
    url = AbsoluteURL(scheme: head.scheme ?? "", authority: head.authority ?? "", target: head.path ?? "")
    headerFields = head.headerFields
    self.body = body
    self.timeouts = timeouts
  }

  /// Method, URL and header fields in the form of swift-http-types, put together on each use.
  public var head: HTTPRequest {
    get {
      HTTPRequest(
        method: method, scheme: url.scheme, authority: url.authority, path: url.target, headerFields: headerFields)
    }
    set {
      method = newValue.method
      headerFields = newValue.headerFields
      if newValue.path != url.target || newValue.authority != url.authority || newValue.scheme != url.scheme {
        url = AbsoluteURL(
          scheme: newValue.scheme ?? "", authority: newValue.authority ?? "", target: newValue.path ?? "")
      }
    }
  }
}

/// A request carries credentials in its header fields, its query and its body, so none of their values is printed.
extension TransportRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The method and the URL without its query.
  public var description: String { "\(method.rawValue) \(url)".printable }
  /// The same as ``description``.
  public var debugDescription: String { description }
  /// The names of the header fields, and the body's length.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "request": description, "headerFields": headerFields.map(\.name.rawName), "bodyLength": body.length as Any,
      ])
  }
}

// One place for all transports: what must not be sent is refused here, before a byte has left the machine.
extension TransportRequest {
  /// Checks that the request is valid and can be sent. Each transport of this package calls this first; your own transport should
  /// do so too.
  ///
  /// - Throws: ``TransportError`` with ``TransportError/Kind/invalidRequest(_:)`` and ``TransportError/Delivery/notSent``.
  public func validate() throws(TransportError) {
    guard url.scheme == "https" || url.scheme == "http" else {
      throw .invalidRequest("the URL's scheme must be http or https")
    }
    guard !url.hasUserInformation else { throw .userInformation }
    if !Self.isUsual(host: url.host) {
      try Self.validate(authority: url.host)
      guard AbsoluteURLBytes.isDelimited(url.host.utf8) else {
        throw .invalidRequest(
          "the URL's host has a colon or bracket outside an IPv6 address, or its port is not a number")
      }
    }
    try Self.validate(path: url.path)
    if let query = url.query { try Self.validate(bytes: query.utf8) }
    for field in headerFields {
      guard !field.value.utf8.contains(where: Self.isForbiddenInFieldValue) else {
        throw .controlCharacter(inField: field.name.rawName)
      }
      // The lengths of the two names that framing is about.
      let length = field.name.canonicalName.utf8.count
      if length == 14 || length == 17 { try validateFraming(field) }
    }
    if body.length != 0, method == .head || method == .trace || method == .connect {
      throw .invalidRequest("a \(method.rawValue) request has no body")
    }
    if method == .connect { throw .invalidRequest("CONNECT is for proxies; the transport sends it by itself") }
  }

  /// Whether a host is of small letters, digits, hyphens and dots, as most are: nothing else needs to be looked at.
  private static func isUsual(host: String) -> Bool {
    let isUsual = host.utf8.withContiguousStorageIfAvailable { bytes in
      bytes.allSatisfy { $0 &- UInt8(ascii: "a") < 26 || $0 &- UInt8(ascii: "-") < 13 && $0 != UInt8(ascii: "/") }
    }
    return isUsual ?? false && !host.isEmpty
  }

  /// Checks the text of a header field before it becomes an `HTTPField`, which would turn line breaks into spaces
  /// without a word.
  ///
  /// - Throws: ``TransportError`` with ``TransportError/Kind/invalidRequest(_:)``.
  public static func validate(fieldName: String, value: String) throws(TransportError) {
    guard HTTPField.Name(fieldName) != nil else {
      throw .invalidRequest("a header field's name may hold letters, digits and !#$%&'*+-.^_`|~ only")
    }
    guard !value.utf8.contains(where: isForbiddenInFieldValue) else { throw .controlCharacter(inField: fieldName) }
  }

  private static func isForbiddenInFieldValue(_ byte: UInt8) -> Bool {
    (byte < 0x20 && byte != UInt8(ascii: "\t")) || byte == 0x7f
  }

  /// Checks a URL's host, with its port if it has one, before it becomes part of an `HTTPRequest`.
  ///
  /// That type would turn control characters into spaces, or drop them at the ends.
  ///
  /// - Throws: ``TransportError`` with ``TransportError/Kind/invalidRequest(_:)``.
  public static func validate(authority: String) throws(TransportError) {
    guard !authority.isEmpty else { throw .invalidRequest("the URL names no host") }
    for byte in authority.utf8 {
      switch byte {
      case UInt8(ascii: "@"): throw .userInformation
      case ...0x20, 0x7f..., UInt8(ascii: "/"), UInt8(ascii: "\\"), UInt8(ascii: "?"), UInt8(ascii: "#"):
        throw .invalidRequest("the URL's host holds a character that no host name has")
      default: continue
      }
    }
  }

  /// Checks a URL's path with its query, before it becomes part of an `HTTPRequest`, for the same reason.
  ///
  /// - Throws: ``TransportError`` with ``TransportError/Kind/invalidRequest(_:)``.
  public static func validate(path: String) throws(TransportError) {
    guard path.utf8.first == UInt8(ascii: "/") else { throw .invalidRequest("the URL's path must begin with /") }
    try validate(bytes: path.utf8)
  }

  private static func validate(bytes: String.UTF8View) throws(TransportError) {
    let isValid = bytes.withContiguousStorageIfAvailable { bytes in
      bytes.allSatisfy { $0 &- 0x21 < 0x5E && $0 != UInt8(ascii: "#") }
    }
    if isValid ?? false { return }
    // Something is wrong, or the text is of a foreign kind.
    for byte in bytes {
      switch byte {
      case ..<0x20, 0x7f: throw .invalidRequest("the URL holds a control character; percent-encode it")
      case 0x20, 0x80...: throw .invalidRequest("the URL holds a space or a non-ASCII character; percent-encode it")
      case UInt8(ascii: "#"): throw .invalidRequest("the URL holds a fragment, which is never sent")
      default: continue
      }
    }
  }

  /// Refuses a header field that contradicts the transport about the body's end, because such fields allow request smuggling.
  private func validateFraming(_ field: HTTPField) throws(TransportError) {
    if field.name == .transferEncoding {
      throw .invalidRequest("the header field Transfer-Encoding is the transport's to set")
    }
    if field.name == .contentLength {
      guard let length = body.length, field.value == String(length) else {
        throw .invalidRequest("the header field Content-Length differs from the body's length; leave it out")
      }
    }
  }
}

extension TransportError {
  fileprivate static var userInformation: TransportError {
    .invalidRequest("the URL holds a user name or password; credentials belong in an authenticator")
  }

  fileprivate static func controlCharacter(inField name: String) -> TransportError {
    // The value itself may be a secret, and the name may hold the line break.
    let printable = String(name.unicodeScalars.filter { $0.value > 0x20 && $0.value < 0x7f }.map(Character.init))
    return .invalidRequest("the header field \(printable) holds a line break or another control character")
  }
}
