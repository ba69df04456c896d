import CallsignHTTP
import CallsignSupport

/// A store that notifies a process of changes by others.
///
/// Notifications only save time and may be lost. In that case, one request is sent with a token that is no longer accepted.
public protocol ObservableTokenStore: TokenStore {
  /// Calls a closure after each change of a key's token, also by this process, until the observation is given up.
  ///
  /// - Parameters:
  ///   - key: The token to observe.
  ///   - onChange: Called on any thread, one call at a time; it must be quick.
  func observe(_ key: TokenKey, onChange: @escaping @Sendable (TokenChange) -> Void) -> TokenObservation
}

/// A change of a stored token.
public enum TokenChange: Sendable, Hashable {
  /// The store now has this version.
  case saved(TokenVersion)
  /// The store no longer has a token.
  case deleted
  /// Changes may have been missed.
  case unknown
}

/// An observation of a token, until it is dropped.
public final class TokenObservation: Sendable {
  private let end: @Sendable () -> Void

  /// Describes an observation that has begun.
  ///
  /// - Parameter end: Ends it; called once.
  public init(end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { end() }
}
