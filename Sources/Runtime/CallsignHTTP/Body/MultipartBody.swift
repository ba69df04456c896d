import CallsignSupport

/// A `multipart/form-data` body (RFC 7578). Files are read while they are sent, so that their size needs no memory; the
/// body's length is known beforehand all the same.
public struct MultipartBody: Sendable {
  /// One field of the form.
  public enum Part: Sendable, Hashable {
    /// A text.
    case text(name: String, value: String)
    /// A file, or bytes that go as one.
    case file(name: String, FilePart)
    /// Bytes with a media type and without a file's name, such as JSON.
    case value(name: String, Data, mediaType: String)

    /// The field's name.
    public var name: String {
      switch self {
      case .text(let name, _), .file(let name, _), .value(let name, _, _): name
      }
    }
  }

  /// In the order of sending.
  public let parts: [Part]
  /// The text between the parts: 144 random bits, so that no content holds it by chance, nor can one be made that does.
  public let boundary: String

  /// - Parameter parts: In the order of sending. Several may have one name.
  public init(parts: [Part]) {
    var random = SystemRandomNumberGenerator()
    let digits = (0..<9).map { _ in String(UInt16.random(in: .min ... .max, using: &random), radix: 36) }
    self.init(
      parts: parts, boundary: "callsign-" + digits.map { String(repeating: "0", count: 4 - $0.count) + $0 }.joined())
  }

  init(parts: [Part], boundary: String) {
    self.parts = parts
    self.boundary = boundary
  }

  /// The value of the `Content-Type` field.
  public var contentType: String { "multipart/form-data; boundary=\(boundary)" }

  /// The body. Each attempt reads the files again.
  ///
  /// - Throws: ``TransportError`` with ``TransportError/Kind/invalidRequest(_:)`` for a media type that would break the
  ///   part's header, and with ``TransportError/Kind/bodySource`` for a file that can't be read.
  public func requestBody() throws(TransportError) -> RequestBody {
    let segments = try makeSegments()
    return .stream(length: segments.reduce(0) { $0 + $1.length }) { MultipartSource(segments) }
  }

  private func makeSegments() throws(TransportError) -> [MultipartSegment] {
    var segments: [MultipartSegment] = []
    for part in parts {
      switch part {
      case .text(let name, let value):
        segments.append(.bytes(header(name: name) + Data(value.utf8) + Data("\r\n".utf8)))
      case .value(let name, let data, let mediaType):
        let lines = "\r\nContent-Type: \(try Self.checked(mediaType))"
        segments.append(.bytes(header(name: name, lines) + data + Data("\r\n".utf8)))
      case .file(let name, let file):
        let mediaType = try Self.checked(file.mediaType)
        let lines = "; filename=\"\(Self.escaped(file.fileName))\"\r\nContent-Type: \(mediaType)"
        segments.append(.bytes(header(name: name, lines)))
        switch file.content {
        case .data(let data): segments.append(.bytes(data))
        case .file(let url): segments.append(.file(url, length: try Self.size(of: url)))
        case .source(let source): segments.append(.source(source))
        }
        segments.append(.bytes(Data("\r\n".utf8)))
      }
    }
    segments.append(.bytes(Data("--\(boundary)--\r\n".utf8)))
    return segments
  }

  private func header(name: String, _ more: String = "") -> Data {
    let text = "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(Self.escaped(name))\""
    return Data((text + more + "\r\n\r\n").utf8)
  }

