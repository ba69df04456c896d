import Callsign
import CallsignAuth
import Foundation

extension OAuth2Provider {
  /// The logins of a Mastodon server. Its tokens do not expire, and are sent to no other server.
  ///
  /// - Parameter instance: The server's host, such as `mastodon.social`.
  public static func mastodon(_ instance: String) -> OAuth2Provider {
    OAuth2Provider(
      authorizeURL: "https://\(instance)/oauth/authorize", tokenURL: "https://\(instance)/oauth/token",
      revokeURL: "https://\(instance)/oauth/revoke", clientAuthentication: .body,
      hosts: AllowedHosts(arrayLiteral: instance))
  }
}

extension Mastodon {
  /// Publishes a status with files, each with a description for people who cannot see it.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - files: Files on this machine; at most four pictures, or one of another kind.
  ///   - visibility: Who can see it. Default: the account's setting.
  ///   - patience: How long to wait for the server to process a file. Default: two minutes.
  /// - Throws: `CallError`; ``ProcessingError`` if a file was not processed in time.
  @discardableResult
  public func publish(
    _ text: String, files: [(file: URL, description: String)], visibility: Visibility? = nil,
    patience: Duration = .seconds(120)
  ) async throws -> Status {
    var media: [MediaID] = []
    for (file, description) in files {
      let type = Self.mediaTypes[file.pathExtension.lowercased()] ?? "application/octet-stream"
      let attachment = try await createMedia(file: FilePart(file: file, mediaType: type), description: description)
      media.append(try await processed(attachment.value, within: patience).id)
    }
    return try await createStatus(status: text, mediaIDs: media.isEmpty ? nil : media, visibility: visibility).value
  }

  /// A file that the server has not processed in time.
  public struct ProcessingError: Error, CustomStringConvertible {
    /// The file's id; it may be ready later.
    public let id: MediaID
    /// One line that says what to do.
    public var description: String { "the server still processes the file \(id); publish the status later" }
  }

  /// Waits until a file has its URL.
  private func processed(_ attachment: MediaAttachment, within patience: Duration) async throws -> MediaAttachment {
    let end = ContinuousClock.now + patience
    var attachment = attachment
    var pause = Duration.milliseconds(250)
    while attachment.url == nil {
      guard ContinuousClock.now + pause < end else { throw ProcessingError(id: attachment.id) }
      try await Task.sleep(for: pause)
      pause = min(pause * 2, .seconds(5))
      attachment = try await getMedia(id: attachment.id).value
    }
    return attachment
  }

  private static let mediaTypes = [
    "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png", "gif": "image/gif", "webp": "image/webp",
    "mp4": "video/mp4", "mov": "video/quicktime", "mp3": "audio/mpeg", "ogg": "audio/ogg",
  ]
}
