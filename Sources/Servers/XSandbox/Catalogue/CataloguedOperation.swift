import XCatalogue

/// An operation of X's catalogues, from a line in the table of endpoints. Nothing is parsed for it.
struct CataloguedOperation: Sendable {
  let name: String
  let method: String
  /// The path with `{placeholders}`, as in the catalogue.
  let path: String
  let version: APIVersion

  /// The key in limits and faults: `GET /2/users/me`.
  var key: String { "\(method) \(path)" }

  /// All operations of both versions. Several share a key if one request can have different arguments.
  static let all = table(.x2, .v2) + table(.x1, .v1)

  /// Returns the operation with that name.
  static func named(_ name: String, in version: APIVersion) -> CataloguedOperation? { byName[version]?[name] }

  private static let byName = Dictionary(grouping: all, by: \.version).mapValues { operations in
    Dictionary(operations.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  private static func table(_ catalogue: EmbeddedCatalogue, _ version: APIVersion) -> [CataloguedOperation] {
    catalogue.operations.map {
      CataloguedOperation(name: $0.name, method: $0.method, path: $0.path, version: version)
    }
  }
}
