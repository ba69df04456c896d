// Sound: the memory is written in `init` and `deinit` only, and has exactly the size of the text. It is valid while the storage is
// alive.

/// A password, token or key. It prints as `‹redacted›` wherever it can be printed; only ``reveal()`` gives it away.
///
/// Copies share one place in memory, which is overwritten with zeros when the last of them is gone. Texts that
/// ``reveal()`` gave out are not.
public struct Secret: Sendable {
  private let storage: SecretStorage

  /// Keeps a secret.
  public init(_ text: String) { storage = SecretStorage(text) }

  /// The secret itself. The caller is responsible for where it goes.
  public func reveal() -> String { storage.withBytes { String(decoding: $0, as: UTF8.self) } }

  /// The secret itself behind a text that is not secret, in one piece of memory.
  package func revealed(after prefix: StaticString) -> String {
    storage.withBytes { bytes in
      String(unsafeUninitializedCapacity: prefix.utf8CodeUnitCount + bytes.count) { room in
        let text = UnsafeMutableRawBufferPointer(room)
        text.copyMemory(from: UnsafeRawBufferPointer(start: prefix.utf8Start, count: prefix.utf8CodeUnitCount))
        UnsafeMutableRawBufferPointer(rebasing: text[prefix.utf8CodeUnitCount...]).copyMemory(from: bytes)
        return prefix.utf8CodeUnitCount + bytes.count
      }
    }
  }

  /// Whether it consists only of visible ASCII characters: no spaces or control characters.
  package var isVisible: Bool {
    storage.withBytes { $0.allSatisfy { $0 > 0x20 && $0 < 0x7F } }
  }

  /// Whether there is nothing to keep.
  public var isEmpty: Bool { storage.withBytes { $0.isEmpty } }
}

extension Secret: ExpressibleByStringLiteral {
  /// Keeps the literal.
  public init(stringLiteral value: String) { self.init(value) }
}

extension Secret: Equatable {
  /// Compares in a time that does not depend on the position of the difference.
  public static func == (left: Secret, right: Secret) -> Bool {
    left.storage.withBytes { left in right.storage.withBytes { right in ConstantTime.areEqual(left, right) } }
  }
}

extension Secret: RedactedStringConvertible {
  /// The text shown in place of a secret.
  package static let redacted = "‹redacted›"

  /// `‹redacted›`
  public var description: String { Self.redacted }
}

/// The bytes of a ``Secret``, overwritten before their memory is given back.
///
/// `@unchecked Sendable`: the bytes are written only in `init` and `deinit`, when nobody else has a reference.
final class SecretStorage: @unchecked Sendable {
  private let bytes: UnsafeMutableRawBufferPointer

  init(_ text: String) {
    var text = text
    bytes = text.withUTF8 { utf8 in
      let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: utf8.count, alignment: 1)
      copy.copyMemory(from: UnsafeRawBufferPointer(utf8))
      return copy
    }
  }

  deinit {
    Self.erase(bytes)
    bytes.deallocate()
  }

  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    withExtendedLifetime(self) { body(UnsafeRawBufferPointer(bytes)) }
  }

  /// Overwrites memory in a way that the compiler does not remove, though nobody reads it afterwards.
  static func erase(_ bytes: UnsafeMutableRawBufferPointer) {
    guard let start = bytes.baseAddress, !bytes.isEmpty else { return }
    #if canImport(Darwin)
      memset_s(start, bytes.count, 0, bytes.count)
    #else
      explicit_bzero(start, bytes.count)
    #endif
  }
}

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
