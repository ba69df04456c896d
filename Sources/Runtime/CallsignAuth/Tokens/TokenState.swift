import Callsign
import CallsignHTTP
import CallsignSupport

/// The state of a login whose token an authenticator keeps, for a user interface that reacts to it.
///
/// ```swift
/// for await state in oauth2.states {
///   if case .lost(let reason) = state { show("Please log in again: \(reason.advice ?? "")") }
/// }
/// ```
public enum TokenState: Sendable {
  /// No token exists: nobody is logged in or, for an app's own token, none has been needed yet.
  case signedOut
  /// There is a token that is valid as far as is known. `expires` is when it expires, if the provider stated that.
  case valid(expires: Date?)
  /// The next token is being requested from the provider.
  case refreshing
  /// The token has expired and could not be refreshed yet, for this reason. The next call tries again.
  case expired(CallError)
  /// The provider no longer accepts the login, for this reason. The person must log in again.
  case lost(CallError)
}

extension TokenState {
  /// Whether it adds nothing new to another state.
  fileprivate func repeats(_ other: TokenState?) -> Bool {
    switch (self, other) {
    case (.signedOut, .signedOut?), (.refreshing, .refreshing?): true
    case (.valid(let one), .valid(let other)?): one == other
    default: false
    }
  }
}

/// Sends the current state, and each later one, to any number of readers.
final class StateFeed<State: Sendable>: Sendable {
  private struct Content {
    var current: State?
    var readers: [Int: AsyncStream<State>.Continuation] = [:]
    var count = 0
  }

  private let content = Locked(Content())

  /// The states from now on, the present one first, if it is known. A reader that is far behind misses old ones.
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
  /// Sends a state, unless it is the present one.
  func send(_ state: TokenState) { send(state) { !state.repeats($0) } }

  /// Sends a state that was read from a store, if none is known yet.
  func sendFirst(_ state: TokenState) { send(state) { $0 == nil } }
}
