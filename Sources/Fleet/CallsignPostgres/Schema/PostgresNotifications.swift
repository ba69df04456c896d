import CallsignHTTP
import CallsignSupport
import Logging

/// The notifications of a schema: one connection of this process listens, and passes each notification to all listeners.
///
/// Notifications are hints: one may be lost with the connection. Code that relies on them must query the database again after
/// ``PostgresNotifications/Event/listening``.
final class PostgresNotifications: Sendable {
  enum Event: Sendable {
    /// The text of a notification.
    case payload(String)
    /// The connection listens from now on. Earlier notifications are lost, also the first time, because a listener is added before
    /// the server knows about it.
    case listening
  }

  /// Keeps a listener registered as long as this object exists.
  final class Listening: Sendable {
    private let end: @Sendable () -> Void

    fileprivate init(end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }
  }

  private struct State {
    var listeners: [Int: @Sendable (Event) -> Void] = [:]
    var count = 0
    var task: Task<Void, Never>?
    var isStopped = false
  }

  private let state = Locked(State())
  /// Held while listeners are called, so that they receive one event after the other.
  private let telling = Locked(())
  private let pool: PostgresPool
  private let logger: Logger

  init(_ pool: PostgresPool, _ logger: Logger) {
    self.pool = pool
    self.logger = logger
  }

  deinit { stop() }

  /// Passes on all events until the listening is released. Events arrive one after the other, on a thread that must not be blocked.
  func add(_ listener: @escaping @Sendable (Event) -> Void) -> Listening {
    let number = state.withLock { state -> Int in
      state.count += 1
      state.listeners[state.count] = listener
      if state.task == nil, !state.isStopped {
        let send: @Sendable (Event) -> Void = { [weak self] event in self?.send(event) }
        state.task = Task { [pool, logger] in await Self.listen(pool, logger, send) }
      }
      return state.count
    }
    return Listening { [weak self] in self?.remove(number) }
  }

  private func remove(_ number: Int) {
    // The listener is released outside the lock, because something that it holds may end another listening.
    _ = state.withLock { $0.listeners.removeValue(forKey: number) }
  }

  /// The number of listeners.
  var listenerCount: Int { state.withLock { $0.listeners.count } }

  func stop() {
    let listeners = state.withLock { state in
      state.isStopped = true
      state.task?.cancel()
      defer { state.listeners = [:] }
      return state.listeners
    }
    withExtendedLifetime(listeners) {}
  }

  private func send(_ event: Event) {
    telling.withLock { _ in
      for listener in state.withLock({ Array($0.listeners.values) }) { listener(event) }
    }
  }

  private static func listen(
    _ pool: PostgresPool, _ logger: Logger, _ send: @escaping @Sendable (Event) -> Void
  ) async {
    var failures = 0
    while !Task.isCancelled {
      let hasListened = Locked(false)
      do throws(PostgresError) {
        try await pool.listen(to: pool.schema.channel) {
          hasListened.withLock { $0 = true }
          send(.listening)
        } notify: {
          send(.payload($0))
        }
      } catch {
        if error.reason == .cancelled { return }
        failures = hasListened.withLock { $0 } ? 0 : failures + 1
        if failures <= 1 {
          logger.warning("notifications of the database are lost for a while", metadata: ["error": "\(error)"])
        }
      }
      let pause = Duration.milliseconds(100 << min(failures, 4)) * Double.random(in: 0.7...1.3)
      do { try await Task.sleep(for: pause) } catch { return }
    }
  }
}
