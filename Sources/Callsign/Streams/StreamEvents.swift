import CallsignHTTP

/// What happens to a stream's connection, as it happens: an asynchronous sequence that holds up nothing.
public struct StreamEvents: AsyncSequence, Sendable {
  /// What has happened.
  public typealias Element = StreamEvent
  /// It ends without an error.
  public typealias Failure = Never

  /// How many events are held for a watcher who is behind.
  static let capacity = 256

  let stream: AsyncStream<StreamEvent>
  let watcher: StreamWatcher

  /// Begins to watch.
  public func makeAsyncIterator() -> Iterator {
    Iterator(events: stream.makeAsyncIterator(), watcher: watcher)
  }

  /// Tells one event after the other.
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
    public mutating func next(isolation actor: isolated (any Actor)?) async -> StreamEvent? {
      let event = await events.next(isolation: actor)
      if event != nil { watcher.hasSeenOne() }
      return event
    }
  }
}

/// One who watches, and how far behind.
final class StreamWatcher: Sendable {
  private let continuation: AsyncStream<StreamEvent>.Continuation
  /// How many events nobody has looked at.
  private let waiting = Locked(0)

  init(_ continuation: AsyncStream<StreamEvent>.Continuation) { self.continuation = continuation }

  /// A watcher who is behind is spared keep-alives and duplicates, because they come by the thousand and would push out
  /// what matters.
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
