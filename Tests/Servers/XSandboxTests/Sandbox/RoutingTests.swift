import Foundation
import Testing

@testable import XSandbox

@Suite("Routing")
struct RoutingTests {
  @Test(
    "Unknown paths get 404",
    arguments: [
      "/2/nothing", "/2/", "/2", "/1.1", "/2/../etc/passwd", "/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd",
      "/2/users/me/", "//2/users/me", "/2/users/%FF%FE",
    ])
  func unknown(path: String) async throws {
    try await withSandbox { (sandbox) async throws in
      let response = try await RawConnection.exchange(
        "GET \(path) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", with: sandbox)
      #expect(response.hasPrefix("HTTP/1.1 404 "), "\(response)")
      #expect(response.contains("application/problem+json"))
    }
  }

  @Test("A path of the catalogue with another method gets 405, which names its methods")
  func methods() async throws {
    try await withSandbox { (sandbox) async throws in
      let wrong = try await TestClient.alice(sandbox).send("PATCH", "/2/dm_events/5")
      #expect((wrong.status, wrong.header("Allow")) == (405, "DELETE, GET"))
    }
  }

  @Test(
    "A method that no operation has gets 405, or 404 if the path does not exist", arguments: ["QUERY", "LINK", "PURGE"])
  func unusualMethods(method: String) async throws {
    try await withSandbox { (sandbox) async throws in
      for (path, status) in [("/2/users/me", "405"), ("/2/nothing", "404")] {
        let response = try await RawConnection.exchange(
          "\(method) \(path) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", with: sandbox)
        #expect(response.hasPrefix("HTTP/1.1 \(status) ") && response.contains("problem+json"), "\(response)")
      }
    }
  }

  @Test("A client that waits before it sends its body is told to continue, once", arguments: [5_000, 3 << 20])
  func expectation(size: Int) async throws {
    try await withSandbox { (sandbox) async throws in
      let body = Array(#"{"text":""#.utf8) + Array(repeating: UInt8(ascii: "x"), count: size) + Array(#""}"#.utf8)
      let (first, rest) = try await RawConnection.exchange(
        head: "POST /2/tweets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(sandbox.users.alice.oauth2AccessToken)\r\n"
          + "Content-Type: application/json\r\nContent-Length: \(body.count)\r\nExpect: 100-continue\r\n"
          + "Connection: close\r\n\r\n",
        body: body, with: sandbox)
      #expect(first == "HTTP/1.1 100 Continue\r\n\r\n")
      #expect(rest.hasPrefix("HTTP/1.1 4") && !rest.contains("100 Continue"), "\(rest.prefix(200))")
    }
  }

  @Test("A template with more literal segments wins")
  func precedence() async throws {
    try await withSandbox { (sandbox) async throws in
      #expect(try await TestClient.alice(sandbox).get("/2/users/by?usernames=bob").elements.count == 1)
    }
  }

  @Test("HEAD has the header of GET and no body, so that the next response on the connection is read right")
  func head() async throws {
    try await withSandbox { (sandbox) async throws in
      let token = sandbox.users.alice.oauth2AccessToken
      func request(_ method: String, _ path: String, last: Bool = false) -> String {
        "\(method) \(path) HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(token)\r\n"
          + (last ? "Connection: close\r\n" : "") + "\r\n"
      }
      let responses = try await RawConnection.exchange(
        request("HEAD", "/2/users/me") + request("HEAD", "/2/nothing") + request("GET", "/2/users/me", last: true),
        with: sandbox)
      let heads = responses.components(separatedBy: "HTTP/1.1 ").dropFirst().map {
        $0.components(separatedBy: "\r\n\r\n")
      }
      #expect(heads.map { $0[0].prefix(3) } == ["200", "404", "200"])
      #expect(heads.map { $0[1].isEmpty } == [true, true, false])
      let body = try #require(heads.last?[1])
      let head = try #require(heads.first?[0]).lowercased() + "\r\n"
      #expect(head.contains("content-length: \(body.utf8.count)\r\n"), "\(head)")
    }
  }

  @Test(
    "Every operation with its own behaviour is in the catalogue, with the same credentials, scopes and parameters")
  func tables() throws {
    let entries = Dictionary(CataloguedOperation.all.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    #expect(OperationTable.v2.count > 80 && OperationTable.v1.count > 60)
    for operation in OperationTable.all {
      let entry = try #require(entries[operation.key], "\(operation.key)")
      guard let access = operation.access else { continue }
      if operation.version == .v2 { #expect(entry.name == operation.name) }
      let typed = try #require(TypedOperation.of(operation.key, in: operation.version))
      #expect(Set(typed.access.kinds) == Set(access.kinds), "\(operation.key)")
      #expect(Set(typed.access.scopes) == Set(access.scopes), "\(operation.key)")
      // Streams still have the older names in the catalogue; the sandbox takes both.
      let names = Set(typed.parameterNames + typed.parameterNames.map { $0.replacing("tweet.", with: "post.") })
      for parameter in operation.query { #expect(names.contains(parameter.name), "\(operation.key) \(parameter.name)") }
    }
  }
}
