// Sound: the note is valid during the call, and is read only as a collection with checked ends.

#if os(Linux)
  import CallsignSupport

  /// libcurl's notes about a request over HTTP/2 that show whether the server has processed none of it (RFC 9113 §8.7).
  /// No error code of libcurl reports that.
  struct HTTP2Notes {
    private var stream: Int?
    /// Whether the server has processed none of the request, and it may be sent again, whatever it is.
    private(set) var isUnprocessed = false
    /// Whether the server has refused to process the request over HTTP/2, and wants it over HTTP/1.1. libcurl then tries
    /// that by itself and forgets the error.
    private(set) var requiresHTTP1 = false

    /// Reads a note.
    ///
    /// - Parameters:
    ///   - note: A line, with or without its end.
    ///   - hasError: Whether libcurl has stated an error before.
    mutating func read(_ note: UnsafeRawBufferPointer, hasError: @autoclosure () -> Bool) {
      if let id = Self.number(in: note, after: "Using Stream ID: ") ?? Self.number(in: note, after: "[HTTP/2] [") {
        stream = id
      } else if note.starts(with: "REFUSED_STREAM".utf8) {
        isUnprocessed = true
      } else if note.starts(with: "HTTP/2 stream ".utf8),
        String(decoding: note, as: UTF8.self).contains("HTTP_1_1_REQUIRED")
      {
        requiresHTTP1 = true
      } else if let last = Self.lastStream(in: note) {
        // GOAWAY names the last stream that the server may have processed.
        if let stream, stream > last { isUnprocessed = true }
      } else if note.starts(with: "Connection died, retrying".utf8) {
        // On a kept connection this is all that libcurl 7 says of a refused stream. It states an error where a connection
        // over HTTP/2 is really lost; libcurl 8 does not.
        if stream != nil, CurlLibrary.version < 0x080000, !hasError() { isUnprocessed = true }
      }
    }

    private static func lastStream(in note: UnsafeRawBufferPointer) -> Int? {
      // libcurl 7 has the first spelling.
      number(in: note, after: "recveived GOAWAY, ", skippingTo: "last_stream=")
        ?? number(in: note, after: "received GOAWAY, ", skippingTo: "last_stream=")
    }

    /// The number after a prefix, and after a further text if there is one.
    private static func number(
      in note: UnsafeRawBufferPointer, after beginning: String, skippingTo text: String = ""
    ) -> Int? {
      guard note.starts(with: beginning.utf8) else { return nil }
      var rest = note.dropFirst(beginning.utf8.count)
      while !rest.starts(with: text.utf8) {
        if rest.isEmpty { return nil }
        rest = rest.dropFirst()
      }
      let digits = rest.dropFirst(text.utf8.count).prefix { $0 &- UInt8(ascii: "0") < 10 }
      return Int(String(decoding: digits, as: UTF8.self))
    }
  }

  extension TransportError {
    /// A server's refusal to process a request, which may be sent again, whatever it is (RFC 9113 §8.7).
    static let refusedStream = TransportError(
      .connectionLost, delivery: .notSent, detail: "the server refused the request before it processed any of it")
    /// A server's refusal to process a request over HTTP/2 (RFC 9113 §7: HTTP_1_1_REQUIRED).
    static let http1Required = TransportError(
      .protocolViolation, delivery: .notSent, detail: "the server wants the request over HTTP/1.1")
  }
#endif
