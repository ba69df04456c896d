import Callsign

/// An error of X's REST v1.1, by its number; `XAPIv1.ErrorCode`. X's v2 also uses some of the numbers.
///
/// X adds codes: an unknown one is kept as ``unknown(_:)``. ``advice`` says what to do about the others.
///
/// ```swift
/// do {
///   try await v1.postFavoritesCreate(id: id)
/// } catch {
///   guard error.v1Codes.contains(.alreadyFavorited) else { throw error }
/// }
/// ```
///
/// Source: https://developer.x.com/en/support/x-api/error-troubleshooting, and the lists that other clients keep.
public enum XErrorCode: Sendable {
  /// 3: The coordinates are invalid.
  case invalidCoordinates
  /// 13: X knows no place for the location.
  case noLocationFound
  /// 17: None of the requested users exists or is visible.
  case noUserMatches
  /// 32: X does not accept the signature, or a key that made it.
  case couldNotAuthenticate
  /// 34: The address is unknown: the resource does not exist, or the endpoint was removed.
  case notFound
  /// 36: Users cannot report themselves as spam.
  case cannotReportYourself
  /// 38: A required parameter is missing.
  case parameterMissing
  /// 44: `attachment_url` is not a URL that can be attached.
  case invalidAttachmentURL
  /// 50: The user does not exist.
  case userNotFound
  /// 63: The user that the call is about is suspended.
  case userSuspended
  /// 64: The calling account is suspended.
  case accountSuspended
  /// 68: Version 1 of the API was removed.
  case versionRetired
  /// 87: The app may not call this endpoint.
  case clientNotPermitted
  /// 88: The endpoint's limit for this window is used up.
  case rateLimitExceeded
  /// 89: The access token is expired, revoked or not for this app.
  case invalidOrExpiredToken
  /// 92: The endpoint accepts only https.
  case tlsRequired
  /// 93: The app may not read or send direct messages.
  case directMessagesNotPermitted
  /// 99: X does not accept the app's own credentials.
  case credentialsNotVerified
  /// 120: The profile or settings cannot be changed in this way.
  case accountUpdateFailed
  /// 130: X is overloaded.
  case overCapacity
  /// 131: Something went wrong inside X.
  case internalError
  /// 135: The signature's time is too far from X's.
  case timestampOutOfBounds
  /// 139: The account has already liked the tweet.
  case alreadyFavorited
  /// 144: No tweet has this id.
  case tweetNotFound
  /// 150: The recipient accepts direct messages only from accounts that they follow.
  case recipientDoesNotFollow
  /// 151: The direct message could not be sent.
  case messageNotSent
  /// 160: The account has already asked to follow the user, who has not responded.
  case followAlreadyRequested
  /// 161: The account cannot follow more users for now.
  case followLimitReached
  /// 179: The account may not see this tweet.
  case tweetNotVisible
  /// 185: The account has posted as much as it may within some hours.
  case dailyTweetLimitReached
  /// 186: The text is longer than a tweet may be.
  case tweetTooLong
  /// 187: The account has just posted the same text.
  case duplicateTweet
  /// 195: A callback or other URL is missing or not allowed.
  case urlMissing
  /// 205: The account has reported too many users for now.
  case spamReportLimitReached
  /// 214: For this, the account must accept direct messages from everyone.
  case messagesNotOpen
  /// 215: The request had no credentials that the endpoint understands.
  case badAuthenticationData
  /// 220: These credentials may not call this endpoint.
  case credentialsNotAllowed
  /// 226: The request looks like spam or automation.
  case looksAutomated
  /// 231: The user must confirm the login.
  case loginVerificationRequired
  /// 251: The endpoint is retired.
  case endpointRetired
  /// 261: The app only has permission to read.
  case appCannotWrite
  /// 271: Users cannot mute themselves.
  case cannotMuteYourself
  /// 272: The user is not muted.
  case notMuted
  /// 323: An animation or video must be the only attachment.
  case onlyOneAnimation
  /// 324: An uploaded file cannot be used.
  case invalidMedia
  /// 325: No upload has this media id.
  case mediaNotFound
  /// 326: The account is locked for now.
  case accountLocked
  /// 327: The account has already retweeted this tweet.
  case alreadyRetweeted
  /// 349: The user does not accept direct messages from this account.
  case cannotMessageUser
  /// 354: The direct message is longer than 10,000 characters.
  case messageTooLong
  /// 355: The subscription exists already.
  case subscriptionExists
  /// 385: The tweet to reply to is deleted, or not visible.
  case replyTargetMissing
  /// 386: The tweet has more kinds of attachments than allowed.
  case tooManyAttachments
  /// 407: A URL is malformed, or not allowed.
  case invalidURL
  /// 415: The callback URL is not registered for the app.
  case callbackNotApproved
  /// 416: The app is suspended.
  case appSuspended
  /// 417: The app may not use PIN login.
  case pinLoginNotAllowed
  /// 421: The tweet is no longer available.
  case tweetUnavailable
  /// 422: The tweet was withdrawn because it violated X's rules.
  case tweetViolatedRules
  /// 425: Actions on this tweet are disabled.
  case tweetActionsDisabled
  /// 433: The author only lets some people reply.
  case repliesRestricted
  /// 453: The app's access level does not include the endpoint.
  case accessLevelTooLow
  /// An unknown code.
  case unknown(Int)
}

