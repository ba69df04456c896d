import Foundation

/// The same models as a person would write them for `JSONDecoder`.
enum Synthesized {
  struct UserResponse: Codable {
    var data: User
    var includes: Includes?

    enum CodingKeys: String, CodingKey {
      case data
      case includes
    }
  }
  struct PostsPage: Codable {
    var data: [Post]
    var includes: Includes?
    var meta: Meta?

    enum CodingKeys: String, CodingKey {
      case data
      case includes
      case meta
    }
  }
  struct Includes: Codable {
    var users: [User]?

    enum CodingKeys: String, CodingKey {
      case users
    }
  }
  struct Meta: Codable {
    var resultCount: Int?
    var newestId: String?
    var oldestId: String?
    var nextToken: String?

    enum CodingKeys: String, CodingKey {
      case resultCount = "result_count"
      case newestId = "newest_id"
      case oldestId = "oldest_id"
      case nextToken = "next_token"
    }
  }
  struct Post: Codable {
    var id: String
    var text: String
    var authorId: String?
    var conversationId: String?
    var createdAt: Date?
    var lang: String?
    var possiblySensitive: Bool?
    var replySettings: String?
    var editHistoryTweetIds: [String]?
    var publicMetrics: PostMetrics?
    var entities: Entities?
    var referencedTweets: [Reference]?
    var source: String?
    var inReplyToUserId: String?
    var scopes: [String]?
    var communityId: String?

    enum CodingKeys: String, CodingKey {
      case id
      case text
      case authorId = "author_id"
      case conversationId = "conversation_id"
      case createdAt = "created_at"
      case lang
      case possiblySensitive = "possibly_sensitive"
      case replySettings = "reply_settings"
      case editHistoryTweetIds = "edit_history_tweet_ids"
      case publicMetrics = "public_metrics"
      case entities
      case referencedTweets = "referenced_tweets"
      case source
      case inReplyToUserId = "in_reply_to_user_id"
      case scopes
      case communityId = "community_id"
    }
  }
  struct PostMetrics: Codable {
    var retweetCount: Int?
    var replyCount: Int?
    var likeCount: Int?
    var quoteCount: Int?
    var bookmarkCount: Int?
    var impressionCount: Int?

    enum CodingKeys: String, CodingKey {
      case retweetCount = "retweet_count"
      case replyCount = "reply_count"
      case likeCount = "like_count"
      case quoteCount = "quote_count"
      case bookmarkCount = "bookmark_count"
      case impressionCount = "impression_count"
    }
  }
  struct Entities: Codable {
    var hashtags: [Hashtag]?
    var urls: [Link]?
    var mentions: [Mention]?

    enum CodingKeys: String, CodingKey {
      case hashtags
      case urls
      case mentions
    }
  }
  struct Hashtag: Codable {
    var start: Int
    var end: Int
    var tag: String

    enum CodingKeys: String, CodingKey {
      case start
      case end
      case tag
    }
  }
  struct Link: Codable {
    var start: Int
    var end: Int
    var url: String
    var displayUrl: String?
    var expandedUrl: String?
    var title: String?

    enum CodingKeys: String, CodingKey {
      case start
      case end
      case url
      case displayUrl = "display_url"
      case expandedUrl = "expanded_url"
      case title
    }
  }
  struct Mention: Codable {
    var start: Int
    var end: Int
    var username: String
    var id: String?

    enum CodingKeys: String, CodingKey {
      case start
      case end
      case username
      case id
    }
  }
  struct Reference: Codable {
    var type: String
    var id: String

    enum CodingKeys: String, CodingKey {
      case type
      case id
    }
  }
  struct User: Codable {
    var id: String
    var name: String
    var username: String
    var createdAt: Date?
    var description: String?
    var verified: Bool?
    var location: String?
    var profileImageUrl: String?
    var publicMetrics: UserMetrics?
    var pinnedTweetId: String?

    enum CodingKeys: String, CodingKey {
      case id
      case name
      case username
      case createdAt = "created_at"
      case description
      case verified
      case location
      case profileImageUrl = "profile_image_url"
      case publicMetrics = "public_metrics"
      case pinnedTweetId = "pinned_tweet_id"
    }
  }
  struct UserMetrics: Codable {
    var followersCount: Int?
    var followingCount: Int?
    var tweetCount: Int?
    var listedCount: Int?

    enum CodingKeys: String, CodingKey {
      case followersCount = "followers_count"
      case followingCount = "following_count"
      case tweetCount = "tweet_count"
      case listedCount = "listed_count"
    }
  }
}
