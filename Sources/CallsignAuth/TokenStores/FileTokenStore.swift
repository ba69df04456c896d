import CallsignHTTP
import CallsignJSON
import Foundation

/// Keeps each token in a file of its own that only this user can read, for Linux, and for command-line tools on macOS.
///
/// The folder has the permissions `0700` and each file `0600`; what others can read or write, what belongs to somebody
/// else, and symbolic links are refused. A file is replaced as a whole: when the process or the machine dies in the
/// middle, it holds the old token or the new one. Tokens are not encrypted, as a key beside them would add nothing; use a
/// folder on an encrypted disk where that matters.
///
/// All programs of a user share the default folder. Those with different client ids need accounts or folders of their
/// own.
public struct FileTokenStore: TokenStore {
  /// The folder of the files. It is made when something is kept first.
  public let folder: URL
  /// How long ``lock(_:)`` waits for one other task or process that holds the lock.
  public let lockTimeLimit: Duration
  private let hasCleaned = Locked(false)
  private let queue = DispatchQueue(label: "callsign.tokens")

  /// `$XDG_DATA_HOME/callsign/tokens`, by default `~/.local/share/callsign/tokens`. (Tokens are data by the XDG Base
  /// Directory Specification rather than state: losing them costs a person a login.)
  public static var defaultFolder: URL { defaultFolder(environment: ProcessInfo.processInfo.environment) }

  static func defaultFolder(environment: [String: String]) -> URL {
    // The specification says to ignore a path that is not absolute.
    let given = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil }
    let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? NSHomeDirectory()
    let base = given ?? URL(fileURLWithPath: home).appendingPathComponent(".local/share")
    return base.appendingPathComponent("callsign/tokens")
  }

  /// Makes a store. Nothing is read or written before the first call.
  ///
  /// - Parameters:
  ///   - folder: Where to keep the files; ``defaultFolder`` by default.
  ///   - lockTimeLimit: How long ``lock(_:)`` waits for one other task or process that holds the lock; a minute by
  ///     default.
  public init(folder: URL = Self.defaultFolder, lockTimeLimit: Duration = .seconds(60)) {
    self.folder = folder
    self.lockTimeLimit = lockTimeLimit
  }

  private var path: String { folder.standardizedFileURL.path }

  /// The token that is kept under a key.
  ///
  /// - Throws: ``TokenStoreError``: ``TokenStoreError/Reason/readableByOthers`` and
  ///   ``TokenStoreError/Reason/unsafePlace`` with what to do about the file,
  ///   ``TokenStoreError/Reason/damaged``, ``TokenStoreError/Reason/newerVersion``, ``TokenStoreError/Reason/system``.
  public func load(_ key: TokenKey) async throws(TokenStoreError) -> StoredToken? {
    try await queue.run { () throws(TokenStoreError) in
      guard let folder = try TokenFolder.existing(path) else { return nil }
      return try folder.entry(try TokenFileName.base(of: key))?.token(for: key)
    }
  }

  /// Keeps a token. When this returns, it is on the disk. A file that others could read is replaced by one that they
  /// cannot; a folder that they can read is refused.
  ///
  /// - Throws: ``TokenStoreError``; then the token before it is still there.
  public func save(_ token: StoredToken, for key: TokenKey) async throws(TokenStoreError) {
    try await queue.run { () throws(TokenStoreError) in
      let bytes = try TokenEntry(key: key, json: token.jsonValue()).encoded()
      let folder = try TokenFolder.made(path)
      if !hasCleaned.withLock({ hasCleaned in
        defer { hasCleaned = true }
        return hasCleaned
      }) {
        try folder.removeLeftovers()
      }
      try folder.replace(TokenFileName.base(of: key) + TokenFileName.suffix, with: bytes)
    }
  }

  /// Forgets a token, also one that is damaged or that others can read.
  public func delete(_ key: TokenKey) async throws(TokenStoreError) {
    try await queue.run { () throws(TokenStoreError) in
      guard let folder = try TokenFolder.existing(path) else { return }
      let base = try TokenFileName.base(of: key)
      let wasThere = try folder.remove(base + TokenFileName.suffix)
      try? lock(base).removeFile(in: folder)
      if wasThere { try folder.synchronize() }
    }
  }

  /// The keys under which there are tokens, sorted. Files of other programs in the folder are left out.
  public func keys(service: String?) async throws(TokenStoreError) -> [TokenKey] {
    try await queue.run { () throws(TokenStoreError) in
      guard let folder = try TokenFolder.existing(path) else { return [] }
      var keys: [TokenKey] = []
      for name in try folder.names() where name.hasSuffix(TokenFileName.suffix) {
        let base = String(name.dropLast(TokenFileName.suffix.count))
        if TokenFileName.isHash(base) {
          if let entry = try folder.entry(base), try TokenFileName.base(of: entry.key) == base {
            keys.append(entry.key)
          }
        } else if let key = TokenFileName.key(ofBase: base) {
          keys.append(key)
        }
      }
      return keys.filter { service == nil || $0.service == service }.sorted()
    }
  }

  /// Waits until no other task and no other process holds the lock of this key. The tasks of a process get it in the
  /// order in which they asked. A process that ends frees its locks. A task that holds the lock already waits for itself,
  /// until the time is up.
  ///
  /// - Throws: ``TokenStoreError`` with ``TokenStoreError/Reason/lockTimedOut`` when somebody has held it for
  ///   ``lockTimeLimit`` (the time that others spent with it before does not count), or
  ///   ``TokenStoreError/Reason/cancelled``.
  public func lock(_ key: TokenKey) async throws(TokenStoreError) -> TokenLock {
    try await lock(TokenFileName.base(of: key)).acquire(on: queue)
  }

  private func lock(_ base: String) -> FileLock {
    FileLock(folder: path, name: base + TokenFileName.lockSuffix, timeLimit: lockTimeLimit)
  }
}

