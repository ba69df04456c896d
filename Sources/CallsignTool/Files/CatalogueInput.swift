import CallsignCatalogue
import CallsignCommandLine
import CallsignOpenAPI
import Foundation

/// The catalogue that a command works with: catalogue files, or an OpenAPI or Swagger document, which is imported with the
/// overlay beside it.
enum CatalogueInput {
  static func catalogue(at path: String) throws -> Catalogue {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      StandardError.write(
        "\(path): error: there is no such file or folder; name a folder with catalogue files (*.yaml), or an OpenAPI document"
      )
      throw InputFile.noInput
    }
    if !isFolder.boolValue {
      let bytes = try InputFile.bytes(path)
      if OpenAPIImporter.looksLikeDocument(bytes) { return try imported(bytes, path) }
    }
    let result = CatalogueLoader().load(folder: path)
    guard let catalogue = result.catalogue else {
      for diagnostic in result.diagnostics { StandardError.write("\(diagnostic)") }
      throw InputFile.invalidInput
    }
    return catalogue
  }

  /// The same without a word on what is wrong; `nil` then. For a person who is typing.
  static func readable(at path: String) -> Catalogue? {
    let path = (path as NSString).expandingTildeInPath
    guard let isFolder = try? URL(fileURLWithPath: path).resourceValues(forKeys: [.isDirectoryKey]).isDirectory else {
      return nil
    }
    if !isFolder, let data = FileManager.default.contents(atPath: path),
      OpenAPIImporter.looksLikeDocument([UInt8](data))
    {
      return try? OpenAPIImporter(overlay: nil).importDocument([UInt8](data)).catalogue
    }
    return CatalogueLoader().load(folder: path).catalogue
  }

  private static func imported(_ bytes: [UInt8], _ path: String) throws -> Catalogue {
    let overlay = try OverlayFile(given: nil, beside: [path])
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    let options = ImportOptions(
      readFile: { file in (try? Data(contentsOf: folder.appending(path: file))).map { [UInt8]($0) } })
    do throws(ImportError) {
      return try OpenAPIImporter(options: options, overlay: overlay?.overlay, adopted: [:]).importDocument(bytes)
        .catalogue
    } catch {
      throw InputFile.invalid(path, error)
    }
  }
}
