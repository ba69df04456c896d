import Foundation
import Testing

@testable import XSandbox

@Suite("Media of posts")
struct PostMediaTests {
  /// A PNG of 2 × 3 pixels, as far as its head goes.
  private static let png =
    Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 2, 0, 0, 0, 3])
    + Data(repeating: 7, count: 40)

  /// A sandbox with a post of Alice that has a picture.
  private func withPicture(_ body: (Sandbox, _ post: String, _ media: String) async throws -> Void) async throws {
    try await withSandbox { (sandbox) async throws in
      let client = TestClient.aliceV1(sandbox)
      let upload = try await client.postV1("media/upload", ["media_data": Self.png.base64EncodedString()])
      let media = try #require(upload.json["media_id_string"]?.string)
      let post = try await client.postV1("statuses/update", ["status": "a < b", "media_ids": media])
      try await body(sandbox, try #require(post.json["id_str"]?.string), media)
    }
  }

  @Test("A photo of version 2 has an address, a width and a height, and the sandbox serves it")
  func photo() async throws {
    try await withPicture { sandbox, post, media in
      let client = TestClient.alice(sandbox)
      let target = "/2/tweets/\(post)?expansions=attachments.media_keys&media.fields=url,width,height"
      let response = try await client.get(target)
      #expect(response.data?["attachments"] == ["media_keys": [.string("3_\(media)")]])
      guard case .array(let all) = response.json["includes"]?["media"], let photo = all.first else {
        Issue.record("no media in \(response.json)")
        return
      }
      #expect(photo["width"] == 2)
      #expect(photo["height"] == 3)
      let url = try #require(photo["url"]?.string)
      #expect(url.hasPrefix(sandbox.url.absoluteString + "/"))
      let image = try await TestClient(sandbox, .none).get(String(url.dropFirst(sandbox.url.absoluteString.count)))
      #expect(image.status == 200)
      #expect(image.header("Content-Type") == "image/png")
      #expect(image.body == Self.png)
      #expect(try await TestClient(sandbox, .none).get("/media/3_5").status == 404)
    }
  }

  @Test("A tweet of v1.1 has its media in both kinds of entities, and a link behind the text")
  func entities() async throws {
    try await withPicture { sandbox, post, media in
      for mode in ["compat", "extended"] {
        let status = try await TestClient.bobV1(sandbox).getV1("statuses/show/\(post)", ["tweet_mode": mode]).json
        let entity = try #require(status["entities"]?["media"]?.elements.first)
        #expect(status["extended_entities"]?["media"]?.elements == [entity])
        #expect(entity["id_str"] == .string(media))
        #expect(entity["type"] == "photo")
        #expect(entity["sizes"]?["large"]?["h"] == 3)
        let link = try #require(entity["url"]?.string)
        let text = try #require(status[mode == "compat" ? "text" : "full_text"]?.string)
        #expect(text == "a &lt; b " + link)
        #expect(entity["indices"] == [9, .integer(text.unicodeScalars.count)])
        if mode == "extended" { #expect(status["display_text_range"] == [0, 8]) }
        #expect(entity["media_url_https"]?.string?.hasPrefix(sandbox.url.absoluteString) == true)
        #expect(status["entities"]?["urls"]?.elements.isEmpty == true)
      }
      let plain = try await TestClient.bobV1(sandbox).postV1("statuses/update", ["status": "none"]).json
      #expect(plain["extended_entities"] == nil)
      #expect(plain["entities"]?["media"] == nil)
    }
  }

  @Test("Sizes are read from pictures of three kinds")
  func sizes() {
    #expect(ImageSize(Self.png) == ImageSize(width: 2, height: 3))
    #expect(ImageSize(Data("GIF89a".utf8) + [4, 1, 5, 0]) == ImageSize(width: 260, height: 5))
    let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 1, 0xFF, 0xC2, 0, 11, 8, 0, 6, 1, 0, 3]
    #expect(ImageSize(Data(jpeg)) == ImageSize(width: 256, height: 6))
    for broken in [Data(), Data("hello".utf8), Data(jpeg.prefix(12)), Data([0xFF, 0xD8]), Data("GIF89a".utf8)] {
      #expect(ImageSize(broken) == nil)
    }
  }

  @Test("Private metrics are for the author, with a login of theirs")
  func privateMetrics() async throws {
    try await withSandbox { (sandbox) async throws in
      let post = try await sandbox.addPost("mine", by: sandbox.users.alice)
      let target = "/2/tweets/\(post)?tweet.fields=non_public_metrics,organic_metrics"
      let own = try await TestClient.alice(sandbox).get(target)
      #expect(own.data?["non_public_metrics"]?["impression_count"] == 0)
      #expect(own.data?["organic_metrics"]?["retweet_count"] == 0)
      #expect(own.json["errors"] == nil)
      for client in [TestClient.bob(sandbox), TestClient(sandbox, .bearer(sandbox.app.bearerToken))] {
        let other = try await client.get(target)
        #expect(other.status == 200)
        #expect(other.data?["non_public_metrics"] == nil)
        let errors = other.json["errors"]?.elements ?? []
        #expect(errors.map { $0["field"] } == ["non_public_metrics", "organic_metrics"])
        #expect(errors.first?["title"] == "Field Authorization Error")
      }
    }
  }
}
