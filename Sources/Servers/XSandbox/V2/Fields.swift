/// The fields and expansions in X's document (version 2.167).
enum Fields {
  static let user = [
    "confirmed_email", "connection_status", "created_at", "description", "entities", "id", "is_identity_verified",
    "location", "name", "parody", "profile_banner_url", "profile_image_url", "protected", "public_metrics",
    "receives_your_dm", "subscribes_to_you", "subscription", "subscription_type", "url", "username", "verified",
    "verified_followers_count", "verified_type", "withheld",
  ]
  static let post = [
    "article", "article_title", "attachments", "card_uri", "community_id", "context_annotations", "conversation_id",
    "created_at", "display_text_range", "edit_controls", "entities", "geo", "id", "lang", "matched_media_notes",
    "media_metadata", "non_public_metrics", "note_post", "note_request_suggestions", "organic_metrics",
    "paid_partnership", "possibly_sensitive", "promoted_metrics", "public_metrics", "reply_settings", "scopes",
    "source", "suggested_source_links", "suggested_source_links_with_counts", "text", "withheld",
  ]
  static let list = [
    "created_at", "description", "follower_count", "id", "member_count", "name", "private",
  ]
  static let media = [
    "alt_text", "duration_ms", "height", "media_key", "non_public_metrics", "organic_metrics", "preview_image_url",
    "promoted_metrics", "public_metrics", "type", "url", "variants", "width",
  ]
  static let poll = ["duration_minutes", "end_datetime", "id", "options", "voting_status"]
  static let place = [
    "contained_within", "country", "country_code", "full_name", "geo", "id", "name", "place_type",
  ]

  static let userExpansions = ["affiliation", "most_recent_post_id", "pinned_post_id"]
  static let postExpansions = [
    "article.cover_media", "article.media_entities", "attachments.media_keys", "attachments.media_source_tweet",
    "attachments.poll_ids", "author_id", "edit_history_post_ids", "entities.mentions.username", "geo.place_id",
    "in_reply_to_user_id", "referenced_posts", "username",
  ]
  static let listExpansions = ["owner_id"]
}

extension [QueryParameter] {
  /// The parameters of operations that return users.
  static let userSelection: [QueryParameter] = [
    QueryParameter(name: "user.fields", kind: .list(of: Fields.user)),
    QueryParameter(name: "expansions", kind: .list(of: Fields.userExpansions)),
    QueryParameter(name: "post.fields", kind: .list(of: Fields.post)),
  ]

  /// The parameters of operations that return posts.
  static let postSelection: [QueryParameter] = [
    QueryParameter(name: "post.fields", kind: .list(of: Fields.post)),
    QueryParameter(name: "expansions", kind: .list(of: Fields.postExpansions)),
    QueryParameter(name: "user.fields", kind: .list(of: Fields.user)),
    QueryParameter(name: "media.fields", kind: .list(of: Fields.media)),
    QueryParameter(name: "poll.fields", kind: .list(of: Fields.poll)),
    QueryParameter(name: "place.fields", kind: .list(of: Fields.place)),
  ]

  /// The parameters of operations that return lists.
  static let listSelection: [QueryParameter] = [
    QueryParameter(name: "list.fields", kind: .list(of: Fields.list)),
    QueryParameter(name: "expansions", kind: .list(of: Fields.listExpansions)),
    QueryParameter(name: "user.fields", kind: .list(of: Fields.user)),
  ]

  /// `max_results` and `pagination_token`.
  static func page(_ range: ClosedRange<Int>, default size: Int) -> [QueryParameter] {
    [
      QueryParameter(name: "max_results", kind: .integer(range, default: size)),
      QueryParameter(name: "pagination_token", kind: .pageToken),
    ]
  }
}
