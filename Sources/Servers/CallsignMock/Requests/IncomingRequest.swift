import Foundation
import HTTPTypes

/// A request as received, from memory or from a socket.
package struct IncomingRequest: Sendable {
  /// The method, with its case unchanged.
  package var method: String
  /// The scheme, host and port that the client used to reach the server, such as `https://api.example.com`.
  package var origin: String
  /// The path as sent, percent-encoded.
  package var path: String
  /// The query as sent, without the question mark.
  package var query: String?
  package var headers: HTTPFields
  package var body: Data

  package init(
    method: String, origin: String, path: String, query: String?, headers: HTTPFields, body: Data
  ) {
    self.method = method
    self.origin = origin
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
  }

  /// The host without its port, in lowercase.
  var host: String {
    let authority = origin.range(of: "://").map { origin[$0.upperBound...] } ?? origin[...]
    let host = authority.prefix { $0 != "/" }
    let end = host.lastIndex(of: ":").flatMap { colon in host[colon...].contains("]") ? nil : colon }
    return String(host[..<(end ?? host.endIndex)]).lowercased()
  }

  /// The value of a cookie.
  func cookie(_ name: String) -> String? {
    let cookies = (headers[.cookie] ?? "").split(separator: ";").map { $0.drop { $0 == " " } }
    return cookies.first { $0.hasPrefix("\(name)=") }.map { String($0.dropFirst(name.count + 1)) }
  }

  /// The content codings of the body, such as `gzip` (RFC 9110 §8.4); empty if there are none.
  var contentCodings: [String] {
    guard let name = HTTPField.Name("Content-Encoding"), !body.isEmpty else { return [] }
    return (headers[name] ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
      .filter { !$0.isEmpty && $0 != "identity" }
  }

  /// The media type of the body without its parameters, in lowercase; empty if the request does not name one.
  var mediaType: String {
    let field = headers[.contentType] ?? ""
    return field.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
  }
}

/// A name and a value from a query, a form, or a multipart body.
struct ReadPair: Sendable, Equatable {
  var name: String
  var value: String
  /// The percent-encoded value from a query or a form; empty in a multipart body.
  var encodedValue = ""
  /// The media type of a part of a multipart body.
  var mediaType: String?
  /// The bytes of a part of a multipart body.
  var bytes: Data?
}

/// Decodes percent-encoded texts (RFC 3986 §2.1), and parses queries and forms.
enum FormText {
  /// The decoded text. Bytes that are not UTF-8 become replacement characters, and a stray percent sign is kept.
  static func decoded(_ text: some StringProtocol, plusIsSpace: Bool) -> String {
    var bytes: [UInt8] = []
    let source = Array(text.utf8)
    bytes.reserveCapacity(source.count)
    var place = 0
    while place < source.count {
      let byte = source[place]
      if byte == UInt8(ascii: "%"), place + 2 < source.count,
        let value = Self.byte(source[place + 1], source[place + 2])
      {
        bytes.append(value)
        place += 3
      } else {
        bytes.append(byte == UInt8(ascii: "+") && plusIsSpace ? 0x20 : byte)
        place += 1
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The byte for two hexadecimal digits; `nil` if either is not a hexadecimal digit.
  static func byte(_ first: UInt8, _ second: UInt8) -> UInt8? {
    guard let high = digit(first), let low = digit(second) else { return nil }
    return high << 4 | low
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x37
    case 0x61...0x66: byte - 0x57
    default: nil
    }
  }

  /// The maximum number of pairs. It exceeds the needs of any request.
  private static let maximumPairs = 10_000

  /// The pairs of `a=1&b=2`, in order.
  static func pairs(_ text: String) -> [ReadPair] {
    text.split(separator: "&", maxSplits: maximumPairs).prefix(maximumPairs).map { part in
      let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let value = halves.count > 1 ? halves[1] : ""
      return ReadPair(
        name: decoded(halves[0], plusIsSpace: true), value: decoded(value, plusIsSpace: true),
        encodedValue: String(value))
    }
  }
}

/// Parses `multipart/form-data` bodies (RFC 7578).
enum MultipartText {
  private static let maximumParts = 1_000

  /// The parts; `nil` if the field names no boundary, or the last boundary is missing.
  static func pairs(_ body: Data, contentType: String) -> [ReadPair]? {
    guard let boundary = parameter("boundary", of: contentType), !boundary.isEmpty, boundary.utf8.count <= 200 else {
      return nil
    }
    let delimiter = Data("--\(boundary)".utf8)
    var pairs: [ReadPair] = []
    guard var begin = body.range(of: delimiter) else { return nil }
    while pairs.count <= maximumParts {
      let rest = body[begin.upperBound...]
      if rest.starts(with: "--".utf8) { return pairs }
      guard rest.starts(with: "\r\n".utf8),
        let end = body.range(of: Data("\r\n".utf8) + delimiter, in: rest.startIndex..<body.endIndex)
      else { return nil }
      // An empty part ends where its header begins.
      let part = body[min(rest.startIndex + 2, end.lowerBound)..<end.lowerBound]
      guard let pair = pair(part) else { return nil }
      pairs.append(pair)
      begin = (end.lowerBound + 2)..<end.upperBound
    }
    return nil
  }

  private static func pair(_ part: Data) -> ReadPair? {
    guard let end = part.range(of: Data("\r\n\r\n".utf8)) else { return nil }
    let head = String(decoding: part[part.startIndex..<end.lowerBound], as: UTF8.self)
    let bytes = Data(part[end.upperBound...])
    var name: String?
    var mediaType: String?
    for line in head.split(separator: "\r\n") {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      switch line[..<colon].lowercased() {
      case "content-disposition": name = parameter("name", of: value)
      case "content-type": mediaType = value.prefix { $0 != ";" }.lowercased()
      default: break
      }
    }
    return name.map {
      ReadPair(name: $0, value: String(decoding: bytes, as: UTF8.self), mediaType: mediaType, bytes: bytes)
    }
  }

  /// A parameter of a header field's value: `name` in `form-data; name="a"`.
  private static func parameter(_ name: String, of field: String) -> String? {
    var rest = field[...]
    while let semicolon = rest.firstIndex(of: ";") {
      rest = rest[rest.index(after: semicolon)...].drop { $0 == " " || $0 == "\t" }
      guard let equals = rest.firstIndex(of: "=") else { return nil }
      let key = rest[..<equals]
      rest = rest[rest.index(after: equals)...]
      var value = ""
      if rest.first == "\"" {
        rest = rest.dropFirst()
        while let character = rest.popFirst(), character != "\"" {
          value.append(character == "\\" ? rest.popFirst() ?? character : character)
        }
      } else {
        value = String(rest.prefix { $0 != ";" && $0 != " " })
      }
      if key.lowercased() == name { return value }
    }
    return nil
  }
}
