import Foundation

/// An `Authorization` header (RFC 9110 §11.6.2).
enum AuthorizationHeader: Sendable, Equatable {
  case oauth([RequestParameter])
  case bearer(String)
  case other(scheme: String)

  /// - Throws: The reason why the header cannot be read.
  init(_ text: String) throws(Malformed) {
    let parts = text.trimmingCharacters(in: .whitespaces)
      .split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
    guard let scheme = parts.first else { throw Malformed(reason: "the Authorization header is empty") }
    let rest = parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
    switch scheme.lowercased() {
    case "bearer":
      guard !rest.isEmpty, rest.utf8.allSatisfy(Self.isTokenByte) else {
        throw Malformed(reason: "the bearer token is empty or has characters that RFC 6750 §2.1 does not allow")
      }
      self = .bearer(rest)
    case "oauth": self = .oauth(try Self.parameters(rest))
    default: self = .other(scheme: String(scheme))
    }
  }

  struct Malformed: Error, Sendable {
    let reason: String
  }

  /// `name="value"` pairs separated by commas (RFC 5849 §3.5.1). The realm is left out, because it is not signed.
  private static func parameters(_ text: String) throws(Malformed) -> [RequestParameter] {
    var parameters: [RequestParameter] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: true) {
      let pair = part.trimmingCharacters(in: .whitespaces)
      if pair.isEmpty { continue }
      guard let equals = pair.firstIndex(of: "=") else {
        throw Malformed(reason: "the OAuth header has a part without `=`")
      }
      let name = pair[..<equals].trimmingCharacters(in: .whitespaces)
      let quoted = pair[pair.index(after: equals)...].trimmingCharacters(in: .whitespaces)
      guard quoted.count >= 2, quoted.hasPrefix("\""), quoted.hasSuffix("\"") else {
        throw Malformed(reason: "the value of `\(name)` in the OAuth header is not in double quotes")
      }
      if name.lowercased() == "realm" { continue }
      parameters.append(
        RequestParameter(
          name: PercentEncoding.decode(name, plusIsSpace: false),
          value: PercentEncoding.decode(quoted.dropFirst().dropLast(), plusIsSpace: false)))
    }
    return parameters
  }

  private static func isTokenByte(_ byte: UInt8) -> Bool {
    PercentEncoding.isUnreserved(byte) || [UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "=")].contains(byte)
      || byte == UInt8(ascii: "%")
  }
}

/// The name and password in an `Authorization: Basic` header, each encoded as in a form (RFC 6749 §2.3.1).
struct BasicCredentials: Sendable, Equatable {
  var name: String
  var password: String

  /// `nil` if there is no such header, or it cannot be read.
  init?(_ request: IncomingRequest) {
    guard let text = request.header("Authorization"), text.prefix(6).lowercased() == "basic ",
      let bytes = Data(base64Encoded: text.dropFirst(6).trimmingCharacters(in: .whitespaces)),
      let decoded = String(validUTF8: bytes), let colon = decoded.firstIndex(of: ":")
    else { return nil }
    name = Self.decode(decoded[..<colon])
    password = Self.decode(decoded[decoded.index(after: colon)...])
  }

  private static func decode(_ text: Substring) -> String {
    String(decoding: PercentEncoding.decode(text, plusIsSpace: true), as: UTF8.self)
  }
}
