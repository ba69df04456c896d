/// Limits of the size that X grants its Pro level (<https://docs.x.com/x-api/fundamentals/rate-limits>), so that tests meet
/// realistic windows. X changes them now and then; ``Sandbox/Configuration/limits`` sets what a test needs to be exact.
enum PublishedLimits {
  /// For what the page doesn't name.
  static let fallback: Sandbox.RateLimit = 75

  static let byOperation = v2.merging(v1) { $1 }

  private static let v2: [String: Sandbox.RateLimit] = [
    "GET /2/users/me": 75,
    "GET /2/users/{id}": .init(user: 900, app: 300),
    "GET /2/users": .init(user: 900, app: 300),
    "GET /2/users/by/username/{username}": .init(user: 900, app: 300),
    "GET /2/users/by": .init(user: 900, app: 300),
    "POST /2/tweets": 100,
    "DELETE /2/tweets/{id}": 50,
    "GET /2/tweets/{id}": .init(user: 900, app: 450),
    "GET /2/tweets": .init(user: 900, app: 450),
    "GET /2/tweets/{id}/quote_tweets": 75,
    "GET /2/users/{id}/tweets": .init(user: 900, app: 1500),
    "GET /2/tweets/search/recent": .init(user: 300, app: 450),
    "POST /2/users/{id}/likes": 50,
    "DELETE /2/users/{id}/likes/{tweet_id}": 50,
    "GET /2/users/{id}/liked_tweets": 75,
    "GET /2/tweets/{id}/liking_users": 75,
    "POST /2/users/{id}/retweets": 50,
    "DELETE /2/users/{id}/retweets/{source_tweet_id}": 50,
    "GET /2/tweets/{id}/retweeted_by": 75,
    "POST /2/users/{id}/following": 50,
    "DELETE /2/users/{source_user_id}/following/{target_user_id}": 50,
    "GET /2/users/{id}/following": 300,
    "GET /2/users/{id}/followers": 300,
    "POST /2/lists": 300,
    "GET /2/lists/{id}": 75,
    "PUT /2/lists/{id}": 300,
    "DELETE /2/lists/{id}": 300,
    "GET /2/users/{id}/owned_lists": 15,
    "GET /2/lists/{id}/tweets": 900,
    "POST /2/lists/{id}/members": 300,
    "DELETE /2/lists/{id}/members/{user_id}": 300,
    "GET /2/lists/{id}/members": 900,
    "GET /2/users/{id}/list_memberships": 75,
    "POST /2/users/{id}/followed_lists": 50,
    "DELETE /2/users/{id}/followed_lists/{list_id}": 50,
    "GET /2/lists/{id}/followers": 180,
    "GET /2/users/{id}/followed_lists": 15,
    "POST /2/media/upload": 500,
    "GET /2/media/upload": 1000,
    "POST /2/media/upload/initialize": 1875,
    "POST /2/media/upload/{id}/append": 1875,
    "POST /2/media/upload/{id}/finalize": 1875,
    "POST /2/media/metadata": 500,
    "POST /2/media/subtitles": 100,
    "DELETE /2/media/subtitles": 100,
  ]
}
