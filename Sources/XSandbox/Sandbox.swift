import Foundation

/// A local X server for tests and for trying things out.
///
/// It listens on 127.0.0.1, verifies signatures and tokens, keeps users, posts, likes, follows, lists, direct messages,
/// saved searches and uploads, and answers the operations of v2 and of REST v1.1 on them with X's own formats, errors
/// and rate limits. Both versions see the same store. What it refuses, it explains in a member `sandbox` of the answer.
///
/// ```swift
/// let sandbox = try await Sandbox.start()
/// let alice = sandbox.users.alice
/// // … a client with sandbox.url, sandbox.app and alice's tokens …
/// await sandbox.stop()
/// ```
public final class Sandbox: Sendable {
  /// The address of the server, such as `http://127.0.0.1:49152`.
  public let url: URL
  /// The developer's app that the sandbox knows.
  public let app: App
  /// The users that are there from the start.
  public let users: Users

  let pipeline: RequestPipeline
  let credentials: CredentialIssuer
  private let server: LoopbackServer

  private init(
    server: LoopbackServer, url: URL, pipeline: RequestPipeline, credentials: CredentialIssuer, users: Users
  ) {
    self.server = server
    self.url = url
    self.pipeline = pipeline
    self.credentials = credentials
    self.app = credentials.app
    self.users = users
  }

  /// Starts a server. At most 64 run in a process at a time; a further one starts when another has been stopped.
  /// - Throws: ``SandboxError/couldNotListen(port:)``.
  public static func start(_ configuration: Configuration = Configuration()) async throws -> Sandbox {
    let pipeline = RequestPipeline(configuration: configuration)
    let credentials = await CredentialIssuer(configuration: configuration.app, authority: pipeline.authority)
    let now = configuration.clock.now()
    var users: [User] = []
    for (username, name) in [("alice", "Alice"), ("bob", "Bob"), ("carol", "Carol")] {
      let record = await pipeline.store.perform { $0.addUser(username: username, name: name, at: now) }
      users.append(await credentials.issue(to: record))
    }
    let server = try await LoopbackServer.start(
      port: configuration.port, maximumBodySize: configuration.maximumBodySize
    ) { await pipeline.answer($0) }
    guard let url = URL(string: "http://127.0.0.1:\(server.port)") else {
      await server.stop()
      throw SandboxError.couldNotListen(port: server.port)
    }
    return Sandbox(
      server: server, url: url, pipeline: pipeline, credentials: credentials,
      users: Users(alice: users[0], bob: users[1], carol: users[2]))
  }

  /// Stops the server and closes all connections. Doing so again does nothing.
  public func stop() async { await server.stop() }
}
