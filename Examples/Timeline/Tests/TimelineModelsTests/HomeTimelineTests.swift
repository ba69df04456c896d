import Callsign
import CallsignX
import Foundation
import Testing
import TimelineModels

/// The home timeline of a response with pictures, from memory.
@MainActor @Suite("The home timeline") struct HomeTimelineTests {
  private nonisolated static let response = """
    {"data": [
      {"id": "20", "text": "cats https://t.co/a", "author_id": "7", "created_at": "2026-11-22T10:00:00.000Z",
       "attachments": {"media_keys": ["3_1", "7_2", "3_3"]}, "public_metrics": {"like_count": 5}},
      {"id": "19", "text": "cut off…", "author_id": "8", "note_post": {"text": "cut off no more"}},
      {"id": "18", "text": "RT @bob: cut…", "referenced_posts": [{"type": "retweeted", "id": "17"}]}],
     "includes": {
       "posts": [{"id": "17", "text": "cut &amp; off too"}],
       "users": [{"id": "7", "name": "Bob", "username": "bob", "profile_image_url": "https://pbs.twimg.com/profile_images/7/b_normal.jpg"}],
       "media": [
         {"media_key": "3_1", "type": "photo", "url": "https://p.example/1.jpg", "width": 800, "height": 400,
          "alt_text": "A cat"},
         {"media_key": "7_2", "type": "video", "preview_image_url": "https://p.example/2.jpg", "width": 90, "height": 0},
         {"media_key": "3_3", "type": "photo"}]},
     "meta": {"result_count": 2}}
    """

  @Test("Pictures, authors and likes are where a view wants them") func pictures() async throws {
    let transport = InMemoryTransport { request in
      if request.url.host == "pbs.twimg.com" {
        #expect(request.headerFields[.authorization] == nil)
        return TransportResponse(headerFields: [.contentType: "image/jpeg"], body: Data("a picture".utf8))
      }
      return request.url.path.hasSuffix("/liked_tweets")
        ? .json(#"{"data": [{"id": "20", "text": "cats"}]}"#) : .json(Self.response)
    }
    let x = XAPI(auth: .userToken("token"), configuration: ClientConfiguration(transport: transport))
    let timeline = TimelineModel(.home, of: XAPI.User(id: "1", name: "Ann", username: "ann"), x: x)
    await timeline.refresh()
    #expect(timeline.problem == nil && !timeline.hasMore && timeline.rows.map(\.id) == ["20", "19", "18"])
    #expect(timeline.rows.last?.plainText == "cut & off too")
    #expect(transport.requests.last?.url.path == "/2/users/1/timelines/reverse_chronological")
    let cats = try #require(timeline.rows.first)
    #expect(cats.authorName == "Bob" && cats.username == "bob" && cats.isLiked && cats.likeCount == 5)
    #expect(cats.avatar?.hasSuffix("b_normal.jpg") == true && cats.date != nil)
    #expect(cats.pictures.map(\.url.lastPathComponent) == ["1.jpg", "2.jpg"])
    #expect(cats.pictures.map(\.aspectRatio) == [2, 1] && cats.pictures[0].altText == "A cat")
    // Fetched once in the size for lists, and then available.
    #expect(timeline.keptAvatar(of: cats) == nil)
    for _ in 0..<2 { #expect(await timeline.avatar(of: cats) == Data("a picture".utf8)) }
    #expect(timeline.keptAvatar(of: cats) == Data("a picture".utf8))
    let fetched = transport.requests.filter { $0.url.host == "pbs.twimg.com" }
    #expect(fetched.map(\.url.path) == ["/profile_images/7/b_bigger.jpg"])
    #expect(await timeline.avatar(of: timeline.rows[1]) == nil)
    #expect(timeline.rows[1].plainText == "cut off no more" && timeline.rows[1].authorName.isEmpty)
  }
}
