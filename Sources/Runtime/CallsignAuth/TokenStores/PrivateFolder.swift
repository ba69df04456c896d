import CallsignSupport

/// An opened folder that belongs only to this user. All names are looked up in the folder that was opened and checked,
/// even if another one replaces it in the meantime.
package struct PrivateFolder: ~Copyable {
  private let folder: OpenFile
  var path: String { folder.path }

  private init(_ folder: consuming OpenFile) { self.folder = folder }

  /// Opens a folder and checks it; `nil` when there is none.
  package static func existing(_ path: String) throws(TokenStoreError) -> PrivateFolder? {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else {
      switch errno {
      case ENOENT: return nil
      case ELOOP: throw .unsafePlace(path, "is a symbolic link")
      // The error on Linux for a link that should be a folder, and for a file.
      case ENOTDIR: throw .unsafePlace(path, "is a symbolic link or a file, or lies in one")
      default: throw .system("open \(path)", errno)
      }
    }
    let folder = OpenFile(descriptor, path: path)
    try folder.refuseUnlessPrivate(kind: S_IFDIR, mode: "700")
    return PrivateFolder(folder)
  }

  /// Opens a folder, and creates it if it does not exist.
  package static func made(_ path: String) throws(TokenStoreError) -> PrivateFolder {
    if let folder = try existing(path) { return folder }
    try make(path)
    guard let folder = try existing(path) else { throw .system("open \(path)", ENOENT) }
    return folder
  }

  private static func make(_ path: String) throws(TokenStoreError) {
    let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
    if mkdir(path, 0o700) != 0 {
      if errno == EEXIST { return }
      guard errno == ENOENT, parent != path else { throw .system("make the folder \(path)", errno) }
      try make(parent)
      guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .system("make the folder \(path)", errno) }
    }
    let descriptor = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    try OpenFile(descriptor, path: parent).synchronize()
  }

  func path(of name: String) -> String { "\(path)/\(name)" }

  /// Opens a file and checks it; `nil` when there is none.
  package func openFile(_ name: String, _ flags: Int32) throws(TokenStoreError) -> OpenFile? {
    // Without O_NONBLOCK a pipe of that name would keep the thread until somebody writes into it.
    let descriptor = openat(folder.descriptor, name, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else {
      switch errno {
      case ENOENT: return nil
      case ELOOP: throw .unsafePlace(path(of: name), "is a symbolic link")
      case EISDIR: throw .unsafePlace(path(of: name), "is not an ordinary file")
      default: throw .system("open \(path(of: name))", errno)
      }
    }
    return OpenFile(descriptor, path: path(of: name))
  }

  /// Whether the name still belongs to that file.
  func holds(_ file: borrowing OpenFile, as name: String) throws(TokenStoreError) -> Bool {
    let status = try file.status()
    var named = stat()
    return fstatat(folder.descriptor, name, &named, AT_SYMLINK_NOFOLLOW) == 0 && named.st_ino == status.st_ino
      && named.st_dev == status.st_dev
  }

  func rename(_ name: String, to newName: String) throws(TokenStoreError) {
    guard renameat(folder.descriptor, name, folder.descriptor, newName) == 0 else {
      throw .system("replace \(path(of: newName))", errno)
    }
  }

  /// Removes a file; whether there was one.
  @discardableResult
  package func remove(_ name: String) throws(TokenStoreError) -> Bool {
    if unlinkat(folder.descriptor, name, 0) == 0 { return true }
    guard errno == ENOENT else { throw .system("remove \(path(of: name))", errno) }
    return false
  }

  func synchronize() throws(TokenStoreError) { try folder.synchronize() }

  /// The time of the last write to the item with this name; `nil` if that is not known.
  package func modification(of name: String) -> Date? {
    var status = stat()
    guard fstatat(folder.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
    return Date(timeIntervalSince1970: TimeInterval(status.modified.tv_sec))
  }

  /// The names of the folder's contents.
  package func names() throws(TokenStoreError) -> [String] {
    do { return try FileManager.default.contentsOfDirectory(atPath: path) } catch {
      throw .system("list \(path)", (error as? POSIXError)?.code.rawValue ?? EACCES)
    }
  }
}

/// Replaces a file in one step: a reader finds the old bytes or the new ones, whenever this process dies.
extension PrivateFolder {
  private static let prefix = ".new-"

  /// Puts bytes in place of the ones that the file holds, and waits until they are on the disk.
  package func replace(_ name: String, with bytes: Data) throws(TokenStoreError) {
    while true {
      let temporary = try Self.prefix + Self.randomName()
      guard let file = try openFile(temporary, O_WRONLY | O_CREAT | O_EXCL) else {
        throw .system("make \(path(of: temporary))", ENOENT)
      }
      // The lock is held until the file has its name, which shows cleaning processes that the file is still in use. One of them may
      // have been faster, just before, so that the file no longer exists. Without locks, nobody cleans up.
      if (try? file.tryLock()) == false { continue }
      guard try holds(file, as: temporary) else { continue }
      do throws(TokenStoreError) {
        guard fchmod(file.descriptor, 0o600) == 0 else { throw .system("protect \(file.path)", errno) }
        try file.write(bytes)
        try file.synchronize()
        try rename(temporary, to: name)
      } catch {
        _ = try? remove(temporary)
        throw error
      }
      return try synchronize()
    }
  }

  /// Removes files of processes that died during a write.
  package func removeLeftovers() throws(TokenStoreError) {
    for name in try names() where name.hasPrefix(Self.prefix) {
      guard let file = try? openFile(name, O_RDONLY), (try? file.tryLock()) == true else { continue }
      _ = try? remove(name)
    }
  }

  /// A unique text that nobody can guess: for a file's name or a lease's id.
  static func randomName() throws(TokenStoreError) -> String {
    do { return try SecureRandom.nonce() } catch {
      throw TokenStoreError(.system, advice: "\(error); check the system's random source")
    }
  }
}

/// An open file or folder, closed when this value is gone.
package struct OpenFile: ~Copyable {
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

  /// Refuses what others could read or exchange.
  ///
  /// - Parameters:
  ///   - kind: `S_IFREG` or `S_IFDIR`.
  ///   - mode: The permissions to recommend.
  package func refuseUnlessPrivate(kind: mode_t, mode: String) throws(TokenStoreError) {
    let status = try status()
    guard status.st_mode & S_IFMT == kind else {
      throw .unsafePlace(path, kind == S_IFDIR ? "is not a folder" : "is not an ordinary file")
    }
    guard status.st_uid == geteuid() else { throw .unsafePlace(path, "belongs to another user") }
    guard status.st_mode & 0o077 == 0 else { throw .readableByOthers(path, mode: mode) }
  }

  /// All that the file holds, from its beginning, wherever it was read before.
  func contents(limit: Int) throws(TokenStoreError) -> Data {
    guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw .system("read \(path)", errno) }
    return try read(limit: limit)
  }

  /// Replaces the file's contents. For data that may be lost: it does not wait for the disk.
  func replaceContents(with bytes: Data) throws(TokenStoreError) {
    // Written first: a process that ends in between, or a full disk, leaves no empty file.
    guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw .system("write \(path)", errno) }
    try write(bytes)
    guard ftruncate(descriptor, off_t(bytes.count)) == 0 else { throw .system("write \(path)", errno) }
  }

  /// All bytes of the file after the last read position.
  package func read(limit: Int) throws(TokenStoreError) -> Data {
    let data: Data
    do throws(POSIXError) { data = try readAll(from: descriptor, limit: limit + 1) } catch {
      throw .system("read \(path)", error.code.rawValue)
    }
    guard data.count <= limit else { throw .damaged("in \(path) is too big to be one") }
    return data
  }

  func write(_ data: Data) throws(TokenStoreError) {
    do throws(POSIXError) { try writeAll(data, to: descriptor) } catch {
      throw .system("write \(path)", error.code.rawValue)
    }
  }

  /// Waits until the written data is on the disk.
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

