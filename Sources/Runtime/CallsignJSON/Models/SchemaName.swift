// Sound: a name lies in memory that is written once and never freed, as schemas never are. Names are looked at thousands of times
// for each document, and no look at one counts references.

/// A name in a schema.
///
/// `@unchecked Sendable`: its bytes never change.
struct SchemaName: @unchecked Sendable {
  let bytes: UnsafeBufferPointer<UInt8>

  /// The bytes behind the first one.
  let rest: UnsafeBufferPointer<UInt8>

  init(_ bytes: [UInt8]) {
    let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
    _ = copy.initialize(from: bytes)
    self.bytes = UnsafeBufferPointer(copy)
    rest = UnsafeBufferPointer(rebasing: self.bytes.dropFirst())
  }
}
