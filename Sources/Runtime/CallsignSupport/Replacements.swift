// The parts of Foundation that the runtime uses and that FoundationEssentials lacks.
//
// Sound: the system gets each buffer with its size, for the call only. A thread's body is retained for the thread, and released
// once.

extension StringProtocol {
  /// The names of a dotted path: `data.id` is `data` and `id`. Cut by scalars, because a name may begin with an accent, which
  /// is one character with the point before it.
  package var pathNames: [String] { String(self).unicodeScalars.split(separator: ".").map { String($0) } }

  /// The text without the white space at its ends, line breaks among it. In place of `trimmingCharacters(in:)`.
  package func trimmingWhitespace() -> String {
    let scalars = unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(self[first..<scalars.index(after: last)])
  }
}

extension Collection<UInt8> {
  /// The bytes without the byte order mark of UTF-8 that they may begin with.
  package var withoutByteOrderMark: SubSequence { starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self[...] }
}

extension Error {
  /// The system's words for why a file could not be read or written: "No such file or directory". In place of
  /// `localizedDescription`.
  package var fileErrorReason: String {
    let cause = (self as? CocoaError)?.underlying ?? self
    guard let error = cause as? POSIXError else { return "\(self)" }
    return String(cString: strerror(error.code.rawValue))
  }
}

/// Writes all bytes to an open file. In place of `FileHandle`, as is ``readAll(from:limit:)``.
package func writeAll(_ data: Data, to descriptor: Int32) throws(POSIXError) {
  var rest = data[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { throw .last }
    rest = rest.dropFirst(count)
  }
}

/// All bytes of an open file after the last read position, up to a limit.
package func readAll(from descriptor: Int32, limit: Int) throws(POSIXError) -> Data {
  var data = Data()
  var buffer = [UInt8](repeating: 0, count: 1 << 14)
  while data.count < limit {
    let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, min($0.count, limit - data.count)) }
    if count < 0, errno == EINTR { continue }
    guard count >= 0 else { throw .last }
    if count == 0 { break }
    data.append(contentsOf: buffer.prefix(count))
  }
  return data
}

extension stat {
  /// The time of the file's last write. Systems have different names for it.
  package var modified: timespec {
    #if canImport(Darwin)
      st_mtimespec
    #else
      st_mtim
    #endif
  }
}

extension POSIXError {
  /// The error of the system call that failed last on this thread.
  package static var last: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}

/// Runs a closure on a thread that nobody waits for. Replaces `Thread`.
///
/// - Returns: Whether the system could start one.
package func detachThread(_ body: @escaping @Sendable () -> Void) -> Bool {
  #if canImport(FoundationEssentials)
    var attributes = pthread_attr_t()
    guard pthread_attr_init(&attributes) == 0 else { return false }
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    let context = Unmanaged.passRetained(ThreadBody(run: body))
    var thread = pthread_t()
    let code = pthread_create(
      &thread, &attributes,
      { context in
        if let context { Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run() }
        return nil
      }, context.toOpaque())
    // The thread releases its argument. Without a thread, nothing else would.
    if code != 0 { context.release() }
    return code == 0
  #else
    Thread.detachNewThread(body)
    return true
  #endif
}

#if canImport(FoundationEssentials)
  private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void

    init(run: @escaping @Sendable () -> Void) { self.run = run }
  }
#endif
