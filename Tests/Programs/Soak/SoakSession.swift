import Callsign
import CallsignX
import CallsignXv1
import Foundation

/// The sandbox, and the clients that call it.
struct SoakSession: Sendable {
  let settings: SoakSettings
  let sandbox: RemoteSandbox
  /// For the token and the files that are uploaded.
  let folder: URL
  let tally: Tally
  let ledger: PostLedger
  let deadline: Deadline

  let store: FileTokenStore
  let oauth2: OAuth2
  /// As Alice, by OAuth 2.
  let x: XAPI
  /// As the app.
  let app: XAPI
  /// As Alice, by OAuth 1.
  let v1: XAPIv1

  /// Her id.
  var alice: String { sandbox.address.aliceID }

  static func start(_ settings: SoakSettings, _ control: any SandboxControl) async throws -> SoakSession {
    let sandbox = try await RemoteSandbox.start(settings, control)
    do {
      let session = try SoakSession(settings, sandbox)
      try await session.prepare()
      return session
    } catch {
      await sandbox.stop()
      throw error
    }
  }

  private init(_ settings: SoakSettings, _ sandbox: RemoteSandbox) throws {
    self.settings = settings
    self.sandbox = sandbox
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("soak-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    tally = Tally()
    ledger = PostLedger(tally)
    deadline = Deadline()
    let retry = RetryPolicy(baseDelay: .milliseconds(40))
    var client = ClientConfiguration(
      hosts: .all(to: sandbox.address.url.absoluteString), timeouts: Timeouts(connect: .seconds(5), idle: .seconds(10)),
      retry: retry, rateLimitPolicy: .wait(upTo: .seconds(10)))
    let keys = sandbox.address
    store = FileTokenStore(folder: folder.appendingPathComponent("tokens"))
    oauth2 = OAuth2(clientID: keys.clientID, clientSecret: keys.clientSecret.map { Secret($0) }, store: store)
    client.middleware = [AttemptCounter(tally: tally, usesToken: true)]
    x = XAPI(auth: .oauth2(oauth2), configuration: client)
    client.middleware = [AttemptCounter(tally: tally)]
    app = XAPI(
      auth: .appOnly(AppOnly(consumerKey: keys.consumerKey, consumerSecret: Secret(keys.consumerSecret))),
      configuration: client)
    v1 = XAPIv1(
      auth: .oauth1(
        OAuth1(
          consumerKey: keys.consumerKey, consumerSecret: Secret(keys.consumerSecret), token: keys.aliceToken,
          tokenSecret: Secret(keys.aliceTokenSecret))), configuration: client)
  }

  /// Logs in, and sets the rule of the filtered stream.
  private func prepare() async throws {
    let login = try oauth2.beginLogin(
      scopes: [.tweetRead, .tweetWrite, .usersRead, .followsRead, .mediaWrite, .offlineAccess],
      redirectURI: "sandbox://login", configuration: x.client.configuration)
    guard let redirect = try await sandbox.approve(login.url) else { throw SetupError() }
    try await login.complete(redirect: redirect)
    _ = try await app.streamRules.replaceAll(with: [StreamRule(PostText.word)])
  }

  func stop() async {
    await sandbox.stop()
    try? FileManager.default.removeItem(at: folder)
  }

  struct SetupError: Error, CustomStringConvertible {
    let description = "the sandbox has not responded to the login with a redirect"
  }
}

/// Whether the time is over.
actor Deadline {
  private(set) var isOver = false
  func pass() { isOver = true }
}

/// The operations that are called.
enum Operations {
  static let createPost = "POST /2/tweets"
  static let deletePost = "DELETE /2/tweets/{id}"
  static let postsOfUser = "GET /2/users/{id}/tweets"
  static let followers = "GET /2/users/{id}/followers"
  static let timeline = "GET /1.1/statuses/user_timeline.json"
  static let filteredStream = "GET /2/tweets/search/stream"
  static let statusStream = "POST /1.1/statuses/filter.json"
  static let uploadBegin = "POST /2/media/upload/initialize"
  static let uploadAppend = "POST /2/media/upload/{id}/append"
  static let uploadFinish = "POST /2/media/upload/{id}/finalize"
  static let uploadStatus = "GET /2/media/upload"
  static let token = "POST /2/oauth2/token"

  static let reads = [postsOfUser, followers, timeline]
  static let streams = [filteredStream, statusStream]
  static let uploads = [uploadBegin, uploadAppend, uploadFinish, uploadStatus]
  static let all = reads + streams + uploads + [createPost, deletePost]
}

/// How often the token was refreshed, and how often it should have been.
struct RefreshAccount: Sendable {
  var refreshes: Int
  var refused: Int
  var fewest: Int
  var most: Int

  /// - Parameter seconds: Since the start.
  init(_ session: SoakSession, _ counts: SandboxCounts, after seconds: Double) async {
    self.init(
      refreshes: counts.refreshes, refused: counts.refusedRefreshes, revocations: await session.tally[.revocations],
      lifetime: session.settings.accessTokenLifetime, seconds: seconds, inUse: await session.tally.secondsOfTokenUse)
  }

  /// - Parameters:
  ///   - lifetime: A token's, in seconds.
  ///   - seconds: Since the start.
  ///   - inUse: For how many seconds of them calls with the token came one soon after the other. A busy machine makes
  ///     pauses, and there are some at the end.
  init(refreshes: Int, refused: Int, revocations: Int, lifetime: Double, seconds: Double, inUse: Double) {
    self.refreshes = refreshes
    self.refused = refused
    // A refresh is due after three quarters of a short life. When it fails then, the token serves to its end; half of it
    // and a second more are for faults and a busy machine.
    fewest = max(0, Int(inUse / (lifetime * 1.5 + 1)) - 1)
    most = Int(seconds / (lifetime * 0.75)) + revocations + 1
  }

  var problems: [String] {
    var problems: [String] = []
    if refused > 0 {
      problems.append("\(refused) refreshes were refused: a refresh token was used that was not the newest")
    }
    if !(fewest...max(fewest, most)).contains(refreshes) {
      problems.append("\(refreshes) refreshes; the expiries and revocations ask for \(fewest) to \(most)")
    }
    return problems
  }
}
