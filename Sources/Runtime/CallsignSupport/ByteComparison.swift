// Swift takes texts for equal that look the same, such as `K` and the sign of the unit kelvin, or two spellings of `é`.
// Names of accounts are compared byte by byte.
//
// Sound: the bytes are used only in the closure that gets them.

extension String {
  /// Whether both have the same bytes in UTF-8.
  package func hasBytes(of other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

extension Hasher {
  /// Adds the bytes of a text in UTF-8, and their number.
  package mutating func combine(bytesOf text: String) {
    combine(text.utf8.count)
    for byte in text.utf8 { combine(byte) }
  }

  /// Adds all bytes, and their number. `Data` itself hashes only its first bytes.
  package mutating func combine(bytesOf data: Data) {
    combine(data.count)
    data.withUnsafeBytes { combine(bytes: $0) }
  }
}
