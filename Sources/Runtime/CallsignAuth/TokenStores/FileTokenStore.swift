import CallsignHTTP
import CallsignJSON
import CallsignSupport
import Dispatch

/// Keeps each token in a separate file that only this user can read.
///
/// For Linux, and for command-line tools on macOS.
///
/// The folder has the permissions `0700` and each file `0600`. Files and folders that others can read or write, that
/// belong to somebody else, or that are symbolic links are refused. A file is replaced as a whole: if the process or
/// the machine fails in the middle, it has the old token or the new one. Tokens are not encrypted, because a key next
/// to them would not protect them; if that matters, use a folder on an encrypted disk.
///
/// All programs of a user share the default folder. Each program finds the tokens of its own client; several people in
/// one program are separate accounts.
public struct FileTokenStore: ListableTokenStore {
  /// The folder of the files. It is created when the first token is saved.
  public let folder: URL
  /// The maximum time that ``lease(_:lasting:)`` waits for one other task or process that holds the lease.
  public let lockTimeLimit: Duration
  private let hasCleaned = Locked(false)
  private let queue = DispatchQueue(label: "callsign.tokens")

  /// `$XDG_DATA_HOME/callsign/tokens`, by default `~/.local/share/callsign/tokens`. (In the XDG Base Directory
  /// Specification, tokens are data rather than state: without them, a person must log in again.)
  public static var defaultFolder: URL { defaultFolder(environment: ProcessInfo.processInfo.environment) }

