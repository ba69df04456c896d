import Foundation
import TestSupport
import Testing

@testable import XSandbox

@Suite("Search queries of the sandbox") struct SearchQueryTests {
  private var database = Database()
  private let ann: UserRecord
  private let bob: UserRecord

  init() {
    ann = database.addUser(username: "ann", name: "Ann Lee", about: "Writes Swift, runs.", at: .now)
    bob = database.addUser(username: "Bob", name: "Bob", at: .now)
    database.follow(ann.id, by: bob.id)
  }

  /// The texts of the posts that a query finds, oldest first.
  private func found(_ query: String) throws -> [String] {
    let query = try SearchQuery(query)
    return database.posts.values.sorted { $0.id < $1.id }.filter { query.matches($0, in: database) }.map(\.text)
  }

  private mutating func add(
    _ text: String, by user: UserRecord, replyingTo: Identifier? = nil, quoting: Identifier? = nil,
    reposting: Identifier? = nil, language: String = "und"
  ) -> Identifier {
    database.addPost(
      by: user.id, text: text, at: .now, source: "Test", repliesTo: replyingTo, quotes: quoting, reposts: reposting,
      language: language
    ).id
  }

  @Test(
    "Words, phrases and words near each other",
    arguments: [
      ("brown", ["The quick brown fox", "quick, BROWN!"]), ("brown quick", ["The quick brown fox", "quick, BROWN!"]),
      ("\"quick brown fox\"", ["The quick brown fox"]), ("\"brown quick\"", []),
      ("\"one three\"~1", ["one two three four"]), ("\"one four\"~1", []), ("brown -fox", ["quick, BROWN!"]),
    ] as [(String, [String])])
  mutating func words(query: String, texts: [String]) throws {
    for text in ["The quick brown fox", "quick, BROWN!", "brownies", "one two three four"] { _ = add(text, by: ann) }
    #expect(try found(query) == texts)
  }

  @Test(
    "Alternatives bind less than conjunctions, and parentheses group",
    arguments: [
      ("a OR b c", ["a", "a c", "b c"]), ("(a OR b) c", ["a c", "b c"]), ("(a OR b OR d) -c", ["a", "b", "d"]),
      ("(a OR b) -(c OR d)", ["a", "b"]), ("((a)) OR (d)", ["a", "a c", "d"]), ("a or", []),
    ] as [(String, [String])])
  mutating func groups(query: String, texts: [String]) throws {
    for text in ["a", "b", "a c", "b c", "d"] { _ = add(text, by: ann) }
    #expect(try found(query) == texts)
  }

  @Test(
    "Entities of the text",
    arguments: [
      ("#swift", ["#Swift #swiftui"]), ("$x", ["$X up"]), ("@BOB", ["hello @bob"]),
      ("url:\"https://swift.org\"", ["see https://swift.org/blog now"]),
      ("url:swift.org", ["see https://swift.org/blog now"]), ("from:ann has:hashtags", ["#Swift #swiftui"]),
      ("from:ann (has:mentions OR has:links)", ["hello @bob", "see https://swift.org/blog now"]),
      ("from:ann has:cashtags", ["$X up"]), ("from:ann has:media", []),
    ] as [(String, [String])])
  mutating func entities(query: String, texts: [String]) throws {
    for text in ["#Swift #swiftui", "$X up", "hello @bob", "see https://swift.org/blog now", "plain"] {
      _ = add(text, by: ann)
    }
    #expect(try found(query) == texts)
  }

  /// In the queries, `ANN`, `FIRST` and `REPLY` stand for ids.
  @Test(
    "Authors, conversations and languages",
    arguments: [
      ("from:BOB", ["reply", "quote", "RT first"]), ("from:ANN", ["first", "deeper"]), ("to:ann", ["reply"]),
      ("conversation_id:FIRST", ["first", "reply", "deeper"]), ("in_reply_to_tweet_id:REPLY", ["deeper"]),
      ("quotes_of_tweet_id:FIRST", ["quote"]), ("retweets_of:ann", ["RT first"]),
      ("from:bob -is:retweet -is:quote", ["reply"]), ("bio:swift is:reply", ["deeper"]),
      ("bio_name:lee -is:reply", ["first"]), ("quote lang:en", ["quote"]), ("quote lang:de", []),
      ("from:bob -lang:en", ["reply", "RT first"]), ("from:ann followers_count:1", ["first", "deeper"]),
      ("from:ann followers_count:2..5", []), ("min_followers:1", ["first", "deeper"]),
      ("min_replies:1 from:ann", ["first"]), ("min_reposts:1", ["first"]),
    ] as [(String, [String])])
  mutating func relations(query: String, texts: [String]) throws {
    let first = add("first", by: ann)
    let reply = add("reply", by: bob, replyingTo: first)
    _ = add("deeper", by: ann, replyingTo: reply)
    _ = add("quote", by: bob, quoting: first, language: "en")
    _ = add("RT first", by: bob, reposting: first)
    let query = query.replacing("ANN", with: "\(ann.id)").replacing("FIRST", with: "\(first)")
      .replacing("REPLY", with: "\(reply)")
    #expect(try found(query) == texts)
  }

