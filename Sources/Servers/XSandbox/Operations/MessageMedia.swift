import Foundation

/// A picture or video in a direct message. Only the message's readers can download it, as on X at `ton.twitter.com`.
struct MessageMedia: Sendable {
  private static let folder = "/1.1/ton/data/dm/"
  /// The key in faults.
  static let key = "GET /1.1/ton/data/dm/{message}/{media}/{name}"

  private var message: Identifier
  private var media: Identifier

  /// The URL in a message. A client that redirects all hosts to the sandbox asks the sandbox.
  static func url(of media: Identifier, in message: MessageRecord) -> String {
    "https://ton.twitter.com\(folder)\(message.id)/\(media)/\(String(media, radix: 36))"
  }

  /// Returns the picture for a request, or `nil` if its path is not one.
  static func find(_ request: IncomingRequest) throws(Problem) -> MessageMedia? {
    guard request.path.hasPrefix(folder) else { return nil }
    let segments = request.path.dropFirst(folder.count).split(separator: "/", omittingEmptySubsequences: false)
    guard segments.count == 3, let message = Identifier(segments[0]), let media = Identifier(segments[1]) else {
      throw .noSuchPage
    }
    guard ["GET", "HEAD"].contains(request.method) else { throw .methodNotAllowed(allowed: ["GET"]) }
    return MessageMedia(message: message, media: media)
  }

  func respond(to principal: Principal, _ database: Database) throws(Problem) -> Response {
    guard let user = principal.user else {
      throw .v1(403, 220, "Your credentials do not allow access to this resource.")
    }
    guard let message = database.message(message, of: user), message.media.contains(media),
      let record = database.media[media], let content = record.content
    else { throw .noSuchPage }
    var response = Response(status: 200)
    // Sent in pieces, like a file of any size.
    response.body = .chunks(content, size: 64 << 10, pause: .zero)
    response.set("Content-Type", record.contentType(of: content))
    response.set("Cache-Control", "private")
    return response
  }
}

extension Database {
  /// An upload that a user can attach to a message, by its ID.
  func messageMedia(_ text: String, of user: Identifier?, at now: Date) -> Identifier? {
    guard let id = Identifier(text), let record = media[id], record.belongs(to: user), record.isUsable(at: now) else {
      return nil
    }
    return id
  }
}
