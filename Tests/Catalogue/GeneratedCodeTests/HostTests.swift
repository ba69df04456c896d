import Callsign
import Foundation
import Testing

/// Base URLs with variables.
@Suite struct HostTests {
  private let transport = InMemoryTransport { _ in .json("3") }

  private func url(_ petstore: Petstore) async throws -> String {
    _ = try await petstore.countPetsOfBranch()
    let head = try #require(transport.requests.last).head
    return "\(head.scheme ?? "")://\(head.authority ?? "")\(head.path ?? "")"
  }

  private var configuration: ClientConfiguration { ClientConfiguration(transport: transport) }

  @Test("A client gets the values as arguments, or from its configuration; the others have defaults")
  func values() async throws {
    let lyon = Petstore(auth: .standIn, branch: "lyon", configuration: configuration)
    #expect(try await url(lyon) == "https://lyon.petstore.example/v2/pets/count")
    let berlin = Petstore(auth: .standIn, branch: "berlin", version: "v3/beta", configuration: configuration)
    #expect(try await url(berlin) == "https://berlin.petstore.example/v3/beta/pets/count")
    #expect(try await url(lyon) == "https://lyon.petstore.example/v2/pets/count")
    var configured = configuration
    configured.hostVariables = ["branch": "paris", "other": "x"]
    #expect(try await url(Petstore(auth: .standIn, configuration: configured)).hasPrefix("https://paris."))
  }

  @Test("A value that is missing, or would lead elsewhere, fails the call before anything is sent")
  func refusals() async throws {
    do {
      _ = try await url(Petstore(auth: .standIn, configuration: configuration))
      Issue.record("the call did not fail")
    } catch let error as CallError {
      #expect("\(error)".contains("its host has the variable `branch`; give it to the client"))
    }
    for value in ["evil.example/", "evil.example?", "a@evil.example", "evil.example#", "a\\b", "a b", "{x}", "%2F"] {
      await #expect(throws: CallError.self) {
        try await url(Petstore(auth: .standIn, branch: value, configuration: configuration))
      }
    }
    for value in ["", ".", "..", "a..b", ".a", "a."] {
      do {
        _ = try await url(Petstore(auth: .standIn, branch: value, configuration: configuration))
        Issue.record("the call did not fail")
      } catch let error as CallError {
        #expect("\(error)".contains("leave a part of the host empty"))
      }
    }
    for value in ["../admin", "v2/..", "v2?x=1", "v2#", "a b"] {
      await #expect(throws: CallError.self) {
        try await url(Petstore(auth: .standIn, branch: "lyon", version: value, configuration: configuration))
      }
    }
    #expect(transport.requests.isEmpty)
  }

  @Test("Untyped calls also support such hosts")
  func untyped() async throws {
    let lyon = Petstore(auth: .standIn, branch: "lyon", configuration: configuration)
    _ = try await lyon.call(.get, "https://lyon.petstore.example/v2/other")
    await #expect(throws: CallError.self) { try await lyon.call(.get, "https://berlin.petstore.example/v2/other") }
    #expect(transport.requests.count == 1)
  }
}