  @Test("A post is found by its likes once it has them") mutating func likes() throws {
    let first = add("first", by: ann)
    #expect(try found("min_likes:1") == [])
    database.like(first, by: bob.id)
    #expect(try found("min_likes:1") == ["first"])
  }

  @Test(
    "Every operator on X's pages is accepted, and only those that need another one require it",
    arguments: [
      ("from_affiliate_of:XDevelopers", true), ("to_affiliate_of:XDevelopers", true), ("url_title:snow", true),
      ("url_description:weather", true), ("url_contains:photos", true), ("context:10.799022225751871488", true),
      ("context:47.*", true), ("entity:\"Michael Jordan\"", true), ("(😃 OR 😡) 😬", true),
      ("\"social media\"~5", true), ("geo_bounding_box:[-105.301758 39.964069 -105.178505 40.09455]", true),
      ("point_radius:[2.355128 48.861118 16km]", true), ("source:\"X for iPhone\"", true),
      ("quotes_of_status_id:1539382664746020864", true), ("min_followers:1000", true),
      ("followers_count:1000..10000", true), ("tweets_count:1000..10000", true), ("following_count:1000..10000", true),
      ("listed_count:10..100", true), ("min_likes:1", true), ("min_replies:1", true), ("min_reposts:1", true),
      ("embedding:\"renewable energy\" embedding_threshold:0.4 OR embedding:solar", true),
      ("embedding_threshold:0.45", false), ("has:media_link", false), ("has:video_link", false), ("is:verified", false),
    ])
  func listed(query: String, standsAlone: Bool) throws {
    #expect(try SearchQuery(query).standsAlone == standsAlone)
  }

  @Test(
    "A mistake is named with its place",
    arguments: [
      ("a)", "missing EOF at ')' (at position 2)"), ("(a", "missing ')' at '<EOF>' (at position 3)"),
      ("a OR", "no viable alternative at input '<EOF>' (at position 5)"),
      ("OR a", "no viable alternative at input 'OR' (at position 1)"),
      ("()", "no viable alternative at input ')' (at position 2)"),
      ("a \"b", "no viable alternative at character '\"' (at position 3)"),
      ("", "no viable alternative at input '<EOF>' (at position 1)"),
      (
        "a AND b",
        "Ambiguous use of and as a keyword. Use a space to logically join two clauses, or \"and\" to find occurrences of and in text (at position 3)"
      ),
      ("a is:nullcast", "is:nullcast must be negated (at position 3)"),
      ("a -sample:10", "sample cannot be negated (at position 3)"),
      ("a -embedding:\"b\"", "embedding cannot be negated (at position 3)"),
      ("embedding_threshold:2", "invalid value '2' for the operator 'embedding_threshold' (at position 1)"),
      ("min_likes:x", "invalid value 'x' for the operator 'min_likes' (at position 1)"),
      ("from:a-b", "invalid value 'a-b' for the operator 'from' (at position 1)"),
      ("a has:fun", "invalid value 'fun' for the operator 'has' (at position 3)"),
    ])
  func mistakes(query: String, message: String) {
    #expect(throws: SearchQuery.Fault(message: message)) { try SearchQuery(query) }
  }

  @Test("Every alternative needs a condition that can stand on its own") func standingAlone() throws {
    for query in ["a", "a lang:en", "(a OR b) -c", "a has:media OR from:ann", "has:media (a OR b)"] {
      #expect(try SearchQuery(query).standsAlone, "\(query)")
    }
    for query in ["-a", "lang:en", "is:reply has:media", "a OR has:media", "-(a b)", "sample:10"] {
      #expect(try !SearchQuery(query).standsAlone, "\(query)")
    }
  }

  @Test("Every search is answered with its matches or refused") func property() {
    var generator = SeededGenerator(seed: 12)
    let pieces = [
      "a", " ", "OR", "(", ")", "-", "\"", "#", "@", "from:", "is:", "lang:en", "~2", ":", "[", "é", "\u{0}",
      "count:1..", "..",
    ]
    for _ in 0..<5_000 {
      let text = (0..<Int.random(in: 0...12, using: &generator)).compactMap { _ in
        pieces.randomElement(using: &generator)
      }
      .joined()
      if let query = try? SearchQuery(text) { _ = query.standsAlone }
    }
    #expect(throws: SearchQuery.Fault.self) { try SearchQuery(String(repeating: "(", count: 100_000)) }
  }
}
