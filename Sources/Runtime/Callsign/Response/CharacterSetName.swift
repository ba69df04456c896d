import CallsignHTTP
import CallsignSupport

/// The character sets that responses are read in.
enum CharacterSetName {
  /// A body as text.
  ///
  /// - Parameter mediaType: The response's media type with its parameters. Without a character set, a byte order mark at the start
  ///   of the text decides, otherwise the text is UTF-8.
  /// - Returns: `nil` for an unsupported character set.
  static func text(of body: Data, named mediaType: String) -> String? {
    let mark = self.mark(of: body)
    switch parameter(of: mediaType) ?? mark.name {
    case "utf-8", "utf8", "us-ascii", "ascii":
      // Text that is not ASCII is read as UTF-8, which it usually is.
      return String(decoding: mark.name == "utf-8" ? body.dropFirst(mark.length) : body, as: UTF8.self)
    case "utf-16":
      return utf16(body.dropFirst(mark.name == "utf-8" ? 0 : mark.length), isLittleEndian: mark.name == "utf-16le")
    case "utf-16be": return utf16(body.dropFirst(mark.name == "utf-16be" ? 2 : 0), isLittleEndian: false)
    case "utf-16le": return utf16(body.dropFirst(mark.name == "utf-16le" ? 2 : 0), isLittleEndian: true)
    case "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "l1":
      return String(String.UnicodeScalarView(body.map { Unicode.Scalar($0) }))
    case "windows-1252", "cp1252", "x-cp1252": return String(String.UnicodeScalarView(body.map(windows1252)))
    default: return nil
    }
  }

  /// The name in the parameter `charset`, in lower case (RFC 9110 §8.3.2).
  private static func parameter(of mediaType: String) -> String? {
    for parameter in mediaType.split(separator: ";").dropFirst() {
      let parts = parameter.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, parts[0].trimmingWhitespace().lowercased() == "charset" else { continue }
      let value = parts[1].trimmingWhitespace().lowercased()
      let name =
        value.count > 1 && value.hasPrefix("\"") && value.hasSuffix("\"") ? String(value.dropFirst().dropLast()) : value
      return name.isEmpty ? nil : name
    }
    return nil
  }

  /// The character set that a byte order mark names, and the mark's length.
  private static func mark(of body: Data) -> (name: String, length: Int) {
    if body.starts(with: [0xEF, 0xBB, 0xBF]) { return ("utf-8", 3) }
    if body.starts(with: [0xFE, 0xFF]) { return ("utf-16be", 2) }
    if body.starts(with: [0xFF, 0xFE]) { return ("utf-16le", 2) }
    return ("utf-8", 0)
  }

  private static func utf16(_ bytes: Data, isLittleEndian: Bool) -> String {
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count / 2 + 1)
    var first: UInt8?
    for byte in bytes {
      guard let before = first else {
        first = byte
        continue
      }
      let (high, low) = isLittleEndian ? (byte, before) : (before, byte)
      units.append(UInt16(high) << 8 | UInt16(low))
      first = nil
    }
    // Half of a unit at the end.
    if first != nil { units.append(0xFFFD) }
    return String(decoding: units, as: UTF16.self)
  }

  /// The characters of Windows where ISO 8859-1 has control characters, from 0x80 on (WHATWG Encoding §9).
  private static let windowsScalars: [UInt32] = [
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D, 0x017D,
    0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,
    0x017E, 0x0178,
  ]

  private static func windows1252(_ byte: UInt8) -> Unicode.Scalar {
    guard (0x80..<0xA0).contains(byte) else { return Unicode.Scalar(byte) }
    return Unicode.Scalar(windowsScalars[Int(byte) - 0x80]) ?? Unicode.Scalar(byte)
  }
}
