import CallsignCatalogue
import Foundation
import TestSupport
import Testing

@testable import CallsignOpenAPI

/// The OpenAPI document of X's API v2, which is not part of this package: in the folder that the environment variable
/// `CALLSIGN_REFERENCE` names, or in `../shared/reference`.
private enum Reference {
  static let document: URL? = {
    let named = ProcessInfo.processInfo.environment["CALLSIGN_REFERENCE"].map { URL(fileURLWithPath: $0) }
    let url = (named ?? PackageFolder.url("../shared/reference")).appendingPathComponent("x-v2-openapi.json")
    return FileManager.default.isReadableFile(atPath: url.path) ? url : nil
  }()

  static func imported(_ bytes: [UInt8]? = nil) throws -> ImportResult {
    let document = try bytes ?? Array(Data(contentsOf: #require(Reference.document)))
    let overlay = CatalogueOverlay(
      CatalogueSource(
        path: "x-v2.overlay.yaml", bytes: Array(try Data(contentsOf: PackageFolder.url("spec/x-v2.overlay.yaml")))))
    return try OpenAPIImporter(overlay: overlay).importDocument(document)
  }
}

@Suite(.needs(.file("X's OpenAPI document", at: Reference.document)))
struct ReferenceDocumentTests {
  @Test("The import contains all operations") func allOperationsAreThere() throws {
    let result = try Reference.imported()
    let endpoints = result.catalogue.groups.flatMap(\.endpoints)
    #expect(endpoints.count == 178)
    #expect(Set(endpoints.map(\.name)).count == 178)
    let streams = endpoints.filter { $0.stream == .lines }
    #expect(streams.count == 15)
    #expect(streams.allSatisfy { $0.backfill?.parameter == "backfill_minutes" })
    #expect(streams.filter { $0.backfill?.id == "data.id" }.count == 10)
    #expect(
      endpoints.filter { $0.body == .multipart }.map(\.name).sorted() == [
        "appendMediaUpload", "chatMediaUploadAppend", "mediaUpload",
      ])
    #expect(endpoints.filter { $0.returns == TypeReference(.scalar(.bytes)) }.count == 2)
    #expect(endpoints.filter { $0.rules.map(\.kind) == [.anyOf] }.count == 2)
    #expect(endpoints.allSatisfy { $0.parameters.allSatisfy { !$0.type.isNullable } })
    #expect(result.diagnostics.map(\.description) == [], "every line of the overlay applies")
    // Every operation has a line that somebody has written.
    #expect(!result.warnings.contains { $0.message.contains("has no summary") })
    #expect(endpoints.allSatisfy { $0.summary?.hasPrefix("Calls ") == false })
  }

  @Test("The committed catalogue is a fresh import") func theCommittedCatalogueIsAFreshImport() throws {
    let result = try Reference.imported()
    let writer = CatalogueWriter(
      origin: result.origin, overlay: "x-v2.overlay.yaml", templates: result.templates)
    let files = writer.files(for: result.catalogue)
    let folder = PackageFolder.url("spec/x-v2")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasPrefix(".") }
    #expect(names.sorted() == files.map(\.path).sorted())
    for file in files {
      let committed = try String(contentsOf: folder.appendingPathComponent(file.path), encoding: .utf8)
      #expect(committed == file.text, "\(file.path) differs; run Scripts/update-spec")
    }
  }

  @Test("The files are much shorter than with everything written out") func theFilesShareTheirParts() throws {
    let result = try Reference.imported()
    func size(_ files: [CatalogueFile]) -> (lines: Int, bytes: Int) {
      let texts = files.filter { $0.path != CatalogueExamples.fileName }.map(\.text)
      return (texts.reduce(0) { $0 + $1.count { $0 == "\n" } }, texts.reduce(0) { $0 + $1.utf8.count })
    }
    let plain = size(CatalogueWriter().files(for: result.catalogue))
    let writer = CatalogueWriter(origin: result.origin, overlay: nil, templates: result.templates)
    let shared = size(writer.files(for: result.catalogue))
    #expect(shared.lines < plain.lines, "\(shared.lines) of \(plain.lines) lines")
    #expect(shared.bytes * 5 < plain.bytes * 4, "\(shared.bytes) of \(plain.bytes) bytes")
  }

  @Test("The same document gives the same bytes") func theSameDocumentGivesTheSameBytes() throws {
    let first = try Reference.imported()
    let second = try Reference.imported()
    #expect(
      CatalogueWriter().files(for: first.catalogue) == CatalogueWriter().files(for: second.catalogue))
    #expect(first.warnings == second.warnings)
  }

  @Test("The order of schemas decides nothing") func theOrderOfSchemasDecidesNothing() throws {
    let url = try #require(Reference.document)
    let value = try DocumentParser.parse(Array(Data(contentsOf: url)))
    var root = try #require(value.object)
    var components = try #require(root["components"]?.object)
    let schemas = try #require(components["schemas"]?.object)
    components.set("schemas", .object(DocumentObject(schemas.members.reversed().map { ($0.key, $0.value) })))
    root.set("components", .object(components))
    let reversed = try Reference.imported(Array(JSONText.text(.object(root)).utf8))
    #expect(try reversed.catalogue == Reference.imported().catalogue)
  }
}

/// Writes values back as JSON.
private enum JSONText {
  static func text(_ value: DocumentValue) -> String {
    switch value {
    case .null: "null"
    case .bool(let flag): flag ? "true" : "false"
    case .number(let text): text
    case .string(let text): QuotedScalar.quoted(text)
    case .list(let list): "[" + list.map(text).joined(separator: ",") + "]"
    case .object(let object):
      "{" + object.members.map { QuotedScalar.quoted($0.key) + ":" + text($0.value) }.joined(separator: ",") + "}"
    }
  }
}
