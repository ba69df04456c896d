import CallsignTesting
import CallsignX
import Foundation
import TestSupport
import Testing

/// The examples of answers of the v2 API. They are older than the document that the catalogue is made from, and made by
/// a program that knew the types of fields only roughly.
@Suite struct V2ExampleTests {
  private static let corpus = "x-v2-responses"

  /// Why an example is not what the document says.
  private enum Reason: String {
    /// The document has a string; the example, an object.
    case objectForString = "suggested_source_links[0]: expected a string, found an object"
    /// The document has a whole number; the example, a random fraction.
    case fraction = "progress_percent: is not a whole number of 64 bits"
    /// The document has a string; the example, a number.
    case numberForString = "expected a string, found a number"
    /// The document has an object; the example, an array.
    case arrayForObject = "keywords: expected an object, found an array"
    /// The document requires what the example, an answer of status 404 in disguise, lacks.
    case otherAnswer = "data.dm_conversation_id: required, but missing"
    /// The document has no such path.
    case noOperation = "no operation"
  }

  /// The examples that do not fit, by file and position in it.
  private static let misfits: [String: Reason] = [
    "account_activity_replay_webhooks_{webhook_id}_subscriptions_all 0": .noOperation,
    "ai_trends_id 0": .noOperation,
    "dm_conversations_with_{participant_id}_messages 0": .otherAnswer,
    "evaluate_note 0": .noOperation,
    "media_upload 0": .fraction,
    "media_upload 1": .fraction,
    "media_upload_id_finalize 0": .fraction,
    "news_search 0": .arrayForObject,
    "notes_search_posts_eligible_for_notes 0": .objectForString,
    "spaces_id_tweets 0": .objectForString,
    "tweets_firehose_stream_lang_en 0": .objectForString,
    "tweets_firehose_stream_lang_ko 0": .objectForString,
    "tweets_id 0": .objectForString,
    "tweets_id_quote_tweets 0": .objectForString,
    "tweets_id_retweets 0": .objectForString,
    "tweets_sample10_stream 0": .objectForString,
    "tweets_search_all 0": .objectForString,
    "tweets_search_stream 0": .objectForString,
    "tweets_search_stream_rules_counts 0": .numberForString,
    "usage_tweets 0": .numberForString,
    "users_id_bookmarks 0": .objectForString,
    "users_id_liked_tweets 0": .objectForString,
    "users_id_mentions 0": .objectForString,
    "users_id_tweets 0": .objectForString,
    "users_personalized_trends 0": .numberForString,
  ]

  @Test(
    "Every example that fits the document decodes; the others fail, for the reason that is known",
    .needs(.corpus(corpus)))
  func examples() throws {
    let folder = try #require(Corpora.url(Self.corpus))
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json") }
    var misfits: Set<String> = []
    var decoded = 0
    for file in files.sorted() {
      let data = try Data(contentsOf: folder.appendingPathComponent(file))
      let examples = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
      for (index, example) in examples.enumerated() {
        let name = "\(file.dropLast(5)) \(index)"
        let problem = try Self.problem(with: example)
        if let reason = Self.misfits[name] {
          misfits.insert(name)
          #expect(problem?.contains(reason.rawValue) == true, "\(name): \(problem ?? "decodes")")
        } else {
          #expect(problem == nil, "\(name)")
          decoded += 1
        }
      }
    }
    #expect(misfits == Set(Self.misfits.keys))
    #expect(decoded == 42)
  }

  /// The mistake in an example; `nil` where it decodes.
  private static func problem(with example: [String: Any]) throws -> String? {
    let method = try #require(example["method"] as? String)
    let path = try #require(example["endpoint"] as? String)
    guard let operation = operation(method, path) else { return Reason.noOperation.rawValue }
    let response = try #require(example["response"])
    let body = try JSONSerialization.data(
      withJSONObject: response, options: [.fragmentsAllowed, .sortedKeys])
    let type = try #require(XAPI.answerType(of: operation), "\(operation)")
    do {
      _ = try type.init(jsonData: body)
      return nil
    } catch {
      return "\(error)"
    }
  }

  private static func operation(_ method: String, _ path: String) -> String? {
    let candidates = XAPI.endpoints.filter { $0.method.description == method }
    // `/2/users/me` is also `/2/users/{id}`; the template that is the path itself comes first.
    let endpoint =
      candidates.first { $0.path.description == path } ?? candidates.first { matches(path, $0.path.description) }
    return endpoint?.name.description
  }

  private static func matches(_ path: String, _ template: String) -> Bool {
    let (parts, wanted) = (path.split(separator: "/"), template.split(separator: "/"))
    return parts.count == wanted.count && zip(parts, wanted).allSatisfy { $0 == $1 || $1.hasPrefix("{") }
  }
}
