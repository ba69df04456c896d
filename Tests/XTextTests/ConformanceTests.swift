import Foundation
import TestSupport
import Testing
import XText

@Suite("twitter-text's conformance cases", .needs(.corpus("twitter-text")))
struct ConformanceTests {
  private typealias Answer = ConformanceCase.Answer

  @Test("All cases hold", arguments: ["autolink", "extract", "hit_highlighting", "tlds", "validate"])
  func cases(of file: String) throws {
    let cases = try ConformanceCase.all(of: file)
    #expect(!cases.isEmpty)
    for test in cases {
      let answer = try #require(try Self.answer(test), "no answer for \(test)")
      #expect(answer == test.expected, "\(test)")
    }
  }

  private static func answer(_ test: ConformanceCase) throws -> Answer? {
    let text = test.text
    switch (test.file, test.section) {
    case ("extract", "mentions"): return names(PostEntities.mentions(in: text))
    case ("extract", "mentions_with_indices"): return places(PostEntities.mentions(in: text), "screen_name")
    case ("extract", "mentions_or_lists_with_indices"):
      return places(PostEntities.mentionsAndLists(in: text), "screen_name", saysList: true)
    case ("extract", "replies"): return .value(PostEntities.reply(in: text) ?? "null")
    case ("extract", "urls"), ("extract", "tco_urls_with_params"), ("tlds", _):
      return names(PostEntities.urls(in: text))
    case ("extract", "urls_with_indices"), ("extract", "urls_with_directional_markers"):
      return places(PostEntities.urls(in: text), "url")
    case ("extract", "hashtags"), ("extract", "hashtags_from_astral"): return names(PostEntities.hashtags(in: text))
    case ("extract", "hashtags_with_indices"): return places(PostEntities.hashtags(in: text), "hashtag")
    case ("extract", "cashtags"): return names(PostEntities.cashtags(in: text))
    case ("extract", "cashtags_with_indices"): return places(PostEntities.cashtags(in: text), "cashtag")
    case ("autolink", "usernames"), ("autolink", "lists"): return linked(text, PostEntities.mentionsAndLists(in: text))
    case ("autolink", "hashtags"): return linked(text, PostEntities.hashtags(in: text))
    case ("autolink", "cashtags"): return linked(text, PostEntities.cashtags(in: text))
    case ("autolink", "urls"): return linked(text, PostEntities.urls(in: text, withoutScheme: false))
    case ("autolink", "all"): return .value(Autolink.twitterText.html(text))
    case ("autolink", "json"): return try linkedAsAnswered(test)
    case ("hit_highlighting", _): return .value(HitHighlighting.highlight(text, hits: test.hits))
    case ("validate", "tweets"): return .value("\(PostText(text, configuration: .version1).isValid)")
    case ("validate", "usernames"): return .value("\(PostEntities.isUsername(text))")
    case ("validate", "lists"): return .value("\(PostEntities.isList(text))")
    case ("validate", "hashtags"): return .value("\(PostEntities.isHashtag(text))")
    case ("validate", "urls"): return .value("\(PostEntities.isURL(text))")
    case ("validate", "urls_without_protocol"):
      return .value("\(PostEntities.isURL(text, requiresScheme: false))")
    case ("validate", "WeightedTweetsCounterTest"): return counted(PostText(text, configuration: .version2))
    case ("validate", "WeightedTweetsWithDiscountedEmojiCounterTest"),
      ("validate", "UnicodeDirectionalMarkerCounterTest"):
      return counted(PostText(text))
    default: return nil
    }
  }

  private static func linked(_ text: String, _ entities: [PostEntity]) -> Answer {
    .value(Autolink.twitterText.html(text, linking: entities))
  }

  /// Links what an answer of X lists.
  private static func linkedAsAnswered(_ test: ConformanceCase) throws -> Answer {
    struct Listed: Decodable {
      struct Entity: Decodable {
        var indices: [Int]
        var text, url, expanded_url, display_url, screen_name: String?
      }
      var hashtags, urls, user_mentions: [Entity]?
    }
    let listed = try JSONDecoder().decode(Listed.self, from: Data((test.json ?? "{}").utf8))
    var autolink = Autolink.twitterText
    var entities: [PostEntity?] = []
    for entity in [listed.hashtags, listed.urls, listed.user_mentions].compactMap({ $0 }).flatMap({ $0 }) {
      let range = entity.indices[0]..<entity.indices[1]
      if let hashtag = entity.text {
        entities.append(PostEntity(.hashtag(hashtag), codePoints: range, in: test.text))
      } else if let url = entity.url {
        entities.append(PostEntity(.url(url), codePoints: range, in: test.text))
        if let display = entity.display_url {
          autolink.urlEntities.append(
            Autolink.URLEntity(url: url, displayURL: display, expandedURL: entity.expanded_url ?? url))
        }
      } else if let name = entity.screen_name {
        entities.append(PostEntity(.mention(username: name), codePoints: range, in: test.text))
      }
    }
    return .value(autolink.html(test.text, linking: entities.compactMap { $0 }))
  }

  private static func counted(_ text: PostText) -> Answer {
    func last(_ range: TextRange) -> Answer { .value("\(max(range.utf16.upperBound - 1, 0))") }
    return .object([
      "weightedLength": .value("\(text.weightedLength)"), "valid": .value("\(text.isValid)"),
      "permillage": .value("\(text.permillage)"), "displayRangeStart": .value("\(text.displayRange.utf16.lowerBound)"),
      "displayRangeEnd": last(text.displayRange),
      "validRangeStart": .value("\(text.validRange.utf16.lowerBound)"), "validRangeEnd": last(text.validRange),
    ])
  }

  private static func names(_ entities: [PostEntity]) -> Answer { .list(entities.map { .value(name(of: $0)) }) }

  private static func name(of entity: PostEntity) -> String {
    switch entity.kind {
    case .url(let name), .mention(let name), .hashtag(let name), .cashtag(let name), .list(let name, _): name
    }
  }

  private static func places(_ entities: [PostEntity], _ label: String, saysList: Bool = false) -> Answer {
    .list(
      entities.map { entity in
        let range = entity.range.codePoints
        var members: [String: Answer] = [
          label: .value(name(of: entity)),
          "indices": .list([.value("\(range.lowerBound)"), .value("\(range.upperBound)")]),
        ]
        if saysList {
          members["list_slug"] = if case .list(_, let list) = entity.kind { .value("/" + list) } else { .value("") }
        }
        return .object(members)
      })
  }
}
