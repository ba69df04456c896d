extension Unicode.Scalar {
  /// Whether the character may stand in a YAML text as it is; others are there as escapes in double quotes alone (YAML 1.2
  /// §5.1). U+2028 and U+2029 count among these, which YAML 1.1 takes for line breaks, and so does the byte order mark.
  package var isPrintableInYAML: Bool {
    switch value {
    case 0x20...0x7E: true
    case 0xA0...0xD7FF: value != 0x2028 && value != 0x2029
    case 0xE000...0xFFFD: value != 0xFEFF
    case 0x10000...0x10FFFF: true
    default: false
    }
  }
}
