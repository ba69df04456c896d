import Callsign

/// The advice on X's errors: one table for v1.1's codes, v2's types, and texts that neither of them distinguishes.
enum ProblemAdvice {
  static func sentence(for problem: ProblemDetails) -> String? {
    exact(problem) ?? bySubject(problem) ?? problem.kind.flatMap(byType)
  }

  /// Advice based on something more precise than a type.
  static func exact(_ problem: ProblemDetails) -> String? { problem.code.flatMap { byCode[$0] } ?? byText(problem) }

  static func byType(_ type: ProblemType) -> String? {
    switch type {
    case .unsupportedAuthentication:
      "this endpoint needs another kind of credentials; see which kinds its documentation lists"
    case .clientForbidden:
      "the app may not call this endpoint: it must belong to a project with sufficient access; see the developer portal"
    case .oauth1Permissions:
      "the app may not do this; change its permissions in the developer portal and create a new token"
    case .notAuthorizedForResource: "this account may not see or change this; use one that may"
    case .notAuthorizedForField: "leave out the fields that the problem names, or use the account that they belong to"
    case .resourceNotFound: "check the id or name; the resource may be deleted, or hidden from this account"
    case .resourceUnavailable: "leave it out; it is withheld or gone"
    case .invalidRequest: "read the problem's detail, which names the parameter"
    case .usageCapped: "wait for the next period, or choose a larger plan in the developer portal"
    case .credits: "buy credits in the developer portal, or turn on auto-recharge there"
    case .rateLimitExceeded: byCode[88]
    case .streamingConnection:
      "close another connection of the app to the stream, or wait until X has noticed that it is closed"
    case .ruleCap: "delete rules that you do not need before you add others"
    case .invalidRules: "read the problem's detail, which says what X does not understand in the rule"
    case .duplicateRules: "nothing to do; the rule exists already"
    case .clientDisconnected: "read faster, or process the records in another task"
    case .operationalDisconnect: "connect again"
    case .conflict: "read the current state, and try again"
    case .blank, .unknown: nil
    }
  }

  /// Advice by the subject of the problem: the parameters, the kind of thing that was requested, or a connection.
  private static func bySubject(_ problem: ProblemDetails) -> String? {
    switch problem.kind {
    case .invalidRequest:
      let names = problem.parameters.prefix(8)
      return names.isEmpty
        ? nil : "correct \(names.joined(separator: ", ")); the problem's detail says what the API accepts there"
    case .resourceNotFound: return problem.document["resource_type"]?.string.flatMap { byResource[$0] }
    case .streamingConnection: return problem.document["connection_issue"]?.string.flatMap { byConnectionIssue[$0] }
    default: return nil
    }
  }

  /// For something that was not found, by the problem's `resource_type`.
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

  /// For a connection to a stream, by the problem's `connection_issue`. Too many connections use the type's advice.
  ///
  /// Source: https://docs.x.com/x-api/fundamentals/response-codes-and-errors, and the schema of X's document.
  private static let byConnectionIssue = [
    "RuleConfigurationIssue":
      "add a rule before you connect, as with `updateRules(add:)` or "
      + "`xapi updateRules add:='[{\"value\": \"cats\"}]'`",
    "RulesInvalidIssue": "correct or delete the rules that X does not accept, then connect again",
    "ProvisioningSubscription": "wait until X has set up the stream for the app, then connect again",
  ]

  /// X describes some of the most common problems only in words.
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
      "the token may lack a scope: log in again with the scopes that the endpoint needs; or the account may not do it"
    ),
    (["timestamp out of bounds"], byCode[135] ?? ""),
    (["credits depleted"], byType(.credits) ?? ""),
    (["does not have any credits"], byType(.credits) ?? ""),
    ([packageLimits], byType(.usageCapped) ?? ""),
    (
      ["not allowed to post a video longer"],
      "shorten the video, or post it from an account that may post longer ones, for example with X Premium"
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
    // From v1.1's timelines, without a code. Wrong credentials have one.
    if text == "not authorized.", problem.code == nil {
      return "the account is protected or suspended; use an account that it has accepted as a follower, or leave it out"
    }
    return byWords.first { $0.words.allSatisfy(text.contains) }?.advice
  }

  private static func spendCap(_ problem: ProblemDetails) -> String {
    // Only a date may be quoted.
    let date = problem.document["reset_date"]?.string.flatMap { text in
      text.utf8.count == 10 && text.allSatisfy { $0.isASCII && $0.isNumber || $0 == "-" } ? text : nil
    }
    return "wait for the next billing cycle\(date.map { ", which begins on \($0)" } ?? ""), or raise the spend "
      + "cap in the developer portal"
  }

  /// Whether the account has used up what it bought or its own limit, which the end of a window does not restore.
  static func isAboutQuota(_ problem: ProblemDetails) -> Bool {
    switch problem.kind {
    case .usageCapped, .credits: true
    default: text(of: problem).contains(packageLimits)
    }
  }

  /// Types that are about credentials or permission rather than about the request.
  static func isAboutCredentials(_ problem: ProblemDetails) -> Bool {
    if let code = problem.code, codesOfCredentials.contains(code) { return true }
    switch problem.kind {
    case .unsupportedAuthentication, .clientForbidden, .oauth1Permissions, .notAuthorizedForResource: return true
    default: return false
    }
  }
}

