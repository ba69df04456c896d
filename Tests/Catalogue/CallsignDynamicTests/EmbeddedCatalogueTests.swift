import CallsignCatalogue
import CallsignDynamic
import Foundation
import TestSupport
import Testing
import XCatalogue

@Suite("X's catalogues inside a program") struct EmbeddedCatalogueTests {
  @Test(
    "Each operation's excerpt contains everything that the whole catalogue states about it",
    arguments: [("x-v2", 178), ("x-v1.1", 192)])
  func excerpts(folder: String, count: Int) throws {
    let whole = try #require(CatalogueLoader().load(folder: PackageFolder.url("spec/\(folder)").path).catalogue)
    let embedded = folder == "x-v2" ? EmbeddedCatalogue.x2 : EmbeddedCatalogue.x1
    #expect(embedded.operations.count == count)
    let models = ModelTable(whole)
    var compared: Set<String> = []
    for group in whole.groups {
      for endpoint in group.endpoints {
        let excerpt = try #require(embedded.catalogue(of: [endpoint.name]), "\(endpoint.name)")
        let found = try #require(excerpt.groups.flatMap(\.endpoints).first { $0.name == endpoint.name })
        // Places differ, and nothing else.
        #expect(Self.text(found) == Self.text(endpoint), "\(endpoint.name)")
        // A model's excerpt is the same for every operation that needs it.
        for model in excerpt.groups.flatMap(\.models) where compared.insert(model.name).inserted {
          #expect(Self.text(model) == models[model.name].map { Self.text($0) }, "\(endpoint.name): \(model.name)")
        }
        #expect(excerpt.api.hosts.map(\.url) == whole.api.hosts.map(\.url))
      }
    }
  }

  /// A value without the places in files.
  private static func text(_ value: Any) -> String {
    "\(value)".replacing(/SourceLocation\([^)]*\)/, with: "")
  }
}
