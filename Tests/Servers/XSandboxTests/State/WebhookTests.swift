import Callsign
import Foundation
import Testing
import XCore

@testable import XSandbox

/// A test's own server, whose responses and signature checks are the client's.
private actor Hook {
  private(set) var bodies: [JSON] = []
  private(set) var problems: [String] = []
  /// The header fields of received signatures.
  private(set) var fields: Set<String> = []
  private let receiver: WebhookReceiver
  /// The header field whose signature is checked.
  private let field: String
  private var isWrong = false

  init(_ receiver: WebhookReceiver, field: String) {
    self.receiver = receiver
    self.field = field
  }

  func respondWrongly() { isWrong = true }

  func handle(_ request: IncomingRequest) -> XSandbox.Response {
    if request.method == "GET" {
      let token = request.queryParameters.first { $0.nameText == "crc_token" }?.valueText
      guard !isWrong, let response = try? receiver.response(crcToken: token), let json = try? JSON(parsing: response)
      else {
        return XSandbox.Response(json: ["response_token": "sha256=wrong"])
      }
      return XSandbox.Response(json: json)
    }
    fields.formUnion(
      [WebhookReceiver.oauth2SignatureField, WebhookReceiver.signatureField].filter { request.header($0) != nil })
    do {
      try receiver.verify(request.body, signature: request.header(field))
      bodies.append(try JSON(parsing: request.body))
    } catch { problems.append("\(error)") }
    return XSandbox.Response(status: 200)
  }

  func wait(for count: Int) async throws -> [JSON] {
    for _ in 0..<1200 where bodies.count < count { try await Task.sleep(for: .milliseconds(50)) }
    return bodies
  }
}

@Suite("Webhooks") struct WebhookTests {
  private func withHook(
    isConfidential: Bool = true, field: String = WebhookReceiver.signatureField,
    receiver: (SandboxApp) -> WebhookReceiver = { WebhookReceiver(consumerSecret: Secret($0.consumerSecret)) },
    _ body: (Sandbox, Hook, String) async throws -> Void
  ) async throws {
    var configuration = Sandbox.Configuration()
    configuration.app.isConfidential = isConfidential
    try await withSandbox(configuration) { (sandbox) async throws in
      let hook = Hook(receiver(sandbox.app), field: field)
      let server = try await LoopbackServer.start(port: 0, maximumBodySize: 1 << 20) { await hook.handle($0) }
      do {
        try await body(sandbox, hook, "http://127.0.0.1:\(server.port)/hook")
      } catch {
        await server.stop()
        throw error
      }
      await server.stop()
    }
  }

