import Callsign
import CallsignTesting
import CallsignX
import Foundation
import TestSupport
import Testing

@Suite("The generated catalogue")
struct CatalogueTests {
  /// Read line by line, so that neither the loader nor the generator can agree with itself.
  private static func operationsOfSpecification() throws -> [String] {
    let folder = PackageFolder.url("spec/x-v2")
    var operations: [String] = []
    for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    where file.pathExtension == "yaml" {
      var name = ""
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
        if line.hasPrefix("  "), !line.hasPrefix("   "), line.hasSuffix(":") {
          name = line.dropLast().trimmingCharacters(in: .whitespaces)
        }
        if line.hasPrefix("    call: ") { operations.append("\(name) \(line.dropFirst("    call: ".count))") }
      }
    }
    return operations
  }

  @Test("has 178 operations, each once, as the specification has them")
  func endpoints() throws {
    let endpoints = XAPI.endpoints
    #expect(endpoints.count == 178)
    #expect(Set(endpoints.map(\.name.description)).count == 178)
    #expect(Set(endpoints.map { "\($0.method) \($0.path)" }).count == 178)
    let generated = endpoints.map { "\($0.name) \($0.method) \($0.path)" }
    #expect(generated.sorted() == (try Self.operationsOfSpecification()).sorted())
  }

  @Test("sends requests only to the API's host, and says for each endpoint what it accepts")
  func hosts() {
    #expect(XAPI.baseURLs.map(\.description) == ["https://api.x.com"])
    for endpoint in XAPI.endpoints {
      #expect(endpoint.baseURL.description == "https://api.x.com")
      #expect(!endpoint.auth.description.isEmpty, "\(endpoint.name)")
      #expect(!endpoint.isRepeatable || endpoint.method.description != "POST", "\(endpoint.name)")
    }
  }

  @Test("A request that the API cannot take is a typed error that says so")
  func refused() async throws {
    try await withSession { (session) async throws in
      let error = await failure { () throws(CallError) in
        try await session.x.createPosts(text: "here", geo: .init(placeID: "7"))
      }
      guard case .api(let refusal)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(refusal.status.code == 400)
      #expect(refusal.titles.contains("Invalid Request"))
      #expect("\(refusal)".contains("400"))
    }
  }

  @Test("An operation that is not in the catalogue is another error")
  func unknown() async throws {
    try await withSession { (session) async throws in
      let error = await failure { () throws(CallError) in try await session.x.call(.get, "2/no/such/path") }
      guard case .api(let refusal)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(refusal.status == .notFound)
    }
  }
}
