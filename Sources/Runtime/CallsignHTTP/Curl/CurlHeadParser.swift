// Sound: each line is valid during libcurl's call, which has its size. Places are compared with the size, and what stays is copied.

#if os(Linux)
  import CallsignSupport
  import HTTPTypes

  /// Reads the head's lines as libcurl hands them out: one a call, the empty one at the end included. Interim responses
  /// (1xx, RFC 9110 section 15.2) are skipped.
  struct CurlHeadParser {
    /// The most bytes that all lines, interim responses included, may have together.
    static let sizeLimit = 256 * 1024
    static let fieldLimit = 2000

    private(set) var isComplete = false
    private var size = 0
    private var fieldCount = 0
    /// Of the last status line that was read.
    private(set) var protocolVersion = ""
    /// `nil` before the first status line.
    private var response: HTTPResponse?
    private let cache: ResponseHeadCache

    /// - Parameter cache: Names and values of earlier heads.
    init(cache: ResponseHeadCache = ResponseHeadCache()) { self.cache = cache }

    /// - Returns: The head, once its last line is read.
    mutating func read(line: UnsafeRawBufferPointer) throws(TransportError) -> HTTPResponse? {
      size += line.count
      guard size <= Self.sizeLimit, fieldCount < Self.fieldLimit else {
        throw TransportError(.protocolViolation, delivery: .delivered, detail: "the response's head is too large")
      }
      let text = line.withMemoryRebound(to: UInt8.self) { line in
        var count = line.count
        while count > 0, line[count - 1] == UInt8(ascii: "\n") || line[count - 1] == UInt8(ascii: "\r") { count -= 1 }
        return UnsafeBufferPointer(rebasing: line[..<count])
      }
      guard let first = text.first else {
        guard let response, response.status.kind != .informational else { return nil }
        isComplete = true
        return response
      }
      if first == UInt8(ascii: "H"), text.starts(with: "HTTP/".utf8) {
        try readStatus(text)
      } else if Self.isBlank(first) {
        continueField(text)
      } else {
        readField(text)
      }
      return nil
    }

    private mutating func readStatus(_ text: UnsafeBufferPointer<UInt8>) throws(TransportError) {
      fieldCount = 0
      if let earlier = cache.head(text) {
        (response, protocolVersion) = earlier
        response?.headerFields.reserveCapacity(16)
        return
      }
      let parts = text.split(separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count >= 2, let code = Int(String(decoding: parts[1], as: UTF8.self)), (100...999).contains(code)
      else {
        throw TransportError(.protocolViolation, delivery: .delivered, detail: "the response has no status code")
      }
      let reason = parts.count > 2 ? String(decoding: parts[2], as: UTF8.self) : ""
      protocolVersion = String(decoding: parts[0], as: UTF8.self)
      var head = HTTPResponse(status: HTTPResponse.Status(code: code, reasonPhrase: reason))
      cache.keep(head, protocolVersion, for: text)
      head.headerFields.reserveCapacity(16)
      response = head
    }

    /// Skips a line that is not a field, as browsers do.
    private mutating func readField(_ text: UnsafeBufferPointer<UInt8>) {
      guard let start = text.baseAddress, let end = memchr(start, Int32(UInt8(ascii: ":")), text.count) else { return }
      let colon = UnsafeRawPointer(end) - UnsafeRawPointer(start)
      let value = Self.trimmed(UnsafeBufferPointer(rebasing: text[(colon + 1)...]))
      guard let field = cache.field(UnsafeBufferPointer(rebasing: text[..<colon]), value) else { return }
      fieldCount += 1
      response?.headerFields.append(field)
    }

    /// A line folded in two (RFC 9112 section 5.2).
    private mutating func continueField(_ text: UnsafeBufferPointer<UInt8>) {
      guard let fields = response?.headerFields, let last = fields.indices.last else { return }
      // Each one creates the whole value again: many would delay all transfers of this thread.
      fieldCount += 1
      let field = fields[last]
      var value = field.withUnsafeBytesOfValue { Array($0) }
      value.append(UInt8(ascii: " "))
      value.append(contentsOf: Self.trimmed(text))
      response?.headerFields[last] = HTTPField(name: field.name, lenientValue: value)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    private static func trimmed(_ text: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
      var range = 0..<text.count
      while let first = range.first, isBlank(text[first]) { range = range.dropFirst() }
      while let last = range.last, isBlank(text[last]) { range = range.dropLast() }
      return UnsafeBufferPointer(rebasing: text[range])
    }
  }

  /// The last status line and header fields, by their names.
  ///
  /// Servers send the same ones repeatedly, and mostly with the same values, so that these need not be created again.
  ///
  /// Not `Sendable`: for the loop's thread.
  final class ResponseHeadCache {
    private struct Entry {
      let name: [UInt8]
      /// The value that came last with the name.
      var field: HTTPField
    }

    /// A name has two places, by its hash and next to it; each place keeps the last one.
    private var entries: [Entry?] = Array(repeating: nil, count: 128)
    private var status: (line: [UInt8], head: HTTPResponse, protocolVersion: String)?
    /// Longer ones are not kept, so that a server cannot fill the memory.
    private static let longest = 64
    private static let longestValue = 256

    /// - Returns: The field; `nil` if the name is not valid.
    func field(_ bytes: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) -> HTTPField? {
      guard bytes.count <= Self.longest else { return Self.made(bytes, value) }
      var hash: UInt64 = 0xCBF2_9CE4_8422_2325
      for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
      var place = Int(truncatingIfNeeded: hash >> 32) & (entries.count - 1)
      if let entry = entries[place], !Self.areEqual(entry.name, bytes) { place ^= 1 }
      guard let entry = entries[place], Self.areEqual(entry.name, bytes) else {
        guard let field = Self.made(bytes, value) else { return nil }
        entries[place] = Entry(name: Array(bytes), field: Self.kept(field, value))
        return field
      }
      if entry.field.withUnsafeBytesOfValue({ Self.areEqual($0, value) }) { return entry.field }
      let field = HTTPField(name: entry.field.name, lenientValue: value)
      entries[place]?.field = Self.kept(field, value)
      return field
    }

    /// The field as it may stay: without a value that is secret, or long.
    private static func kept(_ field: HTTPField, _ value: UnsafeBufferPointer<UInt8>) -> HTTPField {
      let isKept = value.count <= longestValue && field.name != .setCookie
      return isKept ? field : HTTPField(name: field.name, value: "")
    }

    private static func made(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) -> HTTPField? {
      HTTPField.Name(String(decoding: name, as: UTF8.self)).map { HTTPField(name: $0, lenientValue: value) }
    }

    /// - Returns: The head that an earlier status line of the same bytes was read as, without fields.
    func head(_ line: UnsafeBufferPointer<UInt8>) -> (HTTPResponse, protocolVersion: String)? {
      guard let status, Self.areEqual(status.line, line) else { return nil }
      return (status.head, status.protocolVersion)
    }

    func keep(_ head: HTTPResponse, _ protocolVersion: String, for line: UnsafeBufferPointer<UInt8>) {
      guard line.count <= Self.longest else { return }
      status = (Array(line), head, protocolVersion)
    }

    private static func areEqual(_ one: [UInt8], _ other: UnsafeBufferPointer<UInt8>) -> Bool {
      one.withUnsafeBufferPointer { areEqual($0, other) }
    }

    private static func areEqual(_ one: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>) -> Bool {
      guard one.count == other.count, let left = one.baseAddress, let right = other.baseAddress else {
        return one.count == other.count
      }
      return memcmp(left, right, one.count) == 0
    }
  }
#endif
