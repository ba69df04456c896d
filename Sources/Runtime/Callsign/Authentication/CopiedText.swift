import CallsignSupport

/// A check of keys and secrets that people copy from a provider's pages.
package enum CopiedText {
  /// The advice on the first value that has white space or a line break around it, as a copy often has; `nil` when all are
  /// clean. A response of the provider's would only say that they are wrong.
  ///
  /// - Parameter values: The values, with their names for the person.
  package static func problem(_ values: KeyValuePairs<String, String?>) -> String? {
    for (name, value) in values {
      guard let value, value != value.trimmingWhitespace() else { continue }
      return "the \(name) has white space or a line break around it; remove it, or copy it again without"
    }
    return nil
  }
}
