import Foundation

/// Something that happened to a stream's connection; see ``EventStream/events``.
public enum StreamEvent: Sendable {
  /// A connection is being made. `attempt` counts from 1 since the last record.
  case connecting(attempt: Int)
  /// The API has accepted the connection.
  case connected
  /// The API was asked to send again what it sent in the last minutes, because the last connection was lost after
  /// `from`.
  case backfill(minutes: Int, from: Date)
  /// The API refuses to send again what was missed; the stream goes on without asking.
  case backfillRefused(CallError)
  /// What the API sent between these dates is lost: the endpoint does not send it again, or not for so long a time.
  case gap(from: Date, to: Date)
  /// A keep-alive has arrived.
  case keepAlive
  /// A record was passed over, because an earlier connection had brought it already. The id is `nil` for records that
  /// have none, and are compared whole.
  case duplicate(id: String?)
  /// The API says that it is about to disconnect, and why. The message is among the records, too.
  case disconnectMessage(StreamDisconnect)
  /// Nothing has arrived for so long that the connection is taken for dead.
  case stalled(after: Duration)
  /// The connection was lost, or could not be made.
  case dropped(StreamDrop)
  /// The next connection is made after this time.
  case waiting(Duration)
  /// The reading is over: by this error, or without one because the reader or the API has ended it. The last event.
  case ended(CallError?)
}

extension StreamEvent {
  /// Whether there may be thousands of them, between which the others must not get lost.
  var isFrequent: Bool {
    switch self {
    case .keepAlive, .duplicate: true
    default: false
    }
  }
}

/// Why a stream has no connection any more, or did not get one.
public enum StreamDrop: Sendable {
  /// The API has ended the answer.
  case ended
  /// The API has disconnected, and said why.
  case disconnected(StreamDisconnect)
  /// Nothing has arrived for this time.
  case stalled(after: Duration)
  /// The network failed, or the API has answered with an error.
  case failed(CallError)
}
