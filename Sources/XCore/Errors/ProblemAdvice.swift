import Callsign

/// What to do about what an API says: the one table for v1.1's codes, v2's types, and texts that neither tells apart.
enum ProblemAdvice {
  static func sentence(for problem: Problem) -> String? {
    exact(problem) ?? problem.kind.flatMap(byType)
  }

  /// By what is more exact than a type.
  static func exact(_ problem: Problem) -> String? { problem.code.flatMap { byCode[$0] } ?? byText(problem) }

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
    case .resourceNotFound: "check the id or name; it may be deleted, suspended or renamed"
    case .resourceUnavailable: "leave it out; it is withheld or gone"
    case .invalidRequest: "read the problem's detail, which names the parameter"
    case .usageCapped: "wait for the next period, or choose a larger plan in the developer portal"
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
  ]

  private static let mediaCategory =
    "upload the media again with its category: tweet_image, tweet_gif or tweet_video, or the dm_ ones"

  private static func byText(_ problem: Problem) -> String? {
    let text = [problem.title, problem.detail].compactMap { $0 }.joined(separator: " ").prefix(2000).lowercased()
    guard !text.isEmpty else { return nil }
    return byWords.first { $0.words.allSatisfy(text.contains) }?.advice
  }

  /// Types that are about credentials or permission rather than about what was asked for.
  static func isAboutCredentials(_ problem: Problem) -> Bool {
    if let code = problem.code, codesOfCredentials.contains(code) { return true }
    switch problem.kind {
    case .unsupportedAuthentication, .clientForbidden, .oauth1Permissions, .notAuthorizedForResource: return true
    default: return false
    }
  }
}

extension Problem {
  /// What to do about it, in one sentence; `nil` where nothing is known of it.
  public var advice: String? { ProblemAdvice.sentence(for: self) }

  /// What to do about an error of X's REST v1.1, by its number.
  public static func advice(code: Int) -> String? { ProblemAdvice.byCode[code] }
}
