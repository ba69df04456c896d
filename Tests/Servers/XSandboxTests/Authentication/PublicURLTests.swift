import Foundation
import Testing

@testable import XSandbox

@Suite("Signatures for other addresses")
struct PublicURLTests {
  private func status(_ sandbox: Sandbox, signedFor origin: String) async throws -> Int {
    let header = TestSigner(sandbox, sandbox.users.alice).header(
      method: "GET", url: origin + "/1.1/account/verify_credentials.json")
    return try await TestClient(sandbox, .header(header)).getV1("account/verify_credentials").status
  }

  @Test("A request may be signed for a public address, and for no other")
  func origins() async throws {
    var configuration = Sandbox.Configuration()
    configuration.publicURLs = ["https://api.x.com", "http://Proxy.test:8080/"].compactMap(URL.init(string:))
    try await withSandbox(configuration) { (sandbox) async throws in
      #expect(try await status(sandbox, signedFor: sandbox.url.absoluteString) == 200)
      #expect(try await status(sandbox, signedFor: "https://api.x.com") == 200)
      #expect(try await status(sandbox, signedFor: "http://proxy.test:8080") == 200)
      #expect(try await status(sandbox, signedFor: "https://api.twitter.com") == 401)
      #expect(try await status(sandbox, signedFor: "http://proxy.test") == 401)
    }
    try await withSandbox { (sandbox) async throws in
      #expect(try await status(sandbox, signedFor: "https://api.x.com") == 401)
    }
  }
}
