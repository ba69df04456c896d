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
/// An encoder writes its secrets in plain text: keep the result where nobody else can read it. For other places, use
/// ``sealed(by:)``; for processes that share a disk, use ``PendingLoginFolder``. A login can be completed once: a process refuses
/// one that it has completed, ``PendingLoginFolder`` returns each once, and the provider accepts a code once.
public struct PendingLogin: Codable, Sendable, Identifiable {
  /// A mark of this login, which is not secret.
  public let id: String
  /// The page for the person to open.
  public let url: URL
  /// When it started.
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
