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