extension ProblemDetails {
  /// What to do about the problem, in one sentence; `nil` if it is unknown.
  public var advice: String? { ProblemAdvice.sentence(for: self) }
}

extension ProblemAdvice {
  /// By the numbers of X's REST v1.1, which v2 also uses in some places; ``XErrorCode`` names them.
  ///
  /// Source: https://developer.x.com/en/support/x-api/error-troubleshooting, and the lists that other clients keep.
  static let byCode: [Int: String] = [
    3: "give a latitude from -90 to 90 and a longitude from -180 to 180",
    13: "search with other coordinates, a larger accuracy, or another IP address",
    17: "check the ids or names; accounts may be gone, suspended or renamed",
    32: "check consumer key, token and both secrets: X does not accept one of them",
    34: "check the id or name; if the method is deprecated, use the replacement that the message names",
    36: "name another user",
    38: "read the message, which names the missing parameter, and pass it",
    44: "give the permalink of a tweet, or a deep link into direct messages",
    50: "check the id or name; the account may be deleted, suspended or renamed",
    63: "leave the user out; nothing can be read until X lifts the suspension",
    64: "the account is suspended; its owner must resolve that with X, and calling again does not help",
    68: "call an endpoint of version 1.1 or 2",
    87:
      "the app may not call this endpoint; ask for access in the developer portal, or use another endpoint",
    88: "wait until the limit's `reset`, and request less or larger pages",
    89: "the token is expired or revoked; log in again for a new one",
    92: "use an https URL",
    93:
      "give it the permission \"read, write and direct messages\" in the developer portal, then create a new token",
    99:
      "the app's credentials are wrong; copy key and secret again, and for a bearer token send them as HTTP Basic",
    120: "read the message, which says which field is too long or not allowed",
    130: "call again after a pause; make each pause longer",
    131: "call again after a pause; before you repeat a write, check whether it was done",
    135: "this machine's clock is wrong; synchronize it with a time server",
    139: "nothing to do; treat it as success",
    144: "check the id; the tweet may be deleted",
    150: "ask the recipient to follow the account, or to accept messages from everyone",
    151: "read the message for the reason; common ones are too many links, or the same text again",
    160: "wait for the user to accept",
    161: "wait a day; accounts that follow many users need more followers before they can follow more",
    179: "use an account that the protected author has accepted, or leave the tweet out",
    185: "stop posting and try again in some hours",
    186: "the text is too long; shorten it: links count as 23 characters, and characters of some scripts count double",
    187:
      "it is a duplicate; change the text; if you posted again because a response was lost, the first post succeeded",
    195: "pass the URL parameter that the message names",
    205: "wait before you report more users",
    214: "change that in the account's settings",
    215: "the request had no usable credentials; give the client an authenticator that the endpoint accepts",
    220: "these credentials may not call this endpoint; use another kind: usually a user's token instead of the app's",
    226: "wait, and post less often and less uniformly; ask the account's owner to log in to X once",
    231: "send the user to x.com to log in, then repeat the call",
    251: "use the replacement that the deprecation message names",
    261: "the app may not write; change its permissions in the developer portal and create a new token",
    271: "name another user",
    272: "nothing to do; treat it as success",
    323: "attach only the animation or video, or up to four pictures",
    324: "wait until its processing has succeeded, and check that its type and length are allowed",
    325: "upload again; X deletes unused uploads after a day, and only the user who uploaded can use them",
    326: "the account is locked; its owner must log in at x.com and unlock it",
    327: "nothing to do; treat it as success",
    349: "nothing to do until the user follows the account or accepts messages from everyone",
    354: "shorten the message, or send several",
    355: "nothing to do; treat it as success, or delete the subscription first",
    385: "post it without replying, or reply to another tweet",
    386: "attach only one of these: pictures, an animation, a video, or a quoted tweet",
    407: "pass a complete https URL",
    415: "the callback URL is not approved; add exactly this URL to the app in the developer portal",
    416: "the app is suspended; its owner must resolve that with X",
    417: "use a callback URL, or enable PIN login (desktop app) in the developer portal",
    421: "leave the tweet out; its author is gone or has withdrawn it",
    422: "leave it out",
    425: "leave it out",
    433: "reply from an account that the author follows or mentions, or quote the tweet",
    453: "the app's access level does not include this endpoint; change it in the developer portal",
  ]

  /// The numbers that are about credentials or permission rather than about the request.
  static let codesOfCredentials: Set<Int> = [32, 64, 87, 89, 93, 99, 135, 215, 220, 261, 326, 416, 453]
}
