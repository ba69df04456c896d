import CallsignCatalogue
import CallsignOverlay
import Foundation
import TestSupport
import Testing

@testable import CallsignOpenAPI

@Suite("Merging, whatever the catalogue and the overlay")
struct OverlayPropertyTests {
  /// The catalogues of X as they are written.
  private static func files(_ folder: String) throws -> [CatalogueSource] {
    let url = PackageFolder.url("spec/\(folder)")
    return try FileManager.default.contentsOfDirectory(atPath: url.path).filter { $0.hasSuffix(".yaml") }.sorted().map {
      CatalogueSource(path: $0, bytes: Array(try Data(contentsOf: url.appendingPathComponent($0))))
    }
  }

  private static func merge(_ overlay: String, onto files: [CatalogueSource]) -> LoadResult {
    CatalogueOverlay(CatalogueSource(path: "o.yaml", bytes: Array(overlay.utf8))).merged(onto: files)
  }

  private static func overlay() throws -> CatalogueSource {
    let bytes = try Data(contentsOf: PackageFolder.url("spec/x-v2.overlay.yaml"))
    return CatalogueSource(path: "x-v2.overlay.yaml", bytes: Array(bytes))
  }

  private static func sources(_ catalogue: Catalogue, _ templates: [ModelTemplate]) -> [CatalogueSource] {
    var writer = CatalogueWriter()
    writer.sharesParts = true
    writer.templates = templates
    return writer.files(for: catalogue).map { CatalogueSource(path: $0.path, bytes: Array($0.text.utf8)) }
  }

  @Test("an empty overlay gives the same bytes")
  func empty() throws {
    let files = try Self.files("x-v2")
    let before = try #require(CatalogueLoader().load(files: files).catalogue)
    let merged = Self.merge("", onto: files)
    #expect(merged.diagnostics.isEmpty)
    let after = try #require(merged.catalogue)
    #expect(CatalogueWriter().files(for: after) == CatalogueWriter().files(for: before))
  }

  @Test("X's own overlay, merged again, changes nothing more")
  func again() throws {
    let files = try Self.files("x-v2")
    let before = try #require(CatalogueLoader().load(files: files).catalogue)
    let merged = CatalogueOverlay(try Self.overlay()).merged(onto: files)
    #expect(!merged.diagnostics.hasErrors)
    let after = try #require(merged.catalogue)
    #expect(CatalogueWriter().files(for: after) == CatalogueWriter().files(for: before))
  }

  @Test("merging twice is merging once", arguments: 1...6)
  func idempotent(seed: Int) throws {
    let files = try Self.files("x-v2")
    let catalogue = try #require(CatalogueLoader().load(files: files).catalogue)
    let templates = CatalogueOverlay(try Self.overlay()).templates
    var random = SeededGenerator(seed: UInt64(seed))
    let overlay = RandomOverlay(catalogue).text(&random)
    let once = Self.merge(overlay, onto: files)
    let first = try #require(once.catalogue, "\(overlay)\n\(once.diagnostics)")
    // What was merged is written with mixins and with the templates of X's own overlay, as an import writes it.
    let twice = Self.merge(overlay, onto: Self.sources(first, templates))
    let second = try #require(twice.catalogue, "\(overlay)\n\(twice.diagnostics)")
    #expect(second == first, "\(overlay)")
    #expect(CatalogueWriter().files(for: second) == CatalogueWriter().files(for: first), "\(overlay)")
  }
}

/// Overlays of some changes each, all of which are in order.
private struct RandomOverlay {
  private let endpoints: [Endpoint]
  private let models: [Model]

  init(_ catalogue: Catalogue) {
    endpoints = catalogue.groups.flatMap(\.endpoints)
    models = catalogue.groups.flatMap(\.models)
  }

  func text(_ random: inout SeededGenerator) -> String {
    var lines = ["endpoints:"]
    for endpoint in endpoints.shuffled(using: &random).prefix(12) {
      let parameter = endpoint.parameters.randomElement(using: &random)
      let changes = [
        "A summary.", "{limits: {user: 5/1m, app: [1/s, 9/1h]}, deprecated: true}", "~", "{docs: https://a.example}",
        "{add: {extra_\(Int.random(in: 0...9, using: &random)): string?}}",
        parameter.map { "{first: [\"\($0.name)\"]}" } ?? "{summary: Nothing taken.}",
        parameter.map { "{params: {\"\($0.name)\": {summary: A parameter.}}}" } ?? "{details: More.}",
      ]
      lines.append("  \(endpoint.name): \(changes.randomElement(using: &random) ?? "~")")
    }
    lines.append("models:")
    for model in models.shuffled(using: &random).prefix(12) {
      var changes = ["{$summary: A model.}", "{$docs: https://a.example}", "{$deprecated: Use another.}"]
      if case .object(let fields, _) = model.shape, let field = fields.randomElement(using: &random) {
        changes += [
          "{$add: {added: \"[int]?\"}}", "{\(field.name): {summary: A field., also: [older_\(field.name)]}}",
        ]
        // Pages, tags and streams rest on the others.
        if !["data", "meta", "id", "type", "next_token", "previous_token"].contains(field.name) {
          changes.append("{\(field.name): json}")
        }
      }
      if case .enumeration(let cases) = model.shape, let value = cases.randomElement(using: &random) {
        changes += ["{$enum: {\"\(value.value)\": A value.}}", "{$add: [another]}"]
      }
      lines.append("  \(model.name): \(changes.randomElement(using: &random) ?? "{}")")
    }
    lines.append("fields: {created_at: {summary: When.}}")
    return lines.joined(separator: "\n")
  }
}
