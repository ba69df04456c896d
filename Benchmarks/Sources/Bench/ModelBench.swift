import Callsign
import Foundation
import Workload

/// Reads and writes a page of posts, and reads its properties. For comparison, it uses Foundation's coders with structs of the same
/// shape.
enum ModelBench {
  static func work(_ name: String) throws -> Work? {
    switch name {
    case "decode", "decode-touch", "encode", "read-int", "read-string", "read-nested": try values(name)
    case "json-value": try jsonValue()
    case "json-decoder", "json-encoder": try foundation(name)
    case "small", "small-json-decoder": try small(name)
    default: nil
    }
  }

  static let page: Result<Data, any Error> = Result { try Page.json(posts: 121, seed: 2_026) }

  private static func values(_ name: String) throws -> Work {
    let page = try page.get()
    let model = try Generated.PostsPage(jsonData: page)
    guard let metrics = model.data.first?.publicMetrics, let post = model.data.first, metrics.likeCount != nil else {
      throw Unexpected()
    }
    let response = Response(
      value: try BenchAPI.UserResponse(jsonData: Responses.user),
      rawResponse: RawResponse(status: .ok, body: Responses.user))
    switch name {
    case "decode": return { for _ in 0..<$0 { _ = try Generated.PostsPage(jsonData: page) } }
    case "decode-touch":
      return {
        for _ in 0..<$0 {
          guard try touch(Generated.PostsPage(jsonData: page)) > 0 else { throw Unexpected() }
        }
      }
    case "encode": return { for _ in 0..<$0 { _ = try model.jsonData() } }
    case "read-int":
      return {
        var sum = 0
        for _ in 0..<$0 { sum &+= metrics.likeCount ?? 0 }
        guard sum > 0 else { throw Unexpected() }
      }
    case "read-string":
      return {
        var sum = 0
        for _ in 0..<$0 { sum &+= post.text.utf8.count }
        guard sum > 0 else { throw Unexpected() }
      }
    default:
      return {
        var sum = 0
        for _ in 0..<$0 { sum &+= response.data.username.utf8.count }
        guard sum > 0 else { throw Unexpected() }
      }
    }
  }

  private static func jsonValue() throws -> Work {
    let page = try page.get()
    return { for _ in 0..<$0 { _ = try JSONValue(jsonData: page) } }
  }

  private static func foundation(_ name: String) throws -> Work {
    let page = try page.get()
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    let theirs = try decoder.decode(Synthesized.PostsPage.self, from: page)
    let ours = try Generated.PostsPage(jsonData: page)
    guard ours.data.count == theirs.data.count, ours.data.map(\.text) == theirs.data.map(\.text),
      ours.data.map(\.createdAt) == theirs.data.map(\.createdAt)
    else { throw Unexpected() }
    if name == "json-decoder" {
      return { for _ in 0..<$0 { _ = try decoder.decode(Synthesized.PostsPage.self, from: page) } }
    }
    return { for _ in 0..<$0 { _ = try encoder.encode(theirs) } }
  }

  /// Reading one small response: the signed-in user's account.
  private static func small(_ name: String) throws -> Work {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    // Without fractions of a second, which not every version of Foundation reads by this strategy.
    let body = Data(String(decoding: Responses.user, as: UTF8.self).replacing(".000Z", with: "Z").utf8)
    let ours = try BenchAPI.UserResponse(jsonData: body)
    let theirs = try decoder.decode(Synthesized.UserResponse.self, from: body)
    guard ours.data.description == theirs.data.description, ours.data.createdAt == theirs.data.createdAt else {
      throw Unexpected()
    }
    if name == "small" { return { for _ in 0..<$0 { _ = try BenchAPI.UserResponse(jsonData: body) } } }
    return { for _ in 0..<$0 { _ = try decoder.decode(Synthesized.UserResponse.self, from: body) } }
  }

  // MARK: Touching every property

