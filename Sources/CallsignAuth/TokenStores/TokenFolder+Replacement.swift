import Foundation

/// Replacing a file so that whoever opens it finds the old bytes or the new ones, whenever this process dies.
extension TokenFolder {
  private static let prefix = ".new-"

  /// Puts bytes in place of the ones that the file holds, and waits until they are on the disk.
  func replace(_ name: String, with bytes: Data) throws(TokenStoreError) {
    while true {
      let temporary = try Self.prefix + randomName()
      guard let file = try openFile(temporary, O_WRONLY | O_CREAT | O_EXCL) else {
        throw .system("make \(path(of: temporary))", ENOENT)
      }
      // Held until the file has its name, the lock tells those who clean up that somebody is still at work. One of them
      // may have been faster, in the moment before; then there is no file any more. Where there are no locks, nobody
      // cleans up.
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

  /// Removes what processes left behind that died while they wrote.
  func removeLeftovers() throws(TokenStoreError) {
    for name in try names() where name.hasPrefix(Self.prefix) {
      guard let file = try? openFile(name, O_RDONLY), (try? file.tryLock()) == true else { continue }
      _ = try? remove(name)
    }
  }

  private func randomName() throws(TokenStoreError) -> String {
    do { return try SecureRandom.nonce() } catch {
      throw TokenStoreError(.system, advice: "\(error); check the system's random source")
    }
  }
}
