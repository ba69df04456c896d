import Foundation

/// A picture or video in a post, which anyone can download, as at `pbs.twimg.com`.
struct PostMedia: Sendable {
  private static let folder = "/media/"
  /// The key in faults.
  static let key = "GET /media/{media_key}"

  private let mediaKey: String

  /// The URL of an upload for clients that use this origin to reach the sandbox.
  static func url(of media: MediaRecord, at origin: String) -> String {
    (origin.isEmpty ? "https://pbs.twimg.com" : origin) + folder + media.key
  }

  /// Returns the picture for a request, or `nil` if its path is not one.
  static func find(_ request: IncomingRequest) throws(Problem) -> PostMedia? {
    guard request.path.hasPrefix(folder) else { return nil }
    guard ["GET", "HEAD"].contains(request.method) else { throw .methodNotAllowed(allowed: ["GET"]) }
    return PostMedia(mediaKey: String(request.path.dropFirst(folder.count)))
  }

  /// - Throws: 404 for an upload that does not exist, that is for messages, or whose bytes are no longer kept.
  func respond(_ database: Database) throws(Problem) -> Response {
    guard let id = mediaKey.split(separator: "_").last.flatMap({ Identifier($0) }), let media = database.media[id],
      media.key == mediaKey, media.isComplete, !media.category.hasPrefix("dm_"), let content = media.content
    else { throw .noSuchPage }
    var response = Response(status: 200)
    response.body = .bytes(content)
    response.set("Content-Type", media.contentType(of: content))
    return response
  }
}

extension MediaRecord {
  /// Detected from the first bytes if the upload did not state it.
  func contentType(of content: Data) -> String {
    guard mediaType.hasSuffix("*") else { return mediaType }
    let kinds: [(mark: [UInt8], type: String)] = [
      ([0x89, 0x50, 0x4E, 0x47], "image/png"), ([0xFF, 0xD8, 0xFF], "image/jpeg"), (Array("GIF8".utf8), "image/gif"),
    ]
    return kinds.first { content.starts(with: $0.mark) }?.type ?? "application/octet-stream"
  }
}
