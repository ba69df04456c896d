extension String {
  /// What of a text can stand in a one-line message.
  package var printable: String {
    String(unicodeScalars.filter { $0.value > 0x1F && $0.value != 0x7F }.map(Character.init))
  }
}
