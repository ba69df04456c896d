import Callsign
import CallsignAuth
import FlickrKit
import Foundation
import Testing

/// Tests the catalogue with a Flickr that verifies signatures with independent code.
@Suite("Flickr", .timeLimit(.minutes(5))) struct FlickrKitTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("flickr-\(UUID().uuidString)")

  private func configuration(_ server: FlickrServer) -> ClientConfiguration {
    ClientConfiguration(hosts: ["https://www.flickr.com": server.api, "https://up.flickr.com": server.uploads])
  }

  private func app(_ server: FlickrServer, secret: String = FlickrServer.secret) -> OAuth1App {
    OAuth1App(.flickr, key: FlickrServer.key, secret: Secret(secret), configuration: configuration(server))
  }

  /// Logs in, keeps the token in a file, and forgets everything except the file.
  private func logIn(_ server: FlickrServer) async throws -> Flickr {
    let app = app(server)
    let login = try await app.pin(options: OAuth1AuthorizationOptions(parameters: ["perms": "write"]))
    let token = try await login.complete(pin: try await server.approve(login.url))
    #expect(token.screenName == "ann" && token.userID == "12@N01")
    try await app.account(store: FileTokenStore(folder: folder)).save(token)
    return client(server)
  }

  private func client(_ server: FlickrServer) -> Flickr {
    let account = app(server).account(store: FileTokenStore(folder: folder))
    return Flickr(auth: FlickrAccount(account), configuration: configuration(server))
  }

  private func file(_ bytes: Data, _ name: String = "cat.jpg") throws -> URL {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appendingPathComponent(name)
    try bytes.write(to: file)
    return file
  }

  @Test("A login's token is in a file, and the next run needs only that") func login() async throws {
    let server = try await FlickrServer.start()
    defer { try? FileManager.default.removeItem(at: folder) }
    await #expect(throws: CallError.self) { try await client(server).testLogin() }
    _ = try await logIn(server)
    #expect(try await client(server).testLogin().user.username.content == "ann")
    #expect(await server.refusals.isEmpty)
    await server.stop()
  }

  @Test("A wrong PIN gives no token") func wrongPIN() async throws {
    let server = try await FlickrServer.start()
    let login = try await app(server).pin(options: OAuth1AuthorizationOptions(parameters: ["perms": "write"]))
    _ = try await server.approve(login.url)
    await #expect(throws: LoginError.self) { try await login.complete(pin: "000-000-000") }
    await server.stop()
  }

  @Test("A photo goes to the other host, and its texts are signed as that host requires") func upload() async throws {
    let server = try await FlickrServer.start()
    defer { try? FileManager.default.removeItem(at: folder) }
    let flickr = try await logIn(server)
    // Several pieces of a body, and text that looks like the end of a part.
    let bytes = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }) + Data("\r\n--callsign\r\n".utf8)
    let id = try await flickr.upload(
      Flickr.Upload(
        try file(bytes), title: "Katze & Mäuse = ☕️", description: "a+b 100%\nnext line",
        tags: ["cat", "on keyboard"], isPublic: false))
    let photo = try #require(await server.photos[id])
    #expect(photo.bytes == bytes && !photo.isPublic)
    #expect(photo.title == "Katze & Mäuse = ☕️" && photo.description == "a+b 100%\nnext line")
    #expect(photo.tags == ["cat", "\"on", "keyboard\""])
    #expect(await server.refusals.isEmpty)

    let bare = try await flickr.upload(Flickr.Upload(try file(Data([1]))))
    #expect(await server.photos[bare]?.title == "")
    await server.stop()
  }

  @Test("A failed upload is an error, although its status is 200 and its body XML") func refusedUpload() async throws {
    let server = try await FlickrServer.start()
    defer { try? FileManager.default.removeItem(at: folder) }
    let flickr = try await logIn(server)
    let empty = Flickr.Upload(try file(Data()))
    await #expect(throws: Flickr.UploadError(code: 4, message: "Filesize was zero")) { try await flickr.upload(empty) }
    #expect(await server.photos.isEmpty)
    await server.stop()
  }

  @Test("Photos come in pages, are changed by forms, and no longer exist when deleted") func photos() async throws {
    let server = try await FlickrServer.start()
    defer { try? FileManager.default.removeItem(at: folder) }
    let flickr = try await logIn(server)
    var ids: [String] = []
    for number in 1...5 {
      ids.append(try await flickr.upload(Flickr.Upload(try file(Data([1, 2])), title: "Photo \(number)")))
    }
    var titles: [String] = []
    for try await photo in flickr.getPhotosPages(userID: "me", perPage: 2).items { titles.append(photo.title) }
    #expect(titles == (1...5).map { "Photo \($0)" })
    #expect(await server.methods.count { $0 == "flickr.people.getPhotos" } >= 3)

    try await flickr.setMeta(photoID: ids[0], title: "A & B", description: "c=d +e")
    try await flickr.addTags(photoID: ids[0], tags: ["x", "y"])
    let photo = try #require(await server.photos[ids[0]])
    #expect(photo.title == "A & B" && photo.description == "c=d +e" && photo.tags == ["x", "y"])
    try await flickr.deletePhoto(photoID: ids[0])
    #expect(await server.photos.count == 4)
    #expect(await server.refusals.isEmpty)
    await server.stop()
  }

  @Test("A failure inside status 200 is an error with Flickr's code and words") func failure() async throws {
    let server = try await FlickrServer.start()
    defer { try? FileManager.default.removeItem(at: folder) }
    let flickr = try await logIn(server)
    do throws(CallError) {
      try await flickr.deletePhoto(photoID: "1")
      Issue.record("the call should have failed")
    } catch {
      guard case .api(let error) = error else { throw error }
      #expect(error.status == .ok)
      #expect("\(error)".contains("code 1"))
      #expect(String(decoding: error.rawResponse.body, as: UTF8.self).contains("Photo not found"))
    }
    await server.stop()
  }

  @Test("The mock refuses a wrong secret, so it really verifies signatures") func wrongSecret() async throws {
    let server = try await FlickrServer.start()
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try await logIn(server)
    let wrong = app(server, secret: "another").account(store: FileTokenStore(folder: folder))
    let flickr = Flickr(auth: FlickrAccount(wrong), configuration: configuration(server))
    await #expect(throws: CallError.self) { try await flickr.testLogin() }
    let photo = Flickr.Upload(try file(Data([1])), title: "x")
    await #expect(throws: (any Error).self) { try await flickr.upload(photo) }
    // An account that signs forms as RFC 5849 says, without the texts.
    let plain = Flickr(
      auth: app(server).account(store: FileTokenStore(folder: folder)), configuration: configuration(server))
    await #expect(throws: Flickr.UploadError(code: 96, message: "Invalid signature")) { try await plain.upload(photo) }
    #expect(await server.photos.isEmpty)
    await server.stop()
  }

  @Test("The verifier's arithmetic agrees with the standards") func judge() {
    func hexadecimal(_ bytes: [UInt8]) -> String {
      bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
    #expect(hexadecimal(SignatureJudge.sha1(Array("abc".utf8))) == "a9993e364706816aba3e25717850c26c9cd0d89d")
    // RFC 2202 §3, case 2
    #expect(
      hexadecimal(SignatureJudge.hmac(key: Array("Jefe".utf8), Array("what do ya want for nothing?".utf8)))
        == "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79")
  }
}
