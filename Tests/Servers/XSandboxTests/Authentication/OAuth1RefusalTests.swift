import Foundation
import Testing

@testable import XSandbox

@Suite("OAuth 1.0a refusals")
struct OAuth1RefusalTests {
  /// Sends `GET /2/users/me` signed by a signer that a test has changed.
  private func response(
    _ sandbox: Sandbox, target: String = "/2/users/me", _ change: (inout TestSigner) -> Void = { _ in }
  ) async throws -> TestClient.Response {
    var signer = TestSigner(sandbox, sandbox.users.alice)
    change(&signer)
    let header = signer.header(method: "GET", url: sandbox.url.absoluteString + target)
    return try await TestClient(sandbox, .header(header)).get(target)
  }

  private func expectRefusal(_ response: TestClient.Response, _ reason: String) {
    #expect(response.status == 401)
    #expect(response.header("Content-Type") == "application/problem+json")
    #expect(response.json["title"] == "Unauthorized")
    #expect(response.json["type"] == "about:blank")
    #expect(response.json["status"] == 401)
    #expect(response.json["detail"] == "Unauthorized")
    #expect(response.reason == reason)
  }

  @Test("A right signature is accepted, with and without oauth_version")
  func accepted() async throws {
    try await withSandbox { (sandbox) async throws in
      #expect(try await response(sandbox).status == 200)
      #expect(try await response(sandbox) { $0.version = nil }.status == 200)
    }
  }

