import CallsignCatalogue
import Foundation
import Testing

@testable import CallsignOpenAPI

/// The OpenAPI document of X's API v2, which is not part of this package: in the folder that the environment variable
/// `CALLSIGN_REFERENCE` names, or in `../shared/reference`.
private enum Reference {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  static let document: URL? = {
    var folders = [root.deletingLastPathComponent(), root.deletingLastPathComponent().deletingLastPathComponent()]
      .map { $0.appendingPathComponent("shared/reference") }
    if let named = ProcessInfo.processInfo.environment["CALLSIGN_REFERENCE"] {
      folders.insert(URL(fileURLWithPath: named), at: 0)
    }
    return folders.map { $0.appendingPathComponent("x-v2-openapi.json") }
      .first { FileManager.default.isReadableFile(atPath: $0.path) }
  }()

  static func imported(_ bytes: [UInt8]? = nil) throws -> ImportResult {
    let document = try bytes ?? Array(Data(contentsOf: #require(Reference.document)))
    let notes = try ImportNotes(yaml: Array(Data(contentsOf: root.appendingPathComponent("spec/x-v2.notes.yaml"))))
    return try OpenAPIImporter(notes: notes).importDocument(document)
  }
}

@Suite(.enabled(if: Reference.document != nil, "the document of X's API v2 is not there"))
struct ReferenceDocumentTests {
  @Test("all operations are there") func allOperationsAreThere() throws {
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
    // Every operation has a line that somebody has written.
    #expect(!result.warnings.contains { $0.message.contains("no summary of its own") })
    #expect(endpoints.allSatisfy { $0.summary?.hasPrefix("Calls ") == false })
  }

  @Test("the committed catalogue is a fresh import") func theCommittedCatalogueIsAFreshImport() throws {
    let result = try Reference.imported()
    let files = CatalogueWriter(origin: result.origin, notes: "x-v2.notes.yaml").files(for: result.catalogue)
    let folder = Reference.root.appendingPathComponent("spec/x-v2")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".yaml") }
    #expect(names.sorted() == files.map(\.path).sorted())
    for file in files {
      let committed = try String(contentsOf: folder.appendingPathComponent(file.path), encoding: .utf8)
      #expect(committed == file.text, "\(file.path) differs; run Scripts/update-spec")
    }
  }

  @Test("the same document gives the same bytes") func theSameDocumentGivesTheSameBytes() throws {
    let first = try Reference.imported()
    let second = try Reference.imported()
    #expect(
      CatalogueWriter().files(for: first.catalogue) == CatalogueWriter().files(for: second.catalogue))
    #expect(first.warnings == second.warnings)
  }

  @Test("the order of schemas decides nothing") func theOrderOfSchemasDecidesNothing() throws {
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
    case .string(let text): YAMLText.quoted(text)
    case .list(let list): "[" + list.map(text).joined(separator: ",") + "]"
    case .object(let object):
      "{" + object.members.map { YAMLText.quoted($0.key) + ":" + text($0.value) }.joined(separator: ",") + "}"
    }
  }
}
