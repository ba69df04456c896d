import CallsignHTTP
import CallsignSupport

/// The failure of a store to keep, read or delete a token.
public struct TokenStoreError: Error, Sendable {
  /// The kind of problem.
  public enum Reason: Sendable, Hashable {
    /// Others can read or write the file or folder.
    case readableByOthers
    /// The file or folder belongs to somebody else, is a symbolic link, or is something other than a file or folder.
    case unsafePlace
    /// The stored bytes are not a token, or are damaged.
    case damaged
    /// The stored token was written by a newer version of this library.
    case newerVersion
    /// Somebody else has held the lease for too long.
    case lockTimedOut
    /// Somebody else has had the lease since it was granted: nothing can be saved under it any more.
    case leaseLost
    /// Another token is in the store than the one that was to be replaced.
    case conflict
    /// The store cannot be reached, or cannot do it now. The token in memory stays in use, and the store is tried again.
    case unavailable
    /// The stored token was sealed with a key that this process does not have.
    case wrongKey
    /// The system refused, or the disk is full; the advice has its words.
    case system
    /// The task was cancelled while it waited.
    case cancelled
  }

  /// The kind of problem.
  public var reason: Reason
  /// Advice on how to continue, in one sentence. It may name a path, never a token.
  public var advice: String
  /// The underlying error, such as that of a database, if there is one. Equality ignores it.
  public var cause: (any Error & Sendable)?

  /// Creates a problem.
  public init(_ reason: Reason, advice: String, cause: (any Error & Sendable)? = nil) {
    self.reason = reason
    self.advice = advice
    self.cause = cause
  }
}

extension TokenStoreError: Hashable {
  /// Whether kind and advice are the same.
  public static func == (left: TokenStoreError, right: TokenStoreError) -> Bool {
    left.reason == right.reason && left.advice == right.advice
  }

  /// Takes in kind and advice.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(reason)
    hasher.combine(advice)
  }
}

extension TokenStoreError {
  /// Somebody else holds the lease now, or nobody.
  ///
  /// - Parameter key: The lease's key.
  public static func leaseLost(_ key: TokenKey) -> TokenStoreError {
    TokenStoreError(
      .leaseLost,
      advice: "the lease of \(key) has gone to another task or process since; load the token again, then decide")
  }

  /// Another token is in the store than the one that was to be replaced.
  ///
  /// - Parameter key: The token's key.
  public static func conflict(_ key: TokenKey) -> TokenStoreError {
    TokenStoreError(.conflict, advice: "the token of \(key) has changed; load it again, then decide")
  }

  /// Whether a token exists but cannot be read: it can still be forgotten.
  package var isAboutUnreadableToken: Bool {
    switch reason {
    case .damaged, .newerVersion, .wrongKey, .readableByOthers, .unsafePlace: true
    case .lockTimedOut, .leaseLost, .conflict, .unavailable, .system, .cancelled: false
    }
  }

  /// Whether the store, or the token in it, may be had again after a while.
  package var mayPass: Bool {
    switch reason {
    case .lockTimedOut, .leaseLost, .conflict, .unavailable, .system: true
    case .damaged, .newerVersion, .wrongKey, .readableByOthers, .unsafePlace, .cancelled: false
    }
  }

  package static var cancelledWait: TokenStoreError {
    TokenStoreError(.cancelled, advice: "the task was cancelled while it waited for another to finish")
  }
}

extension TokenStoreError: CallsignError {
  /// The same as ``advice``, in one line.
  public var description: String { advice }
  /// The same as ``description``.
  public var errorDescription: String? { description }
  /// The same as ``advice``.
  public var recoverySuggestion: String? { advice as String }
}
