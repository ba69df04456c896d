import Foundation

/// Why accounts of this machine cannot be read or used.
public struct MachineAccountError: Error, Sendable, Hashable {
  /// What is wrong.
  public enum Reason: Sendable, Hashable {
    /// There is no such file.
    case missingFile
    /// The system does not let this program read the file.
    case unreadable
    /// Others can read or write the file.
    case readableByOthers
    /// The file is not YAML, or nothing that such a file should hold.
    case malformed
    /// There is no such account, or none at all.
    case noSuchAccount
    /// The account lacks what it takes to sign requests.
    case incomplete
    /// The access token is past its time.
    case expired
  }

  /// What is wrong.
  public var reason: Reason
  /// What to do about it, in one sentence. It may name a path and accounts, never a secret.
  public var advice: String

  /// States a problem.
  public init(_ reason: Reason, advice: String) {
    self.reason = reason
    self.advice = advice
  }
}

extension MachineAccountError: CustomStringConvertible, LocalizedError {
  /// What to do, in one line.
  public var description: String { advice }
  /// The same as ``description``.
  public var errorDescription: String? { description }
}
