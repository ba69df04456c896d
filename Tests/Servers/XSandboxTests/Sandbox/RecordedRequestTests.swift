import Foundation
import Testing

@testable import XSandbox

@Suite("Recorded requests")
struct InspectionTests {
  @Test("A request is recorded with its credentials masked")
  func requests() async throws {
    try await withSandbox { (sandbox) async throws in
      let alice = sandbox.users.alice
      _ = try await TestClient(sandbox, .oauth1(alice)).send(
        "POST", "/2/tweets?a%20b=c%2Bd", json: #"{"text":"hi"}"#, headers: ["X-Test": "yes"])
      _ = try await TestClient(sandbox, .bearer(sandbox.app.bearerToken)).get("/2/users/5")
      let requests = await sandbox.requests()
      #expect(requests.count == 2)
      let post = try #require(requests.first)
      #expect(post.method == "POST")
      #expect(post.path == "/2/tweets")
      #expect(post.query == [.init(name: "a b", value: "c+d")])
      #expect(post.bodyText == #"{"text":"hi"}"#)
      #expect(post.header("x-test") == "yes")
      #expect(post.status == 400)
      let authorization = try #require(post.header("Authorization"))
      #expect(authorization.hasPrefix("OAuth "))
      #expect(authorization.contains("oauth_signature_method=\"HMAC-SHA1\""))
      #expect(authorization.contains("oauth_signature=\"‹redacted›\""))
      #expect(requests.last?.header("Authorization") == "Bearer ‹redacted›")
      var dumped = ""
      dump(requests, to: &dumped)
      for secret in [alice.accessToken, sandbox.app.consumerKey, sandbox.app.bearerToken] {
        #expect(!dumped.contains(secret))
      }
      await sandbox.forgetRequests()
      #expect(await sandbox.requests().isEmpty)
    }
  }

  @Test("Credentials in query and form are masked")
  func maskedParameters() async throws {
    try await withSandbox { (sandbox) async throws in
      _ = try await LoginClient(sandbox).post(
        "/2/oauth2/token?access_token=secret1", form: "client_secret=secret2&grant_type=x",
        headers: ["Authorization": "Basic c2VjcmV0"])
      let request = try #require(await sandbox.requests().first)
      #expect(request.query.first?.value == "‹redacted›")
      #expect(request.bodyText == "client_secret=‹redacted›&grant_type=x")
      #expect(request.header("Authorization") == "Basic ‹redacted›")
    }
  }

  @Test("The log keeps the last requests only")
  func bounded() async throws {
    var configuration = Sandbox.Configuration()
    configuration.requestLogCapacity = 3
    try await withSandbox(configuration) { (sandbox) async throws in
      for number in 1...5 { _ = try await TestClient.alice(sandbox).get("/2/users/\(number)") }
      #expect(await sandbox.requests().map(\.path) == ["/2/users/3", "/2/users/4", "/2/users/5"])
    }
  }
}
