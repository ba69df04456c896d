import ArgumentParser
import CallsignCommandLine
import CallsignSupport
import Foundation

/// `callsign new DIR`
struct New: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Begins a catalogue: a small one, with comments, that passes `check`.",
    discussion: "Nothing is overwritten: if a file exists, that is an error and nothing is written.")

  @Argument(help: "The folder to put the files in; it is made if it does not exist.", completion: .directory)
  var folder: String

  func run() throws {
    let files = StarterCatalogue.files.map { (path: folder + "/" + $0.name, text: $0.text) }
    for file in files where FileManager.default.fileExists(atPath: file.path) {
      StandardError.write("\(file.path): error: the file exists; choose another folder, or move it away")
      throw ExitCode.failure
    }
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      for file in files {
        try Data(file.text.utf8).write(to: URL(fileURLWithPath: file.path), options: .withoutOverwriting)
      }
    } catch {
      StandardError.write("\(folder): error: the files cannot be written: \(error.fileErrorReason)")
      throw ExitCode.failure
    }
    for file in files { print("wrote \(file.path)") }
    print("Next: edit them, and run `callsign check \(folder)`.")
  }
}
