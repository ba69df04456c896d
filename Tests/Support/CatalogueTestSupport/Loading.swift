import CallsignCatalogue
import Foundation
import Testing

/// Loads one file, `api.yaml`, with these lines.
package func load(_ text: String) -> LoadResult {
  CatalogueLoader().load(files: [CatalogueSource(path: "api.yaml", bytes: Array(text.utf8))])
}

/// Loads several files, in the order given.
package func load(_ files: KeyValuePairs<String, String>) -> LoadResult {
  CatalogueLoader().load(files: files.map { CatalogueSource(path: $0.key, bytes: Array($0.value.utf8)) })
}

/// The `api:` section that most tests put before their own text; six lines.
package let shopAPI = """
  api:
    name: Shop
    hosts: {api: https://shop.example/v1, files: https://files.shop.example}
    schemes: {oauth1: , oauth2: {read: See, write: Change}, bearer: }
    auth: [oauth1]

  """

/// Loads the text after ``shopAPI`` from a separate file, so that its lines count from 1.
package func loadShop(_ text: String) -> LoadResult { load(["a.yaml": shopAPI, "shop.yaml": text]) }

/// Loads the text after ``shopAPI`` and compares the reported problems, one per line without the file's name.
package func expectProblems(
  _ text: String, _ expected: String, sourceLocation: Testing.SourceLocation = #_sourceLocation
) {
  let result = loadShop(text + "\n")
  let found = result.diagnostics.map { $0.description.replacingOccurrences(of: "shop.yaml:", with: "") }
  #expect(found.joined(separator: "\n") == expected, sourceLocation: sourceLocation)
  #expect((result.catalogue == nil) == result.diagnostics.hasErrors, sourceLocation: sourceLocation)
}

extension LoadResult {
  /// The catalogue; problems that prevent it are recorded as the test's failure.
  package func expectCatalogue(sourceLocation: Testing.SourceLocation = #_sourceLocation) throws -> Catalogue {
    #expect(diagnostics.map(\.description) == [], sourceLocation: sourceLocation)
    return try #require(catalogue, sourceLocation: sourceLocation)
  }
}

extension Catalogue {
  package func endpoint(_ name: String) throws -> Endpoint {
    try #require(groups.flatMap(\.endpoints).first { $0.name == name })
  }

  package func model(_ name: String) throws -> Model {
    try #require(groups.flatMap(\.models).first { $0.name == name })
  }
}
