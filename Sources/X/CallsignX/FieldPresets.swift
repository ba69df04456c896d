import Callsign
import XCore

// Selections of fields that most programs want, so that a call need not list them: `postFields: .standard`.

extension [XAPI.PostField] {
  /// The fields that it takes to show a post: text, time, language, entities, attachments, conversation and public counts.
  public static var standard: [XAPI.PostField] { standardPostFields }

  /// All but the metrics that only the post's author may ask for: with them, a call for others' posts fails.
  public static var allPublic: [XAPI.PostField] {
    XAPI.PostField.knownCases.filter { ![.nonPublicMetrics, .organicMetrics, .promotedMetrics].contains($0) }
  }

  /// All, for posts of the account that asks, not older than 30 days.
  public static var allOwn: [XAPI.PostField] { XAPI.PostField.knownCases }
}

extension [XAPI.UserField] {
  /// The fields that it takes to show a profile: names, description, picture, link, place, time, public counts, and
  /// whether it is protected or verified.
  public static var standard: [XAPI.UserField] { standardUserFields }

  /// All but the address, which takes the scope `users.email`, and what depends on who asks.
  public static var allPublic: [XAPI.UserField] {
    XAPI.UserField.knownCases.filter {
      ![.confirmedEmail, .connectionStatus, .receivesYourDM, .subscribesToYou, .subscription].contains($0)
    }
  }
}

extension [XAPI.MediaField] {
  /// The fields that it takes to show a picture or video: key, type, URL, preview, size, duration, forms and
  /// alternative text.
  public static var standard: [XAPI.MediaField] { standardMediaFields }

  /// All but the metrics that only the owner may ask for.
  public static var allPublic: [XAPI.MediaField] {
    XAPI.MediaField.knownCases.filter { ![.nonPublicMetrics, .organicMetrics, .promotedMetrics].contains($0) }
  }
}

extension [XAPI.PollField] {
  /// All of a poll.
  public static var all: [XAPI.PollField] { XAPI.PollField.knownCases }
}

extension [XAPI.PlaceField] {
  /// All of a place.
  public static var all: [XAPI.PlaceField] { XAPI.PlaceField.knownCases }
}

extension [XAPI.PostExpansion] {
  /// The expansions that the joins of a post need: author, media, poll, place, whom and what it replies to, quotes or
  /// reposts, and whom it names.
  public static var standard: [XAPI.PostExpansion] { standardPostExpansions }
}

extension [XAPI.DMEventField] {
  /// All of a direct message, or of another event of a conversation.
  public static var standard: [XAPI.DMEventField] { XAPI.DMEventField.knownCases }
}

extension [XAPI.DMEventExpansion] {
  /// All that a direct message refers to: who wrote it, who joined or left, media, and posts that it links to.
  public static var standard: [XAPI.DMEventExpansion] { XAPI.DMEventExpansion.knownCases }
}

extension [XAPI.ListField] {
  /// All of a list.
  public static var standard: [XAPI.ListField] { XAPI.ListField.knownCases }
}

extension [XAPI.ListExpansion] {
  /// A list's owner.
  public static var standard: [XAPI.ListExpansion] { XAPI.ListExpansion.knownCases }
}

extension [XAPI.SpaceField] {
  /// The fields that it takes to show a Space: title, state, language, times, how many take part, and whether it takes a
  /// ticket.
  public static var standard: [XAPI.SpaceField] { standardSpaceFields }

  /// All of a Space.
  public static var all: [XAPI.SpaceField] { XAPI.SpaceField.knownCases }
}

extension [XAPI.SpaceExpansion] {
  /// The expansions for those who made a Space, who host it and who speak, and for its topics.
  public static var standard: [XAPI.SpaceExpansion] { standardSpaceExpansions }
}

extension [XAPI.TopicField] {
  /// All of a Space's topic.
  public static var all: [XAPI.TopicField] { XAPI.TopicField.knownCases }
}

// Streams have types of their own, with older names in them.

extension [XAPI.TweetField] {
  /// The fields that it takes to show a streamed post, as those of a post.
  public static var standard: [XAPI.TweetField] { standardTweetFields }

  /// All but the metrics that only the post's author may ask for.
  public static var allPublic: [XAPI.TweetField] {
    XAPI.TweetField.knownCases.filter { ![.nonPublicMetrics, .organicMetrics, .promotedMetrics].contains($0) }
  }
}

extension [XAPI.StreamPostsExpansion] {
  /// The expansions that the joins of a streamed post need, as those of a post.
  public static var standard: [XAPI.StreamPostsExpansion] { standardStreamPostsExpansions }
}

extension [XAPI.StreamUserField] {
  /// The fields that it takes to show a profile, as those of a user.
  public static var standard: [XAPI.StreamUserField] { standardStreamUserFields }

  /// All but the address, which takes the scope `users.email`, and what depends on who asks.
  public static var allPublic: [XAPI.StreamUserField] {
    XAPI.StreamUserField.knownCases.filter {
      ![.confirmedEmail, .connectionStatus, .receivesYourDM, .subscription].contains($0)
    }
  }
}

extension [XAPI.LikeWithTweetAuthorField] {
  /// All of a streamed like.
  public static var standard: [XAPI.LikeWithTweetAuthorField] { XAPI.LikeWithTweetAuthorField.knownCases }
}

extension [XAPI.StreamLikesExpansion] {
  /// All that a streamed like refers to: the post, its author and its media.
  public static var standard: [XAPI.StreamLikesExpansion] { XAPI.StreamLikesExpansion.knownCases }
}

// Made once: each list is memory of its own, and a type as general as a list keeps none itself.

private let standardPostFields: [XAPI.PostField] = [
  .id, .text, .createdAt, .lang, .conversationID, .entities, .attachments, .publicMetrics, .notePost,
  .possiblySensitive, .replySettings, .editControls,
]

private let standardUserFields: [XAPI.UserField] = [
  .id, .name, .username, .description, .profileImageURL, .url, .location, .entities, .createdAt, .publicMetrics,
  .protected, .verified, .verifiedType,
]

private let standardMediaFields: [XAPI.MediaField] = [
  .mediaKey, .type, .url, .previewImageURL, .width, .height, .durationMs, .variants, .altText,
]

private let standardPostExpansions: [XAPI.PostExpansion] = [
  .authorID, .attachmentsMediaKeys, .attachmentsPollIDs, .geoPlaceID, .inReplyToUserID, .referencedPosts,
  .entitiesMentionsUsername,
]

private let standardSpaceFields: [XAPI.SpaceField] = [
  .id, .state, .title, .lang, .createdAt, .scheduledStart, .startedAt, .endedAt, .participantCount, .isTicketed,
]

private let standardSpaceExpansions: [XAPI.SpaceExpansion] = [.creatorID, .hostIDs, .speakerIDs, .topicIDs]

private let standardTweetFields: [XAPI.TweetField] = [
  .id, .text, .createdAt, .lang, .conversationID, .entities, .attachments, .publicMetrics, .noteTweet,
  .possiblySensitive, .replySettings, .editControls,
]

private let standardStreamPostsExpansions: [XAPI.StreamPostsExpansion] = [
  .authorID, .attachmentsMediaKeys, .attachmentsPollIDs, .geoPlaceID, .inReplyToUserID, .referencedTweetsID,
  .entitiesMentionsUsername,
]

private let standardStreamUserFields: [XAPI.StreamUserField] = [
  .id, .name, .username, .description, .profileImageURL, .url, .location, .entities, .createdAt, .publicMetrics,
  .protected, .verified, .verifiedType,
]
