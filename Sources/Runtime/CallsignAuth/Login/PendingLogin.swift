import Callsign
import CallsignHTTP
import CallsignSupport
import Dispatch

/// All that a login needs between its beginning and its end: begun here, it can be completed in another process, or by the
/// same app after the system has ended it while the person was elsewhere.
///
/// ```swift
/// let login = try oauth2.beginLogin(scopes: scopes, redirectURI: "https://app.example/callback")
/// response.setCookie("login", try login.pending.sealed(by: key))       // any process of the server …
///
/// let pending = try PendingLogin(unsealing: request.cookie("login"), by: key)   // … goes on
/// try await oauth2.resume(pending).complete(redirect: request.url)
/// ```
///
/// Encoded by an encoder, it holds its secrets as they are: keep that where nobody else can read it. ``sealed(by:)`` is for
/// other places, and ``PendingLoginFolder`` for processes that share a disk. It can be completed once: a process refuses one
/// that it has completed, ``PendingLoginFolder`` gives each out once, and the provider takes a code once.
public struct PendingLogin: Codable, Sendable, Identifiable {
  /// A mark of this login, which is no secret.
  public let id: String
  /// The page for the person to open.
  public let url: URL
  /// The time at which it began.
  public let begun: Date

  let content: Content

  /// The time that a person may take, in seconds: an hour. Afterwards it cannot be resumed.
  public static let lifetime: TimeInterval = 3600

  enum Content: Codable, Sendable {
    case oauth1(OAuth1Content)
    case oauth2(OAuth2Content)
  }

  struct OAuth1Content: Codable, Sendable {
    var consumerKey: String
    var token: String
    var secret: String
    /// `nil` for a PIN.
    var callback: String?
  }

  struct OAuth2Content: Codable, Sendable {
    var clientID: String
    var service: String
    var account: String
    var state: String
    var verifier: String
    var redirectURI: String
    var scopes: [String]
    /// The page where ``PendingLogin/url`` is for the provider's app.
    var browserURL: URL?
  }

  init(id: String, url: URL, begun: Date, content: Content) {
    self.id = id
    self.url = url
    self.begun = begun
    self.content = content
  }

  /// Whether it can be resumed no more.
  ///
  /// - Parameter now: The time.
  public func isExpired(at now: Date = Date()) -> Bool { now.timeIntervalSince(begun) > Self.lifetime }

  /// The part of a redirect that names the login: `state`, or the request token.
  var redirectMark: String {
    switch content {
    case .oauth1(let content): content.token
    case .oauth2(let content): content.state
    }
  }

  private static let purpose = "callsign pending login 1"

  /// The login as a text for a cookie, a form or a file, which nobody can read or change without the key.
  ///
  /// A cookie should be `Secure`, `HttpOnly` and `SameSite=Lax`, and be taken back once the login is complete.
  ///
  /// - Throws: ``LoginError/invalidSetup(_:)`` when the system has no random numbers.
  public func sealed(by key: SealingKey) throws(LoginError) -> String {
    do { return try key.seal(JSONEncoder().encode(self), for: Self.purpose).base64URL } catch {
      throw .invalidSetup("the login cannot be sealed: \((error as? CryptographyError)?.description ?? "")")
    }
  }

  /// Reads what ``sealed(by:)`` wrote.
  ///
  /// - Throws: ``LoginError/sealBroken`` when it was sealed by another key, or has been changed.
  public init(unsealing text: String, by key: SealingKey) throws(LoginError) {
    guard let sealed = Data(base64URL: text), let bytes = key.open(sealed, for: Self.purpose),
      let login = try? JSONDecoder().decode(PendingLogin.self, from: bytes)
    else { throw .sealBroken }
    self = login
  }
}

extension PendingLogin: RedactedStringConvertible {}

/// The logins that this process has completed, so that none of them is completed again from a copy.
enum CompletedLogins {
  private static let ends = Locked<[String: Date]>([:])

  /// Notes a login; whether it was not known.
  static func insert(_ id: String, begun: Date, now: Date) -> Bool {
    ends.withLock { ends in
      if ends.count > 1000 { ends = ends.filter { $0.value > now } }
      guard ends[id] == nil else { return false }
      ends[id] = begun + PendingLogin.lifetime
      return true
    }
  }

  /// Lets a login be completed after all, because nothing has reached the provider.
  static func remove(_ id: String) { ends.withLock { $0[id] = nil } }
}

/// Keeps pending logins in files that only this user can read, and gives each out once, whichever process asks.
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

  /// Names a folder, which must be for this alone.
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

  /// Removes what nobody can take any more, at most once a minute, since a busy server keeps many. What cannot be removed
  /// is left.
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
