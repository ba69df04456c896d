import CallsignX
import Foundation
import XText

/// Responds to cases of twitter-text's conformance suite, in the suite's format.
enum TextComparison {
  /// The response to a line.
  enum Outcome: Hashable {
    case result(JSONValue)
    case failure(String)

    /// The result as an object on one line.
    var line: String {
      let value: JSONValue =
        switch self {
        case .result(let result): ["result": result]
        case .failure(let reason): ["error": .string(reason)]
        }
      guard let data = try? value.jsonData(.compact) else { return #"{"error":"the response cannot be written"}"# }
      return String(decoding: data, as: UTF8.self)
    }
  }

  /// Responds to a line with a case.
  static func outcome(of line: String) -> Outcome {
    let value: JSONValue
    do throws(JSONError) { value = try JSONValue(jsonData: Data(line.utf8)) } catch { return .failure("\(error)") }
    guard let name = value["test"]?.string else { return .failure("`test` is missing") }
    guard let result = result(of: name, value["text"]?.string ?? "", value) else {
      return .failure("the test `\(name)` does not exist, or lacks an input")
    }
    return .result(result)
  }

  /// The configuration with a version number.
  static func configuration(_ version: Int) -> PostTextConfiguration? {
    switch version {
    case 1: .version1
    case 2: .version2
    case 3: .version3
    default: nil
    }
  }

  private static func result(of name: String, _ text: String, _ inputs: JSONValue) -> JSONValue? {
    let parts = name.split(separator: "/", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return nil }
    let version = inputs["config"]?.int ?? inputs["version"]?.int
    switch (parts[0], parts[1]) {
    case ("extract", let section): return extracted(section, text, inputs)
    case ("tlds", _): return names(PostEntities.urls(in: text))
    case ("autolink", let section): return linked(section, text, inputs)
    case ("hit_highlighting", _), ("hit_highlight", _): return highlighted(text, inputs)
    case ("validate", let section):
      let usual = section == "tweets" ? 1 : section == "WeightedTweetsCounterTest" ? 2 : 3
      guard let configuration = configuration(version ?? usual) else { return nil }
      return validated(section, text, configuration)
    default: return nil
    }
  }

  private static func extracted(_ section: String, _ text: String, _ inputs: JSONValue) -> JSONValue? {
    let withoutScheme = option("extracturlswithoutprotocol", inputs)?.bool ?? true
    switch section {
    case "mentions": return names(PostEntities.mentions(in: text))
    case "mentions_with_indices": return places(PostEntities.mentions(in: text))
    case "mentions_or_lists_with_indices": return places(PostEntities.mentionsAndLists(in: text), saysList: true)
    case "replies": return PostEntities.reply(in: text).map { .string($0) } ?? .null
    case "urls", "tco_urls_with_params": return names(PostEntities.urls(in: text, withoutScheme: withoutScheme))
    case "urls_with_indices", "urls_with_directional_markers":
      return places(PostEntities.urls(in: text, withoutScheme: withoutScheme))
    case "hashtags", "hashtags_from_astral": return names(PostEntities.hashtags(in: text))
    case "hashtags_with_indices": return places(PostEntities.hashtags(in: text))
    case "cashtags": return names(PostEntities.cashtags(in: text))
    case "cashtags_with_indices": return places(PostEntities.cashtags(in: text))
    case "entities", "entities_with_indices":
      return places(PostEntities(text, urlsWithoutScheme: withoutScheme).all, saysList: true)
    default: return nil
    }
  }

  private static func linked(_ section: String, _ text: String, _ inputs: JSONValue) -> JSONValue? {
    var autolink = autolink(by: inputs)
    let entities: [PostEntity]
    switch section {
    case "usernames", "lists": entities = PostEntities.mentionsAndLists(in: text)
    case "hashtags": entities = PostEntities.hashtags(in: text)
    case "cashtags": entities = PostEntities.cashtags(in: text)
    case "urls": entities = PostEntities.urls(in: text, withoutScheme: autolink.linksURLsWithoutScheme)
    case "all": entities = PostEntities(text, urlsWithoutScheme: autolink.linksURLsWithoutScheme).all
    case "json":
      guard let entitiesFound = entitiesFound(text, inputs, &autolink) else { return nil }
      entities = entitiesFound
    default: return nil
    }
    return .string(autolink.html(text, linking: entities))
  }

  /// The entities listed in a response from X, and how its URLs are displayed.
  private static func entitiesFound(_ text: String, _ inputs: JSONValue, _ autolink: inout Autolink) -> [PostEntity]? {
    guard let written = inputs["json"]?.string, let listed = try? JSONValue(jsonData: Data(written.utf8)) else {
      return nil
    }
    var entities: [PostEntity?] = []
    for member in ["hashtags", "symbols", "urls", "user_mentions"] {
      guard case .array(let values)? = listed[member] else { continue }
      for value in values {
        guard let start = value["indices"]?[0]?.int, let end = value["indices"]?[1]?.int, start <= end else { continue }
        if let name = value["text"]?.string {
          let kind: PostEntity.Kind = member == "symbols" ? .cashtag(name) : .hashtag(name)
          entities.append(PostEntity(kind, codePoints: start..<end, in: text))
        } else if let url = value["url"]?.string {
          entities.append(PostEntity(.url(url), codePoints: start..<end, in: text))
          guard let shown = value["display_url"]?.string else { continue }
          autolink.urlEntities.append(
            Autolink.URLEntity(url: url, displayURL: shown, expandedURL: value["expanded_url"]?.string ?? url))
        } else if let name = value["screen_name"]?.string {
          entities.append(PostEntity(.mention(username: name), codePoints: start..<end, in: text))
        }
      }
    }
    return entities.compactMap { $0 }
  }

