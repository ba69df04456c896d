import Foundation

/// Why a token could not be kept, read or deleted.
public struct TokenStoreError: Error, Sendable, Hashable {
  /// What is wrong.
  public enum Reason: Sendable, Hashable {
    /// Others can read or write the file or folder.
    case readableByOthers
    /// The file or folder belongs to somebody else, is a symbolic link, or is something other than a file or folder.
    case unsafePlace
    /// What is there is no token, or is damaged.
    case damaged
    /// What is there was written by a newer version of this library.
    case newerVersion
    /// Another process held the lock for too long.
    case lockTimedOut
    /// The system refused, or the disk is full; the advice has its words.
    case system
    /// The task was cancelled while it waited.
    case cancelled
  }

  /// What is wrong.
  public var reason: Reason
  /// What to do about it, in one sentence. It may name a path, never a token.
  public var advice: String

  /// States a problem.
  public init(_ reason: Reason, advice: String) {
    self.reason = reason
    self.advice = advice
  }
}

extension TokenStoreError: CustomStringConvertible, LocalizedError {
  /// What to do, in one line.
  public var description: String { advice }
  /// The same as ``description``.
  public var errorDescription: String? { description }
}
