import Callsign
import CallsignDynamic

/// The exit statuses of calls. They follow BSD's `sysexits` if it has one. `Documentation/CommandLine.md` lists them.
package enum ExitStatus: Int32, Sendable, Error {
  /// Success.
  case success = 0
  /// The API refused the call, or nothing was found.
  case refused = 1
  /// The command line or the arguments are wrong. Nothing was sent.
  case usage = 64
  /// A document or a body is wrong, such as a catalogue.
  case invalidInput = 65
  /// A file cannot be read.
  case noInput = 66
  /// The API could not be reached in time, its response was lost, or the state of an operation is unknown; or a server's port is
  /// taken.
  case unavailable = 69
  /// The result cannot be written.
  case cannotWrite = 74
  /// Try again later: a rate limit is used up, an operation is not over, or a stream was read for the requested time.
  case temporary = 75
  /// The response does not match the catalogue.
  case protocolViolation = 76
  /// Credentials are missing or not accepted.
  case noPermission = 77
  /// The user interrupted it.
  case interrupted = 130

  /// The exit status for an error.
  package init(_ error: CallError) {
    self =
      switch error {
      case .api: .refused
      case .rateLimited: .temporary
      case .authorization: .noPermission
      case .transport, .mayHaveSucceeded: .unavailable
      case .decoding, .unexpectedContent, .unreadableResult: .protocolViolation
      case .cancelled: .interrupted
      case .invalidCall: .usage
      }
  }
}

/// A mistake in a command line.
package struct CommandLineError: Error, CustomStringConvertible {
  package let description: String
  /// The exit status of a command with this mistake.
  package let status: ExitStatus

  package init(_ description: String, _ status: ExitStatus = .usage) {
    self.description = description
    self.status = status
  }
}
