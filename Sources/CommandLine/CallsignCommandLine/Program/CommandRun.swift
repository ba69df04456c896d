import Callsign
import CallsignAuth
import Dispatch
import Foundation

/// Runs a command to its exit status: reports errors, and ends cleanly if interrupted.
package struct CommandRun: Sendable {
  private let terminal: Terminal

  package init(_ terminal: Terminal = Terminal()) { self.terminal = terminal }

  /// Runs work, and cancels it if the user interrupts.
  package func run(_ body: @escaping @Sendable () async throws -> Void) async -> ExitStatus {
    let work = Task { await status(body) }
    let interrupts = Interrupts {
      work.cancel()
      // Cancellation does not end a read from standard input, or a write to a reader that does not read.
      DispatchQueue.global().asyncAfter(deadline: .now() + 2) { Foundation.exit(ExitStatus.interrupted.rawValue) }
    }
    defer { interrupts.end() }
    return await work.value
  }

  /// The exit status for the result of the work.
  private func status(_ body: () async throws -> Void) async -> ExitStatus {
    do {
      try await body()
      return .success
    } catch let status as ExitStatus {
      return status
    } catch {
      terminal.endProgress()
      return report(error)
    }
  }

  /// Reports an error.
  private func report(_ error: any Error) -> ExitStatus {
    switch error {
    case let error as CallError:
      if error.isCancellation { return .interrupted }
      report(error, error)
      return ExitStatus(error)
    case let error as LoginError:
      if case .cancelled = error { return .interrupted }
      if case .call(let call) = error { report(error, call) } else { terminal.report("error: \(error)") }
      return ExitStatus(error)
    case let error as UploadError:
      if case .cancelled = error.cause { return .interrupted }
      if case .call(let call, _) = error.cause { report(error, call) } else { terminal.report("error: \(error)") }
      return ExitStatus(error)
    case let error as TokenStoreError:
      terminal.report("error: \(error)")
      return .noPermission
    case let error as FilterError:
      terminal.report("error: the filter does not fit the response: \(error)")
      return .invalidInput
    case let error as CommandLineError:
      terminal.report("error: \(error)")
      return error.status
    default:
      terminal.report("error: \(error)")
      return .usage
    }
  }

  /// Reports the error of a call with the API's reasons.
  private func report(_ error: any Error, _ call: CallError) {
    let line = "error: \(error)"
    terminal.report(line)
    for reason in call.reasons(beside: line) { terminal.report("  \(reason)") }
    if let path = call.missingPath { terminal.report("  the path is \(path)") }
  }
}

extension CallError {
  /// The path that the API did not find, without secrets; `nil` if the status is not 404.
  fileprivate var missingPath: String? {
    guard case .api(let error) = self, error.status == .notFound, let url = error.rawResponse.url else { return nil }
    return (error.rawResponse.secrets?.removed(from: url.path) ?? url.path).printable
  }

  /// The reasons that the API gives in its own words, each once, without those that a text has already.
  func reasons(beside text: String) -> [String] {
    var reasons: [String] = []
    for problem in problems {
      guard let reason = (problem.detail ?? problem.title)?.printable.prefix(1_000), !reason.isEmpty,
        !text.contains(reason), !reasons.contains(String(reason))
      else { continue }
      reasons.append(String(reason))
    }
    return Array(reasons.prefix(20))
  }
}

extension ExitStatus {
  /// The exit status for a failed login.
  package init(_ error: LoginError) {
    self =
      switch error {
      case .cancelled: .interrupted
      case .invalidSetup: .usage
      case .call(let error): ExitStatus(error)
      case .unexpectedResponse: .protocolViolation
      case .timedOut: .temporary
      default: .noPermission
      }
  }

  /// The exit status for a failed upload.
  package init(_ error: UploadError) {
    self =
      switch error.cause {
      case .file(let problem): problem.kind == .empty ? .invalidInput : .noInput
      case .content: .invalidInput
      case .call(let error, _): ExitStatus(error)
      case .processingFailed: .refused
      case .processingTimedOut: .temporary
      case .cannotResume: .invalidInput
      case .cancelled: .interrupted
      }
  }
}
