import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignTesting
import Foundation
import XCore
import XSandbox

/// A sandbox, and an app that logs Alice in there.
struct SandboxSession: Sendable {
  let sandbox: Sandbox

  var alice: Sandbox.User { sandbox.users.alice }
  var password: Secret { Secret(alice.password) }
  var consumerKey: String { sandbox.app.consumerKey }
  var consumerSecret: Secret { Secret(sandbox.app.consumerSecret) }
  var configuration: ClientConfiguration { ClientConfiguration(hosts: .all(to: sandbox.url.absoluteString)) }

  var login: OAuth1App { OAuth1App(.x, key: consumerKey, secret: consumerSecret, configuration: configuration) }

  var forms: FormLogin { FormLogin(hosts: ["127.0.0.1:\(sandbox.url.port ?? 0)"]) }

  /// Signs with a token of the app's.
  func client(_ token: OAuth1Token) -> Client {
    client(OAuth1(consumerKey: consumerKey, consumerSecret: consumerSecret, token: token, hosts: ["api.x.com"]))
  }

  func client(_ auth: some Authenticator) -> Client { Client(auth: auth, configuration: configuration) }

  /// Who the token's account is.
  func name(_ client: Client) async throws -> String? {
    try await client.call(.get, "https://api.x.com/2/users/me").value["data"]?["username"]?.string
  }

  /// How often a path was asked for.
  func count(_ path: String) async -> Int { await sandbox.requests().count { $0.path == path } }

  /// Starts a sandbox, hands it over, and stops it whatever happens.
  static func with(
    _ configure: (inout Sandbox.Configuration) -> Void = { _ in }, _ body: (SandboxSession) async throws -> Void
  ) async throws {
    var configuration = Sandbox.Configuration()
    configure(&configuration)
    let sandbox = try await Sandbox.start(configuration)
    do {
      try await body(SandboxSession(sandbox: sandbox))
      await sandbox.stop()
    } catch {
      await sandbox.stop()
      throw error
    }
  }
}
