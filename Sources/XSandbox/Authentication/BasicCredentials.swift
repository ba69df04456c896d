import Foundation

/// The name and password of an `Authorization: Basic` header, as OAuth 2.0 encodes them: each as in a form (RFC 6749 §2.3.1).
struct BasicCredentials: Sendable, Equatable {
  var name: String
  var password: String

  /// `nil` if there is no such header, or if it cannot be read.
  init?(_ request: IncomingRequest) {
    guard let text = request.header("Authorization"), text.prefix(6).lowercased() == "basic ",
      let bytes = Data(base64Encoded: text.dropFirst(6).trimmingCharacters(in: .whitespaces)),
      let decoded = String(validating: bytes, as: UTF8.self), let colon = decoded.firstIndex(of: ":")
    else { return nil }
    name = Self.decode(decoded[..<colon])
    password = Self.decode(decoded[decoded.index(after: colon)...])
  }

  private static func decode(_ text: Substring) -> String {
    String(decoding: PercentEncoding.decode(text, plusIsSpace: true), as: UTF8.self)
  }
}
