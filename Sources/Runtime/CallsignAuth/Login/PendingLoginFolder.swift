import Callsign
import CallsignHTTP
import CallsignSupport
import Dispatch

/// Keeps pending logins in files that only this user can read.
///
/// Each login is returned only once, to the first process that asks.
///
/// ```swift
/// try await logins.keep(login.pending)
/// // … whichever process gets the redirect:
/// guard let pending = try await logins.take(for: redirect) else { return show("Please begin again.") }
/// try await oauth2.resume(pending).complete(redirect: redirect)
/// ```
public struct PendingLoginFolder: Sendable {
  /// The folder of the files. It is made when something is kept first.
  public let folder: URL
  private let queue = DispatchQueue(label: "callsign.logins")
  private let cleaned = Locked<ContinuousClock.Instant?>(nil)
  private static let suffix = ".login"

  /// Names a folder, which must not be used for anything else.
  public init(_ folder: URL) { self.folder = folder }

  private var path: String { folder.standardizedFileURL.path }

  /// Keeps a login until it is taken, or has expired.
  ///
  /// - Throws: ``LoginError/store(_:)``.
  public func keep(_ login: PendingLogin) async throws(LoginError) {
    do throws(TokenStoreError) {
      try await queue.run { () throws(TokenStoreError) in
        let folder = try PrivateFolder.made(path)
        clean(folder)
        guard let bytes = try? JSONEncoder().encode(login) else { throw .damaged("cannot be written") }
        try folder.replace(try Self.name(login.redirectMark), with: bytes)
      }
    } catch { throw .store(error) }
  }

  /// Takes out the login that a redirect belongs to, by its `state` or request token; `nil` when there is none, it has
  /// expired, or it was taken before.
  ///
  /// - Throws: ``LoginError/store(_:)``.
  public func take(for redirect: URL) async throws(LoginError) -> PendingLogin? {
    guard let query = CallbackURL(redirect.absoluteString)?.query,
      let mark = query.value("state") ?? query.value("oauth_token") ?? query.value("denied")
    else { return nil }
    do throws(TokenStoreError) {
      return try await queue.run { () throws(TokenStoreError) in
        guard let folder = try PrivateFolder.existing(path) else { return nil }
        let name = try Self.name(mark)
        // Of several who have read it, one removes it.
        guard let login = try Self.login(name, folder), try folder.remove(name), !login.isExpired() else { return nil }
        return login
      }
    } catch { throw .store(error) }
  }

  /// Removes expired logins, at most once a minute, because a busy server keeps many. Files that cannot be removed are
  /// left.
  private func clean(_ folder: borrowing PrivateFolder) {
    let now = ContinuousClock.now
    let isDue = cleaned.withLock { cleaned in
      if let last = cleaned, now - last < .seconds(60) { return false }
      cleaned = now
      return true
    }
    guard isDue else { return }
    try? folder.removeLeftovers()
    guard let names = try? folder.names() else { return }
    let limit = Date() - PendingLogin.lifetime
    for name in names where name.hasSuffix(Self.suffix) {
      if let modification = folder.modification(of: name), modification < limit { _ = try? folder.remove(name) }
    }
  }

  private static func name(_ mark: String) throws(TokenStoreError) -> String {
    do { return try Digest.hash(mark.utf8, .sha256).hexadecimal + suffix } catch {
      throw TokenStoreError(.system, advice: "the login's name cannot be made: \(error)")
    }
  }

  private static func login(_ name: String, _ folder: borrowing PrivateFolder) throws(TokenStoreError) -> PendingLogin?
  {
    guard let file = try folder.openFile(name, O_RDONLY) else { return nil }
    try file.refuseUnlessPrivate(kind: S_IFREG, mode: "600")
    return try? JSONDecoder().decode(PendingLogin.self, from: file.read(limit: 1 << 16))
  }
}
