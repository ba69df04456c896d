import Callsign
import CallsignCatalogue
import CallsignDynamic
import CallsignMock
import CallsignX
import Foundation
import XSandbox

extension Demonstration {
  private var local: ClientConfiguration { ClientConfiguration(hosts: .all(to: sandbox.url.absoluteString)) }

  /// A login by OAuth 2.0 with PKCE, as a person goes through it in a browser, and the end of its tokens.
  func logIn() async throws {
    report.heading("A login by OAuth 2.0, with PKCE")
    let account = OAuth2(
      clientID: sandbox.app.clientID, clientSecret: sandbox.app.clientSecret.map { Secret($0) },
      store: MemoryTokenStore())
    let scopes: [OAuth2Scope] = [.tweetRead, .tweetWrite, .usersRead, .offlineAccess]
    let login = try account.beginLogin(scopes: scopes, redirectURI: "sandbox://", configuration: local)
    report.step("beginLogin(scopes:)", "a page that asks for \(scopes.count) permissions")
    guard let redirect = try await sandbox.approve(login.url, as: sandbox.users.bob).url else {
      throw DemonstrationError("the sandbox has not sent the browser back")
    }
    try await login.complete(redirect: redirect)
    let x = XAPI(auth: .oauth2(account), configuration: local)
    report.step("complete(redirect:), getUsersMe()", "@\(try await x.getUsersMe().data.username) is logged in")
    try await account.deauthorize(configuration: local)
    report.step(
      "deauthorize(configuration:)", "the tokens are given back; logged in: \(try await account.isAuthorized)")
  }

  /// Records of a stream whose connection breaks.
  func stream() async throws {
    report.heading("Streams that reconnect")
    let app = XAPI(auth: .bearer(sandbox.app.bearerToken), configuration: local)
    try await app.updateRules(add: [.init(value: "tea from:bob", tag: "tea")])
    report.step("updateRules(add:)", "tea from:bob")
    sandbox.injectStream(.cut(afterRecords: 2))
    let stream = app.streamPosts()
    let events = stream.events
    // A post or two each time that the stream is there.
    let posting = Task { [sandbox] in
      var connections = 0
      for await event in events {
        guard case .connected = event else { continue }
        connections += 1
        for text in connections == 1 ? ["tea", "more tea"] : ["tea again"] {
          try await sandbox.addPost(text, by: sandbox.users.bob)
        }
        if connections == 2 { break }
      }
      return connections
    }
    var texts: [String] = []
    for try await element in stream {
      if case .value(let record) = element { texts.append(record.data.text) }
      if texts.count == 3 { break }
    }
    let connections = try await posting.value
    report.step("streamPosts()", "\(texts.joined(separator: ", ")): \(connections) connections, one cut on purpose")
  }

  /// A file in chunks, with one that fails at first, and a post with the file.
  func upload() async throws {
    report.heading("An upload is one call")
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("callsign-\(UUID().uuidString).mp4")
    // The start of a video, without any content.
    var video = Data([0, 0, 0, 0x18]) + Data("ftypmp42".utf8) + Data([0, 0, 0, 0]) + Data("mp42isom".utf8)
    video.append(Data(count: 9_000_000))
    try video.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    await sandbox.inject(.status(503), for: "POST /2/media/upload/{id}/append")
    let before = await sandbox.requests().count
    let receipt = try await x.upload(file: file, altText: "A cat on a keyboard")
    let chunks = await sandbox.requests().dropFirst(before).count { $0.path.hasSuffix("/append") }
    report.step("upload(file:altText:)", "9 MB in 3 chunks, \(chunks) sent, as the first one failed; id \(receipt.id)")
    let post = try await x.createPosts(text: "look", media: .init(mediaIDs: [receipt.id]))
    report.step("createPosts(text:media:)", "id \(post.data.id)")
  }

  /// Failures that the client recovers from without help.
  func retry() async throws {
    report.heading("What may be repeated is repeated")
    await sandbox.inject(.status(503), for: "GET /2/users/me", times: 2)
    let before = await sandbox.requests().count
    let me = try await x.getUsersMe()
    let attempts = await sandbox.requests().count - before
    report.step("getUsersMe(), 503 twice", "@\(me.data.username) after \(attempts) attempts")
    await sandbox.inject(.loseResponse, for: "POST /2/tweets")
    await expectFailure("createPosts(text:), response lost") { _ = try await x.createPosts(text: "Did this arrive?") }
  }

  private static let petstore = """
    api:
      name: Petstore
      hosts: {api: https://petstore.example/v1}
      schemes: {bearer: }
      auth: [bearer]
    endpoints:
      getPet: {call: "GET /pets/{id}", params: {id: PetID}, returns: Pet}
      updatePet:
        call: PATCH /pets/{id}
        params: {id: PetID, nickname: string(1..40) | null?}
        returns: Pet
    models:
      PetID: string
      Pet: {id: PetID, name: string}
    """

  /// A catalogue without generated code, and a server made from it.
  func callAnyAPI() async throws {
    report.heading("Any other API, from a catalogue of a dozen lines")
    let source = CatalogueSource(path: "petstore.yaml", bytes: Array(Self.petstore.utf8))
    let result = CatalogueLoader().load(files: [source])
    guard let catalogue = result.catalogue else { throw DemonstrationError("\(result.diagnostics)") }
    let mock = MockServer(catalogue)
    let petstore = DynamicAPI(
      catalogue, auth: [Bearer("any")], configuration: ClientConfiguration(transport: mock))
    let pet = try await petstore.send(petstore.operation("getPet").call(["id": "7"])).value
    report.step("getPet --id 7", "\(pet), from a mock that follows the types")
    _ = try await petstore.send(petstore.operation("updatePet").call(["id": "7", "nickname": .null]))
    report.step(
      "updatePet --id 7 nickname:=null", "sent \(String(decoding: mock.requests.last?.body ?? Data(), as: UTF8.self))")
    await expectFailure("updatePet --nickname \"\"") {
      _ = try petstore.operation("updatePet").call(["nickname": ""])
    }
  }
}

/// The reason why the demonstration cannot continue.
struct DemonstrationError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
