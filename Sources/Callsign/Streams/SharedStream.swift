import CallsignHTTP

/// What all copies of a stream have in common: who reads it, and who watches.
final class SharedStream: Sendable {
  private struct State {
    var isRead = false
    var watchers: [Int: StreamWatcher] = [:]
    var nextWatcher = 0
  }

  private let endpoint: String
  private let state = Locked(State())

  init(endpoint: String) { self.endpoint = endpoint }

  deinit { endReading() }

  /// Whether anybody would see an event.
  var isWatched: Bool { state.withLock { !$0.watchers.isEmpty } }

  /// Makes the caller the one reader, until ``endReading()``.
  func beginReading() throws(CallError) {
    let isFree = state.withLock { state in
      defer { state.isRead = true }
      return !state.isRead
    }
    if !isFree { throw inUse }
  }

  /// The error for whoever reads where another one does.
  var inUse: CallError { .invalidCall(InvalidCall(endpoint: endpoint, reason: .streamInUse)) }

  /// Lets another one read; those who watch have seen everything.
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
