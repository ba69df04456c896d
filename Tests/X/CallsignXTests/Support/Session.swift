import Callsign
import CallsignTesting
import CallsignX
import Foundation
import XSandbox

/// The API as Alice, on a sandbox that knows the whole catalogue.
struct Session: Sendable {
  let sandbox: Sandbox
  /// Signs with OAuth 1.0a, and sends each call once.
  let x: XAPI

  var alice: Sandbox.User { sandbox.users.alice }
  var bob: Sandbox.User { sandbox.users.bob }
  var carol: Sandbox.User { sandbox.users.carol }

  init(_ sandbox: Sandbox) {
    self.sandbox = sandbox
    x = XAPI(
      auth: .alice(of: sandbox),
      configuration: ClientConfiguration(hosts: .all(to: sandbox.url.absoluteString), retry: .never))
  }

  /// The API with other credentials.
  func api(_ auth: any Authenticator...) -> XAPI {
    XAPI(auth: auth, configuration: ClientConfiguration(hosts: .all(to: sandbox.url.absoluteString), retry: .never))
  }

  /// The requests that arrived, as `GET /2/users/me`.
  func requests() async -> [String] { await sandbox.requests().map { "\($0.method) \($0.path)" } }

  /// The last request that arrived.
  func lastRequest() async -> Sandbox.Request? { await sandbox.requests().last }
}

extension Authenticator where Self == OAuth1 {
  /// The credentials that Alice signs with.
  static func alice(of sandbox: Sandbox) -> OAuth1 {
    .oauth1(
      OAuth1(
        consumerKey: sandbox.app.consumerKey, consumerSecret: Secret(sandbox.app.consumerSecret),
        token: sandbox.users.alice.accessToken, tokenSecret: Secret(sandbox.users.alice.accessTokenSecret)))
  }
}

/// Starts a sandbox, hands it over, and stops it whatever happens.
func withSession(
  _ configure: (inout Sandbox.Configuration) -> Void = { _ in }, _ body: (Session) async throws -> Void
) async throws {
  var configuration = Sandbox.Configuration()
  configure(&configuration)
  let sandbox = try await Sandbox.start(configuration)
  do {
    try await body(Session(sandbox))
    await sandbox.stop()
  } catch {
    await sandbox.stop()
    throw error
  }
}

/// The error of a call that must not succeed.
func failure<Value>(_ call: () async throws(CallError) -> Value) async -> CallError? {
  do throws(CallError) {
    _ = try await call()
    return nil
  } catch {
    return error
  }
}
