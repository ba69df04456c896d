import Foundation

/// A folder that is this user's alone, opened. All names are looked up in the folder that was opened and checked, even
/// if another is put in its place meanwhile.
struct TokenFolder: ~Copyable {
  private let folder: PrivateFile
  var path: String { folder.path }

  private init(_ folder: consuming PrivateFile) { self.folder = folder }

  /// Opens a folder and checks it; `nil` when there is none.
  static func existing(_ path: String) throws(TokenStoreError) -> TokenFolder? {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else {
      switch errno {
      case ENOENT: return nil
      case ELOOP: throw .unsafePlace(path, "is a symbolic link")
      // What Linux says of a link that must be a folder, and of a file.
      case ENOTDIR: throw .unsafePlace(path, "is a symbolic link or a file, or lies in one")
      default: throw .system("open \(path)", errno)
      }
    }
    let folder = PrivateFile(descriptor, path: path)
    try folder.refuseUnlessPrivate(kind: S_IFDIR, mode: "700")
    return TokenFolder(folder)
  }

  /// Opens a folder, and makes it where there is none.
  static func made(_ path: String) throws(TokenStoreError) -> TokenFolder {
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
    try PrivateFile(descriptor, path: parent).synchronize()
  }

  func path(of name: String) -> String { "\(path)/\(name)" }

  /// Opens a file and checks it; `nil` when there is none.
  func openFile(_ name: String, _ flags: Int32) throws(TokenStoreError) -> PrivateFile? {
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
    return PrivateFile(descriptor, path: path(of: name))
  }

  /// Whether the name still stands for that file.
  func holds(_ file: borrowing PrivateFile, as name: String) throws(TokenStoreError) -> Bool {
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
  func remove(_ name: String) throws(TokenStoreError) -> Bool {
    if unlinkat(folder.descriptor, name, 0) == 0 { return true }
    guard errno == ENOENT else { throw .system("remove \(path(of: name))", errno) }
    return false
  }

  func synchronize() throws(TokenStoreError) { try folder.synchronize() }

  /// The names of what is in the folder.
  func names() throws(TokenStoreError) -> [String] {
    do { return try FileManager.default.contentsOfDirectory(atPath: path) } catch {
      throw .system("list \(path)", (error as? POSIXError)?.code.rawValue ?? EACCES)
    }
  }
}
