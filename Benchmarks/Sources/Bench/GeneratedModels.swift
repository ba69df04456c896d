import Callsign
import Foundation

/// The page's models in the form that the generator writes.
enum Generated {
  struct PostsPage: Model, Codable, Hashable {
    var _storage: ModelStorage
    static var _layout: ModelLayout {
      ModelLayout(
        "data:[#0] includes:#1? meta:#2?",
        Post.self, Includes.self, Meta.self
      )
    }
    var data: [Post] {
      get { _storage[list: 0] }
      set { _storage[list: 0] = newValue }
    }
    var includes: Includes? {
      get { _storage[model: 1] }
      set { _storage[model: 1] = newValue }
    }
    var meta: Meta? {
      get { _storage[model: 2] }
      set { _storage[model: 2] = newValue }
    }
  }
  struct Includes: Model, Codable, Hashable {
    var _storage: ModelStorage
    static var _layout: ModelLayout {
      ModelLayout(
        "users:[#0]?",
        User.self
      )
    }
    var users: [User] {
      get { _storage[list: 0] }
      set { _storage[list: 0] = newValue }
    }
  }
  struct Meta: Model, Codable, Hashable {
    var _storage: ModelStorage
    static var _layout: ModelLayout {
      ModelLayout(
        "result_count:int? newest_id:string? oldest_id:string? next_token:string?"
      )
    }
    var resultCount: Int? {
      get { _storage[int: 0] }
      set { _storage[int: 0] = newValue }
    }
    var newestId: String? {
      get { _storage[string: 1] }
      set { _storage[string: 1] = newValue }
    }
    var oldestId: String? {
      get { _storage[string: 2] }
      set { _storage[string: 2] = newValue }
    }
    var nextToken: String? {
      get { _storage[string: 3] }
      set { _storage[string: 3] = newValue }
    }
  }
  struct Post: Model, Codable, Hashable {
    var _storage: ModelStorage
    static var _layout: ModelLayout {
      ModelLayout(
        "id:string text:string author_id:string? conversation_id:string? created_at:date? lang:string? possibly_sensitive:bool? reply_settings:string? edit_history_tweet_ids:[string]? public_metrics:#0? entities:#1? referenced_tweets:[#2]? source:string? in_reply_to_user_id:string? scopes:[string]? community_id:string?",
        PostMetrics.self, Entities.self, Reference.self
      )
    }
    var id: String {
      get { _storage[string: 0] }
      set { _storage[string: 0] = newValue }
    }
    var text: String {
      get { _storage[string: 1] }
      set { _storage[string: 1] = newValue }
    }
    var authorId: String? {
      get { _storage[string: 2] }
      set { _storage[string: 2] = newValue }
    }
    var conversationId: String? {
      get { _storage[string: 3] }
      set { _storage[string: 3] = newValue }
    }
    var createdAt: Date? {
      get { _storage[date: 4] }
      set { _storage[date: 4] = newValue }
    }
    var lang: String? {
      get { _storage[string: 5] }
      set { _storage[string: 5] = newValue }
    }
    var possiblySensitive: Bool? {
      get { _storage[bool: 6] }
      set { _storage[bool: 6] = newValue }
    }
    var replySettings: String? {
      get { _storage[string: 7] }
      set { _storage[string: 7] = newValue }
    }
    var editHistoryTweetIds: [String] {
      get { _storage[list: 8] }
      set { _storage[list: 8] = newValue }
    }
    var publicMetrics: PostMetrics? {
      get { _storage[model: 9] }
      set { _storage[model: 9] = newValue }
    }
    var entities: Entities? {
      get { _storage[model: 10] }
      set { _storage[model: 10] = newValue }
    }
    var referencedTweets: [Reference] {
      get { _storage[list: 11] }
      set { _storage[list: 11] = newValue }
    }
    var source: String? {
      get { _storage[string: 12] }
      set { _storage[string: 12] = newValue }
    }
    var inReplyToUserId: String? {
      get { _storage[string: 13] }
      set { _storage[string: 13] = newValue }
    }
    var scopes: [String] {
      get { _storage[list: 14] }
      set { _storage[list: 14] = newValue }
    }
    var communityId: String? {
      get { _storage[string: 15] }
      set { _storage[string: 15] = newValue }
    }
  }
  struct PostMetrics: Model, Codable, Hashable {
    var _storage: ModelStorage
    static var _layout: ModelLayout {
      ModelLayout(
        "retweet_count:int? reply_count:int? like_count:int? quote_count:int? bookmark_count:int? impression_count:int?"
      )
    }
    var retweetCount: Int? {
      get { _storage[int: 0] }
      set { _storage[int: 0] = newValue }
    }
    var replyCount: Int? {
      get { _storage[int: 1] }
      set { _storage[int: 1] = newValue }
    }
    var likeCount: Int? {
      get { _storage[int: 2] }
      set { _storage[int: 2] = newValue }
    }
    var quoteCount: Int? {
      get { _storage[int: 3] }
      set { _storage[int: 3] = newValue }
    }
    var bookmarkCount: Int? {
      get { _storage[int: 4] }
      set { _storage[int: 4] = newValue }
    }
    var impressionCount: Int? {
      get { _storage[int: 5] }
      set { _storage[int: 5] = newValue }
    }
  }
  struct Entities: Model, Codable, Hashable {
    var _storage: ModelStorage
    static var _layout: ModelLayout {
      ModelLayout(
        "hashtags:[#0]? urls:[#1]? mentions:[#2]?",
        Hashtag.self, Link.self, Mention.self
      )
    }
    var hashtags: [Hashtag] {
      get { _storage[list: 0] }
      set { _storage[list: 0] = newValue }
    }
    var urls: [Link] {
      get { _storage[list: 1] }
      set { _storage[list: 1] = newValue }
    }
    var mentions: [Mention] {
      get { _storage[list: 2] }
      set { _storage[list: 2] = newValue }
    }
  }
  struct Hashtag: Model, Codable, Hashable {
    var _storage: ModelStorage
    static var _layout: ModelLayout {
      ModelLayout(
        "start:int end:int tag:string"
      )
    }
    var start: Int {
      get { _storage[int: 0] }
      set { _storage[int: 0] = newValue }
    }
    var end: Int {
      get { _storage[int: 1] }
      set { _storage[int: 1] = newValue }
    }
    var tag: String {
      get { _storage[string: 2] }
      set { _storage[string: 2] = newValue }
    }
  }
  struct Link: Model, Codable, Hashable {
    var _storage: ModelStorage
    static var _layout: ModelLayout {
      ModelLayout(
        "start:int end:int url:string display_url:string? expanded_url:string? title:string?"
      )
    }
    var start: Int {
      get { _storage[int: 0] }
      set { _storage[int: 0] = newValue }
    }
    var end: Int {
      get { _storage[int: 1] }
      set { _storage[int: 1] = newValue }
    }
    var url: String {
      get { _storage[string: 2] }
      set { _storage[string: 2] = newValue }
    }
    var displayUrl: String? {
      get { _storage[string: 3] }
      set { _storage[string: 3] = newValue }
    }
    var expandedUrl: String? {
      get { _storage[string: 4] }
      set { _storage[string: 4] = newValue }
    }
    var title: String? {
      get { _storage[string: 5] }
      set { _storage[string: 5] = newValue }
    }
  }
  struct Mention: Model, Codable, Hashable {
    var _storage: ModelStorage
    static var _layout: ModelLayout {
      ModelLayout(
        "start:int end:int username:string id:string?"
      )
    }
    var start: Int {
      get { _storage[int: 0] }
      set { _storage[int: 0] = newValue }
    }
    var end: Int {
      get { _storage[int: 1] }
      set { _storage[int: 1] = newValue }
    }
    var username: String {
      get { _storage[string: 2] }
      set { _storage[string: 2] = newValue }
    }
    var id: String? {
      get { _storage[string: 3] }
      set { _storage[string: 3] = newValue }
    }
  }
  struct Reference: Model, Codable, Hashable {
    var _storage: ModelStorage
    static var _layout: ModelLayout {
      ModelLayout(
        "type:string id:string"
      )
    }
    var type: String {
      get { _storage[string: 0] }
      set { _storage[string: 0] = newValue }
    }
    var id: String {
      get { _storage[string: 1] }
      set { _storage[string: 1] = newValue }
    }
  }
  struct User: Model, Codable, Hashable {
    var _storage: ModelStorage
    static var _layout: ModelLayout {
      ModelLayout(
        "id:string name:string username:string created_at:date? description:string? verified:bool? location:string? profile_image_url:string? public_metrics:#0? pinned_tweet_id:string?",
        UserMetrics.self
      )
    }
    var id: String {
      get { _storage[string: 0] }
      set { _storage[string: 0] = newValue }
    }
    var name: String {
      get { _storage[string: 1] }
      set { _storage[string: 1] = newValue }
    }
    var username: String {
      get { _storage[string: 2] }
      set { _storage[string: 2] = newValue }
    }
    var createdAt: Date? {
      get { _storage[date: 3] }
      set { _storage[date: 3] = newValue }
    }
    var description: String? {
      get { _storage[string: 4] }
      set { _storage[string: 4] = newValue }
    }
    var verified: Bool? {
      get { _storage[bool: 5] }
      set { _storage[bool: 5] = newValue }
    }
    var location: String? {
      get { _storage[string: 6] }
      set { _storage[string: 6] = newValue }
    }
    var profileImageUrl: String? {
      get { _storage[string: 7] }
      set { _storage[string: 7] = newValue }
    }
    var publicMetrics: UserMetrics? {
      get { _storage[model: 8] }
      set { _storage[model: 8] = newValue }
    }
    var pinnedTweetId: String? {
      get { _storage[string: 9] }
      set { _storage[string: 9] = newValue }
    }
  }
  struct UserMetrics: Model, Codable, Hashable {
    var _storage: ModelStorage
    static var _layout: ModelLayout {
      ModelLayout(
        "followers_count:int? following_count:int? tweet_count:int? listed_count:int?"
      )
    }
    var followersCount: Int? {
      get { _storage[int: 0] }
      set { _storage[int: 0] = newValue }
    }
    var followingCount: Int? {
      get { _storage[int: 1] }
      set { _storage[int: 1] = newValue }
    }
    var tweetCount: Int? {
      get { _storage[int: 2] }
      set { _storage[int: 2] = newValue }
    }
    var listedCount: Int? {
      get { _storage[int: 3] }
      set { _storage[int: 3] = newValue }
    }
  }
}
