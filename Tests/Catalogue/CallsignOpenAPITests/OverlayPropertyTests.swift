import CallsignCatalogue
import CallsignYAML
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

  /// A catalogue with every kind of part, but few enough to remove each of them.
  private static let shop: [CatalogueSource] = [
    (
      "api.yaml",
      """
      api:
        name: Shop
        docs: https://shop.example
        hosts:
          main: {url: "https://{tenant}.shop.example/{version}", variables: {tenant: , version: {default: v1, values: [v1, v2]}}}
          files: https://files.example
        schemes: {key: {$in: header, $name: X-Key}, oauth2: {read: See., write: Change.}, none: }
        headers: {Shop-Version: 2026-11-01}
        failure: {ok: false}
        errors: {404: Missing, default: Problem}
        webhooks: {signature: "X-Signature: {hex}", timestamp: X-Timestamp}
      models:
        Missing: {id: string}
        Problem: {message: string}
      """
    ),
    (
      "pets.yaml",
      """
      group: {summary: Pets., limits: {user: 5/1s}}
      mixins:
        paged: {params: {page: string?, size: int?}, pages: {token: page, next: next, items: data, size: size}}
        dated: {fields: {born: date?}}
      patterns: {digits: '/^[0-9]+$/'}
      endpoints:
        getPet: {call: "GET /pets/{id}", auth: [key], params: {id: string(digits)}, returns: Response<Pet>}
        listPets: {call: GET /pets, like: paged, auth: [[key, oauth2(read)]], params: {kind: {type: Kind?, default: cat}}, returns: PetPage}
        addPet:
          call: POST /pets
          auth: [oauth2(write)]
          host: files
          body: multipart
          params: {photo: file, name: string?, nick: string?, ids: {type: "[string]?", list: repeat}}
          one_of: [name, nick]
          returns: Pet
          response_headers: {X-Total: int}
          errors: {409: Problem}
        watchPets: {call: GET /watch, auth: [none], stream: events, returns: Event}
        startExport: {call: POST /exports, auth: [key], returns: Export, poll: {ask: getExport, with: {id: id}, done: {state: done}}}
        getExport: {call: "GET /exports/{id}", auth: [key], params: {id: string}, returns: Export}
      models:
        Response<T>: {data: T, meta: "{string}?"}
        Pet: {$like: dated, id: string, kind: {type: Kind, name: sort}, tags: "[string]?", side: Side?}
        PetPage: {data: "[Pet]?", next: string?}
        Kind: enum [cat, dog]
        Side: {$of: int, $enum: {1: {name: left}, 2: right}}
        Event: {$tag: kind, $union: {a: Sale, b: Loss}}
        Sale: {kind: string, pet: Pet}
        Loss: {kind: {value: b}, why: string?, $extra: json}
        Export: {id: string, state: string}
      """
    ),
  ].map { CatalogueSource(path: $0.0, bytes: Array($0.1.utf8)) }

  @Test("whatever is removed, the catalogue passes its checks, or the overlay's line is reported")
  func everyRemoval() throws {
    let plain = try #require(CatalogueLoader().load(files: Self.shop).catalogue)
    let whole = Self.sources(plain, [])
    for files in [Self.shop, whole] {
      let paths = try Self.paths(of: files)
      #expect(paths.count > 120)
      for path in paths { Self.expectValid(Self.removal(of: [path]), onto: files) }
    }
  }

  @Test("the same of several removals, in a great catalogue", arguments: 1...6)
  func randomRemovals(seed: Int) throws {
    let files = try Self.files("x-v2")
    var random = SeededGenerator(seed: UInt64(seed))
    let paths = try Self.paths(of: files).shuffled(using: &random)
    // A removal within another one would be a duplicate key.
    var chosen: [[String]] = []
    for path in paths.prefix(6) where !chosen.contains(where: { $0.starts(with: path) || path.starts(with: $0) }) {
      chosen.append(path)
    }
    Self.expectValid(Self.removal(of: chosen), onto: files)
  }

  /// The paths of everything that an overlay can name.
  private static func paths(of files: [CatalogueSource]) throws -> [[String]] {
    var paths: [[String]] = []
    func collect(_ node: YAMLNode, _ path: [String]) {
      for entry in node.entries ?? [] {
        guard let key = entry.key.text else { continue }
        paths.append(path + [key])
        collect(entry.value, path + [key])
      }
    }
    for file in files {
      let root = try #require(YAMLReader(try SourceText(file: file.path, bytes: file.bytes)).root)
      for section in root.entries ?? [] {
        switch section.key.text {
        case "group": collect(section.value, ["groups", String(file.path.dropLast(".yaml".count))])
        case "api", "endpoints", "models": collect(section.value, [section.key.text ?? ""])
        default: break
        }
      }
    }
    return paths
  }

  /// An overlay that removes the parts at the paths, with one line for each.
  private static func removal(of paths: [[String]]) -> String {
    func lines(_ paths: [[String]], _ depth: Int) -> [String] {
      var keys: [String] = []
      for path in paths where !keys.contains(path[0]) { keys.append(path[0]) }
      return keys.flatMap { key in
        let inner = paths.filter { $0[0] == key }.map { Array($0.dropFirst()) }
        let indent = String(repeating: "  ", count: depth)
        let name = DefaultValue.quoted(key)
        if inner.contains([]) { return ["\(indent)\(name): ~"] }
        return ["\(indent)\(name):"] + lines(inner, depth + 1)
      }
    }
    return lines(paths, 0).joined(separator: "\n") + "\n"
  }

  private static func expectValid(_ overlay: String, onto files: [CatalogueSource]) {
    let merged = Self.merge(overlay, onto: files)
    let lines = overlay.split(separator: "\n").count
    for diagnostic in merged.diagnostics {
      #expect(diagnostic.location.file == "o.yaml" && diagnostic.location.line <= lines, "\(overlay)\n\(diagnostic)")
    }
    guard let catalogue = merged.catalogue else {
      return #expect(merged.diagnostics.hasErrors, "\(overlay)")
    }
    let written = CatalogueLoader().load(files: Self.sources(catalogue, []))
    #expect(!written.diagnostics.hasErrors, "\(overlay)\n\(written.diagnostics)")
    #expect(written.catalogue == catalogue, "\(overlay)")
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
    // The merged catalogue is written with mixins and with the templates of X's own overlay, as an import writes it.
    let twice = Self.merge(overlay, onto: Self.sources(first, templates))
    let second = try #require(twice.catalogue, "\(overlay)\n\(twice.diagnostics)")
    #expect(second == first, "\(overlay)")
    #expect(CatalogueWriter().files(for: second) == CatalogueWriter().files(for: first), "\(overlay)")
  }
}

/// Overlays with a few changes each, all of which are valid.
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
        // Pages, tags and streams depend on the others.
        if !["data", "meta", "id", "type", "next_token", "previous_token"].contains(field.name) {
          changes.append("{\(field.name): json}")
        }
      }
      // Those called fields are the members of another model.
      if !model.name.hasSuffix("Field"), case .enumeration(let cases) = model.shape,
        let value = cases.randomElement(using: &random)
      {
        changes += ["{$enum: {\"\(value.value)\": A value.}}", "{$add: [another]}"]
      }
      lines.append("  \(model.name): \(changes.randomElement(using: &random) ?? "{}")")
    }
    lines.append("fields: {created_at: {summary: When.}}")
    return lines.joined(separator: "\n")
  }
}
