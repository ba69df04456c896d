/// A type that prints as its name, or as its own ``description``, and has a mirror without children: printing, dumping and
/// logging it shows no stored property.
public protocol RedactedStringConvertible: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension RedactedStringConvertible {
  /// The type's name and `‹redacted›`.
  public var description: String { "\(Self.self)(\(Secret.redacted))" }
  /// The same as ``description``.
  public var debugDescription: String { description }
  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

extension String {
  /// What of a text can stand in a one-line message.
  package var printable: String {
    String(unicodeScalars.filter { $0.value > 0x1F && $0.value != 0x7F }.map(Character.init))
  }
}
