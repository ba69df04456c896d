import CallsignTesting
import CallsignX
import Foundation
import TestSupport
import Testing

/// The examples of responses of the v2 API. They are older than the document that the catalogue is made from, and a program that
/// knew the types of fields only roughly created them.
@Suite struct V2ExampleTests {
  private static let corpus = "x-v2-responses"

  /// The examples whose operation the document no longer has, by file and position in it.
  private static let withoutOperation: Set<String> = [
    "account_activity_replay_webhooks_{webhook_id}_subscriptions_all 0", "ai_trends_id 0", "evaluate_note 0",
  ]

  /// The parts that are skipped in the others, by file and position in it.
  private static let oddities: [String: Set<String>] = {
    var oddities: [String: Set<String>] = [
      // A random fraction for a whole number.
      "media_upload 0": ["data.processing_info.progress_percent"],
      "media_upload 1": ["data.processing_info.progress_percent"],
      "media_upload_id_finalize 0": ["data.processing_info.progress_percent"],
      // Random fractions for ids, and an object with a date and an id for lists of countries.
      "media_metadata 0": [
        "data.associated_metadata.sticker_info.stickers[].sticker_set_annotation_id",
        "data.associated_metadata.sticker_info.stickers[].group_annotation_id",
        "data.associated_metadata.geo_restrictions.whitelisted_country_codes",
      ],
      // Numbers for strings.
      "tweets_search_stream_rules_counts 0": [
        "data.cap_per_client_app", "data.cap_per_project", "data.project_rules_count",
      ],
      "usage_tweets 0": [
        "data.daily_client_app_usage[].usage[].usage", "data.daily_project_usage.project_id",
        "data.daily_project_usage.usage[].usage", "data.project_cap", "data.project_usage",
      ],
      "users_personalized_trends 0": ["data[].post_count"],
    ]
    // Objects for strings.
    for (files, place) in [
      (
        [
          "dm_conversations_id_dm_events", "dm_events", "likes_firehose_stream", "lists_id_followers",
          "notes_search_posts_eligible_for_notes", "spaces", "spaces_id", "spaces_id_tweets",
          "tweets_firehose_stream_lang_en", "tweets_firehose_stream_lang_ko", "tweets_id",
          "tweets_id_quote_tweets", "tweets_id_retweets", "tweets_sample10_stream", "tweets_search_all",
          "tweets_search_stream", "users_by", "users_by_username_username", "users_id",
          "users_id_bookmarks", "users_id_followed_lists", "users_id_followers",
          "users_id_liked_tweets", "users_id_mentions", "users_id_owned_lists", "users_id_tweets",
          "users_search",
        ], "includes.tweets[]"
      ),
      (
        [
          "notes_search_posts_eligible_for_notes", "spaces_id_tweets", "tweets_id_quote_tweets",
          "tweets_id_retweets", "tweets_search_all", "users_id_bookmarks", "users_id_liked_tweets",
          "users_id_mentions", "users_id_tweets",
        ], "data[]"
      ),
      (
        [
          "tweets_firehose_stream_lang_en", "tweets_firehose_stream_lang_ko", "tweets_id",
          "tweets_sample10_stream", "tweets_search_stream",
        ], "data"
      ),
    ] {
      for file in files { oddities["\(file) 0", default: []].insert("\(place).suggested_source_links[]") }
    }
    return oddities
  }()

  @Test(
    "Every example of an existing operation decodes, and its skipped parts are known",
    .needs(.corpus(corpus)))
  func examples() throws {
    let folder = try #require(Corpora.url(Self.corpus))
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json") }
    var withoutOperation: Set<String> = []
    var oddities: [String: Set<String>] = [:]
    var decoded = 0
    for file in files.sorted() {
      let data = try Data(contentsOf: folder.appendingPathComponent(file))
      let examples = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
      for (index, example) in examples.enumerated() {
        let name = "\(file.dropLast(5)) \(index)"
        let method = try #require(example["method"] as? String)
        let path = try #require(example["endpoint"] as? String)
        guard let operation = Self.operation(method, path) else {
          withoutOperation.insert(name)
          continue
        }
        let body = try JSONSerialization.data(
          withJSONObject: try #require(example["response"]), options: [.fragmentsAllowed, .sortedKeys])
        let type = try #require(XAPI.responseType(of: operation), "\(operation)")
        var issues: [DecodingIssue] = []
        do {
          _ = try type.init(jsonData: body, issues: &issues)
          decoded += 1
        } catch {
          Issue.record("\(name): \(error)")
        }
        if !issues.isEmpty { oddities[name] = Set(issues.map(\.pathWithoutIndices)) }
      }
    }
    #expect(withoutOperation == Self.withoutOperation)
    #expect(oddities == Self.oddities)
    #expect(decoded == 64)
  }

  @Test("The older names in the examples are read")
  func olderNames() throws {
    let counts = try XAPI.PostsCountsResponse(
      jsonString:
        #"{"data":[{"start":"2025-11-26T13:30:10Z","end":"2025-11-26T14:30:10Z","tweet_count":466}],"meta":{"total_tweet_count":178}}"#
    )
    #expect(counts.data.map(\.postCount) == [466])
    #expect(counts.meta?.totalPostCount == 178)
  }

  @Test(
    "Responses of X's playground are read: missing counts, and writes that say little",
    arguments: [
      (
        "getUsersFollowers",
        #"{"data":[{"id":"1","name":"A","username":"a","public_metrics":{"followers_count":3,"following_count":2,"tweet_count":1}}],"meta":{"result_count":1}}"#
      ),
      ("getPostsById", #"{"data":{"id":"1","text":"t","public_metrics":{"retweet_count":1,"like_count":2}}}"#),
      ("repostPost", #"{"data":{"retweeted":true}}"#), ("repostPost", #"{"data":{"retweeted":true,"id":"5"}}"#),
      ("createDirectMessagesByParticipantId", #"{"data":{"dm_conversation_id":"1-2"}}"#),
      ("createDirectMessagesByConversationId", #"{"data":{"dm_event_id":"5"}}"#),
      ("createDirectMessagesConversation", #"{"data":{}}"#), ("updateLists", #"{"data":{}}"#),
      ("blockUsersDms", #"{"data":{}}"#), ("unblockUsersDms", #"{"data":{}}"#),
    ])
  func playground(operation: String, body: String) throws {
    let type = try #require(XAPI.responseType(of: operation))
    var issues: [DecodingIssue] = []
    let value = try type.init(jsonData: Data(body.utf8), issues: &issues)
    #expect(issues.isEmpty)
    if let users = value as? XAPI.UsersResponse {
      let metrics = users.data.first?.publicMetrics
      #expect(metrics?.followersCount == 3 && metrics?.postCount == 1 && metrics?.listedCount == nil)
    }
    if let post = value as? XAPI.PostResponse { #expect(post.data.publicMetrics?.repostCount == 1) }
  }

  private static func operation(_ method: String, _ path: String) -> String? {
    let candidates = XAPI.endpoints.filter { $0.method.description == method }
    // `/2/users/me` is also `/2/users/{id}`; the template that equals the path comes first.
    let endpoint =
      candidates.first { $0.path.description == path } ?? candidates.first { matches(path, $0.path.description) }
    return endpoint?.name.description
  }

  private static func matches(_ path: String, _ template: String) -> Bool {
    let (parts, wanted) = (path.split(separator: "/"), template.split(separator: "/"))
    return parts.count == wanted.count && zip(parts, wanted).allSatisfy { $0 == $1 || $1.hasPrefix("{") }
  }
}
