import Callsign
import CallsignHTTP
import CallsignSupport

/// The state of a login whose token an authenticator keeps, for an interface that reacts to it.
///
/// ```swift
/// for await state in oauth2.states {
///   if case .lost(let reason) = state { show("Please log in again: \(reason.advice ?? "")") }
/// }
/// ```
public enum TokenState: Sendable {
  /// There is no token: nobody is logged in, or for an app's own token, none was needed yet.
  case signedOut
  /// There is a token that is good as far as one can know; it expires then, where the provider said so.
  case valid(expires: Date?)
  /// The provider is asked for the next token.
  case refreshing
  /// The token has expired and could not be refreshed yet, for this reason. The next call tries again.
  case expired(CallError)
  /// The provider does not accept the login any more, for this reason. The person has to log in again.
  case lost(CallError)
}

extension TokenState {
  /// Whether it tells nothing new after another.
  fileprivate func repeats(_ other: TokenState?) -> Bool {
    switch (self, other) {
    case (.signedOut, .signedOut?), (.refreshing, .refreshing?): true
    case (.valid(let one), .valid(let other)?): one == other
    default: false
    }
  }
}

/// Tells any number of readers the state that something is in, and each that follows.
final class StateFeed<State: Sendable>: Sendable {
  private struct Content {
    var current: State?
    var readers: [Int: AsyncStream<State>.Continuation] = [:]
    var count = 0
  }

  private let content = Locked(Content())

  /// The states from now on, the present one first, where it is known. A reader that is far behind misses old ones.
  func stream() -> AsyncStream<State> {
    let (stream, continuation) = AsyncStream.makeStream(of: State.self, bufferingPolicy: .bufferingNewest(32))
    let number = content.withLock { content in
      content.count += 1
      content.readers[content.count] = continuation
      if let current = content.current { continuation.yield(current) }
      return content.count
    }
    continuation.onTermination = { [weak self] _ in self?.content.withLock { $0.readers[number] = nil } }
    return stream
  }

  fileprivate func send(_ state: State, if isNews: (State?) -> Bool) {
    content.withLock { content in
      guard isNews(content.current) else { return }
      content.current = state
      for reader in content.readers.values { reader.yield(state) }
    }
  }

  deinit { content.withLock { for reader in $0.readers.values { reader.finish() } } }
}

extension StateFeed<TokenState> {
  /// Tells a state, unless it is the present one.
  func send(_ state: TokenState) { send(state) { !state.repeats($0) } }

  /// Tells a state that was read from a store, if none is known yet.
  func sendFirst(_ state: TokenState) { send(state) { $0 == nil } }
}
