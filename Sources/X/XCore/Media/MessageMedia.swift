import Callsign
import CallsignHTTP
import CallsignSupport

/// A version of X's API whose direct messages have pictures and videos to fetch: `XAPI` or `XAPIv1`.
public protocol MessageMediaDownloading: APIClient {}

extension MessageMediaDownloading {
  /// Fetches the picture or video of a direct message by the URL in the message, and writes it to a file, with only one
  /// piece of it in memory. An existing file is replaced once everything has arrived; until then it is unchanged.
  ///
  /// X keeps the pictures of messages at `ton.twitter.com`, which gives them only to sender and recipient. The request
  /// uses the client's OAuth 1.0a credentials, or its OAuth 2.0 token if it has no others. Credentials go to no other
  /// host: media at `*.twimg.com` are fetched without credentials, and media elsewhere are not fetched at all.
  ///
  /// ```swift
  /// for media in message.media(in: page.includes) {
  ///   if let url = media.url { try await x.downloadMessageMedia(url, to: folder.appending(path: media.mediaKey)) }
  /// }
  /// ```
  ///
  /// Source: <https://developer.x.com/en/docs/x-api/v1/direct-messages/message-attachments/guides/retrieving-media>
  ///
  /// - Parameters:
  ///   - url: The URL from the message.
  ///   - file: The file to write.
  ///   - options: Options of this call that differ from the client's configuration; `progress` reports its progress.
  /// - Returns: The number of bytes, with the response.
  /// - Throws: `CallError`; `.invalidCall`, before anything is sent, if the URL is not X's or if the file cannot be
  ///   made.
  @discardableResult
  public func downloadMessageMedia(
    _ url: String, to file: URL, options: CallOptions = CallOptions()
  ) async throws(CallError) -> Response<Int> {
    let place = try MessageMediaPlace(url)
    let call = Call(
      name: MessageMediaPlace.endpoint, .get, url, below: MessageMediaPlace.privateHosts.map { "https://\($0)" },
      auth: place.isPrivate ? .accepting("oauth1 | oauth2") : .none, options: options)
    return try await client.download(call, to: file)
  }
}

/// Where a picture or video is.
private struct MessageMediaPlace {
  static let endpoint = "downloadMessageMedia"
  /// The hosts that give media only to a message's sender and recipient.
  static let privateHosts = ["ton.twitter.com", "ton.x.com"]

  let isPrivate: Bool

  init(_ text: String) throws(CallError) {
    let url = AbsoluteURL(text)
    guard let url, url.scheme == "https", url.effectivePort == 443, !url.hasUserInformation else {
      throw Self.refusal("it must be an https URL, as in the message")
    }
    isPrivate = Self.privateHosts.contains(url.host)
    guard isPrivate || url.isPublicMedia else {
      throw Self.refusal("X keeps no media of messages at \(url.host.printable); use the address from the message")
    }
  }

  private static func refusal(_ reason: String) -> CallError {
    .invalidCall(InvalidCall(endpoint: endpoint, parameter: "url", reason: .value(reason)))
  }
}

extension AbsoluteURL {
  /// Whether X keeps public pictures there. `abs.twimg.com` has the default profile pictures, `pbs.twimg.com` the
  /// others.
  var isPublicMedia: Bool {
    scheme == "https" && effectivePort == 443 && !hasUserInformation
      && (host == "twimg.com" || host.hasSuffix(".twimg.com"))
  }
}
