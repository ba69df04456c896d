import ArgumentParser
import Callsign
import CallsignCommandLine
import CallsignOpenAPI
import CallsignSupport
import Foundation

/// Reads files for commands, and provides the exit codes for files that cannot be used.
///
/// The exit codes follow BSD's `sysexits`: 65 for invalid input, 66 for input that cannot be read.
enum InputFile {
  static let invalidInput = ExitCode(65)
  static let noInput = ExitCode(66)

  static func bytes(_ path: String) throws -> [UInt8] {
    var isFolder: ObjCBool = false
    let problem: String
    if path.isEmpty || !FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) {
      problem = "the file does not exist"
    } else if isFolder.boolValue {
      problem = "this is a folder; name a file in it"
    } else {
      do {
        return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
      } catch {
        problem = "the file cannot be read: \(error.fileErrorReason)"
      }
    }
    StandardError.write("\(path.shownPath): error: \(problem)")
    throw noInput
  }

  /// Advice for a user who gave an OpenAPI document instead of a catalogue; `nil` for anything else.
  static func problem(ofCatalogue path: String) -> String? {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue,
      let bytes = FileManager.default.contents(atPath: path), OpenAPIImporter.looksLikeDocument([UInt8](bytes))
    else { return nil }
    return
      "\(path): error: this is an OpenAPI document; `callsign import-openapi \(path.shellQuoted) --into FOLDER` makes a "
      + "catalogue of it"
  }

  /// Reports the problems with a file.
  ///
  /// - Returns: The error that ends the command.
  static func invalid(_ path: String, _ error: any Error) -> ExitCode {
    if case .overlay(let diagnostics)? = error as? ImportError {
      // Diagnostics name their own file.
      for diagnostic in diagnostics { StandardError.write("\(diagnostic)") }
    } else {
      StandardError.write("\(path.shownPath): error: \(error)")
    }
    return invalidInput
  }
}
