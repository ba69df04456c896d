extension XAPIv1.ErrorCode {
  /// What to do about it, in one sentence; `nil` for a code that is not known here.
  public var advice: String? {
    switch self {
    case .invalidCoordinates: "give latitude from -90 to 90 and longitude from -180 to 180"
    case .noLocationFound: "search with other coordinates, a larger accuracy, or another IP address"
    case .noUserMatches: "check the ids or names; accounts may be gone, suspended or renamed"
    case .couldNotAuthenticate: "check consumer key, token and both secrets: one of them is not what X knows"
    case .notFound: "check the id or name; if the method is deprecated, use what its message names"
    case .cannotReportYourself: "name another user"
    case .parameterMissing: "read the message, which names it, and pass it"
    case .invalidAttachmentURL: "give the permalink of a tweet, or a deep link into direct messages"
    case .userNotFound: "check the id or name; the account may be gone or renamed"
    case .userSuspended: "leave the user out; nothing can be read until X lifts it"
    case .accountSuspended: "its owner has to resolve that with X; calling again does not help"
    case .versionRetired: "call an endpoint of version 1.1 or 2"
    case .clientNotPermitted:
      "ask X for access in the developer portal, or use an endpoint that the app's tier includes"
    case .rateLimitExceeded: "wait until the limit's `reset`, and ask for less or larger pages"
    case .invalidOrExpiredToken: "log in again for a new token"
    case .tlsRequired: "use an https URL"
    case .directMessagesNotPermitted:
      "give it the permission \"read, write and direct messages\" in the developer portal, then create the token anew"
    case .credentialsNotVerified: "copy consumer key and secret again; for a bearer token, send them as HTTP Basic"
    case .accountUpdateFailed: "read the message, which says what field is too long or not allowed"
    case .overCapacity: "call again after a pause, longer each time"
    case .internalError: "call again after a pause; before repeating a write, read whether it was done"
    case .timestampOutOfBounds: "set the clock of this machine by a time server"
    case .alreadyFavourited: "nothing is to be done; take it as success"
    case .tweetNotFound: "check the id; the tweet may be deleted"
    case .recipientDoesNotFollow: "ask them to follow the account, or to open their messages"
    case .messageNotSent: "read the message for the reason; too many links or the same text again are common ones"
    case .followAlreadyRequested: "wait for them to accept"
    case .followLimitReached: "wait a day; accounts that follow many need more followers before they can follow more"
    case .tweetNotVisible: "use an account that its protected author has accepted, or leave it out"
    case .dailyTweetLimitReached: "stop posting and try again in some hours"
    case .tweetTooLong: "shorten it; links count as 23 characters, and some scripts count double"
    case .duplicateTweet: "change the text; if a lost answer was the reason to post again, the first try succeeded"
    case .urlMissing: "pass the URL parameter that the message names"
    case .spamReportLimitReached: "wait before reporting more"
    case .messagesNotOpen: "change that in its settings"
    case .badAuthenticationData: "give the client an authenticator that the endpoint accepts"
    case .credentialsNotAllowed: "use another kind: mostly a user's token in place of the app's"
    case .looksAutomated: "wait, and post less often and less uniformly; ask the account's owner to log in to X once"
    case .loginVerificationRequired: "send them to x.com to log in, then repeat"
    case .endpointRetired: "use what the method's deprecation message names"
    case .appCannotWrite: "change its permissions in the developer portal and create the token anew"
    case .cannotMuteYourself: "name another user"
    case .notMuted: "nothing is to be done; take it as success"
    case .onlyOneAnimation: "attach it alone, or up to four pictures"
    case .invalidMedia: "wait until its processing has succeeded, and check that its kind and length are allowed"
    case .mediaNotFound: "upload again; unused uploads are forgotten after a day, and belong to the user who uploaded"
    case .accountLocked: "its owner has to log in at x.com and unlock it"
    case .alreadyRetweeted: "nothing is to be done; take it as success"
    case .cannotMessageUser: "nothing is to be done until they follow it or open their messages"
    case .messageTooLong: "shorten it, or send several"
    case .subscriptionExists: "nothing is to be done; take it as success, or delete it first"
    case .replyTargetMissing: "post it without the reply, or reply to another"
    case .tooManyAttachments: "attach pictures, or an animation, or a video, or one quoted tweet"
    case .invalidURL: "pass a complete https URL"
    case .callbackNotApproved: "add exactly this URL in the developer portal"
    case .appSuspended: "its owner has to resolve that with X"
    case .pinLoginNotAllowed: "use a callback URL, or enable PIN login (desktop app) in the developer portal"
    case .tweetUnavailable: "leave it out; its author is gone or has withdrawn it"
    case .tweetViolatedRules: "leave it out"
    case .tweetActionsDisabled: "leave it out"
    case .repliesRestricted: "reply from an account that they follow or mention, or quote the tweet"
    case .unknown: nil
    }
  }
}

extension XAPIv1.ErrorCode: CustomStringConvertible {
  /// The number, and what to do.
  public var description: String { advice.map { "\(rawValue): \($0)" } ?? "\(rawValue)" }
}
