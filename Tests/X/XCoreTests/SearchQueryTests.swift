import Foundation
import TestSupport
import Testing
import XCore

@Suite("Search queries") struct SearchQueryTests {
  private func text(_ query: SearchQuery, for use: SearchQuery.Use = .recentSearch) throws -> String {
    try query.text(for: use)
  }

  private func problems(_ query: SearchQuery, for use: SearchQuery.Use = .recentSearch) -> [String] {
    do throws(SearchQueryError) {
      _ = try query.text(for: use)
      return []
    } catch { return error.problems }
  }

  @Test("Each operator is written as X has it") func operators() throws {
    #expect(try text("swift server") == "swift server")
    #expect(try text(.phrase("result builders")) == "\"result builders\"")
    #expect(try text(.words("swift", "linux", within: 3)) == "\"swift linux\"~3")
    #expect(try text(.hashtag("#swift") && .cashtag("X") && .mention("@api")) == "#swift $X @api")
    #expect(try text(.from("@ann") && .to("12") && .reposts(of: "bob")) == "from:ann to:12 retweets_of:bob")
    #expect(
      try text(.conversation("1") && .replies(toPost: "2") && .quotes(ofPost: "3") && .reposts(ofPost: "4"))
        == "conversation_id:1 in_reply_to_tweet_id:2 quotes_of_tweet_id:3 retweets_of_tweet_id:4")
    #expect(
      try text(.list("5") && .url("https://swift.org") && .context(domain: "10", entity: "7"))
        == "list:5 url:\"https://swift.org\" context:10.7")
    #expect(try text(.entity("Michael Jordan") && .bio("swift")) == "entity:\"Michael Jordan\" bio:\"swift\"")
    #expect(
      try text(.country("de") && .around(longitude: 2.355128, latitude: -48.5, kilometres: 16))
        == "place_country:DE point_radius:[2.355128 -48.500000 16km]")
    #expect(
      try text(.inside(west: -105.3, south: 39.9, east: -105, north: 40))
        == "bounding_box:[-105.300000 39.900000 -105 40]")
    #expect(
      try text("a" && .isRepost && .isReply && .isQuote && .isVerified && .isNotNullcast)
        == "a is:retweet is:reply is:quote is:verified -is:nullcast")
    #expect(
      try text("a" && .followers(500...) && .following(1...9) && .language("en"))
        == "a followers_count:500 following_count:1..9 lang:en")
    #expect(try text("a" && .sample(percent: 10), for: .streamRule) == "a sample:10")
    #expect(
      try text(.from(affiliatesOf: "@ann") || .to(affiliatesOf: "12")) == "from_affiliate_of:ann OR to_affiliate_of:12")
    #expect(
      try text(.urlTitle("snow") && .urlDescription("weather") && .urlContains("photos"))
        == "url_title:\"snow\" url_description:\"weather\" url_contains:\"photos\"")
    #expect(try text(.context(domain: "47") && .source("X for iPhone")) == "context:47.* source:\"X for iPhone\"")
    #expect(
      try text(.minimumLikes(5) && .minimumReplies(2) && .minimumReposts(1))
        == "min_likes:5 min_replies:2 min_reposts:1")
    #expect(
      try text("a" && .listed(10...100) && .listed(3...) && .minimumFollowers(1000), for: .streamRule)
        == "a listed_count:10..100 listed_count:3 min_followers:1000")
    #expect(
      try text(.embedding("climate policy") && .embeddingThreshold(0.45), for: .streamRule)
        == "embedding:\"climate policy\" embedding_threshold:0.45")
    #expect(try text(.entity("Michael Jordan"), for: .streamRule) == "entity:\"Michael Jordan\"")
  }

  @Test("A text in X's language is sent unchanged, and in parentheses if it would mix with others")
  func raw() throws {
    #expect(try text(.raw("new:1 OR  newer:\"2 3\"")) == "new:1 OR  newer:\"2 3\"")
    #expect(try text("a" && SearchQuery.raw("new:1 OR newer:2")) == "a (new:1 OR newer:2)")
    #expect(try text(.raw("newer:\"2 3\"") || "b") == "newer:\"2 3\" OR b")
    #expect(try text("a" && SearchFilter.raw("-newer:[2 3]") && .hasLinks) == "a -newer:[2 3] has:links")
    #expect(try text("a" && !SearchFilter.raw("newer:2")) == "a -newer:2")
    #expect(
      problems("a" && !SearchQuery.raw("b c"))
        == ["X cannot exclude groups; exclude each operator of `b c` separately"])
    #expect(problems("a" && !SearchQuery.raw("-b")).count == 1)
    #expect(problems(.raw(" ")).count == 1)
    for text in ["a)(b", "(a", "\"a", "a\" \"b\""] { #expect(problems(.raw(text)).count == 1, "\(text)") }
    #expect(problems(.raw(String(repeating: "é", count: 513))).count == 1)
  }

  @Test("Groups are put in parentheses only if they are next to others") func groups() throws {
    #expect(try text("a" || "b") == "a OR b")
    #expect(try text("a" || "b" || "c") == "a OR b OR c")
    #expect(try text(("a" || "b") && "c") == "(a OR b) c")
    #expect(try text("a" || "b c") == "a OR (b c)")
    #expect(try text("X" && .hasMentions && (.hasMedia || .hasLinks)) == "X has:mentions (has:media OR has:links)")
    #expect(try text(.any("a", "b", .from("c")) && !.isRepost) == "(a OR b OR from:c) -is:retweet")
    #expect(try text(.hasLinks && "a") == "has:links a")
  }

  @Test("Groups are excluded operator by operator, as X excludes no groups") func exclusion() throws {
    #expect(try text("skiing" && !("snow" || "day" || "noschool")) == "skiing -snow -day -noschool")
    #expect(try text("skiing" && !("snow" && .hasLinks)) == "skiing (-snow OR -has:links)")
    #expect(try text("a" && !(!.isReply)) == "a is:reply")
    #expect(try text("a" && !.phrase("b c")) == "a -\"b c\"")
  }

  @Test("Words that mean something to X are quoted, and quotation marks do not end a phrase") func quoting() throws {
    #expect(try text("this OR that") == "this \"OR\" that")
    #expect(try text("-a from:bob (c") == "\"-a\" \"from:bob\" \"(c\"")
    #expect(try text("coca-cola") == "\"coca-cola\"")
    #expect(try text(.phrase("say \"hi\" \\ \n now")) == "\"say hi now\"")
    #expect(try text("😃 Grüße नमस्ते") == "\"😃\" Grüße नमस्ते")
  }

  @Test("A query that X would refuse is refused here, with everything that is wrong") func refusals() {
    #expect(problems("").count == 1)
    #expect(problems(" \n").count == 1)
    #expect(problems(.phrase("…!")).count == 1)
    #expect(problems(.from("ann OR from:bob")) == ["`ann OR from:bob` is not a username; use letters, digits and `_`"])
    #expect(problems(.from("") && .conversation("x") && .hashtag("a b") && .language("e n")).count == 4)
    #expect(problems(.conversation("١٢")).count == 1)
    #expect(problems(.around(longitude: 181, latitude: .nan, kilometres: 41)).count == 3)
    #expect(problems(.inside(west: 2, south: 1, east: 1, north: 2)).count == 1)
    #expect(problems("a" && .sample(percent: 1)) == ["`sample` is only for stream rules; leave it out"])
    #expect(problems("a" && .sample(percent: 0), for: .streamRule).count == 1)
    #expect(problems("a" && !.sample(percent: 1), for: .streamRule).count == 1)
    #expect(problems(.embedding("a") && .embeddingThreshold(0.5)).count == 2)
    #expect(problems("a" && !.embedding("b"), for: .streamRule).count == 1)
    #expect(problems(.embedding("a") && .embeddingThreshold(1.5), for: .streamRule).count == 1)
    #expect(problems(.context(domain: "*")).count == 1)
    #expect(problems(.minimumLikes(-1)).count == 1)
    #expect(problems("a" && !.isNotNullcast).count == 1)
    #expect(problems(.words("a", "b c", within: 7)).count == 2)
    #expect(problems("a" && .followers((-1)...)).count == 1)
    #expect(problems(.country("D1")).count == 1)
  }

  @Test("A query is as long as its endpoint takes, and no longer") func length() throws {
    let word = String(repeating: "é", count: 512)
    #expect(try text(.words(word)) == word)
    #expect(problems(.words(word + "e")).first?.contains("513 characters") == true)
    #expect(try text(.words(word + "e"), for: .archiveSearch).count == 513)
    #expect(try text(.words(word + word + "e"), for: .streamRule.limited(to: 4096)).count == 1025)
  }

  @Test("For any search, the text has balanced quotation marks and parentheses outside of them")
  func property() {
    var generator = SeededGenerator(seed: 11)
    let pieces = ["a", "OR", "\"", "(", ")", "-", " ", "\\", "#", ":", "é", "😃", "\n", "lang:en", "\u{0}"]
    for _ in 0..<2_000 {
      let hostile = (0..<Int.random(in: 0...6, using: &generator)).compactMap { _ in
        pieces.randomElement(using: &generator)
      }
      .joined()
      let query: SearchQuery =
        switch Int.random(in: 0...4, using: &generator) {
        case 0: .words(hostile) && !.phrase(hostile)
        case 1: (.url(hostile) || .entity(hostile)) && .language(hostile)
        case 2: .from(hostile) || .hashtag(hostile)
        case 3: .conversation(hostile) && !(.words(hostile) || "b")
        default: .words(hostile, "b", within: 2)
        }
      guard let text = try? query.text() else { continue }
      var depth = 0
      var isQuoted = false
      for character in text {
        switch character {
        case "\"": isQuoted.toggle()
        case "(" where !isQuoted: depth += 1
        case ")" where !isQuoted: depth -= 1
        case "\n", "\r\n": Issue.record("a line break in \(text)")
        default: break
        }
        #expect(depth >= 0)
      }
      #expect(!isQuoted && depth == 0, "\(text)")
    }
  }
}
