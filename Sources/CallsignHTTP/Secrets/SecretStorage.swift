import Foundation

/// The bytes of a ``Secret``, overwritten before their memory is given back.
///
/// `@unchecked Sendable`: the bytes are written in `init` and `deinit` alone, when nobody else has a reference.
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

  /// Overwrites memory in a way that the compiler does not take out, though nobody reads it afterwards.
  static func erase(_ bytes: UnsafeMutableRawBufferPointer) {
    guard let start = bytes.baseAddress, !bytes.isEmpty else { return }
    #if canImport(Darwin)
      memset_s(start, bytes.count, 0, bytes.count)
    #else
      explicit_bzero(start, bytes.count)
    #endif
  }
}
