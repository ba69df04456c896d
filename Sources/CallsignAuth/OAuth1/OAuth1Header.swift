import CallsignHTTP

/// The `Authorization` field of OAuth 1.0 (RFC 5849 §3.5.1).
enum OAuth1Header {
  /// `OAuth realm="…", name="value", …`: names and values encoded, the realm quoted as HTTP quotes.
  static func value(_ parameters: [(name: String, value: String)], realm: String?) -> String {
    var output = Array("OAuth ".utf8)
    output.reserveCapacity(512)
    if let realm {
      output.append(contentsOf: "realm=\"".utf8)
      for byte in realm.utf8 {
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { output.append(UInt8(ascii: "\\")) }
        output.append(byte)
      }
      output.append(contentsOf: "\", ".utf8)
    }
    var isFirst = true
    for (name, value) in parameters {
      if !isFirst { output.append(contentsOf: ", ".utf8) }
      isFirst = false
      PercentEncoding.append(name, to: &output)
      output.append(contentsOf: "=\"".utf8)
      PercentEncoding.append(value, to: &output)
      output.append(UInt8(ascii: "\""))
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// Whether a realm can stand in a quoted string (RFC 9110 §5.6.4).
  static func canQuote(_ realm: String) -> Bool {
    realm.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
  }
}
