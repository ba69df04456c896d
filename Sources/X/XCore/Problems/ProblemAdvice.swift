import Callsign

/// The advice on X's errors: the one table for v1.1's codes, v2's types, and texts that neither distinguishes.
enum ProblemAdvice {
  static func sentence(for problem: ProblemDetails) -> String? {
    exact(problem) ?? bySubject(problem) ?? problem.kind.flatMap(byType)
  }

  /// Advice by what is more exact than a type.
  static func exact(_ problem: ProblemDetails) -> String? { problem.code.flatMap { byCode[$0] } ?? byText(problem) }

  static func byType(_ type: ProblemType) -> String? {
    switch type {
    case .unsupportedAuthentication:
      "this endpoint wants another kind of credentials; see what its documentation accepts"
    case .clientForbidden:
      "the app may not call this endpoint: it has to belong to a project with sufficient access; see the developer portal"
    case .oauth1Permissions:
      "the app may not do this; change its permissions in the developer portal and create the token anew"
    case .notAuthorizedForResource: "this account may not see or change this; use one that may"
    case .notAuthorizedForField: "leave out the fields that the problem names, or use the account that they belong to"
    case .resourceNotFound: "check the id or name; what it names may be deleted, or hidden from this account"
    case .resourceUnavailable: "leave it out; it is withheld or gone"
    case .invalidRequest: "read the problem's detail, which names the parameter"
    case .usageCapped: "wait for the next period, or choose a larger plan in the developer portal"
    case .credits: "buy credits in the developer portal, or turn on auto-recharge there"
    case .rateLimitExceeded: byCode[88]
    case .streamingConnection:
      "close another connection of the app to the stream, or wait until X has noticed that it is closed"
    case .ruleCap: "delete rules that are not needed before adding others"
    case .invalidRules: "read the problem's detail, which says what in the rule is not understood"
    case .duplicateRules: "nothing is to be done; the rule is there already"
    case .clientDisconnected: "read faster, or handle what was read in another task"
    case .operationalDisconnect: "connect again"
    case .conflict: "read what is there now, and try again"
    case .blank, .unknown: nil
    }
  }

  /// Advice by the subject of the problem: the parameters, the kind of thing that was asked for, or a connection.
  private static func bySubject(_ problem: ProblemDetails) -> String? {
    switch problem.kind {
    case .invalidRequest:
      let names = problem.parameters.prefix(8)
      return names.isEmpty
        ? nil : "correct \(names.joined(separator: ", ")); the problem's detail says what the API takes there"
    case .resourceNotFound: return problem.document["resource_type"]?.string.flatMap { byResource[$0] }
    case .streamingConnection: return problem.document["connection_issue"]?.string.flatMap { byConnectionIssue[$0] }
    default: return nil
    }
  }

  /// For a thing that is not found, by the problem's `resource_type`.
  private static let byResource = [
    "user": "check the id or name; the account may be deleted, suspended or renamed",
    "tweet": "check the id; the post may be deleted, or its author protected or suspended",
    "post": "check the id; the post may be deleted, or its author protected or suspended",
    "list": "check the id; the list may be deleted, or private to its owner",
    "media": "check the media key; the media may be deleted with its post",
    "space": "check the id; a Space that ended some time ago is forgotten",
    "poll": "check the id; the poll may be deleted with its post",
    "dm_event": "check the id; the message may be deleted, or older than 30 days",
  ]

  /// For a connection to a stream, by the problem's `connection_issue`. The words for too many connections are the type's.
  ///
  /// Source: https://docs.x.com/x-api/fundamentals/response-codes-and-errors, and the schema of X's document.
  private static let byConnectionIssue = [
    "RuleConfigurationIssue": "add a rule to the stream before you connect to it; without rules it would send nothing",
    "RulesInvalidIssue": "correct or delete the rules that X does not accept, then connect again",
    "ProvisioningSubscription": "wait until X has set up the stream for the app, then connect again",
  ]

