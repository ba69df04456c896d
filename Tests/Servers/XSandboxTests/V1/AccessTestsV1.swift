import Foundation
import Testing

@testable import XSandbox

@Suite("v1.1: credentials, limits and paths")
struct AccessTestsV1 {
  @Test("v1.1 refuses wrong credentials with its own codes")
  func credentials() async throws {
    try await withSandbox { (sandbox) async throws in
      let path = "account/verify_credentials"
      let nobody = try await TestClient(sandbox, .none).getV1(path)
      #expect(nobody.refusal == [400, 215])
      #expect(nobody.messages == ["Bad Authentication data."])
      #expect(nobody.reason == "missing_credentials")
      #expect(try await TestClient.appV1(sandbox).getV1(path).refusal == [403, 220])
      #expect(try await TestClient.alice(sandbox).getV1(path).refusal == [403, 220])
      #expect(try await TestClient(sandbox, .bearer("unknown")).getV1("users/show").refusal == [401, 89])
      var signer = TestSigner(sandbox, sandbox.users.alice)
      let url = sandbox.url.absoluteString + "/1.1/\(path).json"
      func refusal() async throws -> [Int] {
        try await TestClient(sandbox, .header(signer.header(method: "GET", url: url))).getV1(path).refusal
      }
      signer.tokenSecret = "wrong"
      #expect(try await refusal() == [401, 32])
      signer = TestSigner(sandbox, sandbox.users.alice)
      signer.timestamp = "1000"
      #expect(try await refusal() == [401, 135])
      signer = TestSigner(sandbox, sandbox.users.alice)
      signer.token = "unknown"
      #expect(try await refusal() == [401, 89])
      await sandbox.setPermission(.read, of: sandbox.users.alice)
      let client = TestClient.aliceV1(sandbox)
      #expect(try await client.getV1(path).status == 200)
      #expect(try await client.postV1("statuses/update", ["status": "x"]).refusal == [403, 261])
    }
  }

  @Test("The signature covers the form", arguments: ["status=changed", "status=hello&trim_user=true", ""])
  func tampering(form: String) async throws {
    try await withSandbox { (sandbox) async throws in
      let url = sandbox.url.absoluteString + "/1.1/statuses/update.json"
      let header = TestSigner(sandbox, sandbox.users.alice).header(method: "POST", url: url, form: "status=hello")
      let response = try await TestClient(sandbox, .header(header)).send(
        "POST", "/1.1/statuses/update.json", form: form)
      #expect(response.refusal == [401, 32])
      #expect(response.reason == "signature_invalid")
    }
  }

  @Test("An exceeded limit is 429 with code 88, and rate_limit_status shows it")
  func limits() async throws {
    var configuration = Sandbox.Configuration()
    configuration.limits = ["GET /1.1/users/show.json": 2]
    try await withSandbox(configuration) { (sandbox) async throws in
      let client = TestClient.aliceV1(sandbox)
      for remaining in ["1", "0"] {
        let response = try await client.getV1("users/show", ["screen_name": "bob"])
        #expect(response.header("x-rate-limit-limit") == "2")
        #expect(response.header("x-rate-limit-remaining") == remaining)
      }
      let refused = try await client.getV1("users/show", ["screen_name": "bob"])
      #expect(refused.refusal == [429, 88])
      #expect(refused.messages == ["Rate limit exceeded"])
      #expect(refused.header("x-rate-limit-remaining") == "0")
      let status = try await client.getV1("application/rate_limit_status", ["resources": "users,statuses"])
      guard case .object(let families) = status.json["resources"] else {
        Issue.record("\(status.json)")
        return
      }
      #expect(Set(families.keys) == ["users", "statuses"])
      let entry = try #require(families["users"]?["/users/show"])
      #expect(entry["limit"] == 2)
      #expect(entry["remaining"] == 0)
      #expect(entry["reset"]?.integer.map(String.init) == refused.header("x-rate-limit-reset"))
      #expect(families["statuses"]?["/statuses/show/:id"]?["remaining"] == 900)
      let posted = try await client.postV1("statuses/update", ["status": "x"])
      #expect(posted.header("x-rate-limit-limit") == "300")
      let app = try await TestClient.appV1(sandbox).getV1("application/rate_limit_status")
      #expect(app.json["resources"]?["search"]?["/search/tweets"]?["limit"] == 450)
    }
  }

  @Test("Refusals of unknown paths and arguments, and faults, have v1.1's form")
  func paths() async throws {
    try await withSandbox { (sandbox) async throws in
      let client = TestClient.aliceV1(sandbox)
      #expect(try await client.getV1("geo/id/7").refusal == [404, 34])
      #expect(try await client.getV1("geo/similar_places").refusal == [403, 38])
      #expect(try await client.getV1("account_activity/webhooks").refusal == [403, 220])
      #expect(try await client.getV1("nothing").refusal == [404, 34])
      #expect(try await client.getV1("statuses/update").refusal == [405, 86])
      #expect(try await client.get("/1.1/statuses/show/.json").refusal == [404, 34])
      #expect(try await client.getV1("statuses/show/x").refusal == [400, 44])
      await sandbox.inject(.status(503), for: "GET /1.1/users/show.json")
      #expect(try await client.getV1("users/show", ["screen_name": "bob"]).refusal == [503, 130])
    }
  }
}
