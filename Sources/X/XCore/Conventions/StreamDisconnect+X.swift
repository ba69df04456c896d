// Sound: no more bytes are compared than both have.

import Callsign
import CallsignJSON
import CallsignSupport

// `ReconnectPolicy.default` uses the waits that X asks for
// (https://docs.x.com/x-api/fundamentals/consuming-streaming-data). Its 60 seconds without a byte are three keep-alives
// of v2, which come every 20 seconds, or two of v1.1, which come every 30.
extension StreamDisconnect {
  /// The longest record that is examined, in bytes.
  private static let longestMessage = 8192
  private static let words = ["disconnect", "connection_issue"].map { Data($0.utf8) }
  /// How records that are posts begin.
  private static let postBeginnings: [StaticString] = [#"{"data""#, #"{"created_at""#]

  /// Reads the message; `nil` for any other record.
  ///
  /// X's v2 sends a problem of the type `operational-disconnect` or `streaming-connection` among `errors`
  /// (<https://docs.x.com/x-api/fundamentals/handling-disconnections>); v1.1 sends a `disconnect` with a code.
  init?(xRecord record: Data) {
    // Nearly all records are something else, so this check must be cheap.
    guard record.count <= Self.longestMessage, !Self.isPost(record),
      Self.words.contains(where: { record.firstRange(of: $0) != nil }),
      let document = try? JSONValue(jsonData: record), let members = document.object, members["data"] == nil
    else { return nil }
    if let message = members["disconnect"]?.object {
      let code = message["code"]?.int
      self.init(
        code: code, reason: message["reason"]?.string, streamName: message["stream_name"]?.string, document: document,
        cause: Self.cause(code: code))
      return
    }
    // v2 has sent the problem both by itself and in a list.
    for problem in members["errors"]?.array ?? [document] {
      guard let members = problem.object,
        let kind = members["disconnect_type"]?.string ?? members["connection_issue"]?.string
      else { continue }
      self.init(
        kind: kind, reason: members["detail"]?.string ?? members["title"]?.string, document: document,
        cause: Self.cause(kind: kind))
      return
    }
    return nil
  }

  private static func isPost(_ record: Data) -> Bool {
    record.withUnsafeBytes { bytes in
      postBeginnings.contains { beginning in
        guard let base = bytes.baseAddress, bytes.count >= beginning.utf8CodeUnitCount else { return false }
        return memcmp(base, beginning.utf8Start, beginning.utf8CodeUnitCount) == 0
      }
    }
  }

  private static func cause(code: Int?) -> DisconnectReason {
    switch code {
    // Shut down, requested, too slow, finished or moved: the next connection will work.
    case 1, 3, 4, 5, 9, 12: .end
    case 10, 11: .network
    // Another connection of the same app, no permission, or something new: an immediate connection would be closed
    // again.
    default: .httpError
    }
  }

  private static func cause(kind: String) -> DisconnectReason {
    switch kind {
    case "OperationalDisconnect", "UpstreamOperationalDisconnect", "UpstreamUncleanDisconnect", "SlowReader": .end
    case "InternalError": .network
    default: .httpError
    }
  }
}
