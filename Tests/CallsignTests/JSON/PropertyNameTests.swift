import TestSupport
import Testing

@testable import CallsignModels

/// The Swift names of members, of which the catalogue writes down only the unusual ones.
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

  @Test("The quick way for ASCII gives the names that the way for any text gives") func waysAgree() {
    var generator = SeededGenerator(seed: 11)
    let words = [
      "id", "ids", "url", "urls", "i", "u", "idx", "url2", "A", "9", "_", "-", ".", " ", "\t", "~", "@", "Zz",
    ]
    for _ in 0..<5000 {
      let wire = (0..<Int.random(in: 0...7, using: &generator))
        .map { _ in words.randomElement(using: &generator) ?? "" }.joined()
      #expect(PropertyName.usual(of: wire) == PropertyName.usual(ofAnyText: wire), "\(wire)")
    }
  }
}
