import Foundation

/// An open file or folder, closed when this value is gone.
struct PrivateFile: ~Copyable {
  let descriptor: Int32
  let path: String

  /// Takes over a descriptor.
  init(_ descriptor: Int32, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit { close(descriptor) }

  /// Another descriptor of the same open file, with the same lock, which the caller has to close.
  func duplicate() throws(TokenStoreError) -> Int32 {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { throw .system("open \(path)", errno) }
    return copy
  }

  func status() throws(TokenStoreError) -> stat {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .system("examine \(path)", errno) }
    return status
  }

  func modificationDate() throws(TokenStoreError) -> Date {
    let status = try status()
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    return Date(timeIntervalSince1970: TimeInterval(time.tv_sec) + TimeInterval(time.tv_nsec) / 1e9)
  }

  /// Makes now the time of the last change, where the file system has such times.
  func touch() { futimens(descriptor, nil) }

  /// Refuses what others could read or exchange.
  ///
  /// - Parameters:
  ///   - kind: `S_IFREG` or `S_IFDIR`.
  ///   - mode: The permissions to recommend.
  func refuseUnlessPrivate(kind: mode_t, mode: String) throws(TokenStoreError) {
    let status = try status()
    guard status.st_mode & S_IFMT == kind else {
      throw .unsafePlace(path, kind == S_IFDIR ? "is not a folder" : "is not an ordinary file")
    }
    guard status.st_uid == geteuid() else { throw .unsafePlace(path, "belongs to another user") }
    guard status.st_mode & 0o077 == 0 else { throw .readableByOthers(path, mode: mode) }
  }

  /// All that the file holds.
  func read(limit: Int) throws(TokenStoreError) -> Data {
    var data = Data()
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = buffer.withUnsafeMutableBytes { Foundation.read(descriptor, $0.baseAddress, $0.count) }
      if count == 0 { return data }
      if count < 0 {
        if errno == EINTR { continue }
        throw .system("read \(path)", errno)
      }
      data.append(contentsOf: buffer.prefix(count))
      guard data.count <= limit else { throw .damaged("in \(path) is too big to be one") }
    }
  }

  func write(_ data: Data) throws(TokenStoreError) {
    var rest = Array(data)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 {
        if errno == EINTR { continue }
        throw .system("write \(path)", errno)
      }
      rest = rest.dropFirst(count)
    }
  }

  /// Waits until the disk has what was written.
  func synchronize() throws(TokenStoreError) {
    #if canImport(Darwin)
      // On these systems fsync leaves the bytes in the disk's own memory.
      if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
    #endif
    while fsync(descriptor) != 0 {
      // Some file systems have no such operation for folders.
      if errno == EINVAL || errno == ENOTSUP || errno == EROFS { return }
      guard errno == EINTR else { throw .system("write \(path) to the disk", errno) }
    }
  }

  /// Takes the advisory lock, if nobody has it: this or any other process.
  func tryLock() throws(TokenStoreError) -> Bool {
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      switch errno {
      case EINTR: continue
      case EWOULDBLOCK: return false
      default: throw .system("lock \(path)", errno)
      }
    }
    return true
  }
}
