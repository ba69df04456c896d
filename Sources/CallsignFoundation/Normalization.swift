#if canImport(FoundationEssentials)
  // The standard library's, which FoundationEssentials itself builds on.
  @_spi(_Unicode) import Swift
#endif

extension String {
  /// The text in normalization form C (Unicode Standard Annex #15): letters and their accents are one character where there
  /// is one. In place of `precomposedStringWithCanonicalMapping`, which is Foundation's.
  package var composed: String {
    #if canImport(FoundationEssentials)
      var scalars = String.UnicodeScalarView()
      scalars.append(contentsOf: _nfc)
      return String(scalars)
    #else
      precomposedStringWithCanonicalMapping
    #endif
  }
}
