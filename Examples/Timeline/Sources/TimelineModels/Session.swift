import CallsignAuth
import CallsignX
import Foundation
import Observation

/// The signed-in user, and the client that makes calls for them.
@MainActor @Observable public final class Session {
  /// The screen that the person sees.
  public enum Phase: Sendable, Equatable {
    /// The store is being read.
    case starting
    /// Nobody is logged in.
    case signedOut
    /// This user is.
    case signedIn(XAPI.User)
  }

  /// The state of the app.
  public private(set) var phase = Phase.starting
  /// Whether a login or logout is in progress.
  public private(set) var isBusy = false
  /// The last problem, in words for the person.
  public var problem: String?

  /// The account, whose token is in the keychain.
  @ObservationIgnored public let account: OAuth2
  /// The client.
  @ObservationIgnored public let x: XAPI
  /// The pictures of users, kept between runs of the app.
  @ObservationIgnored public let avatars: ProfileImageCache
  /// The address that X redirects to, as registered in the developer portal and among the app's URL types.
  @ObservationIgnored public let redirectURI: String
  /// Transport and hosts.
  @ObservationIgnored public let configuration: ClientConfiguration
  @ObservationIgnored private let logins: PendingLoginFolder

  /// The scopes that the app requests: to read, to post with photos, to like, and to stay logged in for more than two hours.
  public static let scopes: [OAuth2Scope] = [
    .tweetRead, .tweetWrite, .usersRead, .likeRead, .likeWrite, .mediaWrite, .offlineAccess,
  ]

  /// Creates a session. Nothing is read or sent before ``restore()``.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - redirectURI: The URI that X redirects to.
  ///   - configuration: Transport and hosts; a test redirects them to a sandbox.
  ///   - loginFolder: Where a login waits while the person is in X's app, because the system may end this app in the meantime.
  ///   - avatarFolder: Where the pictures of users are kept. Default: in the app's caches.
  public init(
    account: OAuth2, redirectURI: String, configuration: ClientConfiguration = ClientConfiguration(),
    loginFolder: URL = FileManager.default.temporaryDirectory.appendingPathComponent("logins"),
    avatarFolder: URL? = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first?
      .appendingPathComponent("avatars")
  ) {
    self.account = account
    self.redirectURI = redirectURI
    self.configuration = configuration
    logins = PendingLoginFolder(loginFolder)
    x = XAPI(auth: .oauth2(account), configuration: configuration)
    avatars = ProfileImageCache(x, folder: avatarFolder)
  }

  /// Continues where the last run ended, and shows the login again if X revokes the token. Runs until its task is cancelled.
  public func restore() async {
    await attempt {
      if try await self.account.isAuthorized { try await self.enter() } else { self.phase = .signedOut }
    }
    if phase == .starting { phase = .signedOut }
    for await state in account.states {
      guard case .lost = state, phase != .signedOut else { continue }
      phase = .signedOut
      problem = "X has ended the login. Please log in again."
    }
  }

  /// Begins a login whose page opens elsewhere; ``open(_:)`` completes it. It is stored, so that it survives the end of the app.
  ///
  /// - Returns: The page, or `nil` if ``problem`` says why there is none.
  public func beginLogin() async -> URL? {
    var page: URL?
    await attempt {
      let login = try self.account.beginLogin(
        scopes: Self.scopes, redirectURI: self.redirectURI, configuration: self.configuration)
      try await self.keep(login)
      page = login.url
    }
    return page
  }

  /// Stores a login until its redirect arrives.
  ///
  /// - Throws: `LoginError` if the folder cannot be written.
  public func keep(_ login: OAuth2Authorization) async throws { try await logins.keep(login.pending) }

  /// Receives the URL that the system opened the app with.
  public func open(_ redirect: URL) async {
    await attempt {
      guard let pending = try await self.logins.take(for: redirect) else { return }
      try await self.account.resume(pending, configuration: self.configuration).complete(redirect: redirect)
      try await self.enter()
    }
  }

  /// Asks X for the signed-in user, and shows their timeline.
  ///
  /// - Throws: `CallError`.
  public func enter() async throws {
    phase = .signedIn(try await x.getUsersMe(userFields: .standard).data)
  }

  /// Forgets the token, and revokes it at X.
  public func logOut() async {
    await attempt {
      // Whatever X says, it no longer exists on this device.
      self.phase = .signedOut
      self.avatars.removeAll()
      try await self.account.deauthorize(configuration: self.configuration)
    }
  }

  /// Does something that can fail, with ``isBusy`` set, and shows the reason if it fails. A person who changes their mind does not
  /// cause a problem message.
  public func attempt(_ work: @MainActor () async throws -> Void) async {
    isBusy = true
    problem = nil
    do { try await work() } catch { problem = Words.problem(error) }
    isBusy = false
  }
}

/// Errors in words for the person.
enum Words {
  /// One line; `nil` if it is not a problem.
  static func problem(_ error: any Error) -> String? {
    switch error {
    case is CancellationError, LoginError.cancelled, LoginError.denied: nil
    case let error as CallError where error.isCancellation: nil
    case CallError.rateLimited(let limit, _): "Too much for now. X lets you go on \(time(limit?.reset))."
    default: "\(error)"
    }
  }

  private static func time(_ date: Date?) -> String {
    guard let date else { return "in a while" }
    return "in \(max(1, Int((date.timeIntervalSinceNow / 60).rounded(.up)))) minutes"
  }
}
