import Callsign
import Foundation

/// The page's models in the form that the generator writes.
enum Generated {
  struct PostsPage: Model, Codable, Hashable {
    let storage: ModelStorage
    static var layout: ModelLayout {
      ModelLayout(
        "data:[#0] includes:#1? meta:#2?",
        Post.self, Includes.self, Meta.self
      )
    }
    var data: [Post] {
      get { self[value: 0] }
      set { self[value: 0] = newValue }
    }
    var includes: Includes? {
      get { self[model: 1] }
      set { self[model: 1] = newValue }
    }
    var meta: Meta? {
      get { self[model: 2] }
      set { self[model: 2] = newValue }
    }
  }
  struct Includes: Model, Codable, Hashable {
    let storage: ModelStorage
    static var layout: ModelLayout {
      ModelLayout(
        "users:[#0]?",
        User.self
      )
    }
    var users: [User]? {
      get { self[value: 0] }
      set { self[value: 0] = newValue }
    }
  }
  struct Meta: Model, Codable, Hashable {
    let storage: ModelStorage
    static var layout: ModelLayout {
      ModelLayout(
        "result_count:int? newest_id:string? oldest_id:string? next_token:string?"
      )
    }
    var resultCount: Int? {
      get { self[int: 0] }
      set { self[int: 0] = newValue }
    }
    var newestId: String? {
      get { self[string: 1] }
      set { self[string: 1] = newValue }
    }
    var oldestId: String? {
      get { self[string: 2] }
      set { self[string: 2] = newValue }
    }
    var nextToken: String? {
      get { self[string: 3] }
      set { self[string: 3] = newValue }
    }
  }
  struct Post: Model, Codable, Hashable {
    let storage: ModelStorage
    static var layout: ModelLayout {
      ModelLayout(
        "id:string text:string author_id:string? conversation_id:string? created_at:date? lang:string? possibly_sensitive:bool? reply_settings:string? edit_history_tweet_ids:[string]? public_metrics:#0? entities:#1? referenced_tweets:[#2]? source:string? in_reply_to_user_id:string? scopes:[string]? community_id:string?",
        PostMetrics.self, Entities.self, Reference.self
      )
    }
    var id: String {
      get { self[string: 0] }
      set { self[string: 0] = newValue }
    }
    var text: String {
      get { self[string: 1] }
      set { self[string: 1] = newValue }
    }
    var authorId: String? {
      get { self[string: 2] }
      set { self[string: 2] = newValue }
    }
    var conversationId: String? {
      get { self[string: 3] }
      set { self[string: 3] = newValue }
    }
    var createdAt: Date? {
      get { self[date: 4] }
      set { self[date: 4] = newValue }
    }
    var lang: String? {
      get { self[string: 5] }
      set { self[string: 5] = newValue }
    }
    var possiblySensitive: Bool? {
      get { self[bool: 6] }
      set { self[bool: 6] = newValue }
    }
    var replySettings: String? {
      get { self[string: 7] }
      set { self[string: 7] = newValue }
    }
    var editHistoryTweetIds: [String]? {
      get { self[value: 8] }
      set { self[value: 8] = newValue }
    }
    var publicMetrics: PostMetrics? {
      get { self[model: 9] }
      set { self[model: 9] = newValue }
    }
    var entities: Entities? {
      get { self[model: 10] }
      set { self[model: 10] = newValue }
    }
    var referencedTweets: [Reference]? {
      get { self[value: 11] }
      set { self[value: 11] = newValue }
    }
    var source: String? {
      get { self[string: 12] }
      set { self[string: 12] = newValue }
    }
    var inReplyToUserId: String? {
      get { self[string: 13] }
      set { self[string: 13] = newValue }
    }
    var scopes: [String]? {
      get { self[value: 14] }
      set { self[value: 14] = newValue }
    }
    var communityId: String? {
      get { self[string: 15] }
      set { self[string: 15] = newValue }
    }
  }
  struct PostMetrics: Model, Codable, Hashable {
    let storage: ModelStorage
    static var layout: ModelLayout {
      ModelLayout(
        "retweet_count:int? reply_count:int? like_count:int? quote_count:int? bookmark_count:int? impression_count:int?"
      )
    }
    var retweetCount: Int? {
      get { self[int: 0] }
      set { self[int: 0] = newValue }
    }
    var replyCount: Int? {
      get { self[int: 1] }
      set { self[int: 1] = newValue }
    }
    var likeCount: Int? {
      get { self[int: 2] }
      set { self[int: 2] = newValue }
    }
    var quoteCount: Int? {
      get { self[int: 3] }
      set { self[int: 3] = newValue }
    }
    var bookmarkCount: Int? {
      get { self[int: 4] }
      set { self[int: 4] = newValue }
    }
    var impressionCount: Int? {
      get { self[int: 5] }
      set { self[int: 5] = newValue }
    }
  }
  struct Entities: Model, Codable, Hashable {
    let storage: ModelStorage
    static var layout: ModelLayout {
      ModelLayout(
        "hashtags:[#0]? urls:[#1]? mentions:[#2]?",
        Hashtag.self, Link.self, Mention.self
      )
    }
    var hashtags: [Hashtag]? {
      get { self[value: 0] }
      set { self[value: 0] = newValue }
    }
    var urls: [Link]? {
      get { self[value: 1] }
      set { self[value: 1] = newValue }
    }
    var mentions: [Mention]? {
      get { self[value: 2] }
      set { self[value: 2] = newValue }
    }
  }
  struct Hashtag: Model, Codable, Hashable {
    let storage: ModelStorage
    static var layout: ModelLayout {
      ModelLayout(
        "start:int end:int tag:string"
      )
    }
    var start: Int {
      get { self[int: 0] }
      set { self[int: 0] = newValue }
    }
    var end: Int {
      get { self[int: 1] }
      set { self[int: 1] = newValue }
    }
    var tag: String {
      get { self[string: 2] }
      set { self[string: 2] = newValue }
    }
  }
  struct Link: Model, Codable, Hashable {
    let storage: ModelStorage
    static var layout: ModelLayout {
      ModelLayout(
        "start:int end:int url:string display_url:string? expanded_url:string? title:string?"
      )
    }
    var start: Int {
      get { self[int: 0] }
      set { self[int: 0] = newValue }
    }
    var end: Int {
      get { self[int: 1] }
      set { self[int: 1] = newValue }
    }
    var url: String {
      get { self[string: 2] }
      set { self[string: 2] = newValue }
    }
    var displayUrl: String? {
      get { self[string: 3] }
      set { self[string: 3] = newValue }
    }
    var expandedUrl: String? {
      get { self[string: 4] }
      set { self[string: 4] = newValue }
    }
    var title: String? {
      get { self[string: 5] }
      set { self[string: 5] = newValue }
    }
  }
  struct Mention: Model, Codable, Hashable {
    let storage: ModelStorage
    static var layout: ModelLayout {
      ModelLayout(
        "start:int end:int username:string id:string?"
      )
    }
    var start: Int {
      get { self[int: 0] }
      set { self[int: 0] = newValue }
    }
    var end: Int {
      get { self[int: 1] }
      set { self[int: 1] = newValue }
    }
    var username: String {
      get { self[string: 2] }
      set { self[string: 2] = newValue }
    }
    var id: String? {
      get { self[string: 3] }
      set { self[string: 3] = newValue }
    }
  }
  struct Reference: Model, Codable, Hashable {
    let storage: ModelStorage
    static var layout: ModelLayout {
      ModelLayout(
        "type:string id:string"
      )
    }
    var type: String {
      get { self[string: 0] }
      set { self[string: 0] = newValue }
    }
    var id: String {
      get { self[string: 1] }
      set { self[string: 1] = newValue }
    }
  }
  struct User: Model, Codable, Hashable {
    let storage: ModelStorage
    static var layout: ModelLayout {
      ModelLayout(
        "id:string name:string username:string created_at:date? description:string? verified:bool? location:string? profile_image_url:string? public_metrics:#0? pinned_tweet_id:string?",
        UserMetrics.self
      )
    }
    var id: String {
      get { self[string: 0] }
      set { self[string: 0] = newValue }
    }
    var name: String {
      get { self[string: 1] }
      set { self[string: 1] = newValue }
    }
    var username: String {
      get { self[string: 2] }
      set { self[string: 2] = newValue }
    }
    var createdAt: Date? {
      get { self[date: 3] }
      set { self[date: 3] = newValue }
    }
    var description: String? {
      get { self[string: 4] }
      set { self[string: 4] = newValue }
    }
    var verified: Bool? {
      get { self[bool: 5] }
      set { self[bool: 5] = newValue }
    }
    var location: String? {
      get { self[string: 6] }
      set { self[string: 6] = newValue }
    }
    var profileImageUrl: String? {
      get { self[string: 7] }
      set { self[string: 7] = newValue }
    }
    var publicMetrics: UserMetrics? {
      get { self[model: 8] }
      set { self[model: 8] = newValue }
    }
    var pinnedTweetId: String? {
      get { self[string: 9] }
      set { self[string: 9] = newValue }
    }
  }
  struct UserMetrics: Model, Codable, Hashable {
    let storage: ModelStorage
    static var layout: ModelLayout {
      ModelLayout(
        "followers_count:int? following_count:int? tweet_count:int? listed_count:int?"
      )
    }
    var followersCount: Int? {
      get { self[int: 0] }
      set { self[int: 0] = newValue }
    }
    var followingCount: Int? {
      get { self[int: 1] }
      set { self[int: 1] = newValue }
    }
    var tweetCount: Int? {
      get { self[int: 2] }
      set { self[int: 2] = newValue }
    }
    var listedCount: Int? {
      get { self[int: 3] }
      set { self[int: 3] = newValue }
    }
  }
}