extension XErrorCode: RawRepresentable, Hashable {
  /// The code with this number; ``unknown(_:)`` for one that is not known here.
  public init(rawValue: Int) {
    self =
      switch rawValue {
      case 3: .invalidCoordinates
      case 13: .noLocationFound
      case 17: .noUserMatches
      case 32: .couldNotAuthenticate
      case 34: .notFound
      case 36: .cannotReportYourself
      case 38: .parameterMissing
      case 44: .invalidAttachmentURL
      case 50: .userNotFound
      case 63: .userSuspended
      case 64: .accountSuspended
      case 68: .versionRetired
      case 87: .clientNotPermitted
      case 88: .rateLimitExceeded
      case 89: .invalidOrExpiredToken
      case 92: .tlsRequired
      case 93: .directMessagesNotPermitted
      case 99: .credentialsNotVerified
      case 120: .accountUpdateFailed
      case 130: .overCapacity
      case 131: .internalError
      case 135: .timestampOutOfBounds
      case 139: .alreadyFavorited
      case 144: .tweetNotFound
      case 150: .recipientDoesNotFollow
      case 151: .messageNotSent
      case 160: .followAlreadyRequested
      case 161: .followLimitReached
      case 179: .tweetNotVisible
      case 185: .dailyTweetLimitReached
      case 186: .tweetTooLong
      case 187: .duplicateTweet
      case 195: .urlMissing
      case 205: .spamReportLimitReached
      case 214: .messagesNotOpen
      case 215: .badAuthenticationData
      case 220: .credentialsNotAllowed
      case 226: .looksAutomated
      case 231: .loginVerificationRequired
      case 251: .endpointRetired
      case 261: .appCannotWrite
      case 271: .cannotMuteYourself
      case 272: .notMuted
      case 323: .onlyOneAnimation
      case 324: .invalidMedia
      case 325: .mediaNotFound
      case 326: .accountLocked
      case 327: .alreadyRetweeted
      case 349: .cannotMessageUser
      case 354: .messageTooLong
      case 355: .subscriptionExists
      case 385: .replyTargetMissing
      case 386: .tooManyAttachments
      case 407: .invalidURL
      case 415: .callbackNotApproved
      case 416: .appSuspended
      case 417: .pinLoginNotAllowed
      case 421: .tweetUnavailable
      case 422: .tweetViolatedRules
      case 425: .tweetActionsDisabled
      case 433: .repliesRestricted
      case 453: .accessLevelTooLow
      default: .unknown(rawValue)
      }
  }