  /// Reads each property of each model of the page, and adds up what it found.
  private static func touch(_ page: Generated.PostsPage) -> Int {
    var sum = 0
    for post in page.data { sum &+= touch(post) }
    for user in page.includes?.users ?? [] { sum &+= touch(user) }
    if let meta = page.meta {
      sum &+= meta.resultCount ?? 0
      sum &+= size(meta.newestId) + size(meta.oldestId) + size(meta.nextToken)
    }
    return sum
  }

  private static func touch(_ post: Generated.Post) -> Int {
    var sum = size(post.id) + size(post.text) + size(post.authorId) + size(post.conversationId) + size(post.lang)
    sum &+= size(post.replySettings) + size(post.source) + size(post.inReplyToUserId) + size(post.communityId)
    sum &+= size(post.createdAt) + (post.possiblySensitive == true ? 1 : 0)
    for text in post.editHistoryTweetIds { sum &+= size(text) }
    for text in post.scopes { sum &+= size(text) }
    for reference in post.referencedTweets { sum &+= size(reference.type) + size(reference.id) }
    if let metrics = post.publicMetrics {
      sum &+= (metrics.retweetCount ?? 0) + (metrics.replyCount ?? 0) + (metrics.likeCount ?? 0)
      sum &+= (metrics.quoteCount ?? 0) + (metrics.bookmarkCount ?? 0) + (metrics.impressionCount ?? 0)
    }
    guard let entities = post.entities else { return sum }
    for hashtag in entities.hashtags { sum &+= hashtag.start + hashtag.end + size(hashtag.tag) }
    for link in entities.urls {
      sum &+= link.start + link.end + size(link.url) + size(link.displayUrl) + size(link.expandedUrl) + size(link.title)
    }
    for mention in entities.mentions {
      sum &+= mention.start + mention.end + size(mention.username) + size(mention.id)
    }
    return sum
  }

  private static func touch(_ user: Generated.User) -> Int {
    var sum = size(user.id) + size(user.name) + size(user.username) + size(user.description) + size(user.location)
    sum &+=
      size(user.createdAt) + size(user.profileImageUrl) + size(user.pinnedTweetId) + (user.verified == true ? 1 : 0)
    guard let metrics = user.publicMetrics else { return sum }
    sum &+= (metrics.followersCount ?? 0) + (metrics.followingCount ?? 0)
    return sum &+ (metrics.tweetCount ?? 0) + (metrics.listedCount ?? 0)
  }

  private static func size(_ text: String?) -> Int { text?.utf8.count ?? 0 }

  private static func size(_ date: Date?) -> Int { date.map { Int($0.timeIntervalSince1970) & 1 } ?? 0 }

  // MARK: Memory

  /// Prints the memory that posts take, each kept from another page, and the same for the structs that `JSONDecoder` reads.
  ///
  /// - Parameter words: How many posts; default: 10,000.
  static func keep(_ words: [String]) throws {
    let count = words.first.flatMap { Int($0) } ?? 10_000
    let page = try page.get()
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    // Costs that occur once are not counted.
    _ = try Generated.PostsPage(jsonData: page)
    _ = try decoder.decode(Synthesized.PostsPage.self, from: page)
    print("| \(count) posts, each kept from another page | MB | KB a post |\n|---|---|---|")
    let models = try growth(count, "models") { try Generated.PostsPage(jsonData: page).data[$0 % 121] }
    let structs = try growth(count, "structs read by JSONDecoder") {
      try decoder.decode(Synthesized.PostsPage.self, from: page).data[$0 % 121]
    }
    // Both are kept to here, so that the second does not fill what the first gave back.
    guard models.count == structs.count else { throw Unexpected() }
  }

  /// Makes values and prints by how much the program grew.
  private static func growth<Value>(_ count: Int, _ name: String, _ make: (Int) throws -> Value) rethrows -> [Value] {
    let before = peakMemory()
    var kept: [Value] = []
    kept.reserveCapacity(count)
    for index in 0..<count { kept.append(try make(index)) }
    let bytes = Double(peakMemory() - before)
    print("| \(name) | \(Int(bytes / 1e6)) | \((bytes / Double(count) / 100).rounded() / 10) |")
    return kept
  }
}
