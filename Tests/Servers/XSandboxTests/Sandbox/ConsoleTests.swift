import Foundation
import Testing

@testable import XSandbox

/// The responses that the console's page gets, and who may ask. `BrowserTests` has the page itself.
@Suite("Console")
struct ConsoleTests {
  private func post(_ client: TestClient, _ path: String, _ json: String) async throws -> TestClient.Response {
    try await client.send("POST", "/_console/" + path, json: json)
  }

  private func requests(_ client: TestClient, after number: Int = 0) async throws -> [JSON] {
    guard case .array(let found)? = try await client.get("/_console/news?after=\(number)").json["requests"] else {
      return []
    }
    return found
  }

  @Test("The page and its files come with a strict policy, and are not among the requests")
  func files() async throws {
    try await withSandbox { (sandbox) async throws in
      let client = TestClient(sandbox, .none)
      for (path, type) in [
        ("/", "text/html"), ("/_console/style.css", "text/css"), ("/_console/script.js", "text/javascript"),
        ("/_console/icon.svg", "image/svg+xml"), ("/_console/facts", "application/json"),
      ] {
        let response = try await client.get(path)
        #expect((response.status, response.header("Content-Type")?.hasPrefix(type)) == (200, true), "\(path)")
        let policy = response.header("Content-Security-Policy") ?? ""
        #expect(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "\(path)")
        #expect(response.header("X-Content-Type-Options") == "nosniff")
      }
      #expect(try await client.get("/_console/nothing").status == 404)
      #expect(await sandbox.requests().isEmpty)
    }
  }

  @Test("The forms come before the requests, and the page says how to connect, without secrets")
  func startPage() async throws {
    try await withSandbox { (sandbox) async throws in
      let client = TestClient(sandbox, .none)
      let page = String(decoding: try await client.get("/").body, as: UTF8.self)
      let places = ["id=\"guide\"", "id=\"try\"", "id=\"faults\"", "id=\"list\""].map { page.range(of: $0)?.lowerBound }
      #expect(places.allSatisfy { $0 != nil })
      #expect(places.compactMap(\.self) == places.compactMap(\.self).sorted())
      let facts = String(decoding: try await client.get("/_console/facts").body, as: UTF8.self)
      for words in ["api.x.com", "/oauth/request_token", "/2/oauth2/token", "@alice, @bob, @carol", "client ID"] {
        #expect(facts.contains(words), "\(words)")
      }
      let guide = await sandbox.guide().joined(separator: "\n")
      #expect(guide.contains("@alice, @bob, @carol"))
      let alice = sandbox.users.alice
      for secret in [sandbox.app.consumerSecret, sandbox.app.bearerToken, alice.password, alice.accessTokenSecret] {
        #expect(!facts.contains(secret) && !guide.contains(secret))
      }
    }
  }

  @Test(
    "Other names of this machine, other sites and forms of other sites are refused",
    arguments: [
      ("GET / HTTP/1.1\r\nHost: rebound.example\r\n\r\n", 403),
      ("GET /_console/news HTTP/1.1\r\nHost: rebound.example:80\r\n\r\n", 403),
      ("GET /_console/news HTTP/1.1\r\nHost: localhost:1\r\nSec-Fetch-Site: cross-site\r\n\r\n", 403),
      ("GET /_console/news HTTP/1.1\r\nHost: localhost:1\r\nSec-Fetch-Site: same-origin\r\n\r\n", 200),
      ("POST /_console/forget HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}", 403),
      (
        "POST /_console/forget HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
          + "Origin: http://rebound.example\r\nContent-Length: 2\r\n\r\n{}", 403
      ),
      (
        "POST /_console/forget HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
          + "Origin: http://localhost\r\nContent-Length: 2\r\n\r\n{}", 200
      ),
      (
        "POST /_console/time HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1\r\n\r\n{",
        400
      ),
      ("PUT / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n", 405),
      ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n", 405),
    ])
  func strangers(request: String, status: Int) async throws {
    try await withSandbox { (sandbox) async throws in
      let text = request.replacingOccurrences(of: "\r\n\r\n", with: "\r\nConnection: close\r\n\r\n")
      let response = try await RawConnection.exchange(text, with: sandbox)
      #expect(response.hasPrefix("HTTP/1.1 \(status) "), "\(response.prefix(300))")
    }
  }

  @Test("Requests have increasing numbers, and the console requests only new ones")
  func numbers() async throws {
    try await withSandbox { (sandbox) async throws in
      let client = TestClient.alice(sandbox)
      for _ in 0..<3 { _ = try await client.get("/2/users/me") }
      #expect(try await requests(client).compactMap { $0["number"] } == [1, 2, 3])
      #expect(try await requests(client, after: 2).compactMap { $0["number"] } == [3])
      #expect(try await requests(client, after: 99).isEmpty)
      #expect(try await post(client, "forget", "{}").status == 200)
      _ = try await client.get("/2/users/me")
      #expect(try await requests(client).compactMap { $0["number"] } == [4])
    }
  }

