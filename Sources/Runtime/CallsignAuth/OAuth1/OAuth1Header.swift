import CallsignHTTP
import CallsignSupport

/// The parts of OAuth 1.0's `Authorization` field (RFC 5849 §3.5.1): names and values encoded, the realm quoted as HTTP
/// quotes.
enum OAuth1Header {
  /// `OAuth realm="…", name="value", …`
  static func begin(realm: String?, _ parameters: [(name: String, value: String)]) -> [UInt8] {
    var output = Array("OAuth ".utf8)
    if let realm {
      output.append(contentsOf: "realm=\"".utf8)
      for byte in realm.utf8 {
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { output.append(UInt8(ascii: "\\")) }
        output.append(byte)
      }
      output.append(contentsOf: "\", ".utf8)
    }
    return output + following(parameters).dropFirst(2)
  }

  /// `, name="value", …`
  static func following(_ parameters: [(name: String, value: String)]) -> [UInt8] {
    var output: [UInt8] = []
    append(parameters, to: &output)
    return output
  }

  static func append(_ parameters: [(name: String, value: String)], to output: inout [UInt8]) {
    for (name, value) in parameters { append(name, value, to: &output) }
  }

  static func append(_ name: String, _ value: String, to output: inout [UInt8]) {
    output.append(contentsOf: ", ".utf8)
    PercentEncoding.append(name, to: &output)
    output.append(contentsOf: "=\"".utf8)
    PercentEncoding.append(value, to: &output)
    output.append(UInt8(ascii: "\""))
  }

  /// Whether a realm is valid in a quoted string (RFC 9110 §5.6.4).
  static func canQuote(_ realm: String) -> Bool {
    realm.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
  }
}
