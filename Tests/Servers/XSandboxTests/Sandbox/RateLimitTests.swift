import Foundation
import Testing

@testable import XSandbox

@Suite("Rate limits")
struct RateLimitTests {
  @Test("A window is used up, refuses, and opens again")
  func window() async throws {
    var configuration = Sandbox.Configuration()
    let clock = Sandbox.ManualClock(Date(timeIntervalSince1970: 1_800_000_000))
    configuration.clock = clock
    configuration.limits = ["GET /2/users/me": 3]
    try await withSandbox(configuration) { (sandbox) async throws in
      let alice = TestClient.alice(sandbox)
      for remaining in ["2", "1", "0"] {
        let response = try await alice.get("/2/users/me")
        #expect(response.status == 200)
        #expect(response.header("x-rate-limit-limit") == "3")
        #expect(response.header("x-rate-limit-remaining") == remaining)
        #expect(response.header("x-rate-limit-reset") == "1800000900")
      }
      clock.advance(by: 899)
      let refused = try await alice.get("/2/users/me")
      #expect(refused.status == 429)
      #expect(
        refused.json == [
          "title": "Too Many Requests", "detail": "Too Many Requests", "type": "about:blank", "status": 429,
        ])
      #expect(refused.header("x-rate-limit-remaining") == "0")
      #expect(try await TestClient.bob(sandbox).get("/2/users/me").status == 200)
      #expect(try await alice.get("/2/users/\(sandbox.users.bob.id)").status == 200)
      clock.advance(by: 1)
      let again = try await alice.get("/2/users/me")
      #expect(again.status == 200)
      #expect(again.header("x-rate-limit-reset") == "1800001800")
    }
  }

  @Test("The catalogue's limits hold for users and for apps, and show on errors")
  func catalogued() async throws {
    try await withSandbox { (sandbox) async throws in
      let me = try await TestClient.alice(sandbox).get("/2/users/me?foo=1")
      #expect((me.status, me.header("x-rate-limit-limit")) == (400, "75"))
      let lookup = "/2/users/\(sandbox.users.bob.id)"
      #expect(try await TestClient.alice(sandbox).get(lookup).header("x-rate-limit-limit") == "900")
      let app = TestClient(sandbox, .bearer(sandbox.app.bearerToken))
      #expect(try await app.get(lookup).header("x-rate-limit-limit") == "300")
      let created = try await TestClient.alice(sandbox).post("/2/tweets", #"{"text":"hi"}"#)
      #expect(created.header("x-rate-limit-limit") == "100")
      #expect(created.header("x-app-limit-24hour-limit") == "10000")
      let posts = "/2/tweets?ids=\(created.data?["id"]?.string ?? "")"
      #expect(try await TestClient.alice(sandbox).get(posts).header("x-rate-limit-limit") == "5000")
      #expect(try await app.get(posts).header("x-rate-limit-limit") == "3500")
      let liked = try await TestClient.alice(sandbox).post(
        "/2/users/\(sandbox.users.alice.id)/likes", #"{"tweet_id":"\#(created.data?["id"]?.string ?? "")"}"#)
      #expect(liked.header("x-rate-limit-limit") == "50" && liked.header("x-user-limit-24hour-limit") == "1000")
    }
  }

  @Test("A call needs room in each of several windows, and the used-up one is shown")
  func several() async throws {
    var configuration = Sandbox.Configuration()
    let clock = Sandbox.ManualClock(Date(timeIntervalSince1970: 1_800_000_000))
    configuration.clock = clock
    try await withSandbox(configuration) { (sandbox) async throws in
      // 1 a second, 300 in 15 minutes.
      let app = TestClient(sandbox, .bearer(sandbox.app.bearerToken))
      let path = "/2/tweets/search/all?query=swift"
      #expect(try await app.get(path).status == 200)
      let refused = try await app.get(path)
      #expect((refused.status, refused.header("x-rate-limit-limit")) == (429, "1"))
      #expect(refused.header("x-rate-limit-reset") == "1800000001")
      for _ in 1..<300 {
        clock.advance(by: 1)
        #expect(try await app.get(path).status == 200)
      }
      clock.advance(by: 1)
      let last = try await app.get(path)
      #expect((last.status, last.header("x-rate-limit-limit")) == (429, "300"))
      #expect(last.header("x-rate-limit-reset") == "1800000900")
      clock.advance(by: 600)
      #expect(try await app.get(path).status == 200)
    }
  }

  @Test("Limits of 24 hours hold for the user and for the app")
  func daily() async throws {
    var configuration = Sandbox.Configuration()
    let clock = Sandbox.ManualClock(Date(timeIntervalSince1970: 1_800_000_000))
    configuration.clock = clock
    configuration.limits = ["GET /2/users/me": .init(user: 10, userPerDay: 2, appPerDay: 3)]
    try await withSandbox(configuration) { (sandbox) async throws in
      let (alice, bob) = (TestClient.alice(sandbox), TestClient.bob(sandbox))
      let first = try await alice.get("/2/users/me")
      #expect(first.header("x-user-limit-24hour-limit") == "2")
      #expect(first.header("x-user-limit-24hour-remaining") == "1")
      #expect(first.header("x-user-limit-24hour-reset") == "1800086400")
      #expect(first.header("x-app-limit-24hour-remaining") == "2")
      #expect(try await alice.get("/2/users/me").status == 200)
      let refused = try await alice.get("/2/users/me")
      #expect((refused.status, refused.header("x-user-limit-24hour-remaining")) == (429, "0"))
      #expect(refused.header("x-rate-limit-remaining") == "8")
      #expect(try await bob.get("/2/users/me").status == 200)
      let app = try await bob.get("/2/users/me")
      #expect((app.status, app.header("x-app-limit-24hour-remaining")) == (429, "0"))
      clock.advance(by: 86_400)
      #expect(try await alice.get("/2/users/me").status == 200)
    }
  }
}
