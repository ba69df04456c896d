import Callsign
import CallsignTesting
import CallsignX

/// The API with credentials that serve every endpoint, on a server that is no X. Each call is sent once.
func unreliableAPI(at url: String) -> XAPI {
  XAPI(
    auth: .oauth1(OAuth1(consumerKey: "key", consumerSecret: "secret", token: "token", tokenSecret: "secret")),
    configuration: ClientConfiguration(hosts: .all(to: url), retry: .never))
}

/// Starts a server, hands over the API on it, and stops it whatever happens.
func withRawServer(_ behaviour: RawServer.Behaviour, _ body: (RawServer, XAPI) async throws -> Void) async throws {
  let server = try RawServer(behaviour)
  defer { server.stop() }
  try await body(server, unreliableAPI(at: server.url))
}
