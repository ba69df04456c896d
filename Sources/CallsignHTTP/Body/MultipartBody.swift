import Foundation

/// A `multipart/form-data` body (RFC 7578). Files are read while they are sent, so that their size needs no memory; the
/// body's length is known beforehand all the same.
public struct MultipartBody: Sendable {
  /// One field of the form.
  public enum Part: Sendable, Hashable {
    case text(name: String, value: String)
    case file(name: String, FilePart)
  }

  /// In the order of sending.
  public let parts: [Part]
  /// What separates the parts: 144 random bits, so that no content holds it but by intent, nor can one be made that does.
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

  /// The body. Each attempt reads the files anew.
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
        segments.append(.bytes(header(name: name, nil) + Data(value.utf8) + Data("\r\n".utf8)))
      case .file(let name, let file):
        let isPrintable = file.mediaType.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f }
        guard isPrintable, !file.mediaType.isEmpty else {
          throw .invalidRequest("a file's media type holds a control or non-ASCII character, or is empty")
        }
        segments.append(.bytes(header(name: name, file)))
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

  private func header(name: String, _ file: FilePart?) -> Data {
    var text = "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(Self.escaped(name))\""
    if let file { text += "; filename=\"\(Self.escaped(file.fileName))\"\r\nContent-Type: \(file.mediaType)" }
    return Data((text + "\r\n\r\n").utf8)
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
    let attributes = try? FileManager.default.attributesOfItem(atPath: url.resolvingSymlinksInPath().path)
    guard let attributes, attributes[.type] as? FileAttributeType == .typeRegular,
      let size = (attributes[.size] as? NSNumber)?.intValue
    else {
      throw TransportError(
        .bodySource, delivery: .notSent, detail: "the file \(url.lastPathComponent) is not there or is no regular file")
    }
    return size
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
