import Callsign
import CallsignHTTP
import CallsignSupport
import CallsignX
import CallsignXv1
import Foundation
import TestSupport
import Testing

@Suite("Pictures of users, fetched and kept") struct ProfileImageCacheTests {
  private static let base = "https://pbs.twimg.com/profile_images/1/name"

  /// A server in the place of `pbs.twimg.com` whose pictures are their own targets.
  private final class Pictures: Sendable {
    let server: ScriptedServer
    private let seen: Locked<[ReceivedRequest]>

    init(type: String = "image/jpeg", status: String = "200 OK", size: Int = 0) throws {
      let seen = Locked<[ReceivedRequest]>([])
      self.seen = seen
      server = try ScriptedServer.responding { request, peer in
        seen.withLock { $0.append(request) }
        let padding = [UInt8](repeating: 0, count: size)
        try peer.respond(status, ["Content-Type: \(type)"], Array(request.target.utf8) + padding)
      }
    }

    deinit { server.stop() }

    var requests: [ReceivedRequest] { seen.withLock { $0 } }
    var targets: [String] { requests.map(\.target) }
    var configuration: ClientConfiguration {
      ClientConfiguration(hosts: .all(to: server.url("")), retry: .never)
    }
    var x: XAPI { XAPI(auth: .bearer("secret"), configuration: configuration) }
  }

  private func text(_ data: Data?) -> String? { data.map { String(decoding: $0, as: UTF8.self) } }

  @Test("Of both versions' users, in each size, and without credentials") func sizes() async throws {
    let server = try Pictures()
    let user = XAPI.User(
      id: "1", name: "a", username: "a", profileBannerURL: "https://pbs.twimg.com/profile_banners/1/2",
      profileImageURL: Self.base + "_normal.jpg")
    let pictures = ProfileImageCache(server.x)
    for size in ProfileImageSize.allCases {
      let found = text(try await pictures.image(of: user, size: size))
      #expect(found.map { "https://pbs.twimg.com" + $0 } == user.profileImageURL(size))
    }
    let banner = "https://pbs.twimg.com/profile_banners/1/2"
    #expect(pictures.cachedBanner(at: banner, size: .web) == nil)
    #expect(text(try await pictures.banner(of: user, size: .web)) == "/profile_banners/1/2/web")
    #expect(text(pictures.cachedBanner(at: banner, size: .web)) == "/profile_banners/1/2/web")
    #expect(pictures.cachedBanner(at: banner) == nil)
    #expect(server.requests.count == ProfileImageSize.allCases.count + 1)

    let x1 = XAPIv1(auth: .bearer("secret"), configuration: server.configuration)
    let old = XAPIv1.User(id: 1, idStr: "1", profileImageURL: "http://pbs.twimg.com/profile_images/1/old_normal.png")
    let oldPictures = ProfileImageCache(x1)
    #expect(text(try await oldPictures.image(of: old, size: .original)) == "/profile_images/1/old.png")
    #expect(try await oldPictures.banner(of: old) == nil)
    #expect(server.requests.allSatisfy { $0["Authorization"] == nil })
  }

  @Test("A fetched picture is not requested again, and concurrent requests become one") func kept() async throws {
    let server = try Pictures()
    let pictures = ProfileImageCache(server.x)
    let url = Self.base + "_normal.jpg"
    #expect(pictures.cachedImage(at: url) == nil)
    try await withThrowingTaskGroup(of: Data.self) { group in
      for _ in 0..<40 { group.addTask { try await pictures.image(at: url, size: .bigger) } }
      for try await data in group { #expect(text(data) == "/profile_images/1/name_bigger.jpg") }
    }
    #expect(server.targets == ["/profile_images/1/name_bigger.jpg"])
    #expect(text(pictures.cachedImage(at: url, size: .bigger)) == "/profile_images/1/name_bigger.jpg")
    pictures.removeAll()
    #expect(pictures.cachedImage(at: url, size: .bigger) == nil)
    _ = try await pictures.image(at: url, size: .bigger)
    #expect(server.targets.count == 2)
  }

  @Test("Memory is bounded: the least recently used picture is removed first") func bound() async throws {
    let server = try Pictures(size: 1000)
    let pictures = ProfileImageCache(server.x, capacity: 5000)
    func url(_ number: Int) -> String { "https://pbs.twimg.com/profile_images/\(number)/name_normal.jpg" }
    for number in 0..<4 { _ = try await pictures.image(at: url(number)) }
    _ = try await pictures.image(at: url(0))
    #expect(server.targets.count == 4)
    _ = try await pictures.image(at: url(4))
    #expect(pictures.cachedImage(at: url(1)) == nil)
    #expect(pictures.cachedImage(at: url(0)) != nil && pictures.cachedImage(at: url(4)) != nil)
  }

  @Test("A folder outlives the process, and has its bound; other files in it stay") func folder() async throws {
    let server = try Pictures(size: 1000)
    let folder = try TemporaryFolder()
    try folder.write("mine", to: "notes.txt")
    func url(_ number: Int) -> String { "https://pbs.twimg.com/profile_images/\(number)/name_normal.jpg" }
    do {
      let pictures = ProfileImageCache(server.x, folder: folder.url, folderCapacity: 3500)
      for number in 0..<3 { _ = try await pictures.image(at: url(number)) }
    }
    // Another process, as far as memory goes.
    let pictures = ProfileImageCache(server.x, folder: folder.url, folderCapacity: 3500)
    for number in 0..<3 { _ = try await pictures.image(at: url(number)) }
    #expect(server.targets.count == 3)
    for number in 3..<6 { _ = try await pictures.image(at: url(number)) }
    #expect(try folder.names().count { $0.hasSuffix(".picture") } == 3)
    pictures.removeAll()
    #expect(try folder.names() == ["notes.txt"])
  }

  @Test("An error is reported, and the request is repeated; data that is not a picture is not kept") func failures()
    async throws
  {
    let gone = try Pictures(status: "404 Not Found")
    let pictures = ProfileImageCache(gone.x)
    for _ in 0..<2 {
      await #expect(throws: CallError.self) { try await pictures.image(at: Self.base + "_normal.jpg") }
    }
    #expect(gone.targets.count == 2)
    let page = try Pictures(type: "text/html")
    let odd = ProfileImageCache(page.x)
    for _ in 0..<2 { _ = try await odd.image(at: Self.base + "_normal.jpg") }
    #expect(page.targets.count == 2)
  }

  @Test(
    "An address that is not X's is not requested",
    arguments: [
      "https://pbs.twimg.com.example/a.jpg", "https://example.com/a.jpg", "https://a@pbs.twimg.com/a.jpg",
      "https://pbs.twimg.com:444/a.jpg", "file:///etc/passwd", "", "https://127.0.0.1/a.jpg",
    ])
  func foreign(url: String) async throws {
    let server = try Pictures()
    let pictures = ProfileImageCache(server.x)
    let error = await #expect(throws: CallError.self) { try await pictures.image(at: url) }
    guard case .invalidCall = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(server.targets.isEmpty)
  }
}
