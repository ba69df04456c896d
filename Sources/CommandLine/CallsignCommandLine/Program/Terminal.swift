import CallsignHTTP
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The outputs of a command, and what they can display.
package struct Terminal: Sendable {
  /// Whether a person reads the result, instead of a program or a file.
  package let isInteractive: Bool
  /// Whether the result can have colours: on a terminal, unless `NO_COLOR` (no-color.org) or a dumb terminal forbids it.
  package let hasColors: Bool
  /// Whether a person reads the messages.
  package let showsProgress: Bool

  /// Examines the standard output and standard error of the process.
  package init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    isInteractive = isatty(STDOUT_FILENO) == 1
    let isPlain = !(environment["NO_COLOR"] ?? "").isEmpty || environment["TERM"] == "dumb"
    hasColors = isInteractive && !isPlain
    showsProgress = isatty(STDERR_FILENO) == 1
  }

  /// The maximum number of characters in a progress line: the terminal's width, or 80 if it is unknown.
  package var width: Int { Self.width(of: STDERR_FILENO) ?? 80 }

  /// The maximum number of characters in a line of the result; `nil` if no person reads it, and 80 if the terminal's width is
  /// unknown.
  package var resultWidth: Int? { isInteractive ? Self.width(of: STDOUT_FILENO) ?? 80 : nil }

  private static func width(of descriptor: Int32) -> Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// Writes a part of the result.
  ///
  /// - Throws: The ``ExitStatus`` to end with. If the reader has gone, the command ends quietly, as `| head` expects.
  package func write(_ text: String) throws(ExitStatus) { try write(Data(text.utf8)) }

  /// Writes a part of the result unchanged.
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

  /// A text from an API for the result. For a person, characters that could move the cursor or imitate other text are removed.
  func shown(_ text: String) -> String { isInteractive ? text.printableLines : text }

  /// Writes a message for the user, separate from the result.
  package func report(_ line: String) { StandardError.write(line) }

  /// Replaces the progress line on a terminal.
  package func progress(_ line: String) {
    guard showsProgress else { return }
    StandardError.writeUnchanged("\r\u{1B}[K" + StandardError.shown(line))
  }

  /// Removes the progress line.
  package func endProgress() { progress("") }
}

/// Messages for the user, separate from the result.
package enum StandardError {
  /// Writes a line without control and invisible characters, which a document, a response or a name may contain. If it cannot be
  /// written, for example because standard error is closed, the program continues.
  package static func write(_ line: String, terminator: String = "\n") { writeUnchanged(shown(line) + terminator) }

  /// The text as shown in a message.
  fileprivate static func shown(_ text: String) -> String {
    text.printableLines
  }

  fileprivate static func writeUnchanged(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }
}