  /// X tells some of what users meet most only in words.
  private static let byWords: [(words: [String], advice: String)] = [
    (["duplicate content"], byCode[187] ?? ""),
    (["oauth1 app permissions"], byType(.oauth1Permissions) ?? ""),
    (["attached to a project"], byType(.clientForbidden) ?? ""),
    (["enrolled in the required tier"], byType(.clientForbidden) ?? ""),
    (["callback", "not approved"], byCode[415] ?? ""),
    (["media category"], mediaCategory),
    (["media_category"], mediaCategory),
    (["media ids are invalid"], byCode[324] ?? ""),
    (["too long"], byCode[186] ?? ""),
    (["$.text", "characters long"], byCode[186] ?? ""),
    (["account is suspended"], byCode[64] ?? ""),
    (["user is suspended"], byCode[64] ?? ""),
    (["account is temporarily locked"], byCode[326] ?? ""),
    (
      ["not permitted to perform this action"],
      "the token may lack a scope: log in again and ask for those that the endpoint names; or this account may not do it"
    ),
    (["timestamp out of bounds"], byCode[135] ?? ""),
    (["credits depleted"], byType(.credits) ?? ""),
    (["does not have any credits"], byType(.credits) ?? ""),
    ([packageLimits], byType(.usageCapped) ?? ""),
    (
      ["not allowed to post a video longer"],
      "shorten the video, or post it from an account that may post longer ones, such as with X Premium"
    ),
  ]

  private static let mediaCategory =
    "upload the media again with its category: tweet_image, tweet_gif or tweet_video, or the dm_ ones"

  /// The cap of v1.1's premium search, whose response has neither code nor type.
  private static let packageLimits = "current package request limits"

  private static func text(of problem: ProblemDetails) -> String {
    [problem.title, problem.detail].compactMap { $0 }.joined(separator: " ").prefix(2000).lowercased()
  }

  private static func byText(_ problem: ProblemDetails) -> String? {
    let text = text(of: problem)
    guard !text.isEmpty else { return nil }
    if text.contains("spend cap") || text.contains("spendcapreached") { return spendCap(problem) }
    // Of v1.1's timelines, without a code. Credentials that are wrong have one.
    if text == "not authorized.", problem.code == nil {
      return "the account is protected or suspended; use one that it has accepted as a follower, or leave it out"
    }
    return byWords.first { $0.words.allSatisfy(text.contains) }?.advice
  }

  private static func spendCap(_ problem: ProblemDetails) -> String {
    // A date and nothing else may be quoted.
    let date = problem.document["reset_date"]?.string.flatMap { text in
      text.utf8.count == 10 && text.allSatisfy { $0.isASCII && $0.isNumber || $0 == "-" } ? text : nil
    }
    return "wait for the next billing cycle\(date.map { ", from \($0) on" } ?? ""), or raise the spend cap in the "
      + "developer portal"
  }

  /// Whether what an account has bought or set as its bound is used up, which no window's end gives back.
  static func isAboutQuota(_ problem: ProblemDetails) -> Bool {
    switch problem.kind {
    case .usageCapped, .credits: true
    default: text(of: problem).contains(packageLimits)
    }
  }

  /// Types that are about credentials or permission rather than about what was asked for.
  static func isAboutCredentials(_ problem: ProblemDetails) -> Bool {
    if let code = problem.code, codesOfCredentials.contains(code) { return true }
    switch problem.kind {
    case .unsupportedAuthentication, .clientForbidden, .oauth1Permissions, .notAuthorizedForResource: return true
    default: return false
    }
  }
}

extension ProblemDetails {
  /// Advice on it, in one sentence; `nil` where nothing is known of it.
  public var advice: String? { ProblemAdvice.sentence(for: self) }
}

