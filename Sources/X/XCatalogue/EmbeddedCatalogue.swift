import CallsignCatalogue

/// A catalogue that is a part of the program.
package typealias EmbeddedCatalogue = CatalogueExcerpts

extension EmbeddedCatalogue {
  /// X's API, version 2.
  package static var x2: EmbeddedCatalogue { v2 }
  /// X's REST API v1.1.
  package static var x1: EmbeddedCatalogue { v1 }
}
