#if os(Linux)
  import HTTPTypes

  /// Reads the head's lines as libcurl hands them out: one a call, the empty one at the end included. Interim answers
  /// (1xx, RFC 9110 section 15.2) are skipped.
  struct CurlHeadParser {
    /// The most bytes that all lines, interim answers included, may have together.
    static let sizeLimit = 256 * 1024
    static let fieldLimit = 2000

    private(set) var isComplete = false
    private var size = 0
    private var protocolVersion = ""
    private var response = HTTPResponse(status: .ok)
    private var hasStatus = false

    /// - Returns: The head, once its last line is read.
    mutating func read(line: UnsafeRawBufferPointer) throws(TransportError) -> AnswerHead? {
      size += line.count
      guard size <= Self.sizeLimit, response.headerFields.count < Self.fieldLimit else {
        throw TransportError(.protocolViolation, delivery: .delivered, detail: "the answer's head is too large")
      }
      var text = line[...]
      while let last = text.last, last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r") { text.removeLast() }
      if text.starts(with: "HTTP/".utf8) {
        try readStatus(text)
      } else if text.isEmpty {
        guard hasStatus, response.status.kind != .informational else { return nil }
        isComplete = true
        return AnswerHead(response: response, protocolVersion: protocolVersion)
      } else if let first = text.first, first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") {
        continueField(text)
      } else {
        readField(text)
      }
      return nil
    }

    private mutating func readStatus(_ text: Slice<UnsafeRawBufferPointer>) throws(TransportError) {
      let parts = text.split(separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count >= 2, let code = Int(String(decoding: parts[1], as: UTF8.self)), (100...999).contains(code)
      else {
        throw TransportError(.protocolViolation, delivery: .delivered, detail: "the answer has no status code")
      }
      let reason = parts.count > 2 ? String(decoding: parts[2], as: UTF8.self) : ""
      protocolVersion = String(decoding: parts[0], as: UTF8.self)
      response = HTTPResponse(status: HTTPResponse.Status(code: code, reasonPhrase: reason))
      hasStatus = true
    }

    /// A line that is no field is skipped, as browsers do.
    private mutating func readField(_ text: Slice<UnsafeRawBufferPointer>) {
      guard let colon = text.firstIndex(of: UInt8(ascii: ":")),
        let name = HTTPField.Name(String(decoding: text[..<colon], as: UTF8.self))
      else { return }
      response.headerFields.append(HTTPField(name: name, lenientValue: Self.trimmed(text[text.index(after: colon)...])))
    }

    /// A line folded in two (RFC 9112 section 5.2).
    private mutating func continueField(_ text: Slice<UnsafeRawBufferPointer>) {
      guard let last = response.headerFields.indices.last else { return }
      let field = response.headerFields[last]
      var value = field.withUnsafeBytesOfValue { Array($0) }
      value.append(UInt8(ascii: " "))
      value.append(contentsOf: Self.trimmed(text))
      response.headerFields[last] = HTTPField(name: field.name, lenientValue: value)
    }

    private static func trimmed(_ text: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
      let isBlank: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
      var text = text.drop(while: isBlank)
      while let last = text.last, isBlank(last) { text.removeLast() }
      return text
    }
  }
#endif
