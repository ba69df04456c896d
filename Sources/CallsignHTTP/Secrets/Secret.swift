import Foundation

/// A password, token or key. It prints as `‹redacted›` wherever it can be printed; only ``reveal()`` gives it away.
///
/// Copies share one place in memory, which is overwritten with zeros when the last of them is gone. Texts that
/// ``reveal()`` gave out are not.
public struct Secret: Sendable {
  private let storage: SecretStorage

  /// Keeps a secret.
  public init(_ text: String) { storage = SecretStorage(text) }

  /// The secret itself. What becomes of it is the caller's concern.
  public func reveal() -> String { storage.withBytes { String(decoding: $0, as: UTF8.self) } }

  /// Whether there is nothing to keep.
  public var isEmpty: Bool { storage.withBytes(\.isEmpty) }
}

extension Secret: ExpressibleByStringLiteral {
  /// Keeps the literal.
  public init(stringLiteral value: String) { self.init(value) }
}

extension Secret: Equatable {
  /// Compares in a time that tells nothing of where the two differ.
  public static func == (left: Secret, right: Secret) -> Bool {
    left.storage.withBytes { left in right.storage.withBytes { right in ConstantTime.areEqual(left, right) } }
  }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// What is shown in its place.
  package static let redacted = "‹redacted›"

  /// `‹redacted›`
  public var description: String { Self.redacted }
  /// `‹redacted›`
  public var debugDescription: String { Self.redacted }
  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
