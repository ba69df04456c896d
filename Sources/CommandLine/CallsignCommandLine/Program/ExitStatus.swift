import Callsign
import CallsignDynamic

/// The exit statuses of calls, those of BSD's `sysexits` where there is one. `Documentation/CommandLine.md` lists them.
package enum ExitStatus: Int32, Sendable, Error {
  /// All is well.
  case success = 0
  /// The API refused the call, or nothing was found.
  case refused = 1
  /// The command line is wrong, or the arguments are: nothing was sent.
  case usage = 64
  /// A document or a body is wrong, such as a catalogue.
  case invalidInput = 65
  /// A file cannot be read.
  case noInput = 66
  /// The API could not be reached in time, its response was lost, or how an operation stands cannot be found out; a server's
  /// port is taken.
  case unavailable = 69
  /// The result cannot be written.
  case cannotWrite = 74
  /// A rate limit is used up, an operation is not over, or a stream was read for as long as was asked: later.
  case temporary = 75
  /// The response is not what the catalogue says.
  case protocolViolation = 76
  /// Credentials are missing, or not accepted.
  case noPermission = 77
  /// The person interrupted it.
  case interrupted = 130

  /// The status that stands for an error.
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
  /// The status that a command ends with by it.
  package let status: ExitStatus

  package init(_ description: String, _ status: ExitStatus = .usage) {
    self.description = description
    self.status = status
  }
}
