import ArgumentParser
import CallsignCommandLine
import CallsignOpenAPI
import Foundation

/// Files that a command reads, and the errors to end with when they are not usable.
///
/// The exit codes are those of BSD's `sysexits`: 65 for input that is wrong, 66 for input that cannot be read.
enum InputFile {
  static let invalidInput = ExitCode(65)
  static let noInput = ExitCode(66)

  static func bytes(_ path: String) throws -> [UInt8] {
    do {
      return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    } catch {
      StandardError.write("\(path): error: the file cannot be read")
      throw noInput
    }
  }

  /// Reports what is wrong with a file.
  ///
  /// - Returns: the error to end the command with.
  static func invalid(_ path: String, _ error: any Error) -> ExitCode {
    if case .overlay(let diagnostics)? = error as? ImportError {
      // They name their own file.
      for diagnostic in diagnostics { StandardError.write("\(diagnostic)") }
    } else {
      StandardError.write("\(path): error: \(error)")
    }
    return invalidInput
  }
}
