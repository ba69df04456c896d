import CallsignMockServer
import Foundation

/// A local X server for tests and experiments.
///
/// It listens on 127.0.0.1, verifies signatures and tokens, stores users, posts, likes, follows, lists, direct messages, bookmarks,
/// webhooks and uploads, and responds to all operations of v2 and of REST v1.1 with X's formats, errors and rate limits. If it
/// stores no state for a response, it generates the response from the types and adds the field `x-sandbox-response: schema`. Both
/// versions share one database. Refusals contain an explanation in the member `sandbox` of the body. The page at ``url`` is a
/// console: it shows the received requests and lets you try operations, faults and times.
///
/// ```swift
/// let sandbox = try await Sandbox.start()
/// let alice = sandbox.users.alice
/// // … a client with sandbox.url, sandbox.app and alice's tokens …
/// await sandbox.stop()
/// ```
public final class Sandbox: Sendable {
  /// The URL of the server, such as `http://127.0.0.1:49152`.
  public let url: URL
  /// The sandbox's own app.
  public let app: App
  /// The initial users.
  public let users: Users

  let pipeline: RequestPipeline
  let server: RestartableServer
  /// The state after the start.
  let beginning: Snapshot

  private init(
    server: RestartableServer, url: URL, pipeline: RequestPipeline, app: App, users: Users, beginning: Snapshot
  ) {
    self.server = server
    self.url = url
    self.pipeline = pipeline
    self.app = app
    self.users = users
    self.beginning = beginning
  }

  /// Starts a server with the default settings and an initial state.
  /// - Throws: ``SandboxError/couldNotListen(port:)``, ``SandboxError/invalidSeed(_:line:)``.
  public static func start(seed: SandboxSeed) async throws -> Sandbox { try await start(Configuration(), seed: seed) }

  /// Starts a server.
  /// - Parameters:
  ///   - configuration: The settings.
  ///   - seed: The initial state, in addition to alice, bob and carol.
  /// - Throws: ``SandboxError/couldNotListen(port:)``, ``SandboxError/invalidSeed(_:line:)``.
  public static func start(
    _ configuration: Configuration = Configuration(), seed: SandboxSeed = SandboxSeed()
  ) async throws -> Sandbox {
    let pipeline = RequestPipeline(configuration: configuration)
    let app = await pipeline.authorization.perform { $0.makeApp(configuration.app) }
    let now = configuration.clock.now()
    var users: [User] = []
    for (username, name) in [("alice", "Alice"), ("bob", "Bob"), ("carol", "Carol")] {
      let own = seed.users.first { $0.username.lowercased() == username }
      let record = await pipeline.store.perform { database in
        own?.id.map { database.identifiers.skip(past: $0) }
        return database.addUser(username: username, name: own?.name ?? name, id: own?.id, at: now)
      }
      users.append(await issueCredentials(to: record, app: app, by: pipeline.authorization))
    }
    try await pipeline.store.perform { (database) throws(SandboxError) in try seed.apply(to: &database, at: now) }
    for user in seed.users {
      let record = await pipeline.store.perform { $0.user(named: user.username) }
      guard let record, !users.contains(where: { $0.id == String(record.id) }) else { continue }
      _ = await issueCredentials(to: record, app: app, by: pipeline.authorization)
    }
    let beginning = Snapshot(
      database: await pipeline.store.perform { $0 }, authorization: await pipeline.authorization.perform { $0 })
    let console = ConsoleServer(SandboxConsole(pipeline: pipeline, app: app))
    let server = try await RestartableServer(port: configuration.port) { port in
      try await LoopbackServer.start(port: port, maximumBodySize: configuration.maximumBodySize) { request in
        if let response = await console.response(to: request) { return response }
        return await pipeline.handle(request)
      }
    }
    guard let url = URL(string: "http://127.0.0.1:\(server.port)") else {
      await server.stop()
      throw SandboxError.couldNotListen(port: server.port)
    }
    let sandbox = Sandbox(
      server: server, url: url, pipeline: pipeline, app: app,
      users: Users(alice: users[0], bob: users[1], carol: users[2]), beginning: beginning)
    pipeline.control.attach(sandbox)
    return sandbox
  }

  /// Stops the server and closes all connections. A second call does nothing.
  public func stop() async {
    await server.stop()
    pipeline.webhooks.stop()
  }

  /// The events sent to webhooks, oldest first.
  public func deliveries() async -> [Delivery] { await pipeline.webhooks.deliveries }
}

// The types of the lower layers, under the names that programs use.
extension Sandbox {
  /// The settings of a sandbox.
  public typealias Configuration = SandboxConfiguration
  /// The number of requests that an operation accepts in a window.
  public typealias RateLimit = SandboxRateLimit
  /// The settings of a developer's app.
  public typealias AppConfiguration = SandboxAppConfiguration
  /// The rights of an OAuth 1.0a access token.
  public typealias Permission = SandboxPermission
  /// A clock that stands still until you move it.
  public typealias ManualClock = SandboxManualClock
  /// A developer's app.
  public typealias App = SandboxApp
  /// An OAuth 1.0a access token with its secret.
  public typealias AccessToken = SandboxAccessToken
  /// How many tokens have been issued and refused.
  public typealias AuthorizationCounts = SandboxAuthorizationCounts
  /// An event that was sent to a webhook.
  public typealias Delivery = SandboxDelivery
  /// A failure that the sandbox causes on purpose.
  public typealias Fault = SandboxFault
  /// Random faults, for long tests.
  public typealias RandomFaults = SandboxRandomFaults
  /// A fault as a line of text.
  public typealias FaultSpecification = XSandbox.FaultSpecification
  /// The message of a stream before it disconnects.
  public typealias StreamDisconnection = SandboxStreamDisconnection
  /// How videos and animated GIFs are processed after their last segment.
  public typealias MediaProcessing = SandboxMediaProcessing
}
