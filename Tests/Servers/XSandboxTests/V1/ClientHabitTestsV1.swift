import Foundation
import Testing

@testable import XSandbox

@Suite("v1.1: requests as other clients write them")
struct ClientHabitTestsV1 {
  @Test("A path's id may be in the query or the form")
  func identifiers() async throws {
    try await withSandbox { (sandbox) async throws in
      let client = TestClient.aliceV1(sandbox)
      let id = try await sandbox.addPost("hello", by: sandbox.users.alice)
      #expect(try await client.getV1("statuses/show", ["id": id]).json["id_str"] == .string(id))
      #expect(try await client.getV1("statuses/retweets", ["id": id]).array.isEmpty)
      #expect(try await client.postV1("statuses/destroy", ["id": id]).status == 200)
      #expect(try await client.getV1("statuses/show", ["id": id]).refusal == [404, 144])
      #expect(try await client.getV1("statuses/show").status == 404)
      #expect(try await client.getV1("statuses/shows", ["id": id]).status == 404)
    }
  }

  @Test("Flags may be True and False, and a form's parameters may be in the query")
  func flagsAndQueries() async throws {
    try await withSandbox { (sandbox) async throws in
      let client = TestClient.aliceV1(sandbox)
      let sent = try await client.send(
        "POST", "/1.1/statuses/update.json?status=by%20query&trim_user=True&include_entities=False")
      #expect(sent.status == 200)
      #expect(sent.json["text"] == "by query")
      #expect(sent.json["user"]?["screen_name"] == nil)
      #expect(sent.json["entities"] == nil)
      // These are operations that respond by their types.
      let profile = try await client.send("POST", "/1.1/account/update_profile.json?name=Alice&skip_status=True")
      #expect(profile.status == 200, "\(profile.json)")
      let settings = try await client.send("POST", "/1.1/account/settings.json?lang=en&sleep_time_enabled=True")
      #expect(settings.status == 200, "\(settings.json)")
    }
  }

  @Test("The grant type may be in the query")
  func grantType() async throws {
    try await withSandbox { (sandbox) async throws in
      let basic = LoginClient.basic(sandbox.app.consumerKey, sandbox.app.consumerSecret)
      let response = try await LoginClient(sandbox).post(
        "/oauth2/token?grant_type=client_credentials", form: "", headers: basic)
      #expect(response.json["access_token"]?.string == sandbox.app.bearerToken)
    }
  }

  @Test("Ids in JSON may be numbers")
  func numericIdentifiers() async throws {
    try await withSandbox { (sandbox) async throws in
      let client = TestClient.aliceV1(sandbox)
      let upload = try await client.postV1("media/upload", ["media_data": "aGVsbG8="])
      let id = try #require(upload.json["media_id"]?.integer)
      let body = #"{"media_id":\#(id),"alt_text":{"text":"a picture"}}"#
      #expect(try await client.send("POST", "/1.1/media/metadata/create.json", json: body).status == 200)
      #expect(await sandbox.media(String(id))?.altText == "a picture")
      let message =
        #"{"event":{"type":"message_create","message_create":{"target":{"recipient_id":\#(sandbox.users.bob.id)},"#
        + #""message_data":{"text":"hi"}}}}"#
      #expect(try await client.send("POST", "/1.1/direct_messages/events/new.json", json: message).status == 200)
    }
  }

  @Test("The flags of the stream's rules may be True", arguments: ["True", "TRUE", "true"])
  func dryRun(flag: String) async throws {
    try await withSandbox { (sandbox) async throws in
      let client = TestClient(sandbox, .bearer(sandbox.app.bearerToken))
      let path = "/2/tweets/search/stream/rules"
      let response = try await client.post("\(path)?dry_run=\(flag)", #"{"add":[{"value":"cats"}]}"#)
      #expect((200...201).contains(response.status), "\(response.messages)")
      #expect(try await client.get(path).elements.isEmpty)
      #expect(try await client.post("\(path)?dry_run=yes", #"{"add":[{"value":"cats"}]}"#).status == 400)
    }
  }
}
