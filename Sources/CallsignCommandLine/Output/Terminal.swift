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

  /// Writes a part of the result. A reader who has gone away ends the command quietly, as `| head` expects.
  package func write(_ text: String) throws {
    do { try FileHandle.standardOutput.write(contentsOf: Data(text.utf8)) } catch { throw ExitStatus.success }
  }

  /// Writes a message for a person, apart from the result.
  package func report(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }

  /// Replaces the line of progress on a terminal.
  package func progress(_ line: String) {
    if showsProgress { FileHandle.standardError.write(Data("\r\u{1B}[K\(line)".utf8)) }
  }

  /// Removes the line of progress.
  package func endProgress() { progress("") }
}
