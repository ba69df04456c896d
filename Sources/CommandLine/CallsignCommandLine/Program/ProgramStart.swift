// Sound: the system ends each argument with a zero and the list with a null pointer, and neither changes.

import ArgumentParser
import Callsign
import CallsignCatalogue
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The first steps of a command line, before anything else.
package enum ProgramStart {
  /// Opens placeholders for standard streams that are closed. Otherwise the next socket or file would get their number, and receive
  /// messages meant for a person.
  package static func occupyStandardStreams() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 && errno == EBADF {
      // Reading from standard input and writing to standard error then fail, as they did while closed.
      let opened = open("/dev/null", descriptor == STDOUT_FILENO ? O_RDONLY : O_WRONLY)
      if opened >= 0, opened != descriptor {
        _ = dup2(opened, descriptor)
        _ = close(opened)
      }
    }
  }

  /// The version that `--version` prints.
  package static let version = ClientConfiguration.defaultUserAgent.split(separator: "/").last.map { String($0) } ?? ""

  /// Ends the process if its first word is neither an option nor one of the commands.
  package static func checkCommand(_ word: String?, among commands: [String], of program: String) {
    guard let word, !word.hasPrefix("-"), !commands.contains(word) else { return }
    var suggestions = Suggestions()
    let closest = suggestions.closest(to: word, among: commands).map { "; did you mean \($0)?" } ?? ""
    StandardError.write("error: unknown command \(word)\(closest) (`\(program) --help` lists the commands)")
    exit(ExitStatus.usage.rawValue)
  }

  /// A message of the argument parser in the form of the program's others: it begins with `error:` and a small letter, ends
  /// without a full stop, and knows what `--json` means.
  static func text(ofParserMessage message: String) -> String {
    guard message.hasPrefix("Error: ") else { return message }
    var lines = message.dropFirst(7).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if let format = OutputFormat.allCases.first(where: { lines[0].hasPrefix("Unknown option '--\($0.rawValue)'") }) {
      lines[0] += ". To get the result as \(format.rawValue), write -o \(format.rawValue)"
    }
    if lines[0].hasSuffix(".") { lines[0].removeLast() }
    if let second = lines[0].dropFirst().first, second.isLowercase {
      lines[0] = lines[0].prefix(1).lowercased() + lines[0].dropFirst()
    }
    return "error: " + lines.joined(separator: "\n")
  }

  /// Ends the process where one of its arguments is not UTF-8. Swift repairs such arguments, and something else than what was
  /// meant would be sent.
  package static func checkArguments() {
    guard let problem = argumentProblem else { return }
    StandardError.write("error: \(problem)")
    exit(ExitStatus.usage.rawValue)
  }

  /// The message about the first argument of the process that is not UTF-8; `nil` if all are.
  private static var argumentProblem: String? {
    var arguments: [[UInt8]] = []
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let text = CommandLine.unsafeArgv[index] else { break }
      arguments.append(UnsafeBufferPointer(start: text, count: strlen(text)).map { UInt8(bitPattern: $0) })
    }
    return problem(of: arguments)
  }

  /// The message about the first of some arguments that is not UTF-8.
  static func problem(of arguments: [[UInt8]]) -> String? {
    guard let index = arguments.firstIndex(where: { String(bytes: $0, encoding: .utf8) == nil }) else { return nil }
    // The text itself may be a secret, but the name before it is not.
    let own = String(decoding: arguments[index].prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
    let before = index > 0 ? String(decoding: arguments[index - 1], as: UTF8.self) : ""
    let option = own.hasPrefix("--") ? own : before.hasPrefix("--") ? before : ""
    let name = name(option)
    let words = name.map { ", of \($0)," } ?? ""
    return "argument \(index + 1)\(words) is not UTF-8; give it in that encoding, or from a file"
  }

  /// A text that can be the name of a parameter or option.
  private static func name(_ text: String) -> String? {
    let isName = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."): true
      default: false
      }
    }
    return isName && !text.isEmpty ? text : nil
  }
}

extension AsyncParsableCommand {
  /// Runs the command that the words select. If it fails, ends the process with the command's exit status.
  package static func run(_ words: [String]) async {
    do {
      var command = try parseAsRoot(words)
      if var command = command as? any AsyncParsableCommand { try await command.run() } else { try command.run() }
    } catch let status as ExitStatus {
      Foundation.exit(status.rawValue)
    } catch {
      let status = exitCode(for: error)
      let message = fullMessage(for: error)
      if status.isSuccess {
        if !message.isEmpty { print(message) }
      } else if !message.isEmpty {
        StandardError.write(ProgramStart.text(ofParserMessage: message))
      }
      Foundation.exit(status.rawValue)
    }
  }
}
