import Callsign
import XCore

extension XAPIv1 {
  /// One tweet with its whole text, in `fullText`.
  ///
  /// - Throws: `CallError`; with ``XErrorCode/tweetNotFound`` where there is no such tweet.
  @available(*, deprecated, message: "Retired by X on 2023-11-20; use `getPostsById` of `XAPI`.")
  public func show(_ id: TweetID, options: CallOptions = CallOptions()) async throws(CallError) -> Tweet {
    try await getStatusesShow(id: id, tweetMode: .extended, options: options).value
  }
}

extension XAPIv1 {
  /// Finds where a t.co link leads, without going there: t.co alone is asked, without credentials, and whatever page is
  /// behind the link learns nothing.
  ///
  /// Tweets mostly say so by themselves, in `expandedURL` of their entities.
  ///
  /// - Parameters:
  ///   - link: Such as `https://t.co/abc123`; `http` is made `https`.
  ///   - options: The settings for this call that differ from the client's.
  /// - Returns: The address as t.co gives it, which may be a further link; `nil` where it leads nowhere.
  /// - Throws: `CallError`: `invalidCall` for what is no t.co link, before anything is sent; `api` where t.co does not
  ///   know it.
  public func expand(_ link: String, options: CallOptions = CallOptions()) async throws(CallError) -> String? {
    let prefix = ["https://t.co/", "http://t.co/"].first { link.lowercased().hasPrefix($0) }
    guard let prefix, link.count > prefix.count else {
      throw .invalidCall(
        InvalidCall(
          endpoint: "expand", parameter: "link",
          reason: .url("it is not a t.co link; request other links from their own hosts")))
    }
    var options = options
    options.followsRedirects = false
    do throws(CallError) {
      _ = try await client.call(
        .head, "https://t.co/" + link.dropFirst(prefix.count), auth: .none, options: options)
      return nil
    } catch {
      guard case .unexpectedContent(let content) = error, content.kind == .redirect else { throw error }
      return content.headers[.location]
    }
  }
}
