import CallsignHTTP
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The places that a command writes to, and what they can show.
package struct Terminal: Sendable {
  /// Whether the result is read by a person, and not by a program or a file.
  package let isInteractive: Bool
  /// Whether the result may have colours: on a terminal, unless `NO_COLOR` (no-color.org) or a dumb one forbids it.
  package let hasColors: Bool
  /// Whether messages are read by a person.
  package let showsProgress: Bool

  /// Looks at the process's own standard output and standard error.
  package init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    isInteractive = isatty(STDOUT_FILENO) == 1
    let isPlain = !(environment["NO_COLOR"] ?? "").isEmpty || environment["TERM"] == "dumb"
    hasColors = isInteractive && !isPlain
    showsProgress = isatty(STDERR_FILENO) == 1
  }

  /// The most characters that a line of progress may have: the terminal's, or 80 where it does not say.
  package var width: Int { Self.width(of: STDERR_FILENO) ?? 80 }

  /// The most characters that a line of the result may have; `nil` where no person reads it, and 80 where the terminal
  /// does not say.
  package var resultWidth: Int? { isInteractive ? Self.width(of: STDOUT_FILENO) ?? 80 : nil }

  private static func width(of descriptor: Int32) -> Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// Writes a part of the result.
  ///
  /// - Throws: The ``ExitStatus`` to end with. A reader who has gone away ends the command quietly, as `| head` expects.
  package func write(_ text: String) throws(ExitStatus) { try write(Data(text.utf8)) }

  /// Writes a part of the result as it is.
  ///
  /// - Throws: The ``ExitStatus`` to end with, as for text.
  package func write(_ data: Data) throws(ExitStatus) {
    do { try FileHandle.standardOutput.write(contentsOf: data) } catch {
      let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError ?? error as NSError
      if cause.code == Int(EPIPE) { throw .success }
      report("error: the result cannot be written: \(String(cString: strerror(Int32(truncatingIfNeeded: cause.code))))")
      throw .cannotWrite
    }
  }

  /// A text of an API for the result: for a person without characters with which it could move the cursor or look like
  /// another.
  func shown(_ text: String) -> String { isInteractive ? text.printableLines : text }

  /// Writes a message for a person, apart from the result.
  package func report(_ line: String) { StandardError.write(line) }

  /// Replaces the line of progress on a terminal.
  package func progress(_ line: String) {
    guard showsProgress else { return }
    StandardError.writeUnchanged("\r\u{1B}[K" + StandardError.shown(line))
  }

  /// Removes the line of progress.
  package func endProgress() { progress("") }
}

/// Messages for a person, apart from the result of a run.
package enum StandardError {
  /// Writes a line, without the control characters and invisible ones that a document, a response or a name may have in it.
  /// That it cannot be written, as where standard error is closed, is no reason to end.
  package static func write(_ line: String, terminator: String = "\n") { writeUnchanged(shown(line) + terminator) }

  /// The text as a message has it.
  fileprivate static func shown(_ text: String) -> String {
    text.printableLines
  }

  fileprivate static func writeUnchanged(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }
}
