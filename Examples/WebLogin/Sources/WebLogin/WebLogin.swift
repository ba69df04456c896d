import CallsignX
import Foundation
import Hummingbird

/// A web server for logins with X, which also receives X's events.
///
/// You can run any number of servers, and each can respond to each request: they share only the folder of tokens and the key of
/// cookies.
public struct WebLogin: Sendable {
  private let settings: Settings
  private let receiver: WebhookReceiver
  private let takeIn: @Sendable (JSONValue) async throws -> Void

  private static let scopes: [OAuth2Scope] = [.tweetRead, .usersRead, .offlineAccess]

  /// - Parameters:
  ///   - settings: The app's credentials, the store and the key.
  ///   - takeIn: Stores a webhook event for later processing. If this throws, X delivers the event again.
  public init(_ settings: Settings, takeIn: @escaping @Sendable (JSONValue) async throws -> Void) {
    self.settings = settings
    self.takeIn = takeIn
    receiver = WebhookReceiver(clientSecret: settings.clientSecret, consumerSecret: settings.consumerSecret)
  }

  /// The server. It logs no requests, because addresses and cookies contain codes and sessions.
  public func application() -> some ApplicationProtocol {
    let router = Router()
    router.get("/") { request, _ in try await home(request) }
    router.get("/login") { _, _ in try begin() }
    router.get("/callback") { request, _ in await complete(request) }
    router.post("/logout") { request, _ in await logOut(request) }
    router.get("/webhook") { request, _ in try await webhook(request) }
    router.post("/webhook") { request, _ in try await webhook(request) }
    return Application(
      router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: settings.port)))
  }
}

// Login.
extension WebLogin {
  /// The app, with a separate store for a login in progress, because the user is known only afterwards.
  private var app: OAuth2 {
    OAuth2(clientID: settings.clientID, clientSecret: settings.clientSecret, store: MemoryTokenStore())
  }

  /// A person, with tokens in the store that all servers share. X gets one refresh, however many servers need it.
  private func account(of session: Session) -> OAuth2 {
    OAuth2(
      clientID: settings.clientID, clientSecret: settings.clientSecret, store: settings.store, account: session.account)
  }

  /// Sends the browser to X, and gives it the login to keep until then.
  private func begin() throws -> Response {
    let login = try app.beginLogin(
      scopes: Self.scopes, redirectURI: "\(settings.publicURL)/callback", configuration: settings.configuration)
    var response = Response.redirect(to: login.url.absoluteString)
    response.setCookie(try settings.cookie(for: login.pending))
    return response
  }

  /// X has sent the browser back, to this server or to another one.
  private func complete(_ request: Request) async -> Response {
    var response: Response
    do {
      // The redirect must belong to the login that this browser has begun; `state` is compared within.
      let login = try app.resume(settings.pendingLogin(of: request), configuration: settings.configuration)
      guard let redirect = URL(string: settings.publicURL + request.uri.string) else {
        throw LoginError.foreignRedirect
      }
      let session = try await keep(try await login.complete(redirect: redirect), login.pending)
      response = .redirect(to: "/")
      response.setCookie(try settings.cookie(for: session))
    } catch LoginError.denied {
      response = Pages.message("You did not allow it", "Nothing was kept. You can log in whenever you like.")
    } catch let error as LoginError {
      // The text has no secrets, and may not help the person: it is for the log.
      FileHandle.standardError.write(Data("a login has failed: \(error)\n".utf8))
      response = Pages.message("That did not work", "Please start the login again.", status: Self.status(of: error))
    } catch {
      FileHandle.standardError.write(Data("a login has failed: \(error)\n".utf8))
      response = Pages.message("That did not work", "Please start the login again.", status: .badGateway)
    }
    response.setCookie(settings.noLoginCookie)
    return response
  }

  private static func status(of error: LoginError) -> HTTPResponse.Status {
    switch error {
    case .stateMismatch, .foreignRedirect, .sealBroken, .alreadyUsed, .codeRefused, .expired: .badRequest
    default: .badGateway
    }
  }

  /// Asks X for the token's user, and stores the token for that user.
  private func keep(_ token: StoredToken, _ pending: PendingLogin) async throws -> Session {
    let once = XAPI(auth: .userToken(token.accessToken), configuration: settings.configuration)
    let user = try await once.getUsersMe().data
    let session = Session(user: "\(user.id)", login: pending.id, expires: Date() + Session.lifetime)
    var token = token
    (token.userID, token.username) = ("\(user.id)", user.username)
    try await settings.store.save(token, for: account(of: session).key)
    return session
  }

  /// Deletes this browser's tokens, and revokes them at X.
  private func logOut(_ request: Request) async -> Response {
    if let session = settings.session(of: request) {
      do { try await account(of: session).deauthorize(configuration: settings.configuration) } catch {
        // They are deleted here in any case, and expire by themselves at X.
        FileHandle.standardError.write(Data("tokens were not given back: \(error)\n".utf8))
      }
    }
    var response = Response.redirect(to: "/")
    response.setCookie(settings.noSessionCookie)
    return response
  }
}

// Pages for the person.
extension WebLogin {
  private func home(_ request: Request) async throws -> Response {
    guard let session = settings.session(of: request) else { return Pages.welcome }
    let account = account(of: session)
    guard try await account.isAuthorized else { return Pages.welcome }
    do {
      let x = XAPI(auth: .oauth2(account), configuration: settings.configuration)
      return Pages.home(username: try await x.getUsersMe().data.username)
    } catch CallError.authorization {
      // The person has withdrawn the permission at X.
      return Pages.welcome
    }
  }
}

// Deliveries from X.
extension WebLogin {
  private func webhook(_ request: Request) async throws -> Response {
    var request = request
    // The signature covers the original bytes.
    let body = Data(buffer: try await request.collectBody(upTo: 1 << 20))
    let response = await receiver.respond(
      WebhookRequest(method: request.method, target: request.uri.string, headers: request.headers, body: body),
      as: JSONValue.self, handle: takeIn)
    return Response(
      status: response.status, headers: response.headers,
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: response.body)))
  }
}
