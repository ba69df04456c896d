import Callsign
import CallsignAuth
import CallsignMock
import Foundation
import HTTPTypes
import MastodonKit
import Testing

/// Tests the API with a mock that is made from its catalogue.
@Suite("Mastodon by a document and an overlay") struct MastodonKitTests {
  private func mock() throws -> MockServer {
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    var configuration = MockConfiguration()
    configuration.recordInterval = .zero
    return try MockServer(
      folder: package.appendingPathComponent("Sources/MastodonKit/Catalogue").path, configuration: configuration)
  }

  private func client(_ mock: MockServer) -> Mastodon {
    Mastodon(
      auth: .userToken("token"), instance: "social.example", configuration: ClientConfiguration(transport: mock))
  }

  @Test("The home timeline continues by the Link field") func timeline() async throws {
    let mock = try mock()
    let mastodon = client(mock)
    var statuses: [Mastodon.Status] = []
    for try await status in mastodon.getHomeTimelinePages(limit: 5).items { statuses.append(status) }
    let requests = try mock.requests(to: "getHomeTimeline")
    #expect(statuses.count > 5 && requests.count > 1)
    #expect(Set(statuses.map(\.id)).count == statuses.count)
    #expect(requests.allSatisfy { $0.headers[.authorization] == "Bearer token" && $0.query("limit") == "5" })
  }

  @Test("A hashtag's timeline needs no login") func anonymous() async throws {
    let mock = try mock()
    let mastodon = Mastodon(
      auth: .none, instance: "social.example", configuration: ClientConfiguration(transport: mock))
    #expect(try await !mastodon.getTagTimeline(hashtag: "swift", local: false).value.isEmpty)
    let request = try #require(try mock.requests(to: "getTagTimeline").first)
    #expect(request.headers[.authorization] == nil && request.query("local") == "false")
    await #expect(throws: CallError.self) { try await mastodon.getHomeTimeline() }
    #expect(mock.requests.count == 1)
  }

  @Test("A status whose response was lost is sent again with the same key, so it is posted once")
  func idempotency() async throws {
    let mock = try mock()
    try mock.inject(.loseResponse, for: "createStatus")
    try await client(mock).createStatus(status: "hello", visibility: .unlisted)
    let requests = try mock.requests(to: "createStatus")
    let name = try #require(HTTPField.Name("Idempotency-Key"))
    #expect(
      requests.count == 2 && requests.allSatisfy { $0.bodyValue == ["status": "hello", "visibility": "unlisted"] })
    #expect(Set(requests.map { $0.headers[name] }).count == 1 && requests[0].headers[name] != nil)
  }

  @Test("A status without a text and a file is not sent") func rules() async throws {
    let mock = try mock()
    await #expect(throws: CallError.self) { try await client(mock).createStatus(visibility: .direct) }
    #expect(mock.requests.isEmpty)
  }

  @Test("A file is attached after the server has processed it") func media() async throws {
    let mock = try mock()
    try mock.reply(to: "createMedia", with: .json(["id": "7", "type": "image"]))
    try mock.reply(to: "getMedia", with: .json(["id": "7", "type": "image"]), times: 1)
    try mock.reply(
      to: "getMedia", with: .json(["id": "7", "type": "image", "url": "https://social.example/7.png"]))
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).png")
    try Data([0x89, 0x50, 0x4E, 0x47]).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    try await client(mock).publish("look", files: [(file, "Nothing to see")])
    let upload = try #require(try mock.requests(to: "createMedia").first)
    #expect(upload.arguments["description"] == "Nothing to see")
    #expect(upload.body.range(of: Data("image/png".utf8)) != nil)
    #expect(try mock.requests(to: "getMedia").count == 2)
    #expect(try mock.requests(to: "createStatus").first?.bodyValue == ["status": "look", "media_ids": ["7"]])

    try mock.reply(to: "getMedia", with: .json(["id": "7", "type": "image"]))
    await #expect(throws: Mastodon.ProcessingError.self) {
      try await client(mock).publish("look", files: [(file, "")], patience: .milliseconds(300))
    }
    #expect(try mock.requests(to: "createStatus").count == 1)
  }

  @Test("Events are typed by their names") func stream() async throws {
    let mock = try mock()
    let mastodon = client(mock)
    let status = try await mastodon.getStatus(id: "1").rawResponse.body
    let data = try JSONValue(jsonData: status)
    try mock.reply(
      to: "streamUser",
      with: .records([
        ["event": "update", "data": data], ["event": "delete", "data": 12], ["event": "announcement", "data": "?"],
      ]))
    var seen: [String] = []
    for try await event in mastodon.streamUser().values {
      switch event {
      case .statusEvent(let event): seen.append("status \(event.data.id)")
      case .notificationEvent: seen.append("notification")
      case .deletionEvent(let event): seen.append("gone \(event.data)")
      case .unknown: seen.append("unknown")
      }
      if seen.count == 3 { break }
    }
    #expect(seen == ["status 1", "gone 12", "unknown"])
  }

  @Test("The limit's end is a date in text") func limits() throws {
    var headers: HTTPFields = [:]
    for (name, value) in [
      ("X-RateLimit-Limit", "300"), ("X-RateLimit-Remaining", "7"),
      ("X-RateLimit-Reset", "2026-11-22T10:05:00.123456Z"),
    ] {
      headers[try #require(HTTPField.Name(name))] = value
    }
    let limit = try #require(Mastodon.conventions.rateLimit(in: headers))
    #expect(limit.limit == 300 && limit.remaining == 7 && limit.reset == Date(timeIntervalSince1970: 1_795_341_900))
    #expect(Mastodon.conventions.rateLimit(in: [:]) == nil)
  }

  @Test("A login is at the server itself, and its token is sent to no other") func login() throws {
    let account = OAuth2(clientID: "id", store: MemoryTokenStore(), provider: .mastodon("social.example"))
    let url = try account.beginLogin(scopes: ["read"], redirectURI: "toot://login").url
    #expect(url.host == "social.example" && url.path == "/oauth/authorize")
    #expect(account.hosts == ["social.example"])
  }
}
