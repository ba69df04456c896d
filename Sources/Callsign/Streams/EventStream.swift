import CallsignHTTP
import CallsignJSON
import Foundation

/// An endless answer, record by record: an asynchronous sequence of ``StreamElement``.
///
/// The connection is made when the first record is asked for, and ended when the iterator is dropped or its task is
/// cancelled. Reading slowly slows the sender. ``values`` are the decoded records alone, ``events`` what happens to the
/// connection meanwhile.
///
/// A lost, stalled or ended connection is made anew, after the waits of a ``ReconnectPolicy``. Where the endpoint can
/// send again what was missed, it is asked to, and what comes twice is passed over. So by default the sequence ends only
/// with an error that waiting does not mend, such as refused credentials.
///
/// A stream has one connection at most: a second iterator that asks for a record while another one reads, of a copy of the
/// stream too, gets ``CallError/invalidCall(_:)``.
public struct EventStream<Value: JSONDecodable & Sendable>: Sendable {
  let client: Client
  let call: Call
  var policy = ReconnectPolicy.default
  var stallBound = StallBound.byDefault
  let shared: SharedStream

  /// Describes a stream. Generated code does so through ``Client/stream(_:)``.
  public init(_ client: Client, _ call: Call) {
    self.client = client
    self.call = call
    shared = SharedStream(endpoint: call.endpoint.name.description)
  }

  /// The same stream, made anew after other waits than those of ``ReconnectPolicy/default``.
  public func reconnecting(_ policy: ReconnectPolicy) -> EventStream {
    var stream = self
    stream.policy = policy
    return stream
  }

  /// The same stream, taken for dead after another time without a byte, keep-alives included.
  ///
  /// X sends a keep-alive every 20 seconds (v2) or 30 seconds (v1.1). Default: ``CallOptions/timeouts`` of the call, else
  /// 60 seconds, whatever the client's own timeouts are.
  ///
  /// - Parameter duration: How long no byte may arrive; `nil`: for ever.
  public func stallTimeout(_ duration: Duration?) -> EventStream {
    var stream = self
    stream.stallBound = duration.map(StallBound.after) ?? .never
    return stream
  }

  /// What happens to the stream's connection from now on, for another task to watch; it ends when the reading ends.
  ///
  /// Each use makes a sequence of its own. It holds the newest 256 events that nobody has looked at yet, and never holds up
  /// the records. While more than half of that waits, keep-alives and duplicates are left out, so that they do not push out
  /// the others.
  public var events: StreamEvents { shared.observe() }
}

/// How long a stream may be silent.
enum StallBound: Sendable {
  case byDefault
  case after(Duration)
  case never

  static let standard = Duration.seconds(60)

  func idle(_ timeouts: Timeouts?) -> Duration? {
    switch self {
    case .byDefault: timeouts.map(\.idle) ?? Self.standard
    case .after(let duration): duration
    case .never: nil
    }
  }
}
