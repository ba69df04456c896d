import CallsignHTTP
import CallsignJSON
import CallsignSupport

/// Something that happened to a stream's connection; see ``EventStream/events``.
public enum StreamEvent: Sendable {
  /// A connection is being opened. `attempt` counts from 1 since the last record.
  case connecting(attempt: Int)
  /// The API has accepted the connection.
  case connected
  /// The API was asked to resend the records of the last minutes, because the last connection was lost after `from`.
  case backfill(minutes: Int, from: Date)
  /// The API refuses to resend missed records. The stream continues without them.
  case backfillRefused(CallError)
  /// The records that the API sent between these dates are lost: the endpoint does not resend them, or not for such a long time. If
  /// both dates are the same, earlier records may be lost since an unknown time, because the reading continues from a time that is
  /// still in the future by this machine's clock.
  case gap(from: Date, to: Date)
  /// A keep-alive has arrived.
  case keepAlive
  /// A record was skipped, because an earlier connection had already delivered it. The id is `nil` for records without
  /// an id, which are compared as a whole.
  case duplicate(id: String?)
  /// Parts of a record do not match the catalogue and were skipped. For a record that could not be decoded at all, the
  /// issue is the reason; readers of the elements also get it there.
  case issues([DecodingIssue])
  /// The API says that it is about to disconnect, and why. The message is also among the records.
  case disconnectMessage(StreamDisconnect)
  /// Nothing has arrived for so long that the connection counts as dead.
  case stalled(after: Duration)
  /// The connection was lost, or could not be opened.
  case dropped(StreamDrop)
  /// The next connection is made after this time.
  case waiting(Duration)
  /// Reading has ended, with this error, or without one if the reader or the API ended it. This is the last event.
  case ended(CallError?)
}

extension StreamEvent {
  /// Whether there may be thousands of these events, which must not displace others.
  var isFrequent: Bool {
    switch self {
    case .keepAlive, .duplicate, .issues: true
    default: false
    }
  }
}

/// The reason why a stream lost its connection, or did not get one.
public enum StreamDrop: Sendable {
  /// The API has ended the response.
  case ended
  /// The API has disconnected, and stated the reason.
  case disconnected(StreamDisconnect)
  /// Nothing has arrived for this time.
  case stalled(after: Duration)
  /// The network failed, or the API has responded with an error.
  case failed(CallError)
}

/// The events of a stream's connection, as they happen: an asynchronous sequence that never delays the records.
public struct StreamEvents: AsyncSequence, Sendable {
  /// An event of the connection.
  public typealias Element = StreamEvent
  /// It ends without an error.
  public typealias Failure = Never

  /// The maximum number of events to keep for a slow watcher.
  static let capacity = 256

  let stream: AsyncStream<StreamEvent>
  let watcher: StreamWatcher

  /// Begins to watch.
  public func makeAsyncIterator() -> Iterator {
    Iterator(events: stream.makeAsyncIterator(), watcher: watcher)
  }

  /// Yields one event after the other.
  public struct Iterator: AsyncIteratorProtocol {
    var events: AsyncStream<StreamEvent>.Iterator
    let watcher: StreamWatcher

    /// The next event; `nil` when the reading has ended, or the task was cancelled.
    public mutating func next() async -> StreamEvent? {
      let event = await events.next()
      if event != nil { watcher.hasSeenOne() }
      return event
    }

    /// The next event; `nil` when the reading has ended, or the task was cancelled.
    @available(macOS 15, iOS 18, tvOS 18, visionOS 2, *)
    public mutating func next(isolation actor: isolated (any Actor)?) async -> StreamEvent? {
      let event = await events.next(isolation: actor)
      if event != nil { watcher.hasSeenOne() }
      return event
    }
  }
}

/// A watcher, and the number of events that it has not read yet.
final class StreamWatcher: Sendable {
  private let continuation: AsyncStream<StreamEvent>.Continuation
  /// The number of unread events.
  private let waiting = Locked(0)

  init(_ continuation: AsyncStream<StreamEvent>.Continuation) { self.continuation = continuation }

  /// A slow watcher does not get keep-alives and duplicates, because there may be thousands of them, which would
  /// displace important events.
  func tell(_ event: StreamEvent) {
    let isTold = waiting.withLock { waiting in
      if event.isFrequent, waiting >= StreamEvents.capacity / 2 { return false }
      waiting = min(waiting + 1, StreamEvents.capacity)
      return true
    }
    if isTold { continuation.yield(event) }
  }

  func hasSeenOne() { waiting.withLock { $0 = max(0, $0 - 1) } }

  func finish() { continuation.finish() }
}

/// How far a stream has been read.
package struct StreamProgress: Sendable, Hashable {
  /// Everything that the API sent before this time, by this machine's clock, was read; `nil` before the first connection.
  package var covered: Date?
  /// The number of records returned so far, including the last one that ``covered`` counts as read.
  package var records = 0
}

/// The state that all copies of a stream share: the reader and the watchers.
final class SharedStream: Sendable {
  private struct State {
    var isRead = false
    var watchers: [Int: StreamWatcher] = [:]
    var nextWatcher = 0
  }

  private let endpoint: String
  private let state = Locked(State())
  let progress = Locked(StreamProgress())

  init(endpoint: String) { self.endpoint = endpoint }

  deinit { endReading() }

  /// Whether anyone would see an event.
  var isWatched: Bool { state.withLock { !$0.watchers.isEmpty } }

  /// Makes the caller the only reader, until ``endReading()``.
  func beginReading() throws(CallError) {
    let isFree = state.withLock { state in
      defer { state.isRead = true }
      return !state.isRead
    }
    if !isFree { throw inUse }
  }

  /// The error for a second reader while another one is reading.
  var inUse: CallError { .invalidCall(InvalidCall(endpoint: endpoint, reason: .streamInUse)) }

  /// Lets another reader start, after the watchers have received everything.
  func endReading() {
    let watchers = state.withLock { state in
      state.isRead = false
      defer { state.watchers = [:] }
      return state.watchers.values
    }
    for watcher in watchers { watcher.finish() }
  }

  func report(_ event: StreamEvent) {
    let watchers = state.withLock { Array($0.watchers.values) }
    for watcher in watchers { watcher.tell(event) }
  }

  func observe() -> StreamEvents {
    let (stream, continuation) = AsyncStream.makeStream(
      of: StreamEvent.self, bufferingPolicy: .bufferingNewest(StreamEvents.capacity))
    let watcher = StreamWatcher(continuation)
    let number = state.withLock { state in
      state.nextWatcher += 1
      state.watchers[state.nextWatcher] = watcher
      return state.nextWatcher
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.watchers.removeValue(forKey: number) }
    }
    return StreamEvents(stream: stream, watcher: watcher)
  }
}
