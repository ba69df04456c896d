import CallsignCatalogue
import CallsignGenerator
import Foundation
import Testing

/// The catalogue that has one of everything, which `GeneratedCodeTests` compile and call.
enum Sample {
  static let testsFolder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  static let folder = testsFolder.appendingPathComponent("GeneratedCodeTests/Catalogue")

  static func catalogue() throws -> Catalogue {
    let result = CatalogueLoader().load(folder: folder.path)
    #expect(result.diagnostics.map(\.description) == [])
    return try #require(result.catalogue)
  }
}

/// A catalogue of one file, from its text.
func catalogue(_ text: String) throws -> Catalogue {
  let result = CatalogueLoader().load(files: [CatalogueSource(path: "api.yaml", bytes: Array(text.utf8))])
  return try #require(result.catalogue, "\(result.diagnostics)")
}

/// The Swift text of a catalogue of one file.
func generated(_ text: String, options: GenerationOptions = GenerationOptions()) throws -> String {
  try #require(Generator(options: options).generate(catalogue(text)).first).text
}
