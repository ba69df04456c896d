import Foundation
import Testing

@testable import XSandbox

@Suite("Routing")
struct RoutingTests {
  @Test(
    "Without a catalogue, unknown paths of v2 get 501, others 404",
    arguments: [
      ("/2/dm_events", 501), ("/2/users/1/muting", 501), ("/2/", 501), ("/2", 404), ("/1.1", 404),
      ("/2/../etc/passwd", 501), ("/../../etc/passwd", 404), ("/%2e%2e/%2e%2e/etc/passwd", 404),
      ("/2/users/me/", 501), ("//2/users/me", 404), ("/2/users/%FF%FE", 404),
    ])
  func withoutCatalogue(path: String, status: Int) async throws {
    try await withSandbox { (sandbox) async throws in
      let answer = try await RawConnection.exchange(
        "GET \(path) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", with: sandbox)
      #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
      #expect(answer.contains("application/problem+json"))
    }
  }

  @Test("With a catalogue, its unimplemented operations get 501, others 404")
  func withCatalogue() async throws {
    var configuration = Sandbox.Configuration()
    configuration.endpoints = [
      .init(method: "GET", path: "/2/users/me"), .init(method: "GET", path: "/2/dm_events"),
      .init(method: "DELETE", path: "/2/dm_events/{event_id}"),
    ]
    try await withSandbox(configuration) { (sandbox) async throws in
      let client = TestClient.alice(sandbox)
      #expect(try await client.get("/2/users/me").status == 200)
      let other = try await client.delete("/2/dm_events/5")
      #expect(other.status == 501)
      #expect(other.header("Content-Type") == "application/problem+json")
      #expect(other.json["detail"]?.string == "The sandbox does not implement DELETE /2/dm_events/{event_id}.")
      #expect(try await client.get("/2/nothing").status == 404)
      let wrong = try await client.get("/2/dm_events/5")
      #expect((wrong.status, wrong.header("Allow")) == (405, "DELETE"))
    }
  }

  @Test("A template with more literal segments wins")
  func precedence() async throws {
    try await withSandbox { (sandbox) async throws in
      #expect(try await TestClient.alice(sandbox).get("/2/users/by?usernames=bob").elements.count == 1)
    }
  }
}
