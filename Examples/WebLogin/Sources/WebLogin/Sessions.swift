import CallsignX
import Foundation
import Hummingbird

/// A browser with a logged-in person. The session is in a sealed cookie and not on the server, so any server knows it.
///
/// The person's tokens are in the store, under a name made of both parts. Logging out removes them, so that a copy of the cookie is
/// then useless on every server.
struct Session: Codable, Sendable {
  /// The user's id at X.
  var user: String
  /// A mark of the login. It is not secret: a person who logs in with two browsers has two.
  var login: String
  /// When the browser has to log in again.
  var expires: Date

  static let lifetime: TimeInterval = 30 * 86_400

  /// The name of the tokens in the store.
  var account: String { "\(user).\(login)" }
}

extension Settings {
  private static let loginCookie = "login"
  private static let sessionCookie = "session"
  private static let sessionPurpose = "web login session 1"

  private func cookie(_ name: String, _ value: String, lasting seconds: TimeInterval, path: String) -> Cookie {
    // Lax: sent when X redirects the browser back, but not with a form of another site.
    Cookie(
      name: name, value: value, maxAge: Int(seconds), path: path, secure: isSecure, httpOnly: true, sameSite: .lax)
  }

  /// The login that the browser has begun.
  func pendingLogin(of request: Request) throws(LoginError) -> PendingLogin {
    guard let cookie = request.cookies[Self.loginCookie] else { throw .sealBroken }
    return try PendingLogin(unsealing: cookie.value, by: key)
  }

  func cookie(for pending: PendingLogin) throws(LoginError) -> Cookie {
    cookie(Self.loginCookie, try pending.sealed(by: key), lasting: PendingLogin.lifetime, path: "/callback")
  }

  /// Removes the login's cookie: a login is completed once.
  var noLoginCookie: Cookie { cookie(Self.loginCookie, "", lasting: 0, path: "/callback") }

  /// The browser's session; `nil` if it has none, or one that is over or forged.
  func session(of request: Request) -> Session? {
    guard let cookie = request.cookies[Self.sessionCookie], let sealed = Data(base64Encoded: cookie.value),
      let content = key.open(sealed, for: Self.sessionPurpose),
      let session = try? JSONDecoder().decode(Session.self, from: content), session.expires > Date()
    else { return nil }
    return session
  }

  func cookie(for session: Session) throws -> Cookie {
    let sealed = try key.seal(JSONEncoder().encode(session), for: Self.sessionPurpose)
    return cookie(Self.sessionCookie, sealed.base64EncodedString(), lasting: Session.lifetime, path: "/")
  }

  var noSessionCookie: Cookie { cookie(Self.sessionCookie, "", lasting: 0, path: "/") }
}