  @Test("A wrong signature shows both base strings without tokens, and a right one says that it is right")
  func signatures() async throws {
    try await withSandbox { (sandbox) async throws in
      let alice = sandbox.users.alice
      let client = TestClient(sandbox, .oauth1(alice))
      _ = try await client.get("/2/users/me")
      var signer = TestSigner(sandbox, alice)
      let address = sandbox.url.absoluteString + "/2/users/me"
      let header = TestSigner.header(signer.parameters(method: "GET", url: address, form: ""))
      _ = try await TestClient(sandbox, .header(header)).get("/2/users/me?user.fields=name")
      signer.tokenSecret = "wrong"
      let unknown = TestSigner.header(signer.parameters(method: "GET", url: address, form: ""))
      _ = try await TestClient(sandbox, .header(unknown)).get("/2/users/me")
      let found = try await requests(client).map { $0["signature"] ?? .null }
      #expect(found.map { $0["isValid"] } == [true, false, false])
      let computed = try #require(found[1]["computed"]?.string)
      let signed = try #require(found[1]["signed"]?.string)
      #expect(found[1]["verdict"]?.string?.contains("left out of the signature") == true)
      #expect(computed.contains("user.fields%3Dname") && !signed.contains("user.fields"))
      #expect(computed.replacingOccurrences(of: "%26user.fields%3Dname", with: "") == signed)
      #expect(found[2]["signed"] == nil && found[2]["computed"] != nil)
      for secret in [alice.accessToken, alice.accessTokenSecret, sandbox.app.consumerSecret] {
        #expect(!"\(found)".contains(secret))
      }
    }
  }

  @Test("Operations are called as any user with either kind of credentials, and the calls are among the requests")
  func calls() async throws {
    try await withSandbox { (sandbox) async throws in
      let client = TestClient(sandbox, .none)
      func call(_ operation: String, as identity: String, body: String = "", values: String = "{}", query: String = "")
        async throws -> JSON
      {
        try await post(
          client, "call",
          String(
            decoding: JSON.object([
              "operation": .string(operation), "identity": .string(identity), "body": .string(body),
              "query": .string(query), "values": JSON(parsing: Data(values.utf8)),
            ]).bytes, as: UTF8.self)
        ).json
      }
      for identity in ["oauth2:bob", "oauth1:bob"] {
        let response = try await call("GET /2/users/me", as: identity, query: "user.fields=name,created_at")
        #expect(response["status"] == 200)
        #expect(response["body"]?.string?.contains("\"username\":\"bob\"") == true)
        let post = try await call("POST /2/tweets", as: identity, body: "{\"text\":\"by \(identity)\"}")
        #expect(post["status"] == 201)
      }
      let form = try await call("POST /1.1/statuses/update.json", as: "oauth1:carol", body: "status=a%20b")
      #expect(form["status"] == 200, "\(form)")
      let other = try await call(
        "GET /2/users/{id}", as: "app", values: "{\"id\": \"\(sandbox.users.carol.id)\"}")
      #expect(other["body"]?.string?.contains("carol") == true)
      #expect(try await call("GET /2/users/me", as: "nobody")["status"] == 401)
      #expect(await sandbox.requests().count == 7)
      // An operation that cannot be called is reported, and nothing is sent.
      let refused: [(String, String)] = [
        ("GET /nothing", "app"), ("GET /2/users/{id}", "app"), ("GET /2/users/me", "oauth2:nobody"),
        ("GET /2/users/me", "?"), ("GET /2/tweets/search/stream", "app"),
      ]
      for (operation, identity) in refused {
        #expect(try await call(operation, as: identity) == .null, "\(operation)")
      }
      #expect(await sandbox.requests().count == 7)
      let all = "\(try await requests(client))" + "\(try await client.get("/_console/facts").json)"
      for user in [sandbox.users.bob, sandbox.users.carol] {
        for secret in [user.accessToken, user.accessTokenSecret, user.oauth2AccessToken, user.password] {
          #expect(!all.contains(secret))
        }
      }
    }
  }

  @Test("Faults, windows, time and tables are those of the sandbox")
  func status() async throws {
    try await withSandbox { (sandbox) async throws in
      let client = TestClient.alice(sandbox)
      let fault = #"{"operation": "GET /2/users/me", "kind": "", "value": "503", "times": 1}"#
      let planned = try await post(client, "faults", fault)
      #expect(planned.status == 200)
      #expect(planned.json["faults"] == ["GET /2/users/me: status 503, once"])
      #expect(try await client.get("/2/users/me").status == 503)
      for wrong in [
        #"{"operation": "GET /2/users/me", "kind": "", "value": "x x9", "times": 1}"#,
        #"{"operation": "nothing", "kind": "cut", "value": "", "times": 1}"#,
        #"{"operation": "*", "kind": "bang", "value": "", "times": 1}"#,
        #"{"operation": "*", "kind": "cut", "value": "", "times": 0}"#, #"{"operation": "*"}"#,
      ] { #expect(try await post(client, "faults", wrong).status == 400, "\(wrong)") }
      _ = try await client.get("/2/users/me")
      let before = try await client.get("/_console/news?after=0").json["status"]
      guard case .array(let limits)? = before?["limits"], let window = limits.first else {
        Issue.record("there is no window")
        return
      }
      #expect((window["operation"], window["who"]) == ("GET /2/users/me", "@alice"))
      #expect(before?["faultCount"] == 1)
      let moved = try await post(client, "time", #"{"seconds": 86400}"#).json
      #expect((moved["limits"], moved["offset"]) == (.array([]), 86400))
      #expect(try await post(client, "time", #"{"seconds": 60}"#).json["offset"] == 86460)
      #expect(try await post(client, "time", #"{"seconds": null}"#).json["offset"] == 0)
      #expect(try await post(client, "time", #"{"seconds": 1e300}"#).status == 400)
      _ = try await client.send("POST", "/2/tweets", json: #"{"text": "kept"}"#)
      let table = try await client.get("/_console/table?name=posts").json
      #expect("\(table)".contains("kept"))
      #expect(try await client.get("/_console/table?name=secrets").status == 404)
    }
  }
}
