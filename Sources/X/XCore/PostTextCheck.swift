import Callsign
import CallsignJSON
import XText

extension CallOptions {
  /// Whether `createPosts` of v2 and `postStatusesUpdate` of v1.1 count the text of a post before they send it.
  /// Default: no.
  ///
  /// If X would refuse the text, the call then fails with ``CallError/invalidCall(_:)``, without a request. For
  /// accounts with X Premium, set ``textRules`` to ``PostTextConfiguration/longPosts`` instead.
  public var checksText: Bool {
    get { textRules != nil }
    set { textRules = newValue ? .version3 : nil }
  }

  /// The rules for counting the text of a post before it is sent; `nil`, the default, leaves the check to X.
  public var textRules: PostTextConfiguration? {
    get { checks.lazy.compactMap { $0 as? PostTextCheck }.first?.rules }
    set {
      checks.removeAll { $0 is PostTextCheck }
      if let newValue { checks.append(PostTextCheck(rules: newValue)) }
    }
  }
}

/// Rejects posts whose text X would refuse.
private struct PostTextCheck: CallCheck {
  let rules: PostTextConfiguration

  func check(_ call: CheckedCall) throws(InvalidCall) {
    switch call.name {
    case "createPosts":
      guard let body = call.json, let text = body["text"]?.string else { return }
      // With an attachment, a post needs no text.
      let isAttached = body["media"] != nil || body["poll"] != nil || body["quote_tweet_id"] != nil
      try check(text, isAttached, "text", call)
    case "postStatusesUpdate":
      guard let text = call.formValue("status") else { return }
      try check(text, call.formValue("media_ids") != nil || call.formValue("attachment_url") != nil, "status", call)
    default: break
    }
  }

  private func check(
    _ text: String, _ isAttached: Bool, _ parameter: String, _ call: CheckedCall
  ) throws(InvalidCall) {
    guard let problem = PostText(text, configuration: rules).problem, !(isAttached && problem == .empty) else { return }
    throw InvalidCall(endpoint: call.name, parameter: parameter, reason: .value(problem.description))
  }
}
