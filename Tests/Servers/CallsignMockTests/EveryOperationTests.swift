import CallsignCatalogue
import CallsignHTTP
import CallsignJSON
import CallsignOpenAPI
import CallsignX
import CallsignXv1
import Foundation
import TestSupport
import Testing

@testable import CallsignMock

/// Sends a request for every operation, and checks the mock's responses against the types without the mock's code.
@Suite("Responses of every operation") struct EveryOperationTests {
  /// Calls every operation, and passes each response to a judge.
  private func callAll(
    _ catalogue: Catalogue, seed: UInt64, _ judge: (CallsignCatalogue.Endpoint, Data) throws -> [String]
  ) async throws -> Int {
    var configuration = MockConfiguration(seed: seed, requiresCredentials: false)
    configuration.recordInterval = .zero
    configuration.streamLength = 3
    configuration.listLength = 3
    let mock = MockServer(catalogue, configuration: configuration)
    let writer = RequestWriter(catalogue: catalogue, seed: Seed(seed))
    var count = 0
    for endpoint in catalogue.groups.flatMap(\.endpoints) {
      let request = writer.request(endpoint, writer.arguments(endpoint))
      let response = try await mock.respond(to: request)
      let body = try await response.body.collect()
      guard (200...299).contains(response.status) else {
        Issue.record("\(endpoint.name): \(response.status) \(String(decoding: body.prefix(600), as: UTF8.self))")
        continue
      }
      count += 1
      guard let returns = endpoint.returns, response.headers[.contentType] == "application/json" else { continue }
      let records = endpoint.stream == .lines ? body.split(separator: 0x0A).map { Data($0) } : [body]
      if endpoint.stream == .array || endpoint.stream == .events { continue }
      for record in records where record.count > 1 {
        let issues = try judge(endpoint, record)
        if !issues.isEmpty {
          Issue.record(
            "\(endpoint.name) → \(returns.text): \(issues.prefix(3)) \(String(decoding: record.prefix(400), as: UTF8.self))"
          )
        }
      }
    }
    return count
  }

  /// Calls every operation of an import. A request cannot distinguish operations that differ only in the name of their placeholder
  /// (`/v1/{+name}`, `/v1/{+job}`), or in the fragment of their path, which is not sent; so the response may be of either.
  private func callImported(_ catalogue: Catalogue, seed: UInt64) async throws -> Int {
    func shape(_ endpoint: CallsignCatalogue.Endpoint) -> String {
      endpoint.method + endpoint.path.replacing(#/\{\+?[^}]*\}/#, with: "{}")
    }
    let judge = TypeJudge(catalogue)
    let operations = Dictionary(grouping: catalogue.groups.flatMap(\.endpoints), by: shape)
    return try await callAll(catalogue, seed: seed) { endpoint, body in
      let types = (operations[shape(endpoint)] ?? []).compactMap(\.returns)
      return try types.map { try judge.issues(of: body, $0) }.min { $0.count < $1.count } ?? []
    }
  }

  private static func catalogue(_ folder: String) throws -> Catalogue {
    try #require(CatalogueLoader().load(folder: PackageFolder.url(folder).path).catalogue)
  }

  @Test("XAPI's types read every response of v2 strictly", arguments: [1] as [UInt64])
  func v2(seed: UInt64) async throws {
    let catalogue = try Self.catalogue("spec/x-v2")
    let judge = TypeJudge(catalogue)
    let count = try await callAll(catalogue, seed: seed) { endpoint, body in
      if let type = XAPI.responseType(of: endpoint.name) {
        do { _ = try type.init(jsonData: body) } catch { return ["\(error)"] }
      }
      return try endpoint.returns.map { try judge.issues(of: body, $0) } ?? []
    }
    #expect(count == 178)
  }

  @Test("XAPIv1's types read every response of v1.1 strictly", arguments: [1] as [UInt64])
  func v1(seed: UInt64) async throws {
    let catalogue = try Self.catalogue("spec/x-v1.1")
    let judge = TypeJudge(catalogue)
    let count = try await callAll(catalogue, seed: seed) { endpoint, body in
      if let type = XAPIv1.responseType(of: endpoint.name) {
        do { _ = try type.init(jsonData: body) } catch { return ["\(error)"] }
      }
      return try endpoint.returns.map { try judge.issues(of: body, $0) } ?? []
    }
    #expect(count == 192)
  }

  @Test(
    "Responses of large documents fit their types", .needs(.corpus("openapi-large")),
    arguments: ["github.yaml", "box.json", "twilio.json", "slack-swagger2.json"])
  func documents(name: String) async throws {
    let url = try #require(Corpora.url("openapi-large/\(name)"))
    let catalogue = try OpenAPIImporter().importDocument([UInt8](Data(contentsOf: url))).catalogue
    #expect(try await callImported(catalogue, seed: 7) == catalogue.groups.flatMap(\.endpoints).count)
  }

  /// Includes the ones with the most examples, and with enums of numbers.
  @Test(
    "Responses of many companies' documents fit their types, with the documents' examples among them",
    .needs(.corpus("openapi")), arguments: 0..<4)
  func companies(part: Int) async throws {
    let folder = try #require(Corpora.url("openapi"))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    var judged = 0
    for name in names.enumerated().filter({ $0.offset % 12 == part * 3 }).map(\.element) {
      let bytes = [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
      guard let catalogue = try? OpenAPIImporter().importDocument(bytes).catalogue else { continue }
      let count = try await callImported(catalogue, seed: 5)
      #expect(count == catalogue.groups.flatMap(\.endpoints).count, "\(name)")
      judged += 1
    }
    #expect(judged >= 39)
  }

  @Test("Written values can be read from the request", arguments: ["spec/x-v2", "spec/x-v1.1"])
  func roundTrips(folder: String) async throws {
    let catalogue = try Self.catalogue(folder)
    let reader = ArgumentReader(types: ModelIndex(catalogue), everyCall: catalogue.api.everyCall, isStrict: true)
    for seed in [11, 12] as [UInt64] {
      let writer = RequestWriter(catalogue: catalogue, seed: Seed(seed))
      for endpoint in catalogue.groups.flatMap(\.endpoints) {
        let arguments = writer.arguments(endpoint, all: true)
        let request = writer.request(endpoint, arguments)
        let match = try #require(
          RouteTable(catalogue).matches(request).first { $0.endpoint.name == endpoint.name }, "\(endpoint.name)")
        let read = reader.read(request, endpoint, path: match.parameters)
        #expect(read.problems.isEmpty, "\(endpoint.name)")
        for (name, value) in arguments where read.values[name] != value {
          let parameter = endpoint.parameters.first { $0.name == name }
          // A raw body is no JSON, and a text with a comma is two.
          if parameter?.place == .body { continue }
          #expect(read.values[name] == value, "\(endpoint.name).\(name)")
        }
      }
    }
  }
}
