import CallsignSupport
import Testing

/// The Swift names of members. The catalogue contains only the unusual ones.
@Suite struct PropertyNameTests {
  @Test(
    "Words are joined, and acronyms stay capitals",
    arguments: [
      ("created_at", "createdAt"), ("user_id", "userID"), ("media_ids", "mediaIDs"), ("html_url", "htmlURL"),
      ("image-urls", "imageURLs"), ("id", "id"), ("urls.first", "urlsFirst"), ("_links", "links"), ("a__b", "aB"),
      ("1st_place", "1stPlace"), ("idea_curls", "ideaCurls"), ("größe_id", "größeID"), ("", ""), ("___", ""),
    ])
  func usual(wire: String, name: String) {
    #expect(PropertyName.usual(of: wire) == name)
  }
}
