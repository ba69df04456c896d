import Foundation

/// Random numbers that are the same in every run (SplitMix64).
private struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// A page of posts like a response from X's v2, with text in several scripts, entities and expansions.
package enum Page {
  package static func json(posts: Int, seed: UInt64) throws -> Data {
    var random = SeededGenerator(seed: seed)
    let document: [String: Any] = [
      "data": (0..<posts).map { _ in post(&random) },
      "includes": ["users": (0..<posts / 2).map { _ in user(&random) }],
      "meta": [
        "result_count": posts, "newest_id": id(&random), "oldest_id": id(&random), "next_token": "b26v89c19zqg8o3f",
      ],
    ]
    return try JSONSerialization.data(withJSONObject: document, options: [.sortedKeys, .withoutEscapingSlashes])
  }

  private static let words = [
    "the", "release", "today", "brings", "Größe", "schnell", "новый", "東京", "🚀", "latency", "down", "again",
    "\"quoted\"",
    "tested", "on", "both", "platforms", "line\nbreak", "see", "you", "there", "everyone",
  ]

  private static func id(_ random: inout SeededGenerator) -> String {
    String(UInt64.random(in: 1_000_000_000_000_000_000..<2_000_000_000_000_000_000, using: &random))
  }

  private static func text(_ count: Int, _ random: inout SeededGenerator) -> String {
    (0..<count).map { _ in words[Int.random(in: 0..<words.count, using: &random)] }.joined(separator: " ")
  }

  private static func date(_ random: inout SeededGenerator) -> String {
    func part(_ range: ClosedRange<Int>) -> String {
      let number = Int.random(in: range, using: &random)
      return number < 10 ? "0\(number)" : "\(number)"
    }
    return "2026-\(part(1...12))-\(part(1...28))T\(part(0...23)):\(part(0...59)):\(part(0...59))Z"
  }

  private static func count(_ random: inout SeededGenerator) -> Int { Int.random(in: 0...200_000, using: &random) }

  private static func post(_ random: inout SeededGenerator) -> [String: Any] {
    let shared = id(&random)
    return [
      "id": shared, "text": text(26, &random), "author_id": id(&random), "conversation_id": shared,
      "created_at": date(&random), "lang": "en", "possibly_sensitive": Bool.random(using: &random),
      "reply_settings": "everyone", "edit_history_tweet_ids": [shared],
      "public_metrics": [
        "retweet_count": count(&random), "reply_count": count(&random), "like_count": count(&random),
        "quote_count": count(&random), "bookmark_count": count(&random), "impression_count": count(&random),
      ],
      "entities": [
        "hashtags": (0..<2).map { ["start": $0 * 10, "end": $0 * 10 + 8, "tag": "release\($0)"] },
        "urls": [
          [
            "start": 80, "end": 103, "url": "https://t.co/abcdefghij", "display_url": "example.com/a/longer…",
            "expanded_url": "https://example.com/a/longer/path/to/an/article?source=post&id=\(shared)",
          ]
        ],
        "mentions": [["start": 0, "end": 9, "username": "somebody", "id": id(&random)]],
      ],
      "referenced_tweets": [["type": "replied_to", "id": id(&random)]],
    ]
  }

  private static func user(_ random: inout SeededGenerator) -> [String: Any] {
    [
      "id": id(&random), "name": text(2, &random), "username": "user_\(count(&random))", "created_at": date(&random),
      "description": text(14, &random), "verified": Bool.random(using: &random), "location": "Somewhere",
      "profile_image_url": "https://pbs.example.com/profile_images/\(id(&random))/photo_normal.jpg",
      "public_metrics": [
        "followers_count": count(&random), "following_count": count(&random), "tweet_count": count(&random),
        "listed_count": count(&random),
      ],
    ]
  }
}
