import Callsign
import CallsignHTTP
import CallsignSupport

/// A version of X's API whose direct messages have pictures and videos to fetch; `XAPI` and `XAPIv1` are.
public protocol MessageMediaDownloading: APIClient {}

extension MessageMediaDownloading {
  /// Fetches the picture or video of a direct message, by the address that the message has, and writes it to a file,
  /// without holding more than a piece of it in memory. A file that is there is replaced once everything has arrived, and
  /// left alone otherwise.
  ///
  /// X keeps the pictures of messages at `ton.twitter.com`, which gives them to sender and recipient alone: they are asked
  /// for in the name of the user whose OAuth 1.0a credentials the client has, or whose OAuth 2.0 token where it has no
  /// others. Credentials go to no other host: what is at `*.twimg.com` is fetched without any, and what is elsewhere not
  /// at all.
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
  ///   - url: The address, as the message has it.
  ///   - file: The file to write.
  ///   - options: The settings in which this call differs from its client; `progress` reports how far it is.
  /// - Returns: How many bytes there are, with the response.
  /// - Throws: `CallError`; `.invalidCall` for an address that is none of X's, and where the file cannot be made: then
  ///   nothing was sent.
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

/// The place of a picture or video.
private struct MessageMediaPlace {
  static let endpoint = "downloadMessageMedia"
  /// The hosts that give media to a message's sender and recipient alone.
  static let privateHosts = ["ton.twitter.com", "ton.x.com"]

  let isPrivate: Bool

  init(_ text: String) throws(CallError) {
    let url = AbsoluteURL(text)
    guard let url, url.scheme == "https", url.effectivePort == 443, !url.hasUserInformation else {
      throw Self.refusal("it must be an https address, as the message has it")
    }
    isPrivate = Self.privateHosts.contains(url.host)
    guard isPrivate || url.isPublicMedia else {
      throw Self.refusal("X keeps no media of messages at \(url.host.printable); take the address that the message has")
    }
  }

  private static func refusal(_ reason: String) -> CallError {
    .invalidCall(InvalidCall(endpoint: endpoint, parameter: "url", reason: .value(reason)))
  }
}

extension AbsoluteURL {
  /// Whether X keeps public pictures there. `abs.twimg.com` has those of users who have none, `pbs.twimg.com` the others.
  var isPublicMedia: Bool {
    scheme == "https" && effectivePort == 443 && !hasUserInformation
      && (host == "twimg.com" || host.hasSuffix(".twimg.com"))
  }
}
