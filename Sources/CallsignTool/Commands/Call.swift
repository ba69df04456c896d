import ArgumentParser
import CallsignCatalogue
import CallsignCommandLine
import CallsignOpenAPI
import Foundation

/// `callsign call CATALOGUE OPERATION …`
struct Call: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Calls an operation of a catalogue.",
    usage: "callsign call CATALOGUE OPERATION [--parameter value …] [options]",
    discussion: """
      CATALOGUE is a folder of catalogue files, or an OpenAPI document, which is imported first. Without an operation its \
      operations are listed. Credentials come from the environment, as CALLSIGN_BEARER_TOKEN, \
      CALLSIGN_OAUTH2_ACCESS_TOKEN, CALLSIGN_USERNAME and CALLSIGN_PASSWORD, or CALLSIGN_KEY_SCHEME for an API key, or \
      from the file that --credentials names.

        callsign call Catalogue getPet --id 7
        callsign call openapi.json createPet --help
      """)

  @Argument(parsing: .captureForPassthrough, help: "The catalogue, the operation, and what it takes.")
  var words: [String] = []

  func run() async throws {
    guard let path = words.first, path != "--help", path != "-h" else {
      return print(Self.helpMessage() + "\n" + OperationHelp.options)
    }
    let catalogue = try Self.catalogue(at: path)
    guard words.count > 1 else {
      return print(OperationList.table(OperationList(catalogue).matching([])), terminator: "")
    }
    let target = CallCommand.Target(
      catalogue: catalogue, operation: words[1], command: "callsign call \(path) \(words[1])",
      credentials: { options in
        let sources = CredentialSources(prefix: "CALLSIGN")
        if let file = options.credentials {
          return try sources.credentials(ofFile: file, account: options.account, catalogue.api)
        }
        return sources.environmentCredentials(catalogue.api)
      })
    let status = await CallCommand(target).run(Array(words.dropFirst(2)))
    if status != .success { throw ExitCode(status.rawValue) }
  }

  /// The catalogue of a folder, or of an OpenAPI document.
  static func catalogue(at path: String) throws -> Catalogue {
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    if exists, !isFolder.boolValue {
      let bytes = try InputFile.bytes(path)
      if isDocument(bytes) {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        let options = ImportOptions(
          readFile: { name in (try? Data(contentsOf: folder.appending(path: name))).map { [UInt8]($0) } })
        do throws(ImportError) {
          return try OpenAPIImporter(options: options).importDocument(bytes).catalogue
        } catch { throw InputFile.invalid(path, error) }
      }
    }
    let result = CatalogueLoader().load(folder: path)
    guard let catalogue = result.catalogue else {
      for diagnostic in result.diagnostics { StandardError.write("\(diagnostic)") }
      throw exists ? InputFile.invalidInput : InputFile.noInput
    }
    return catalogue
  }

  /// Whether a file is an OpenAPI or Swagger document, and no catalogue file: by its version's key, which stands at the
  /// beginning of a line, or of the object.
  private static func isDocument(_ bytes: [UInt8]) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    return text.firstMatch(of: /(?m)^[\s{]*["']?(openapi|swagger)["']?\s*:/) != nil
  }
}