  @Test("A wrong signature gets the server's base string")
  func wrongSignature() async throws {
    try await withSandbox { (sandbox) async throws in
      let refused = try await response(sandbox, target: "/2/users/me?user.fields=name") {
        $0.tokenSecret = "wrong"
        $0.nonce = "n1"
        $0.timestamp = "\(Int(Date().timeIntervalSince1970))"
      }
      expectRefusal(refused, "signature_invalid")
      let text = try #require(refused.json["sandbox"]?["base_string"]?.string)
      #expect(
        text.hasPrefix("GET&http%3A%2F%2F127.0.0.1%3A\(sandbox.url.port ?? 0)%2F2%2Fusers%2Fme&oauth_consumer_key"))
      #expect(text.hasSuffix("%26oauth_version%3D1.0%26user.fields%3Dname"))
      #expect(refused.json["sandbox"]?["differs_in"] == .null)
      #expect(!String(decoding: refused.body, as: UTF8.self).contains(sandbox.app.consumerSecret))
      #expect(!String(decoding: refused.body, as: UTF8.self).contains(sandbox.users.alice.accessTokenSecret))
    }
  }

  @Test(
    "Known mistakes are named",
    arguments: [
      ("GET&", "POST&", "method", "method POST"), ("http%3A", "https%3A", "address", "https"),
      ("%26user.fields%3Dname", "", "parameters", "query parameters"),
    ])
  func diagnosis(part: String, replacement: String, differs: String, words: String) async throws {
    try await withSandbox { (sandbox) async throws in
      let refused = try await response(sandbox, target: "/2/users/me?user.fields=name") {
        $0.alterBaseString = { $0.replacingOccurrences(of: part, with: replacement) }
      }
      expectRefusal(refused, "signature_invalid")
      #expect(refused.json["sandbox"]?["differs_in"]?.string == differs)
      #expect(refused.json["sandbox"]?["detail"]?.string?.contains(words) == true)
    }
  }

  @Test("A missing token secret and swapped secrets are named")
  func keyDiagnosis() async throws {
    try await withSandbox { (sandbox) async throws in
      let withoutTokenSecret = try await response(sandbox) { $0.tokenSecret = "" }
      #expect(withoutTokenSecret.json["sandbox"]?["differs_in"] == "key")
      let swapped = try await response(sandbox) {
        ($0.consumerSecret, $0.tokenSecret) = ($0.tokenSecret, $0.consumerSecret)
      }
      #expect(swapped.json["sandbox"]?["detail"]?.string?.contains("swapped") == true)
    }
  }

  @Test("A JSON body that was signed as parameters is named")
  func signedJSON() async throws {
    try await withSandbox { (sandbox) async throws in
      let signer = TestSigner(sandbox, sandbox.users.alice)
      let header = signer.header(method: "POST", url: sandbox.url.absoluteString + "/2/tweets", form: "text=hello")
      let refused = try await TestClient(sandbox, .header(header)).post("/2/tweets", #"{"text":"hello"}"#)
      expectRefusal(refused, "signature_invalid")
      #expect(refused.json["sandbox"]?["detail"]?.string?.contains("JSON body") == true)
    }
  }

  @Test("Timestamps more than five minutes off are refused", arguments: [-301, 301, -86_400])
  func timestamps(offset: Int) async throws {
    var configuration = Sandbox.Configuration()
    let clock = Sandbox.ManualClock(Date(timeIntervalSince1970: 1_800_000_000))
    configuration.clock = clock
    try await withSandbox(configuration) { (sandbox) async throws in
      let refused = try await response(sandbox) { $0.timestamp = String(1_800_000_000 + offset) }
      expectRefusal(refused, "timestamp_refused")
      #expect(refused.json["sandbox"]?["server_time"] == 1_800_000_000)
      #expect(refused.header("Date") == "Fri, 15 Jan 2027 08:00:00 GMT")
      let accepted = try await response(sandbox) { $0.timestamp = String(1_800_000_000 + offset.signum() * 300) }
      #expect(accepted.status == 200)
    }
  }

  @Test(
    "Malformed timestamps are refused", arguments: ["abc", "-5", "0", "1.5", "99999999999999999999", "+1800000000"])
  func malformedTimestamps(text: String) async throws {
    try await withSandbox { (sandbox) async throws in
      expectRefusal(try await response(sandbox) { $0.timestamp = text }, "timestamp_malformed")
    }
  }

  @Test("A nonce serves once for a timestamp and token; a refused request does not use it up")
  func nonces() async throws {
    try await withSandbox { (sandbox) async throws in
      let timestamp = String(Int(Date().timeIntervalSince1970))
      let wrong = try await response(sandbox) {
        ($0.nonce, $0.timestamp, $0.tokenSecret) = ("once", timestamp, "wrong")
      }
      expectRefusal(wrong, "signature_invalid")
      #expect(try await response(sandbox) { ($0.nonce, $0.timestamp) = ("once", timestamp) }.status == 200)
      expectRefusal(try await response(sandbox) { ($0.nonce, $0.timestamp) = ("once", timestamp) }, "nonce_used")
      let ofBob = try await response(sandbox) {
        let bob = sandbox.users.bob
        ($0.token, $0.tokenSecret, $0.nonce, $0.timestamp) = (bob.accessToken, bob.accessTokenSecret, "once", timestamp)
      }
      #expect(ofBob.status == 200)
    }
  }

  @Test("Unknown, revoked and foreign keys and tokens are refused")
  func unknownCredentials() async throws {
    try await withSandbox { (sandbox) async throws in
      expectRefusal(try await response(sandbox) { $0.consumerKey = "nobody" }, "consumer_key_unknown")
      expectRefusal(try await response(sandbox) { $0.token = "1-nothing" }, "token_rejected")
      await sandbox.revoke(token: sandbox.users.alice.accessToken)
      expectRefusal(try await response(sandbox), "token_revoked")
    }
  }

  @Test("Unsupported versions and signature methods are refused")
  func unsupported() async throws {
    try await withSandbox { (sandbox) async throws in
      expectRefusal(try await response(sandbox) { $0.version = "2.0" }, "version_rejected")
      expectRefusal(try await response(sandbox) { $0.method = "HMAC-MD5" }, "signature_method_rejected")
    }
  }

  @Test(
    "Each missing parameter is named",
    arguments: [
      "oauth_consumer_key", "oauth_token", "oauth_signature_method", "oauth_signature", "oauth_timestamp",
      "oauth_nonce",
    ])
  func missing(name: String) async throws {
    try await withSandbox { (sandbox) async throws in
      let url = sandbox.url.absoluteString + "/2/users/me"
      let parameters = TestSigner(sandbox, sandbox.users.alice).parameters(method: "GET", url: url)
      let header = TestSigner.header(parameters.filter { $0.0 != name })
      let refused = try await TestClient(sandbox, .header(header)).get("/2/users/me")
      expectRefusal(refused, "parameter_absent")
      #expect(refused.json["sandbox"]?["missing"] == .array([.string(name)]))
    }
  }

  @Test("Repeated parameters, and parameters in two places, are refused")
  func repeated() async throws {
    try await withSandbox { (sandbox) async throws in
      let url = sandbox.url.absoluteString + "/2/users/me"
      let parameters = TestSigner(sandbox, sandbox.users.alice).parameters(method: "GET", url: url)
      let twice = TestSigner.header(parameters + [("oauth_nonce", "another")])
      expectRefusal(try await TestClient(sandbox, .header(twice)).get("/2/users/me"), "parameter_duplicated")
      let header = TestSigner.header(parameters)
      let refused = try await TestClient(sandbox, .header(header)).get("/2/users/me?oauth_nonce=another")
      expectRefusal(refused, "parameter_placement")
    }
  }

  @Test(
    "A missing, empty, foreign or malformed header is refused",
    arguments: [
      ("OAuth", "parameter_absent"), ("OAuth oauth_nonce", "malformed_authorization"),
      ("OAuth oauth_nonce=abc", "malformed_authorization"), ("Basic YTpi", "unsupported_scheme"),
      ("OAuth ,,,", "parameter_absent"), ("OAuth oauth_nonce=\"", "malformed_authorization"),
      ("Bearer", "malformed_authorization"), ("Bearer a b", "malformed_authorization"),
      ("\"%%%\"", "unsupported_scheme"), ("OAuth =\"\"", "parameter_absent"),
    ])
  func malformed(header: String, reason: String) async throws {
    try await withSandbox { (sandbox) async throws in
      expectRefusal(try await TestClient(sandbox, .header(header)).get("/2/users/me"), reason)
    }
  }

  @Test("A request without credentials is refused")
  func missingCredentials() async throws {
    try await withSandbox { (sandbox) async throws in
      let refused = try await TestClient(sandbox, .none).get("/2/users/me")
      expectRefusal(refused, "missing_credentials")
      #expect(refused.header("WWW-Authenticate")?.hasPrefix("OAuth") == true)
    }
  }
}