extension TokenStoreError {
  /// The error for a refusal by the system, from `errno`.
  ///
  /// - Parameters:
  ///   - what: The attempt, such as `write` with the path.
  ///   - code: The value of `errno` right after it failed.
  static func system(_ what: String, _ code: Int32) -> TokenStoreError {
    let advice =
      switch code {
      case EACCES, EPERM, EROFS: "give this program permission, or choose another folder"
      case ENOSPC, EDQUOT: "free some space on the disk"
      case EMFILE, ENFILE: "close files, or raise the limit of open files"
      case ENOTDIR: "a part of the path is a file; choose another folder"
      case ENAMETOOLONG: "choose a folder with a shorter path"
      default: "check the folder and its disk"
      }
    let words = String(cString: strerror(code))
    return TokenStoreError(.system, advice: "cannot \(what): \(words); \(advice)".printable)
  }

  /// Somebody else could read data that must stay secret.
  static func readableByOthers(_ path: String, mode: String) -> TokenStoreError {
    TokenStoreError(
      .readableByOthers,
      advice: """
        others can read or write \(path); run `chmod \(mode) \(path.shellQuoted)`, and if others use this machine, \
        log in again, since they may have read the tokens
        """.printable)
  }

  static func unsafePlace(_ path: String, _ problem: String) -> TokenStoreError {
    TokenStoreError(
      .unsafePlace,
      advice: "\(path) \(problem); remove it, or choose another folder for the tokens".printable)
  }
}
