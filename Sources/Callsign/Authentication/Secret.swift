/// A password, token or key. It prints as `‹redacted›` wherever it can be printed; only ``reveal()`` gives it away.
public struct Secret: Sendable {
  private let bytes: [UInt8]

  /// Keeps a secret.
  public init(_ text: String) { bytes = Array(text.utf8) }

  /// The secret itself. What becomes of it is the caller's concern.
  public func reveal() -> String { String(decoding: bytes, as: UTF8.self) }

  /// Whether there is nothing to keep.
  public var isEmpty: Bool { bytes.isEmpty }
}

extension Secret: ExpressibleByStringLiteral {
  /// Keeps the literal.
  public init(stringLiteral value: String) { self.init(value) }
}

extension Secret: Equatable {
  /// Compares in a time that tells nothing of where the two differ.
  public static func == (left: Secret, right: Secret) -> Bool {
    ConstantTime.areEqual(left.bytes, right.bytes)
  }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// What is shown in its place.
  static let redacted = "‹redacted›"

  /// `‹redacted›`
  public var description: String { Self.redacted }
  /// `‹redacted›`
  public var debugDescription: String { Self.redacted }
  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
