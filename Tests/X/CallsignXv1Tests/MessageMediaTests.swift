import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignSupport
import CallsignX
import CallsignXv1
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite("Pictures of direct messages") struct MessageMediaTests {
  private static let picture = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })

  private func transport() -> InMemoryTransport {
    InMemoryTransport { _ in
      TransportResponse(
        head: HTTPResponse(status: .ok, headerFields: [.contentType: "image/jpeg"]),
        body: ResponseBody(Self.picture))
    }
  }

  private let oauth1 = OAuth1(consumerKey: "ck", consumerSecret: "cs", token: "1-t", tokenSecret: "ts")

  private func authorization(
    of url: String, _ auth: [any Authenticator], hosts: BaseURLOverrides = .identity
  ) async throws -> (v1: String?, v2: String?) {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("picture")
    var fields: [String?] = []
    let transports = [transport(), transport()]
    let configurations = transports.map { ClientConfiguration(transport: $0, hosts: hosts, retry: .never) }
    let first = try await XAPIv1(auth: auth, configuration: configurations[0]).downloadMessageMedia(url, to: file)
    #expect(first.value == Self.picture.count)
    #expect(try Data(contentsOf: file) == Self.picture)
    _ = try await XAPI(auth: auth, configuration: configurations[1]).downloadMessageMedia(url, to: file)
    for transport in transports {
      #expect(transport.requests.count == 1)
      fields.append(transport.requests.first?.headerFields[.authorization])
    }
    return (fields[0], fields[1])
  }

  @Test("They are signed for the user, by either version", arguments: ["ton.twitter.com", "ton.x.com"])
  func signed(host: String) async throws {
    let url = "https://\(host)/1.1/ton/data/dm/1/2/picture.jpg:large"
    let found = try await authorization(of: url, [Bearer("app"), oauth1])
    for field in [found.v1, found.v2] {
      #expect(field?.hasPrefix("OAuth ") == true)
      #expect(field?.contains("oauth_signature=") == true)
    }
    let user = try await authorization(of: url, [UserToken("user-token")])
    #expect(user.v1 == "Bearer user-token" && user.v2 == "Bearer user-token")
  }

  @Test("Public media are fetched without credentials", arguments: ["pbs.twimg.com", "video.twimg.com"])
  func publicMedia(host: String) async throws {
    let found = try await authorization(of: "https://\(host)/media/a.jpg", [oauth1])
    #expect(found.v1 == nil && found.v2 == nil)
  }

  @Test(
    "An address that is not X's is not requested",
    arguments: [
      "https://ton.twitter.com.example/a", "https://example.com/a", "http://ton.twitter.com/a",
      "https://ton.twitter.com:8443/a", "https://a@ton.twitter.com/a", "https://eviltwimg.com/a", "/1.1/ton/data/dm/1",
      "",
      "https://TON.twitter.com@example.com/",
    ])
  func foreign(url: String) async throws {
    let transport = transport()
    let x1 = XAPIv1(auth: oauth1, configuration: ClientConfiguration(transport: transport))
    let error = await #expect(throws: CallError.self) {
      try await x1.downloadMessageMedia(url, to: URL(fileURLWithPath: "/nonexistent/picture"))
    }
    guard case .invalidCall(let problem) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(problem.parameter == "url")
    #expect(transport.requests.isEmpty)
  }

  @Test("An app-only login cannot have them, and the error says who can") func appOnly() async throws {
    let transport = transport()
    let x = XAPI(auth: .bearer("app"), configuration: ClientConfiguration(transport: transport))
    let error = await #expect(throws: CallError.self) {
      try await x.downloadMessageMedia(
        "https://ton.twitter.com/1.1/ton/data/dm/1/2/a.jpg",
        to: FileManager.default.temporaryDirectory.appending(path: UUID().uuidString))
    }
    #expect("\(error.map { "\($0)" } ?? "")".contains("oauth1"))
    #expect(transport.requests.isEmpty)
  }

  @Test("A redirect to another host gets no credentials, and does not change the existing file") func redirect()
    async throws
  {
    let folder = try TemporaryFolder()
    try folder.write("before", to: "picture")
    let transport = InMemoryTransport { _ in
      .json("", status: .found, headerFields: [.location: "https://evil.example/a"])
    }
    let x1 = XAPIv1(auth: oauth1, configuration: ClientConfiguration(transport: transport))
    await #expect(throws: CallError.self) {
      try await x1.downloadMessageMedia(
        "https://ton.twitter.com/1.1/ton/data/dm/1/2/a.jpg", to: folder.url.appendingPathComponent("picture"))
    }
    #expect(transport.requests.count == 1)
    #expect(try folder.read("picture") == "before")
  }

  @Test("Progress is reported") func progress() async throws {
    let folder = try TemporaryFolder()
    let x1 = XAPIv1(auth: oauth1, configuration: ClientConfiguration(transport: transport()))
    let last = Locked(0)
    var options = CallOptions()
    options.progress = { progress in last.withLock { $0 = progress.bytes } }
    try await x1.downloadMessageMedia(
      "https://ton.twitter.com/1.1/ton/data/dm/1/2/a.jpg", to: folder.url.appendingPathComponent("picture"),
      options: options)
    #expect(last.withLock { $0 } == Self.picture.count)
  }

  @Test("A large one arrives piece by piece in its file, signed; one that breaks off does not change the file")
  func streamed() async throws {
    let pieces = 40
    let piece = [UInt8](repeating: 7, count: 256 * 1024)
    let sent = Locked<[ReceivedRequest]>([])
    let server = try ScriptedServer.responding { request, peer in
      sent.withLock { $0.append(request) }
      let isWhole = request.target.hasSuffix("whole.jpg")
      try peer.send("HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\nContent-Length: \(pieces * piece.count)\r\n\r\n")
      for _ in 0..<(isWhole ? pieces : 3) { try peer.send(piece) }
      if !isWhole { peer.end() }
    }
    defer { server.stop() }
    let folder = try TemporaryFolder()
    let configuration = ClientConfiguration(hosts: ["https://ton.twitter.com": server.url("")], retry: .never)
    func download(_ x: some MessageMediaDownloading, _ name: String) async throws(CallError) -> Int {
      try await x.downloadMessageMedia(
        "https://ton.twitter.com/1.1/ton/data/dm/1/2/\(name)", to: folder.url.appendingPathComponent("picture")
      ).value
    }
    let x = XAPI(auth: oauth1, configuration: configuration)
    let x1 = XAPIv1(auth: oauth1, configuration: configuration)
    #expect(try await download(x, "whole.jpg") == pieces * piece.count)
    try FileManager.default.removeItem(at: folder.url.appendingPathComponent("picture"))
    #expect(try await download(x1, "whole.jpg") == pieces * piece.count)
    await #expect(throws: CallError.self) { try await download(x1, "half.jpg") }
    let file = try Data(contentsOf: folder.url.appendingPathComponent("picture"))
    #expect(file.count == pieces * piece.count && file.allSatisfy { $0 == 7 })
    #expect(try folder.names() == ["picture"])
    let requests = sent.withLock { $0 }
    #expect(requests.map(\.target) == ["whole.jpg", "whole.jpg", "half.jpg"].map { "/1.1/ton/data/dm/1/2/\($0)" })
    #expect(requests.allSatisfy { $0["Authorization"]?.contains("oauth_token=\"1-t\"") == true })
  }
}