extension ProblemAdvice {
  /// By the numbers of X's REST v1.1, which v2 uses too here and there; ``XErrorCode`` names them.
  ///
  /// Source: https://developer.x.com/en/support/x-api/error-troubleshooting, and the lists that other clients keep.
  static let byCode: [Int: String] = [
    3: "give latitude from -90 to 90 and longitude from -180 to 180",
    13: "search with other coordinates, a larger accuracy, or another IP address",
    17: "check the ids or names; accounts may be gone, suspended or renamed",
    32: "check consumer key, token and both secrets: one of them is not what X knows",
    34: "check the id or name; if the method is deprecated, use what its message names",
    36: "name another user",
    38: "read the message, which names it, and pass it",
    44: "give the permalink of a tweet, or a deep link into direct messages",
    50: "check the id or name; what it names may be deleted, suspended or renamed",
    63: "leave the user out; nothing can be read until X lifts it",
    64: "the account is suspended; its owner has to resolve that with X, and calling again does not help",
    68: "call an endpoint of version 1.1 or 2",
    87:
      "the app may not call this endpoint; ask for access in the developer portal, or use one that its access level includes",
    88: "wait until the limit's `reset`, and ask for less or larger pages",
    89: "the token is expired or revoked; log in again for a new one",
    92: "use an https URL",
    93:
      "give it the permission \"read, write and direct messages\" in the developer portal, then create the token anew",
    99:
      "the app's credentials are not accepted; copy consumer key and secret again, and for a bearer token send them as HTTP Basic",
    120: "read the message, which says what field is too long or not allowed",
    130: "call again after a pause, longer each time",
    131: "call again after a pause; before repeating a write, read whether it was done",
    135: "the clock of this machine is off; set it by a time server",
    139: "nothing is to be done; take it as success",
    144: "check the id; the tweet may be deleted",
    150: "ask them to follow the account, or to open their messages",
    151: "read the message for the reason; too many links or the same text again are common ones",
    160: "wait for them to accept",
    161: "wait a day; accounts that follow many need more followers before they can follow more",
    179: "use an account that its protected author has accepted, or leave it out",
    185: "stop posting and try again in some hours",
    186: "the text is too long; shorten it: links count as 23 characters, and some scripts count double",
    187:
      "it is a duplicate; change the text, and if a lost response was the reason to post again, the first try succeeded",
    195: "pass the URL parameter that the message names",
    205: "wait before reporting more",
    214: "change that in its settings",
    215: "the request carried no usable credentials; give the client an authenticator that the endpoint accepts",
    220: "these credentials may not call this endpoint; use another kind: mostly a user's token in place of the app's",
    226: "wait, and post less often and less uniformly; ask the account's owner to log in to X once",
    231: "send them to x.com to log in, then repeat",
    251: "use what the method's deprecation message names",
    261: "the app may not write; change its permissions in the developer portal and create the token anew",
    271: "name another user",
    272: "nothing is to be done; take it as success",
    323: "attach it alone, or up to four pictures",
    324: "wait until its processing has succeeded, and check that its kind and length are allowed",
    325: "upload again; unused uploads are forgotten after a day, and belong to the user who uploaded",
    326: "the account is locked; its owner has to log in at x.com and unlock it",
    327: "nothing is to be done; take it as success",
    349: "nothing is to be done until they follow it or open their messages",
    354: "shorten it, or send several",
    355: "nothing is to be done; take it as success, or delete it first",
    385: "post it without the reply, or reply to another",
    386: "attach pictures, or an animation, or a video, or one quoted tweet",
    407: "pass a complete https URL",
    415: "the callback URL is not approved; add exactly this URL to the app in the developer portal",
    416: "the app is suspended; its owner has to resolve that with X",
    417: "use a callback URL, or enable PIN login (desktop app) in the developer portal",
    421: "leave it out; its author is gone or has withdrawn it",
    422: "leave it out",
    425: "leave it out",
    433: "reply from an account that they follow or mention, or quote the tweet",
    453: "the app's access level does not include this endpoint; change it in the developer portal",
  ]

  /// The numbers that are about credentials or permission rather than about what was asked for.
  static let codesOfCredentials: Set<Int> = [32, 64, 87, 89, 93, 99, 135, 215, 220, 261, 326, 416, 453]
}
