import CallsignHTTP
import HTTPTypes

/// The most redirects that one call follows.
private let redirectLimit = 5

extension Exchange {
  /// Where a redirect leads, if it is one that is followed: of a call that reads, to the same origin. Anything else
  /// would carry credentials, or a write, to where the caller did not send them.
  ///
  /// - Returns: `nil` for an answer that is no redirect.
  func redirect(
    _ head: HTTPResponse, from address: AbsoluteURL, count: Int
  ) throws(CallError) -> AbsoluteURL? {
    switch head.status.code {
    case 301, 302, 303, 307, 308: break
    default: return nil
    }
    let refusal = CallError.unexpectedContent(
      UnexpectedContent(kind: .redirect, answer: RawResponse(status: head.status, headers: head.headerFields)))
    guard call.options.followsRedirects, call.method == .get || call.method == .head, count < redirectLimit,
      let location = head.headerFields[.location], let target = address.resolving(location),
      target.origin == address.origin, !target.hasUserInformation
    else { throw refusal }
    return target
  }
}