  private static func checked(_ mediaType: String) throws(TransportError) -> String {
    guard mediaType.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7f }), !mediaType.isEmpty else {
      throw .invalidRequest("a part's media type holds a control or non-ASCII character, or is empty")
    }
    return mediaType
  }

  /// As browsers do (WHATWG HTML, "multipart/form-data encoding algorithm"): a quote and line breaks are percent-encoded,
  /// everything else goes as UTF-8.
  static func escaped(_ name: String) -> String {
    var bytes: [UInt8] = []
    for byte in name.utf8 {
      switch byte {
      case UInt8(ascii: "\""): bytes += "%22".utf8
      case UInt8(ascii: "\r"): bytes += "%0D".utf8
      case UInt8(ascii: "\n"): bytes += "%0A".utf8
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func size(of url: URL) throws(TransportError) -> Int {
    guard let file = try? ReadableFile(url) else {
      throw TransportError(
        .bodySource, delivery: .notSent,
        detail: "the file \(url.lastPathComponent) does not exist or is not a regular file")
    }
    return file.stamp.size
  }
}

enum MultipartSegment: Sendable {
  case bytes(Data)
  case file(URL, length: Int)
  case source(PartSource)

  var length: Int {
    switch self {
    case .bytes(let data): data.count
    case .file(_, let length): length
    case .source(let source): source.length
    }
  }
}

/// A file, or bytes that go as one, in a multipart body.
public struct FilePart: Sendable, Hashable {
  /// A place of the bytes.
  public enum Content: Sendable, Hashable {
    /// Bytes in memory.
    case data(Data)
    /// A file on disk, read while it is sent. Its size must not change in between.
    case file(URL)
    /// Bytes that come piece by piece, such as a part of a file.
    case source(PartSource)
  }

  /// The place of the bytes.
  public var content: Content
  /// The file name to send; it need not be that of a file on disk.
  public var fileName: String
  /// The media type, such as `image/png`.
  public var mediaType: String

  /// - Parameters:
  ///   - content: Where the bytes are.
  ///   - fileName: The file name to send.
  ///   - mediaType: Default: `application/octet-stream`.
  public init(_ content: Content, fileName: String, mediaType: String = "application/octet-stream") {
    self.content = content
    self.fileName = fileName
    self.mediaType = mediaType
  }

  /// Bytes in memory.
  public init(_ data: Data, fileName: String, mediaType: String = "application/octet-stream") {
    self.init(.data(data), fileName: fileName, mediaType: mediaType)
  }

  /// A file on disk, under its own name.
  public init(file: URL, mediaType: String = "application/octet-stream") {
    self.init(.file(file), fileName: file.lastPathComponent, mediaType: mediaType)
  }
}

/// A source of a part's bytes, for a part that is neither bytes in memory nor a whole file.
///
/// Two sources are equal when they are the same object.
public final class PartSource: Sendable, Hashable {
  /// The length in bytes; a source that yields more or less makes the transfer fail.
  public let length: Int
  /// Starts the part again, once for each attempt.
  public let open: @Sendable () throws -> any BodySource

  /// - Parameters:
  ///   - length: In bytes.
  ///   - open: Starts the part again, once for each attempt.
  public init(length: Int, open: @escaping @Sendable () throws -> any BodySource) {
    self.length = length
    self.open = open
  }

  /// Whether both are the same object.
  public static func == (left: PartSource, right: PartSource) -> Bool { left === right }

  /// Hashes the object's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Reads a multipart body's segments one after the other.
///
/// `@unchecked Sendable`: only one caller uses a source, and requests one piece at a time.
final class MultipartSource: BodySource, @unchecked Sendable {
  enum Problem: Error {
    /// The file has fewer bytes than when the body's length was announced.
    case fileShrank
    /// A part's source yields more or fewer bytes than it announced.
    case wrongLength
  }

  private var segments: ArraySlice<MultipartSegment>
  private var rest = Data()
  private var file: (handle: ReadableFile, offset: Int, left: Int)?
  private var source: (source: any BodySource, left: Int)?

  init(_ segments: [MultipartSegment]) { self.segments = segments[...] }

  func next(limit: Int) async throws -> Data? {
    while true {
      if !rest.isEmpty {
        let piece = rest.prefix(limit)
        rest = rest.dropFirst(limit)
        return piece
      }
      if let piece = try readFile(limit) { return piece }
      if let piece = try await readSource(limit) { return piece }
      guard let segment = segments.popFirst() else { return nil }
      switch segment {
      case .bytes(let data): rest = data
      case .file(let url, let length): file = (try ReadableFile(url), 0, length)
      case .source(let part): source = (try part.open(), part.length)
      }
    }
  }

  private func readSource(_ limit: Int) async throws -> Data? {
    guard let (source, left) = source else { return nil }
    guard let piece = try await source.next(limit: limit) else {
      guard left == 0 else { throw Problem.wrongLength }
      self.source = nil
      return nil
    }
    guard piece.count <= left else { throw Problem.wrongLength }
    self.source = (source, left - piece.count)
    return piece
  }

  /// No more than was announced, even if the file has grown.
  private func readFile(_ limit: Int) throws -> Data? {
    guard let (handle, offset, left) = file else { return nil }
    guard left > 0 else {
      file = nil
      return nil
    }
    let piece = try handle.read(at: offset, upTo: min(limit, left))
    guard !piece.isEmpty else { throw Problem.fileShrank }
    file = (handle, offset + piece.count, left - piece.count)
    return piece
  }
}
