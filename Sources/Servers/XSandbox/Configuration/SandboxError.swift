import CallsignSupport
import Foundation

/// An error from the sandbox's methods.
public enum SandboxError: CallsignError, Equatable {
  /// The server could not listen on the port. Another process may use it.
  case couldNotListen(port: UInt16)
  /// The user name is taken, or is not 1 to 15 letters, digits and underscores.
  case invalidUsername(String)
  /// No user, post or list has this id.
  case notFound(String)
  /// The text of a seed has this mistake, in this line; line 0 means no particular line.
  case invalidSeed(String, line: Int)
  /// The post with this ID has no open poll with that option, or the user has already voted in it.
  case cannotVote(String)
  /// A user cannot decide about this authorization URL, for this reason.
  case cannotAuthorize(String)

  /// The error and how to fix it.
  public var description: String {
    switch self {
    case .couldNotListen(let port):
      "The sandbox could not listen on 127.0.0.1:\(port). Use port 0 for any free port."
    case .invalidUsername(let username):
      "`\(username)` is taken, or is not 1 to 15 letters, digits and underscores. Choose another user name."
    case .notFound(let id): "The sandbox has nothing with the id \(id). Add it first."
    case .invalidSeed(let reason, let line):
      "The seed cannot be used: \(reason)\(line > 0 ? " (line \(line))" : "")."
    case .cannotVote(let id):
      "The post \(id) has no open poll with that option, or the user has voted in it. Make a new poll."
    case .cannotAuthorize(let reason):
      "The sandbox shows no login page for this authorization URL: \(reason). Start the login again."
    }
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }
}
