import Callsign
import GitHubKit
// Written by `callsign package`, 3255e23776572b5a. Running it again writes the file again until somebody edits it.
import Testing

/// Calls one operation of the API. The response comes from memory, and is made up from the catalogue.
@Suite("GitHub") struct GitHubCallTests {
  @Test("me sends its request and reads the response") func call() async throws {
    let json = #"""
      {
        "avatar_url": "https://example.com/avatar_url",
        "id": 1,
        "login": "login",
        "type": "type"
      }
      """#
    let transport = InMemoryTransport { _ in .json(json) }
    let gitHub = GitHub(
      auth: .standIn,
      configuration: ClientConfiguration(transport: transport, hosts: .all(to: "https://api.test")))
    let response = try await gitHub.me()
    #expect(response.rawResponse.status.code == 200)
    let value: GitHub.SimpleUser = response.value
    #expect(value.login == "login")
    let request = try #require(transport.requests.first)
    #expect(request.head.method == .get)
    #expect(request.head.path?.split(separator: "?").first == "/user")
  }
}
