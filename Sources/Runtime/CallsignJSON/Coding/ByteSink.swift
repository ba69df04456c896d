/// Bytes that are only ever appended to.
///
/// A copy shares its memory, where what it holds never changes, with the one that it was copied from; both may append to it
/// only after `unshare()`. The model writer does that once for many values.
@usableFromInline
struct ByteSink {
  /// Memory that is freed with the last sink that has it.
  @usableFromInline typealias Memory = ManagedBuffer<Void, UInt8>

  @usableFromInline var memory: Memory?
  @usableFromInline var start: UnsafeMutablePointer<UInt8>
  @usableFromInline var capacity = 0
  @usableFromInline var count = 0

  init() {
    // Nothing is read or written there, as the capacity says.
    start = UnsafeMutablePointer(bitPattern: 8).unsafelyUnwrapped
  }

  var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }

  @usableFromInline var last: UInt8? { count == 0 ? nil : start[count - 1] }

  /// Makes the memory this sink's own.
  @inlinable @inline(__always)
  mutating func unshare() {
    if memory != nil, !isKnownUniquelyReferenced(&memory) { grow(by: 0) }
  }

  /// Makes room for further bytes.
  @inlinable @inline(__always)
  mutating func reserve(_ further: Int) {
    if capacity &- count < further { grow(by: further) }
  }

  @usableFromInline @inline(never)
  mutating func grow(by further: Int) {
    capacity = max(256, capacity * 2, count + further)
    // What copies hold stays where it is.
    let new = Memory.create(minimumCapacity: capacity) { _ in }
    new.withUnsafeMutablePointerToElements { room in
      room.initialize(from: start, count: count)
      start = room
    }
    memory = new
  }

  /// Appends a byte for which there is room.
  @inlinable @inline(__always)
  mutating func put(_ byte: UInt8) {
    start[count] = byte
    count &+= 1
  }

  /// Appends bytes for which there is room, and for seven more; as many may be read behind the last of them.
  @inlinable @inline(__always)
  mutating func put(words source: UnsafePointer<UInt8>, count length: Int) {
    let source = UnsafeRawPointer(source)
    let target = UnsafeMutableRawPointer(start + count)
    var place = 0
    while place < length {
      target.storeBytes(
        of: source.loadUnaligned(fromByteOffset: place, as: UInt64.self), toByteOffset: place, as: UInt64.self)
      place &+= 8
    }
    count &+= length
  }

  /// Gives out room for bytes; `body` returns how many it has written.
  @inlinable @inline(__always)
  mutating func put(upTo most: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Int) {
    reserve(most)
    count &+= body(start + count)
  }

  @inlinable @inline(__always)
  mutating func append(_ byte: UInt8) {
    reserve(1)
    put(byte)
  }

  @inlinable @inline(__always)
  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let source = bytes.baseAddress else { return }
    reserve(bytes.count)
    (start + count).initialize(from: source, count: bytes.count)
    count &+= bytes.count
  }
}
