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

  /// A query, its use, and its text.
  struct Written: Sendable {
    let query: SearchQuery
    var use = SearchQuery.Use.recentSearch
    let text: String

    init(_ query: SearchQuery, for use: SearchQuery.Use = .recentSearch, _ text: String) {
      (self.query, self.use, self.text) = (query, use, text)
    }
  }

  /// A query, its use, and its problems: their number, or the only one.
  struct Refused: Sendable {
    let query: SearchQuery
    let use: SearchQuery.Use
    let count: Int
    let problem: String?

    init(_ query: SearchQuery, for use: SearchQuery.Use = .recentSearch, count: Int) {
      (self.query, self.use, self.count, problem) = (query, use, count, nil)
    }

    init(_ query: SearchQuery, for use: SearchQuery.Use = .recentSearch, _ problem: String) {
      (self.query, self.use, count, self.problem) = (query, use, 1, problem)
    }
  }

  private static let writtenOperators: [Written] = [
    Written("swift server", "swift server"),
    Written(.phrase("result builders"), "\"result builders\""),
    Written(.words("swift", "linux", within: 3), "\"swift linux\"~3"),
    Written(.hashtag("#swift") && .cashtag("X") && .mention("@api"), "#swift $X @api"),
    Written(.from("@ann") && .to("12") && .reposts(of: "bob"), "from:ann to:12 retweets_of:bob"),
    Written(
      .conversation("1") && .replies(toPost: "2") && .quotes(ofPost: "3") && .reposts(ofPost: "4"),
      "conversation_id:1 in_reply_to_tweet_id:2 quotes_of_tweet_id:3 retweets_of_tweet_id:4"),
    Written(
      .list("5") && .url("https://swift.org") && .context(domain: "10", entity: "7"),
      "list:5 url:\"https://swift.org\" context:10.7"),
    Written(.entity("Michael Jordan") && .bio("swift"), "entity:\"Michael Jordan\" bio:\"swift\""),
    Written(
      .country("de") && .around(longitude: 2.355128, latitude: -48.5, kilometres: 16),
      "place_country:DE point_radius:[2.355128 -48.500000 16km]"),
    Written(.inside(west: -105.3, south: 39.9, east: -105, north: 40), "bounding_box:[-105.300000 39.900000 -105 40]"),
    Written(
      "a" && .isRepost && .isReply && .isQuote && .isVerified && .isNotNullcast,
      "a is:retweet is:reply is:quote is:verified -is:nullcast"),
    Written(
      "a" && .followers(500...) && .following(1...9) && .language("en"),
      "a followers_count:500 following_count:1..9 lang:en"),
    Written("a" && .sample(percent: 10), for: .streamRule, "a sample:10"),
    Written(
      .from(affiliatesOf: "@ann") || .to(affiliatesOf: "12"), "from_affiliate_of:ann OR to_affiliate_of:12"),
    Written(
      .urlTitle("snow") && .urlDescription("weather") && .urlContains("photos"),
      "url_title:\"snow\" url_description:\"weather\" url_contains:\"photos\""),
    Written(.context(domain: "47") && .source("X for iPhone"), "context:47.* source:\"X for iPhone\""),
    Written(
      .minimumLikes(5) && .minimumReplies(2) && .minimumReposts(1), "min_likes:5 min_replies:2 min_reposts:1"),
    Written(
      "a" && .listed(10...100) && .listed(3...) && .minimumFollowers(1000), for: .streamRule,
      "a listed_count:10..100 listed_count:3 min_followers:1000"),
    Written(
      .embedding("climate policy") && .embeddingThreshold(0.45), for: .streamRule,
      "embedding:\"climate policy\" embedding_threshold:0.45"),
    Written(.entity("Michael Jordan"), for: .streamRule, "entity:\"Michael Jordan\""),
  ]

  @Test("Each operator is written as X has it", arguments: writtenOperators) func operators(_ expected: Written) throws
  {
    #expect(try text(expected.query, for: expected.use) == expected.text)
  }

  private static let writtenRaw: [Written] = [
    Written(.raw("new:1 OR  newer:\"2 3\""), "new:1 OR  newer:\"2 3\""),
    Written("a" && SearchQuery.raw("new:1 OR newer:2"), "a (new:1 OR newer:2)"),
    Written(.raw("newer:\"2 3\"") || "b", "newer:\"2 3\" OR b"),
    Written("a" && SearchFilter.raw("-newer:[2 3]") && .hasLinks, "a -newer:[2 3] has:links"),
    Written("a" && !SearchFilter.raw("newer:2"), "a -newer:2"),
  ]

  @Test(
    "A text in X's language is sent as it is, and in parentheses where it would mix with others", arguments: writtenRaw)
  func raw(_ expected: Written) throws {
    #expect(try text(expected.query, for: expected.use) == expected.text)
  }

  private static let refusedRaw: [Refused] = [
    Refused("a" && !SearchQuery.raw("b c"), "X cannot exclude groups; exclude each operator of `b c` separately"),
    Refused("a" && !SearchQuery.raw("-b"), count: 1),
    Refused(.raw(" "), count: 1),
    Refused(.raw("a)(b"), count: 1), Refused(.raw("(a"), count: 1), Refused(.raw("\"a"), count: 1),
    Refused(.raw("a\" \"b\""), count: 1),
    Refused(.raw(String(repeating: "é", count: 513)), count: 1),
  ]

  @Test("A text that is none of X's language is refused", arguments: refusedRaw) func wrongRaw(_ expected: Refused) {
    expectRefusal(expected)
  }

  private func expectRefusal(_ expected: Refused) {
    let found = problems(expected.query, for: expected.use)
    #expect(found.count == expected.count, "\(found)")
    if let problem = expected.problem { #expect(found == [problem]) }
  }

  private static let writtenGroups: [Written] = [
    Written("a" || "b", "a OR b"),
    Written("a" || "b" || "c", "a OR b OR c"),
    Written(("a" || "b") && "c", "(a OR b) c"),
    Written("a" || "b c", "a OR (b c)"),
    Written("X" && .hasMentions && (.hasMedia || .hasLinks), "X has:mentions (has:media OR has:links)"),
    Written(.any("a", "b", .from("c")) && !.isRepost, "(a OR b OR from:c) -is:retweet"),
    Written(.hasLinks && "a", "has:links a"),
  ]

  @Test("Groups are put in parentheses only if they are next to others", arguments: writtenGroups)
  func groups(_ expected: Written) throws {
    #expect(try text(expected.query) == expected.text)
  }

  private static let writtenExclusions: [Written] = [
    Written("skiing" && !("snow" || "day" || "noschool"), "skiing -snow -day -noschool"),
    Written("skiing" && !("snow" && .hasLinks), "skiing (-snow OR -has:links)"),
    Written("a" && !(!.isReply), "a is:reply"),
    Written("a" && !.phrase("b c"), "a -\"b c\""),
  ]

  @Test("Groups are excluded operator by operator, as X excludes no groups", arguments: writtenExclusions)
  func exclusion(_ expected: Written) throws {
    #expect(try text(expected.query) == expected.text)
  }

  private static let writtenQuotes: [Written] = [
    Written("this OR that", "this \"OR\" that"),
    Written("-a from:bob (c", "\"-a\" \"from:bob\" \"(c\""),
    Written("coca-cola", "\"coca-cola\""),
    Written(.phrase("say \"hi\" \\ \n now"), "\"say hi now\""),
    Written("😃 Grüße नमस्ते", "\"😃\" Grüße नमस्ते"),
  ]

  @Test("Words that mean something to X are quoted, and quotation marks do not end a phrase", arguments: writtenQuotes)
  func quoting(_ expected: Written) throws {
    #expect(try text(expected.query) == expected.text)
  }

  private static let refused: [Refused] = [
    Refused("", count: 1),
    Refused(" \n", count: 1),
    Refused(.phrase("…!"), count: 1),
    Refused(.from("ann OR from:bob"), "`ann OR from:bob` is not a username; use letters, digits and `_`"),
    Refused(.from("") && .conversation("x") && .hashtag("a b") && .language("e n"), count: 4),
    Refused(.conversation("١٢"), count: 1),
    Refused(.around(longitude: 181, latitude: .nan, kilometres: 41), count: 3),
    Refused(.inside(west: 2, south: 1, east: 1, north: 2), count: 1),
    Refused("a" && .sample(percent: 1), "`sample` is only for stream rules; leave it out"),
    Refused("a" && .sample(percent: 0), for: .streamRule, count: 1),
    Refused("a" && !.sample(percent: 1), for: .streamRule, count: 1),
    Refused(.embedding("a") && .embeddingThreshold(0.5), count: 2),
    Refused("a" && !.embedding("b"), for: .streamRule, count: 1),
    Refused(.embedding("a") && .embeddingThreshold(1.5), for: .streamRule, count: 1),
    Refused(.context(domain: "*"), count: 1),
    Refused(.minimumLikes(-1), count: 1),
    Refused("a" && !.isNotNullcast, count: 1),
    Refused(.words("a", "b c", within: 7), count: 2),
    Refused("a" && .followers((-1)...), count: 1),
    Refused(.country("D1"), count: 1),
  ]

  @Test("A query that X would refuse is refused here, with all its problems", arguments: refused)
  func refusals(_ expected: Refused) {
    expectRefusal(expected)
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
