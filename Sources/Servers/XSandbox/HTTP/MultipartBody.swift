import Foundation

/// The parts of a `multipart/form-data` body (RFC 7578). Parts with a file name are files, others are values.
struct MultipartBody {
  private(set) var values: [RequestParameter] = []
  private(set) var files: [String: Data] = [:]

  /// The values by name. If a name is repeated, the first value counts.
  var texts: [String: String] {
    Dictionary(values.map { ($0.nameText, $0.valueText) }, uniquingKeysWith: { first, _ in first })
  }

  /// Fails if the body does not have the format of its media type.
  init?(_ request: IncomingRequest) {
    guard let boundary = Self.parameter("boundary", in: request.header("Content-Type") ?? ""), !boundary.isEmpty
    else { return nil }
    // The first delimiter may be at the very beginning, without the line break before it.
    let body = Data("\r\n".utf8) + request.body
    let delimiter = Data("\r\n--\(boundary)".utf8)
    guard var current = body.range(of: delimiter) else { return nil }
    while !body[current.upperBound...].starts(with: Data("--".utf8)) {
      guard let next = body.range(of: delimiter, in: current.upperBound..<body.endIndex),
        add(body[current.upperBound..<next.lowerBound])
      else { return nil }
      current = next
    }
  }

  /// - Parameter part: The bytes from the line break after the delimiter.
  private mutating func add(_ part: Data) -> Bool {
    guard part.starts(with: Data("\r\n".utf8)), let blank = part.range(of: Data("\r\n\r\n".utf8)) else { return false }
    let lines = String(decoding: part[..<blank.lowerBound], as: UTF8.self).split(separator: "\r\n")
    let disposition = lines.first { $0.lowercased().hasPrefix("content-disposition:") }.map(String.init) ?? ""
    guard let name = Self.parameter("name", in: disposition) else { return false }
    let content = part[blank.upperBound...]
    if Self.parameter("filename", in: disposition) != nil {
      files[name] = Data(content)
    } else {
      values.append(RequestParameter(name: Array(name.utf8), value: Array(content)))
    }
    return true
  }

  /// The value in `name=value` or `name="value"` in a header field.
  private static func parameter(_ name: String, in field: String) -> String? {
    for piece in field.split(separator: ";").dropFirst() {
      let pair = piece.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      guard pair.count == 2, pair[0].lowercased() == name else { continue }
      return pair[1].trimmingCharacters(in: CharacterSet(charactersIn: "\""))
    }
    return nil
  }
}