  /// The API's number.
  public var rawValue: Int {
    switch self {
    case .invalidCoordinates: 3
    case .noLocationFound: 13
    case .noUserMatches: 17
    case .couldNotAuthenticate: 32
    case .notFound: 34
    case .cannotReportYourself: 36
    case .parameterMissing: 38
    case .invalidAttachmentURL: 44
    case .userNotFound: 50
    case .userSuspended: 63
    case .accountSuspended: 64
    case .versionRetired: 68
    case .clientNotPermitted: 87
    case .rateLimitExceeded: 88
    case .invalidOrExpiredToken: 89
    case .tlsRequired: 92
    case .directMessagesNotPermitted: 93
    case .credentialsNotVerified: 99
    case .accountUpdateFailed: 120
    case .overCapacity: 130
    case .internalError: 131
    case .timestampOutOfBounds: 135
    case .alreadyFavorited: 139
    case .tweetNotFound: 144
    case .recipientDoesNotFollow: 150
    case .messageNotSent: 151
    case .followAlreadyRequested: 160
    case .followLimitReached: 161
    case .tweetNotVisible: 179
    case .dailyTweetLimitReached: 185
    case .tweetTooLong: 186
    case .duplicateTweet: 187
    case .urlMissing: 195
    case .spamReportLimitReached: 205
    case .messagesNotOpen: 214
    case .badAuthenticationData: 215
    case .credentialsNotAllowed: 220
    case .looksAutomated: 226
    case .loginVerificationRequired: 231
    case .endpointRetired: 251
    case .appCannotWrite: 261
    case .cannotMuteYourself: 271
    case .notMuted: 272
    case .onlyOneAnimation: 323
    case .invalidMedia: 324
    case .mediaNotFound: 325
    case .accountLocked: 326
    case .alreadyRetweeted: 327
    case .cannotMessageUser: 349
    case .messageTooLong: 354
    case .subscriptionExists: 355
    case .replyTargetMissing: 385
    case .tooManyAttachments: 386
    case .invalidURL: 407
    case .callbackNotApproved: 415
    case .appSuspended: 416
    case .pinLoginNotAllowed: 417
    case .tweetUnavailable: 421
    case .tweetViolatedRules: 422
    case .tweetActionsDisabled: 425
    case .repliesRestricted: 433
    case .accessLevelTooLow: 453
    case .unknown(let number): number
    }
  }

  /// The known codes, in the order of their numbers.
  public static var knownCases: [Self] {
    [
      .invalidCoordinates, .noLocationFound, .noUserMatches, .couldNotAuthenticate, .notFound, .cannotReportYourself,
      .parameterMissing, .invalidAttachmentURL, .userNotFound, .userSuspended, .accountSuspended, .versionRetired,
      .clientNotPermitted, .rateLimitExceeded, .invalidOrExpiredToken, .tlsRequired, .directMessagesNotPermitted,
      .credentialsNotVerified, .accountUpdateFailed, .overCapacity, .internalError, .timestampOutOfBounds,
      .alreadyFavorited, .tweetNotFound, .recipientDoesNotFollow, .messageNotSent, .followAlreadyRequested,
      .followLimitReached, .tweetNotVisible, .dailyTweetLimitReached, .tweetTooLong, .duplicateTweet, .urlMissing,
      .spamReportLimitReached, .messagesNotOpen, .badAuthenticationData, .credentialsNotAllowed, .looksAutomated,
      .loginVerificationRequired, .endpointRetired, .appCannotWrite, .cannotMuteYourself, .notMuted,
      .onlyOneAnimation, .invalidMedia, .mediaNotFound, .accountLocked, .alreadyRetweeted, .cannotMessageUser,
      .messageTooLong, .subscriptionExists, .replyTargetMissing, .tooManyAttachments, .invalidURL,
      .callbackNotApproved, .appSuspended, .pinLoginNotAllowed, .tweetUnavailable, .tweetViolatedRules,
      .tweetActionsDisabled, .repliesRestricted, .accessLevelTooLow,
    ]
  }
}

extension XErrorCode: ExpressibleByIntegerLiteral {
  /// The code with this number.
  public init(integerLiteral value: Int) { self.init(rawValue: value) }
}

extension XErrorCode {
  /// What to do, in one sentence; `nil` for an unknown code.
  public var advice: String? { ProblemAdvice.byCode[rawValue] }
}

extension XErrorCode: CustomStringConvertible {
  /// The number, and the advice.
  public var description: String { advice.map { "\(rawValue): \($0)" } ?? "\(rawValue)" }
}

extension CallError {
  /// The codes that the API gave for the error, in the order of the response; empty if it did not respond, or gave no
  /// code.
  public var v1Codes: [XErrorCode] { problems.v1Codes }
}

extension APIError {
  /// The codes that the API gave for the error, in the order of the response.
  public var v1Codes: [XErrorCode] { problems.v1Codes }
}

extension [ProblemDetails] {
  fileprivate var v1Codes: [XErrorCode] { compactMap(\.code).map { XErrorCode(rawValue: $0) } }
}
