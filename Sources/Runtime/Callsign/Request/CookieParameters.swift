import CallsignHTTP
import CallsignSupport
import HTTPTypes

extension Call {
  /// Sends a cookie, beside those that credentials or the client's own header fields set. `nil`: nothing is sent.
  ///
  /// Characters that a cookie cannot have (RFC 6265 §4.1.1) are percent-encoded.
  public mutating func cookie<Value: ParameterValue>(_ name: String, _ value: Value?) {
    if let value { setCookie(name, [value.parameterText], "") }
  }

  /// Sends a list as one cookie. `nil`: nothing is sent.
  public mutating func cookie<Value: ParameterValue>(
    _ name: String, _ values: [Value]?, list: ListStyle = .comma
  ) {
    guard let values else { return }
    // A cookie has no spaces (RFC 6265 §4.1.1), but may have pipes.
    setCookie(name, values.map(\.parameterText), list == .space ? "%20" : list.delimiter())
  }

  /// Sends a date as a cookie. `nil`: nothing is sent.
  public mutating func cookie(_ name: String, _ value: Date?, _ format: DateFormat = .rfc3339) {
    if let value { cookie(name, [value], format) }
  }

  /// Sends a list of dates as one cookie. `nil`: nothing is sent.
  public mutating func cookie(
    _ name: String, _ values: [Date]?, _ format: DateFormat = .rfc3339, list: ListStyle = .comma
  ) {
    guard let values else { return }
    let texts = values.compactMap { format.string(from: $0) }
    guard texts.count == values.count else {
      let reason = InvalidCall.Reason.value("the date cannot be written in the format that the API reads")
      return edit { $0.fail(reason, parameter: name) }
    }
    cookie(name, texts, list: list)
  }

  private mutating func setCookie(_ name: String, _ texts: [String], _ separator: String) {
    edit { storage in
      storage.sent.append(name)
      storage.cookies.append("\(name)=\(texts.map(Self.cookieText).joined(separator: separator))")
    }
  }

  /// The text with what ends a cookie, or has a meaning in an encoded one, percent-encoded.
  private static func cookieText(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      if (0x21...0x7E).contains(byte), !"\",;\\%".utf8.contains(byte) {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let code = String(byte, radix: 16, uppercase: true)
        result += code.count == 1 ? "%0\(code)" : "%\(code)"
      }
    }
    return result
  }
}

extension HTTPFields {
  /// Sets the cookies of a call; there is one field for all of them (RFC 6265 §5.4).
  mutating func setCookies(_ cookies: [String]) {
    guard !cookies.isEmpty else { return }
    // Set as text, they would become several fields.
    let own = self[.cookie].map { [$0] } ?? []
    self[fields: .cookie] = [HTTPField(name: .cookie, value: (own + cookies).joined(separator: "; "))]
  }
}