  private func register(_ url: String, _ sandbox: Sandbox) async throws -> TestClient.Response {
    try await TestClient.appV1(sandbox).post("/2/webhooks", #"{"url":"\#(url)"}"#)
  }

  @Test("A webhook is registered when it responds to the challenge, and challenged again on demand")
  func challenge() async throws {
    try await withHook { sandbox, hook, url in
      let app = TestClient.appV1(sandbox)
      let created = try await register(url, sandbox)
      #expect((created.status, created.data?["valid"]) == (200, true))
      let id = try #require(created.data?["id"]?.string)
      #expect(try await app.get("/2/webhooks").elements.map { $0["url"] } == [.string(url)])
      #expect(try await register(url, sandbox).messages == ["DuplicateUrlFailed"])
      await hook.respondWrongly()
      let refused = try await register(url + "2", sandbox)
      #expect(refused.status == 400)
      #expect(refused.messages.first?.hasPrefix("CrcValidationFailed") == true)
      #expect(try await app.send("PUT", "/2/webhooks/\(id)").data == ["valid": false])
      #expect(try await app.get("/2/webhooks").elements.first?["valid"] == false)
      #expect(try await app.delete("/2/webhooks/\(id)").data == ["deleted": true])
      #expect(try await app.delete("/2/webhooks/\(id)").status == 404)
    }
  }

  /// Registers a webhook and causes an event about a post.
  ///
  /// - Returns: The header fields of the signatures of that event.
  private func deliver(_ sandbox: Sandbox, _ hook: Hook, _ url: String) async throws -> Set<String> {
    let id = try #require(try await register(url, sandbox).data?["id"]?.string)
    let subscriptions = "/2/account_activity/webhooks/\(id)/subscriptions/all"
    #expect(try await TestClient.alice(sandbox).post(subscriptions, "{}").data == ["subscribed": true])
    try await sandbox.addPost("delivered", by: sandbox.users.alice)
    #expect(try await hook.wait(for: 1).count == 1)
    #expect(await hook.problems.isEmpty)
    return await hook.fields
  }

  @Test("An app with both secrets gets both signatures, and may respond to the challenge by either")
  func bothSecrets() async throws {
    let (new, old) = (WebhookReceiver.oauth2SignatureField, WebhookReceiver.signatureField)
    let receivers: [(String, @Sendable (SandboxApp) -> WebhookReceiver)] = [
      (new, { WebhookReceiver(clientSecret: Secret($0.clientSecret ?? "")) }),
      (
        new,
        { WebhookReceiver(clientSecret: Secret($0.clientSecret ?? ""), consumerSecret: Secret($0.consumerSecret)) }
      ),
      (old, { WebhookReceiver(consumerSecret: Secret($0.consumerSecret)) }),
    ]
    for (field, receiver) in receivers {
      try await withHook(field: field, receiver: receiver) { sandbox, hook, url in
        let fields = try await deliver(sandbox, hook, url)
        #expect(fields == [new, old])
      }
    }
    try await withHook(receiver: { _ in WebhookReceiver(clientSecret: "another") }) { sandbox, _, url in
      let refused = try await register(url, sandbox)
      #expect(refused.messages.first?.hasPrefix("CrcValidationFailed") == true)
    }
  }

  @Test("An app without a client secret gets the signature only by its consumer secret")
  func consumerSecret() async throws {
    try await withHook(isConfidential: false) { sandbox, hook, url in
      let fields = try await deliver(sandbox, hook, url)
      #expect(fields == [WebhookReceiver.signatureField])
    }
  }

  @Test("No request goes to an address that is not on loopback")
  func loopbackAlone() async throws {
    try await withSandbox { (sandbox) async throws in
      for url in ["https://example.com/hook", "http://127.0.0.1.example.com/", "http://user@localhost/", "file:///etc"]
      {
        #expect(try await register(url, sandbox).messages.first?.contains("127.0.0.1") == true, "\(url)")
      }
    }
  }

  @Test("v1.1's webhooks and subscriptions are the same as v2's, and receive the same events")
  func versionOne() async throws {
    try await withHook { sandbox, hook, url in
      let (app, alice) = (TestClient.appV1(sandbox), TestClient(sandbox, .oauth1(sandbox.users.alice)))
      let webhooks = "/1.1/account_activity/webhooks"
      let encoded = try #require(url.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
      let target = webhooks + ".json?url=" + encoded
      let created = try await alice.send("POST", target)
      #expect((created.status, created.json["valid"], created.json["url"]) == (200, true, .string(url)))
      let id = try #require(created.json["id"]?.string)
      #expect(try await app.get("/2/webhooks").elements.map { $0["id"] } == [.string(id)])
      #expect(try await alice.send("POST", target).status == 400)
      let subscription = "\(webhooks)/\(id)/subscriptions/all.json"
      #expect(try await alice.get(subscription).status == 404)
      #expect(try await alice.send("POST", subscription).status == 204)
      #expect(try await alice.send("POST", subscription).status == 409)
      #expect(try await alice.get(subscription).status == 204)
      let list = try await app.get("\(webhooks)/\(id)/subscriptions/all/list.json").json["subscriptions"]
      #expect(list == [["user_id": .string(sandbox.users.alice.id)]])
      #expect(try await app.get("/1.1/account_activity/subscriptions/count.json").json["subscriptions_count"] == 1)
      try await sandbox.addPost("delivered", by: sandbox.users.alice)
      let bodies = try await hook.wait(for: 1)
      #expect(bodies.first?["for_user_id"] == .string(sandbox.users.alice.id))
      #expect(bodies.first?["tweet_create_events"] != nil)
      #expect(await hook.problems.isEmpty)
      let user = "\(webhooks)/\(id)/subscriptions/\(sandbox.users.alice.id)/all.json"
      #expect(try await app.delete(user).status == 204)
      #expect(try await app.delete(user).status == 404)
      await hook.respondWrongly()
      #expect(try await alice.send("PUT", "\(webhooks)/\(id).json").status == 400)
      #expect(try await app.get("/2/webhooks").elements.first?["valid"] == false)
      #expect(try await alice.send("POST", subscription).status == 400)
      #expect(try await alice.delete("\(webhooks)/\(id).json").status == 204)
      #expect(try await alice.delete("\(webhooks)/\(id).json").status == 404)
      #expect(try await app.get("\(webhooks).json").json == [])
    }
  }

  @Test("A subscribed user's activity is delivered, signed and in order")
  func activity() async throws {
    try await withHook { sandbox, hook, url in
      let id = try #require(try await register(url, sandbox).data?["id"]?.string)
      let (alice, bob) = (TestClient.alice(sandbox), TestClient.bob(sandbox))
      let path = "/2/account_activity/webhooks/\(id)/subscriptions"
      #expect(try await alice.get("\(path)/all").data == ["subscribed": false])
      #expect(try await alice.post("\(path)/all", "{}").data == ["subscribed": true])
      let post = try #require(try await alice.post("/2/tweets", #"{"text":"hello"}"#).data?["id"]?.string)
      _ = try await bob.post("/2/users/\(sandbox.users.bob.id)/likes", #"{"tweet_id":"\#(post)"}"#)
      try await sandbox.follow(sandbox.users.alice, by: sandbox.users.bob)
      _ = try await bob.post(
        "/2/dm_conversations/with/\(sandbox.users.alice.id)/messages", #"{"text":"psst"}"#)
      _ = try await alice.delete("/2/tweets/\(post)")
      let bodies = try await hook.wait(for: 5)
      #expect(await hook.problems.isEmpty)
      #expect(bodies.allSatisfy { $0["for_user_id"]?.string == sandbox.users.alice.id })
      #expect(bodies[0]["tweet_create_events"]?.elements.first?["text"] == "hello")
      #expect(bodies[1]["favorite_events"]?.elements.first?["user"]?["screen_name"] == "bob")
      #expect(bodies[2]["follow_events"]?.elements.first?["type"] == "follow")
      #expect(bodies[3]["direct_message_events"]?.elements.first?["type"] == "message_create")
      #expect(bodies[4]["tweet_delete_events"]?.elements.first?["status"]?["id"]?.string == post)
      let app = TestClient.appV1(sandbox)
      #expect(try await app.get("\(path)/all/list").data?["subscriptions"]?.elements.count == 1)
      #expect(try await app.get("/2/account_activity/subscriptions/count").data?["subscriptions_count_all"] == "1")
      let ended = try await app.delete("\(path)/\(sandbox.users.alice.id)/all")
      #expect(ended.data == ["subscribed": false])
      #expect(await sandbox.deliveries().map(\.status) == [200, 200, 200, 200, 200])
    }
  }

  @Test("Single kinds of events, and the filtered stream, are delivered too")
  func kinds() async throws {
    try await withHook { sandbox, hook, url in
      let id = try #require(try await register(url, sandbox).data?["id"]?.string)
      let app = TestClient.appV1(sandbox)
      let created = try await app.post(
        "/2/activity/subscriptions",
        #"{"event_type":"post.create","filter":{"user_id":"\#(sandbox.users.bob.id)"},"tag":"b","webhook_id":"\#(id)"}"#
      )
      let subscription = try #require(created.data?["subscription"]?["subscription_id"]?.string)
      _ = try await app.post("/2/tweets/search/stream/rules", #"{"add":[{"value":"cats","tag":"c"}]}"#)
      #expect(try await app.send("POST", "/2/tweets/search/webhooks/\(id)").data == ["provisioned": true])
      try await sandbox.addPost("cats!", by: sandbox.users.bob)
      try await sandbox.addPost("dogs", by: sandbox.users.alice)
      let bodies = try await hook.wait(for: 2)
      #expect(bodies.count == 2)
      #expect(bodies.contains { $0["data"]?["event_type"] == "post.create" && $0["data"]?["tag"] == "b" })
      #expect(bodies.contains { $0["matching_rules"]?.elements.first?["tag"] == "c" })
      let changed = try await app.put("/2/activity/subscriptions/\(subscription)", #"{"tag":"new"}"#)
      #expect(changed.data?["subscription"]?["tag"] == "new")
      #expect(try await app.get("/2/activity/subscriptions").elements.count == 1)
      let deleted = try await app.delete("/2/activity/subscriptions?ids=\(subscription),7")
      #expect(deleted.elements.count == 1 && deleted.json["errors"]?.elements.count == 1)
      #expect(try await app.get("/2/tweets/search/webhooks").elements.count == 1)
    }
  }

  @Test("A keyword is searched in the text as it was written, not in the escaped text")
  func keywords() async throws {
    try await withHook { sandbox, hook, url in
      let id = try #require(try await register(url, sandbox).data?["id"]?.string)
      let app = TestClient.appV1(sandbox)
      let bob = sandbox.users.bob.id
      for (word, tag) in [("AT&T", "written"), ("amp", "escaped")] {
        let filter = #"{"user_id":"\#(bob)","keyword":"\#(word)"}"#
        let created = try await app.post(
          "/2/activity/subscriptions",
          #"{"event_type":"post.create","filter":\#(filter),"tag":"\#(tag)","webhook_id":"\#(id)"}"#)
        #expect(created.data?["subscription"] != nil, "\(created.json)")
      }
      try await sandbox.addPost("at&t again", by: sandbox.users.bob)
      try await sandbox.addPost("an amp by AT&T", by: sandbox.users.bob)
      let tags = try await hook.wait(for: 3).compactMap { $0["data"]?["tag"]?.string }.sorted()
      #expect(tags == ["escaped", "written", "written"])
    }
  }
}
