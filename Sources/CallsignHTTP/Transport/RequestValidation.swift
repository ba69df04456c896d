import HTTPTypes

// One place for all transports: what must not be sent is refused here, before a byte has left the machine.
extension TransportRequest {
  /// Checks that the request can be sent as it stands. Each transport of this package calls this first; a transport of
  /// your own should do so too.
  ///
  /// - Throws: ``TransportError`` with ``TransportError/Kind/invalidRequest(_:)`` and ``TransportError/Delivery/notSent``.
  public func validate() throws(TransportError) {
    guard head.scheme == "https" || head.scheme == "http" else {
      throw .invalidRequest("the URL's scheme must be http or https")
    }
    try Self.validate(authority: head.authority ?? "")
    try Self.validate(path: head.path ?? "")
    for field in head.headerFields {
      let isValid = field.withUnsafeBytesOfValue { bytes in !bytes.contains(where: Self.isForbiddenInFieldValue) }
      guard isValid else { throw .controlCharacter(inField: field.name.rawName) }
    }
    try validateFraming()
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

  /// Checks a URL's host, with port where it has one, before it becomes part of an `HTTPRequest`, which would turn control
  /// characters into spaces, or drop them at the ends.
  ///
  /// - Throws: ``TransportError`` with ``TransportError/Kind/invalidRequest(_:)``.
  public static func validate(authority: String) throws(TransportError) {
    guard !authority.isEmpty else { throw .invalidRequest("the URL names no host") }
    for byte in authority.utf8 {
      switch byte {
      case UInt8(ascii: "@"):
        throw .invalidRequest("the URL holds a user name or password; credentials belong in an authenticator")
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
    for byte in path.utf8 {
      switch byte {
      case ..<0x20, 0x7f: throw .invalidRequest("the URL holds a control character; percent-encode it")
      case 0x20, 0x80...: throw .invalidRequest("the URL holds a space or a non-ASCII character; percent-encode it")
      case UInt8(ascii: "#"): throw .invalidRequest("the URL holds a fragment, which is never sent")
      default: continue
      }
    }
  }

  /// Where the body ends is for the transport to say: a second opinion in the header fields is how requests get smuggled.
  private func validateFraming() throws(TransportError) {
    if head.headerFields[.transferEncoding] != nil {
      throw .invalidRequest("the header field Transfer-Encoding is the transport's to set")
    }
    if let announced = head.headerFields[.contentLength] {
      guard let length = body.length, announced == String(length) else {
        throw .invalidRequest("the header field Content-Length differs from the body's length; leave it out")
      }
    }
    if head.method == .head || head.method == .trace || head.method == .connect, body.length != 0 {
      throw .invalidRequest("a \(head.method.rawValue) request has no body")
    }
    if head.method == .connect { throw .invalidRequest("CONNECT is for proxies; the transport sends it by itself") }
  }
}

extension TransportError {
  package static func invalidRequest(_ reason: String) -> TransportError {
    TransportError(.invalidRequest(reason), delivery: .notSent)
  }

  fileprivate static func controlCharacter(inField name: String) -> TransportError {
    // The value itself may be a secret, and the name may hold the line break.
    let printable = String(name.unicodeScalars.filter { $0.value > 0x20 && $0.value < 0x7f }.map(Character.init))
    return .invalidRequest("the header field \(printable) holds a line break or another control character")
  }
}
