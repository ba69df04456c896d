import Callsign
import MastodonKit
// Written by `callsign package`, 9be8005c70a2b9da. Running it again writes the file again until somebody edits it.
import Testing

/// Calls one operation of the API. The response comes from memory, and is made up from the catalogue.
@Suite("Mastodon") struct MastodonCallTests {
  @Test("verifyCredentials sends its request and reads the response") func call() async throws {
    let json = #"""
      {
        "acct": "acct",
        "avatar": "https://example.com/avatar",
        "bot": true,
        "created_at": "2020-01-01T00:00:00Z",
        "display_name": "display_name",
        "followers_count": 1,
        "id": "1",
        "note": "note",
        "statuses_count": 1,
        "url": "https://example.com/url",
        "username": "username"
      }
      """#
    let transport = InMemoryTransport { _ in .json(json) }
    let mastodon = Mastodon(
      auth: .standIn,
      configuration: ClientConfiguration(transport: transport, hosts: .all(to: "https://api.test")))
    let response = try await mastodon.verifyCredentials()
    #expect(response.rawResponse.status.code == 200)
    let value: Mastodon.Account = response.value
    #expect(value.id == "1")
    let request = try #require(transport.requests.first)
    #expect(request.head.method == .get)
    #expect(request.head.path?.split(separator: "?").first == "/api/v1/accounts/verify_credentials")
  }
}
