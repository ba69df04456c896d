import Callsign
import XCore

extension XAPIv1 {
  /// One tweet with its whole text, in `fullText`.
  ///
  /// - Throws: `CallError`; with ``XErrorCode/tweetNotFound`` if the tweet does not exist.
  @available(*, deprecated, message: "Retired by X on 2023-11-20; use `getPostsById` of `XAPI`.")
  public func show(_ id: TweetID, options: CallOptions = CallOptions()) async throws(CallError) -> Tweet {
    try await getStatusesShow(id: id, tweetMode: .extended, options: options).value
  }
}

extension XAPIv1 {
  /// Finds out where a t.co link leads, without visiting the target. It asks only t.co, without credentials, so the page behind the
  /// link learns nothing.
  ///
  /// Most tweets already contain the target, in `expandedURL` of their entities.
  ///
  /// - Parameters:
  ///   - link: A link such as `https://t.co/abc123`; `http` is changed to `https`.
  ///   - options: The settings for this call that differ from the client's.
  /// - Returns: The URL from t.co, which may be another link; `nil` if the link leads nowhere.
  /// - Throws: `CallError`: `invalidCall`, before anything is sent, if it is not a t.co link; `api` if t.co does not know it.
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
