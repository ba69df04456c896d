import Foundation

/// What an API says in a stream before it disconnects.
///
/// X's v2 sends a problem of the type `operational-disconnect` or `streaming-connection` among `errors`
/// (<https://docs.x.com/x-api/fundamentals/handling-disconnections>), its v1.1 a `disconnect` with a code.
public struct StreamDisconnect: Sendable, Hashable {
  /// v1.1: the number of the cause, such as 4 for a reader that is too slow.
  public var code: Int?
  /// v2: the kind of disconnection or of connection issue, such as `UpstreamOperationalDisconnect` or
  /// `TooManyConnections`.
  public var kind: String?
  /// Why, in the API's words.
  public var reason: String?
  /// v1.1: the name of the stream, where it has one.
  public var streamName: String?
  /// All that the API says.
  public var document: JSONValue

  /// Describes a message.
  public init(
    code: Int? = nil, kind: String? = nil, reason: String? = nil, streamName: String? = nil, document: JSONValue
  ) {
    self.code = code
    self.kind = kind
    self.reason = reason
    self.streamName = streamName
    self.document = document
  }

  /// The longest record that is looked into.
  private static let mostBytes = 8192
  private static let words = ["disconnect", "connection_issue"].map { Data($0.utf8) }
  /// How records begin that are none.
  private static let beginnings = [#"{"data""#, #"{"created_at""#].map { Data($0.utf8) }

  /// Reads the message; `nil` for any other record.
  init?(record: Data) {
    // Nearly all records are something else, so the look at them must cost little.
    guard record.count <= Self.mostBytes, !Self.beginnings.contains(where: { record.starts(with: $0) }),
      Self.words.contains(where: { record.range(of: $0) != nil }),
      let document = try? JSONValue(jsonData: record), let members = document.object, members["data"] == nil
    else { return nil }
    if let message = members["disconnect"]?.object {
      self.init(
        code: message["code"]?.int, reason: message["reason"]?.string, streamName: message["stream_name"]?.string,
        document: document)
      return
    }
    // v2 has sent the problem by itself as well as in a list.
    for problem in members["errors"]?.array ?? [document] {
      guard let members = problem.object,
        let kind = members["disconnect_type"]?.string ?? members["connection_issue"]?.string
      else { continue }
      self.init(
        kind: kind, reason: members["detail"]?.string ?? members["title"]?.string, document: document)
      return
    }
    return nil
  }

  /// What the next connection waits for.
  var cause: StreamDropCause {
    switch (code, kind) {
    // Shut down, asked for, too slow, done, moved: the next connection is a good one.
    case (1?, _), (3?, _), (4?, _), (5?, _), (9?, _), (12?, _): .end
    case (10?, _), (11?, _): .network
    case (_, "OperationalDisconnect"?), (_, "UpstreamOperationalDisconnect"?), (_, "UpstreamUncleanDisconnect"?),
      (_, "SlowReader"?):
      .end
    case (_, "InternalError"?): .network
    // Another connection of the same app, no right to one, or something new: at once it would be closed again.
    default: .httpError
    }
  }
}