  static func defaultFolder(environment: [String: String]) -> URL {
    // The specification says to ignore a path that is not absolute.
    let given = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil }
    let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? URL.homeDirectory.path
    let base = given ?? URL(fileURLWithPath: home).appendingPathComponent(".local/share")
    return base.appendingPathComponent("callsign/tokens")
  }

  /// Creates a store. Nothing is read or written before the first call.
  ///
  /// - Parameters:
  ///   - folder: The folder for the files; ``defaultFolder`` by default.
  ///   - lockTimeLimit: How long ``lease(_:lasting:)`` waits for one other task or process that holds the lease; a
  ///     minute by default.
  public init(folder: URL = Self.defaultFolder, lockTimeLimit: Duration = .seconds(60)) {
    self.folder = folder
    self.lockTimeLimit = lockTimeLimit
  }

  private var path: String { folder.standardizedFileURL.path }
  private var leases: FileLeases { FileLeases(folder: path, timeLimit: lockTimeLimit, queue: queue) }

  /// The folder's path.
  public var place: String { "file \(path)" }

  /// The token that is stored under a key.
  ///
  /// - Throws: ``TokenStoreError``: ``TokenStoreError/Reason/readableByOthers`` and
  ///   ``TokenStoreError/Reason/unsafePlace`` with advice on the file, ``TokenStoreError/Reason/damaged``,
  ///   ``TokenStoreError/Reason/newerVersion``, ``TokenStoreError/Reason/system``.
  public func load(_ key: TokenKey) async throws(TokenStoreError) -> VersionedToken? {
    try await queue.run { () throws(TokenStoreError) in
      guard let folder = try PrivateFolder.existing(path),
        let bytes = try folder.tokenBytes(try TokenFileName.base(of: key))
      else { return nil }
      do throws(TokenStoreError) {
        return VersionedToken(try TokenEntry(bytes).token(for: key), version: try TokenEntry.version(of: bytes))
      } catch {
        guard error.reason == .damaged else { throw error }
        // To delete the file, the user must know its path.
        let file = folder.path(of: try TokenFileName.base(of: key) + TokenFileName.suffix)
        throw TokenStoreError(.damaged, advice: "\(file.printable): \(error.advice)")
      }
    }
  }

  /// Saves a token. When this returns, the token is on the disk. A file that others could read is replaced by one that
  /// they cannot; a folder that others can read is refused.
  ///
  /// - Throws: ``TokenStoreError``. The previous token is then still stored.
  public func save(
    _ token: StoredToken, replacing expected: TokenPrecondition, under lease: TokenLease
  ) async throws(TokenStoreError) -> TokenVersion {
    let key = lease.key
    let bytes = try TokenEntry(key: key, json: token.jsonValue()).encoded()
    let version = try TokenEntry.version(of: bytes)
    let base = try TokenFileName.base(of: key)
    return try await leases.guarding(lease, base) { [hasCleaned] (folder) throws(TokenStoreError) in
      if !hasCleaned.withLock({ hasCleaned in
        defer { hasCleaned = true }
        return hasCleaned
      }) {
        try folder.removeLeftovers()
      }
      try folder.require(expected, of: key, base)
      try folder.replace(base + TokenFileName.suffix, with: bytes)
      return version
    }
  }

  /// Deletes a token, even if it is damaged or others can read it.
  ///
  /// - Throws: ``TokenStoreError``, as described for ``TokenStore/delete(_:under:)``.
  public func delete(_ expected: TokenPrecondition, under lease: TokenLease) async throws(TokenStoreError) {
    let key = lease.key
    let base = try TokenFileName.base(of: key)
    try await leases.guarding(lease, base) { (folder) throws(TokenStoreError) in
      try folder.require(expected, of: key, base)
      if try folder.remove(base + TokenFileName.suffix) { try folder.synchronize() }
    }
  }

  /// The keys that have tokens, sorted. Files of other programs in the folder are left out. So are damaged or newer
  /// files that are named with a hash of their key, because their key is not known.
  ///
  /// - Throws: ``TokenStoreError`` if the folder, or a file whose name is a hash of its key, cannot be read.
  public func keys(service: String?) async throws(TokenStoreError) -> [TokenKey] {
    try await queue.run { () throws(TokenStoreError) in
      guard let folder = try PrivateFolder.existing(path) else { return [] }
      var keys: [TokenKey] = []
      for name in try folder.names() where name.hasSuffix(TokenFileName.suffix) {
        let base = String(name.dropLast(TokenFileName.suffix.count))
        if TokenFileName.isHash(base) {
          guard let bytes = try folder.tokenBytes(base), let entry = try? TokenEntry(bytes) else { continue }
          if try TokenFileName.base(of: entry.key) == base { keys.append(entry.key) }
        } else if let key = TokenFileName.key(ofBase: base) {
          keys.append(key)
        }
      }
      return keys.filter { $0.isOf(service: service) }.sorted()
    }
  }

  /// Waits until no other task and no other process holds the lease of this key. The tasks of a process get it in the
  /// order of their requests. A process that ends frees its leases; a process that is suspended loses them when they
  /// expire. A task that already holds the lease waits for itself, until the time is up.
  ///
  /// - Throws: ``TokenStoreError`` with ``TokenStoreError/Reason/lockTimedOut`` if one holder has held it for
  ///   ``lockTimeLimit`` (the time of earlier holders does not count), or ``TokenStoreError/Reason/cancelled``.
  public func lease(_ key: TokenKey, lasting duration: Duration) async throws(TokenStoreError) -> TokenLease {
    try await leases.lease(key, TokenFileName.base(of: key), lasting: duration)
  }
}

extension PrivateFolder {
  /// The bytes of the token with that name; `nil` if there is none.
  func tokenBytes(_ base: String) throws(TokenStoreError) -> Data? {
    guard let file = try openFile(base + TokenFileName.suffix, O_RDONLY) else { return nil }
    try file.refuseUnlessPrivate(kind: S_IFREG, mode: "600")
    return try file.read(limit: 1 << 20)
  }

  /// Throws if the stored token is not the expected one.
  func require(_ expected: TokenPrecondition, of key: TokenKey, _ base: String) throws(TokenStoreError) {
    if expected == .any { return }
    let bytes = try tokenBytes(base)
    let version: TokenVersion? = if let bytes { try TokenEntry.version(of: bytes) } else { nil }
    guard expected.isMet(by: version) else { throw .conflict(key) }
  }
}
