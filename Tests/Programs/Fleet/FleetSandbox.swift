import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignPostgres
import CallsignX
import Foundation
import XSandbox

/// The responses of the sandbox's process, a line of JSON for each line that it reads.
struct SandboxLine: Codable, Sendable {
  var url = ""
  var clientID = ""
  var clientSecret: String?
  var bearerToken = ""
  var userID = ""
  var refreshes = 0
  var refusedRefreshes = 0
  var posts: [String] = []
  /// When each was posted, in seconds since 1970.
  var postTimes: [Double] = []
  /// The last refresh of each account that was refreshed.
  var lastGrants: [String: Grant] = [:]
  /// The spent refresh tokens of each account that were refused.
  var reuses: [String: [Reuse]] = [:]

  /// A refresh, by the process that got it.
  struct Grant: Codable, Sendable {
    var time = 0.0
    var process = ""

    init(_ date: Date, _ agent: String?) { (time, process) = (date.timeIntervalSince1970, agent ?? "") }
  }

  /// A spent token that a process has sent, and the refresh that had used it up.
  struct Reuse: Codable, Sendable {
    var attempt: Grant
    var use: Grant
  }
}

/// The fleet's API in a separate process. It logs all accounts in, and posts when it is told to.
actor FleetSandbox {
  private let settings: FleetSettings
  private var posts: [String] = []
  private var postTimes: [Double] = []
  private var users: [Int: Sandbox.User] = [:]
  private var posting: Task<Void, Never>?

  init(_ settings: FleetSettings) { self.settings = settings }

  func run() async throws {
    var configuration = Sandbox.Configuration()
    configuration.limits["GET /2/users/me"] = Sandbox.RateLimit(user: FleetSettings.limit, window: FleetSettings.window)
    configuration.limits["GET /2/tweets/sample10/stream"] = 1_000_000_000
    configuration.limits["GET /2/users/{id}"] = Sandbox.RateLimit(
      user: 1_000_000_000, userPerDay: 1_000_000_000, appPerDay: 1_000_000_000)
    configuration.requestLogCapacity = 4
    configuration.streamKeepAlive = .milliseconds(500)
    configuration.accessTokenLifetime = FleetSettings.tokenLifetime
    let sandbox = try await Sandbox.start(configuration)
    var address = SandboxLine()
    address.url = sandbox.url.absoluteString
    (address.clientID, address.clientSecret) = (sandbox.app.clientID, sandbox.app.clientSecret)
    (address.bearerToken, address.userID) = (sandbox.app.bearerToken, sandbox.users.alice.id)
    try await logIn(sandbox, address)
    say(address)
    let (lines, feed) = AsyncStream.makeStream(of: String.self)
    Thread.detachNewThread {
      while let line = readLine() { feed.yield(line) }
      feed.finish()
    }
    for await line in lines {
      var response = SandboxLine()
      switch line {
      case "post": posting = Task { await post(sandbox) }
      case "rest":
        posting?.cancel()
        await posting?.value
        (response.posts, response.postTimes) = (posts, postTimes)
      case "tokens":
        for (number, user) in users {
          let refreshes = await sandbox.refreshes(of: user)
          response.lastGrants["\(number)"] = refreshes.last.map { SandboxLine.Grant($0.date, $0.userAgent) }
          guard !refreshes.reuses.isEmpty else { continue }
          response.reuses["\(number)"] = refreshes.reuses.map { reuse in
            SandboxLine.Reuse(
              attempt: SandboxLine.Grant(reuse.date, reuse.userAgent),
              use: SandboxLine.Grant(reuse.use.date, reuse.use.userAgent))
          }
        }
      default: break
      }
      let counts = await sandbox.authorizationCounts()
      (response.refreshes, response.refusedRefreshes) = (counts.refreshes, counts.refusedRefreshes)
      say(response)
    }
    await sandbox.stop()
  }

  private func say(_ line: SandboxLine) {
    guard let text = try? JSONEncoder().encode(line) else { return }
    FileHandle.standardOutput.write(text + [UInt8(ascii: "\n")])
  }

  private func post(_ sandbox: Sandbox) async {
    while !Task.isCancelled {
      if let id = try? await sandbox.addPost("Number \(posts.count)", by: sandbox.users.alice) {
        posts.append(id)
        postTimes.append(Date().timeIntervalSince1970)
      }
      try? await Task.sleep(for: .milliseconds(40))
    }
  }

  /// Makes a user and a login for each account.
  private func logIn(_ sandbox: Sandbox, _ address: SandboxLine) async throws {
    var settings = settings
    settings.sandbox = address.url
    let database = try settings.database()
    let store = try settings.store(database)
    let configuration = settings.clientConfiguration(limits: nil)
    (settings.clientID, settings.clientSecret) = (address.clientID, address.clientSecret)
    let oauth2 = settings.oauth2(store)
    try await withThrowingTaskGroup(of: (Int, Sandbox.User).self) { group in
      for number in 0..<(settings.accounts + FleetSettings.comparisons) {
        if number >= 8, let (number, user) = try await group.next() { users[number] = user }
        group.addTask {
          let user = try await sandbox.addUser(username: "user\(number)")
          let login = try oauth2.account("\(number)").beginLogin(
            scopes: [.tweetRead, .usersRead, .offlineAccess], redirectURI: "sandbox://login",
            configuration: configuration)
          guard let redirect = try await sandbox.approve(login.url, as: user).url else {
            throw FleetFailure(description: "the sandbox does not approve a login")
          }
          try await login.complete(redirect: redirect)
          return (number, user)
        }
      }
      for try await (number, user) in group { users[number] = user }
    }
    database.close()
  }
}
