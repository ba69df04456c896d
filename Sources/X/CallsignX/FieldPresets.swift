import Callsign
import XCore

// Sets of fields that most programs need, so that a call need not list them: `postFields: .standard`.

extension [XAPI.PostField] {
  /// The fields for showing a post: text, time, language, entities, attachments, conversation and public counts.
  public static var standard: [XAPI.PostField] { standardPostFields }

  /// All fields except the metrics that only the author can request. With these, a call for other people's posts fails.
  public static var allPublic: [XAPI.PostField] {
    XAPI.PostField.knownCases.filter { ![.nonPublicMetrics, .organicMetrics, .promotedMetrics].contains($0) }
  }

  /// All fields, for the account's own posts of the last 30 days.
  public static var allOwn: [XAPI.PostField] { XAPI.PostField.knownCases }
}

extension [XAPI.UserField] {
  /// The fields for showing a profile: names, description, picture, link, place, time, public counts, and whether it is protected
  /// or verified.
  public static var standard: [XAPI.UserField] { standardUserFields }

  /// All fields except the email address, which requires the scope `users.email`, and those that depend on the caller.
  public static var allPublic: [XAPI.UserField] {
    XAPI.UserField.knownCases.filter {
      ![.confirmedEmail, .connectionStatus, .receivesYourDM, .subscribesToYou, .subscription].contains($0)
    }
  }
}

extension [XAPI.MediaField] {
  /// The fields for showing a picture or video: key, type, URL, preview, size, duration, variants and alternative text.
  public static var standard: [XAPI.MediaField] { standardMediaFields }

  /// All fields except the metrics that only the owner can request.
  public static var allPublic: [XAPI.MediaField] {
    XAPI.MediaField.knownCases.filter { ![.nonPublicMetrics, .organicMetrics, .promotedMetrics].contains($0) }
  }
}

extension [XAPI.PollField] {
  /// All fields of a poll.
  public static var all: [XAPI.PollField] { XAPI.PollField.knownCases }
}

extension [XAPI.PlaceField] {
  /// All fields of a place.
  public static var all: [XAPI.PlaceField] { XAPI.PlaceField.knownCases }
}

extension [XAPI.PostExpansion] {
  /// The expansions for everything that a post refers to: its author, media, poll and place, the users and posts that it replies
  /// to, quotes or reposts, and the users that it mentions.
  public static var standard: [XAPI.PostExpansion] { standardPostExpansions }
}

extension [XAPI.DMEventField] {
  /// All fields of a direct message, or of another event in a conversation.
  public static var standard: [XAPI.DMEventField] { XAPI.DMEventField.knownCases }
}

extension [XAPI.DMEventExpansion] {
  /// The expansions for everything that a direct message refers to: its author, users who joined or left, media, and linked posts.
  public static var standard: [XAPI.DMEventExpansion] { XAPI.DMEventExpansion.knownCases }
}

extension [XAPI.ListField] {
  /// All fields of a list.
  public static var standard: [XAPI.ListField] { XAPI.ListField.knownCases }
}

extension [XAPI.ListExpansion] {
  /// The expansion for a list's owner.
  public static var standard: [XAPI.ListExpansion] { XAPI.ListExpansion.knownCases }
}

extension [XAPI.SpaceField] {
  /// The fields for showing a Space: title, state, language, times, number of participants, and whether it requires a ticket.
  public static var standard: [XAPI.SpaceField] { standardSpaceFields }

  /// All fields of a Space.
  public static var all: [XAPI.SpaceField] { XAPI.SpaceField.knownCases }
}

extension [XAPI.SpaceExpansion] {
  /// The expansions for a Space's creator, hosts and speakers, and for its topics.
  public static var standard: [XAPI.SpaceExpansion] { standardSpaceExpansions }
}

extension [XAPI.TopicField] {
  /// All fields of a Space's topic.
  public static var all: [XAPI.TopicField] { XAPI.TopicField.knownCases }
}

// Streams have separate types, with older names.

extension [XAPI.TweetField] {
  /// The fields for showing a streamed post, like those of a post.
  public static var standard: [XAPI.TweetField] { standardTweetFields }

  /// All fields except the metrics that only the author can request.
  public static var allPublic: [XAPI.TweetField] {
    XAPI.TweetField.knownCases.filter { ![.nonPublicMetrics, .organicMetrics, .promotedMetrics].contains($0) }
  }
}

extension [XAPI.StreamPostsExpansion] {
  /// The expansions for everything that a streamed post refers to, like those of a post.
  public static var standard: [XAPI.StreamPostsExpansion] { standardStreamPostsExpansions }
}

extension [XAPI.StreamUserField] {
  /// The fields for showing a profile, like those of a user.
  public static var standard: [XAPI.StreamUserField] { standardStreamUserFields }

  /// All fields except the email address, which requires the scope `users.email`, and those that depend on the caller.
  public static var allPublic: [XAPI.StreamUserField] {
    XAPI.StreamUserField.knownCases.filter {
      ![.confirmedEmail, .connectionStatus, .receivesYourDM, .subscription].contains($0)
    }
  }
}

extension [XAPI.LikeWithTweetAuthorField] {
  /// All fields of a streamed like.
  public static var standard: [XAPI.LikeWithTweetAuthorField] { XAPI.LikeWithTweetAuthorField.knownCases }
}

extension [XAPI.StreamLikesExpansion] {
  /// The expansions for everything that a streamed like refers to: the post, its author and its media.
  public static var standard: [XAPI.StreamLikesExpansion] { XAPI.StreamLikesExpansion.knownCases }
}

// Created once, because each list takes memory and a generic type such as an array cannot store one itself.

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