  /// Links text like twitter-text, with the options named as in any of its language versions.
  private static func autolink(by inputs: JSONValue) -> Autolink {
    var autolink = Autolink.twitterText
    func text(_ name: String, _ path: WritableKeyPath<Autolink, String>) {
      if let value = option(name, inputs)?.string { autolink[keyPath: path] = value }
    }
    func optional(_ name: String, _ path: WritableKeyPath<Autolink, String?>) {
      if let value = option(name, inputs)?.string { autolink[keyPath: path] = value }
    }
    func flag(_ name: String, _ path: WritableKeyPath<Autolink, Bool>) {
      if let value = option(name, inputs)?.bool { autolink[keyPath: path] = value }
    }
    optional("urlclass", \.urlClass)
    text("usernameclass", \.usernameClass)
    text("listclass", \.listClass)
    text("hashtagclass", \.hashtagClass)
    text("cashtagclass", \.cashtagClass)
    text("usernameurlbase", \.usernameBase)
    text("listurlbase", \.listBase)
    text("hashtagurlbase", \.hashtagBase)
    text("cashtagurlbase", \.cashtagBase)
    optional("urltarget", \.urlTarget)
    flag("targetblank", \.opensNewWindow)
    flag("usernameincludesymbol", \.includesAtSign)
    flag("suppresslists", \.suppressesLists)
    flag("htmlescapenonentities", \.escapesText)
    flag("extracturlswithoutprotocol", \.linksURLsWithoutScheme)
    optional("symboltag", \.signTag)
    optional("textwithsymboltag", \.nameTag)
    text("invisibletagattrs", \.invisibleAttributes)
    if let suppresses = option("suppressnofollow", inputs)?.bool { autolink.isNoFollow = !suppresses }
    return autolink
  }

  /// An option by its lowercase name without `_`.
  private static func option(_ name: String, _ inputs: JSONValue) -> JSONValue? {
    guard case .object(let options)? = inputs["options"] else { return nil }
    return options.first { $0.key.filter { $0 != "_" }.lowercased() == name }?.value
  }

  private static func highlighted(_ text: String, _ inputs: JSONValue) -> JSONValue? {
    guard case .array(let values)? = inputs["hits"] else { return nil }
    var hits: [Range<Int>] = []
    for value in values {
      guard let start = value[0]?.int, let end = value[1]?.int, start >= 0, start <= end else { return nil }
      hits.append(start..<end)
    }
    return .string(HitHighlighting.highlight(text, hits: hits, tag: option("tag", inputs)?.string ?? "em"))
  }

  private static func validated(
    _ section: String, _ text: String, _ configuration: PostTextConfiguration
  ) -> JSONValue? {
    switch section {
    case "tweets": .bool(PostText(text, configuration: configuration).isValid)
    case "usernames": .bool(PostEntities.isUsername(text))
    case "lists": .bool(PostEntities.isList(text))
    case "hashtags": .bool(PostEntities.isHashtag(text))
    case "cashtags": .bool(PostEntities.isCashtag(text))
    case "urls": .bool(PostEntities.isURL(text))
    case "urls_without_protocol": .bool(PostEntities.isURL(text, requiresScheme: false))
    case "WeightedTweetsCounterTest", "WeightedTweetsWithDiscountedEmojiCounterTest",
      "UnicodeDirectionalMarkerCounterTest":
      counted(PostText(text, configuration: configuration))
    default: nil
    }
  }

  /// A count in the suite's format. Its ranges count UTF-16 code units and include their last one.
  static func counted(_ text: PostText) -> JSONValue {
    func last(_ range: XText.TextRange) -> JSONValue { .integer(max(range.utf16.upperBound - 1, 0)) }
    return [
      "weightedLength": .integer(text.weightedLength), "valid": .bool(text.isValid),
      "permillage": .integer(text.permillage), "displayRangeStart": .integer(text.displayRange.utf16.lowerBound),
      "displayRangeEnd": last(text.displayRange), "validRangeStart": .integer(text.validRange.utf16.lowerBound),
      "validRangeEnd": last(text.validRange),
    ]
  }

  private static func names(_ entities: [PostEntity]) -> JSONValue { .array(entities.map { .string(named($0).name) }) }

  private static func places(_ entities: [PostEntity], saysList: Bool = false) -> JSONValue {
    .array(entities.map { described($0, saysList: saysList) })
  }

  /// An entity in the suite's format.
  static func described(_ entity: PostEntity, saysList: Bool = true) -> JSONValue {
    let (member, name) = named(entity)
    let places = entity.range.codePoints
    var members: [String: JSONValue] = [
      member: .string(name), "indices": [.integer(places.lowerBound), .integer(places.upperBound)],
    ]
    if saysList, member == "screen_name" {
      members["list_slug"] = if case .list(_, let list) = entity.kind { .string("/" + list) } else { "" }
    }
    return .object(members)
  }

  private static func named(_ entity: PostEntity) -> (member: String, name: String) {
    switch entity.kind {
    case .url(let url): ("url", url)
    case .mention(let username), .list(let username, _): ("screen_name", username)
    case .hashtag(let name): ("hashtag", name)
    case .cashtag(let name): ("cashtag", name)
    }
  }
}
