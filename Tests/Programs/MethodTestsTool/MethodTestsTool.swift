import Foundation

/// Writes tests that call every method of a catalogue's client and check each request: method, path and each parameter.
///
/// The expectations come from the catalogue's files through separate code, so that a mistake of the generator shows.
/// Arguments: the folder for the Swift files, the modules to import separated by commas, and the catalogue's files.
@main struct MethodTestsTool {
  static func main() {
    do {
      var arguments = CommandLine.arguments.dropFirst()
      guard let folder = arguments.popFirst(), let imports = arguments.popFirst(), !arguments.isEmpty else {
        throw Failure("usage: MethodTestsTool FOLDER MODULES CATALOGUE_FILE...")
      }
      let catalogue = try Catalogue(files: arguments.map { URL(fileURLWithPath: $0) })
      let writer = TestWriter(catalogue, imports: imports.split(separator: ",").map(String.init))
      for (file, endpoints) in catalogue.endpoints {
        try write(writer.text(file: file, endpoints: endpoints), to: "\(folder)/\(file)-methods.generated.swift")
      }
      try write(writer.list, to: "\(folder)/tested-endpoints.generated.swift")
    } catch {
      FileHandle.standardError.write(Data("error: \(error)\n".utf8))
      exit(1)
    }
  }

  /// Does not write a file that already has the same text, so that it is not compiled again.
  private static func write(_ text: String, to path: String) throws {
    let data = Data(text.utf8)
    if FileManager.default.contents(atPath: path) != data { try data.write(to: URL(fileURLWithPath: path)) }
  }
}