/// The content of a file of ``FileTokenStore``: a token and what it is kept under, since a long key's file is named by a
/// hash.
struct TokenEntry {
  let key: TokenKey
  let json: JSONValue

  init(key: TokenKey, json: JSONValue) {
    self.key = key
    self.json = json
  }

  init(_ bytes: Data) throws(TokenStoreError) {
    let value: JSONValue
    do { value = try JSONValue(jsonData: bytes) } catch { throw .damaged("is no JSON: \(error)") }
    guard let service = value["service"]?.string, let account = value["account"]?.string, let token = value["token"]
    else { throw .damaged("has no `service`, `account` or `token`") }
    key = TokenKey(service: service, account: account)
    json = token
  }

  func encoded() throws(TokenStoreError) -> Data {
    let value: JSONValue = ["service": .string(key.service), "account": .string(key.account), "token": json]
    do { return try value.jsonData() } catch { throw .damaged("cannot be written: \(error)") }
  }

  func token(for key: TokenKey) throws(TokenStoreError) -> StoredToken {
    guard key == self.key else { throw .damaged("belongs to another service or account") }
    return try StoredToken(json: json)
  }
}

extension TokenFolder {
  /// The entry of that name; `nil` when there is none.
  func entry(_ base: String) throws(TokenStoreError) -> TokenEntry? {
    guard let file = try openFile(base + TokenFileName.suffix, O_RDONLY) else { return nil }
    try file.refuseUnlessPrivate(kind: S_IFREG, mode: "600")
    return try TokenEntry(file.read(limit: 1 << 20))
  }
}

/// The names of the files in which ``FileTokenStore`` keeps tokens: safe for any text, and different for keys that
/// differ, also where the file system ignores case or normalizes letters.
enum TokenFileName {
  static let suffix = ".json"
  static let lockSuffix = ".lock"
  /// File systems take 255 bytes; the rest is for suffixes.
  private static let lengthLimit = 200

  /// The name without suffix: the encoded service and account, or a hash where that is too long.
  static func base(of key: TokenKey) throws(TokenStoreError) -> String {
    let readable = "\(encode(key.service)),\(encode(key.account))"
    if readable.utf8.count <= lengthLimit { return readable }
    do { return "~" + (try Digest.hash(readable.utf8, .sha256)).hexadecimal } catch {
      throw TokenStoreError(.system, advice: "the key's name is too long: \(error); shorten service and account")
    }
  }

  /// The key that a name stands for; `nil` for a hash, and for what is no name of a token's file.
  static func key(ofBase base: String) -> TokenKey? {
    let parts = base.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, let service = String(parts[0]).removingPercentEncoding,
      let account = String(parts[1]).removingPercentEncoding
    else { return nil }
    let key = TokenKey(service: service, account: account)
    return (try? self.base(of: key)) == base ? key : nil
  }

  static func isHash(_ base: String) -> Bool { base.hasPrefix("~") }

  /// Leaves lower-case letters, digits, `-`, `_` and `.`, except at the beginning, as they are. Two keys that Swift
  /// takes for equal can consist of different bytes, so their letters are composed first.
  private static func encode(_ text: String) -> String {
    var result = ""
    for byte in text.precomposedStringWithCanonicalMapping.utf8 {
      let character = Character(Unicode.Scalar(byte))
      switch character {
      case "a"..."z", "0"..."9", "-", "_": result.append(character)
      case "." where !result.isEmpty: result.append(character)
      default: result += "%" + [byte].hexadecimal.uppercased()
      }
    }
    return result
  }
}
