import Foundation
import TestSupport
import Testing

@testable import XSandbox

@Suite("Hostile requests")
struct HostileRequestTests {
  /// Whatever came before, an ordinary request must still get a response.
  private func expectAlive(_ sandbox: Sandbox) async throws {
    #expect(try await TestClient.alice(sandbox).get("/2/users/me").data?["username"] == "alice")
  }

  @Test(
    "Malformed request lines and headers are refused or closed",
    arguments: [
      "", "\r\n\r\n", "GET\r\n\r\n", "GET /2/users/me\r\n\r\n", "\u{0}\u{1}\u{2}\r\n\r\n",
      "GET /2/users/me HTTP/9.9\r\n\r\n", "GET  HTTP/1.1\r\n\r\n", "GET ? HTTP/1.1\r\n\r\n", "GET % HTTP/1.1\r\n\r\n",
      "GET /.. HTTP/1.1\r\n\r\n", "GET /../.. HTTP/1.1\r\n\r\n", "GET /./ HTTP/1.1\r\n\r\n",
      "GET /a/../../b/.. HTTP/1.1\r\n\r\n",
      "GET . HTTP/1.1\r\n\r\n", "GET .. HTTP/1.1\r\n\r\n", "GET // HTTP/1.1\r\n\r\n", "GET /.. / HTTP/1.1\r\n\r\n",
      "POST /2/tweets HTTP/1.1\r\nContent-Length: -1\r\n\r\n", "POST /2/tweets HTTP/1.1\r\nContent-Length: x\r\n\r\n",
      "POST /2/tweets HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n",
      "POST /2/tweets HTTP/1.1\r\nContent-Length: 9223372036854775807\r\n\r\nabc",
      "POST /2/tweets HTTP/1.1\r\nContent-Length: 10\r\n\r\nabc",
      "POST /2/tweets HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
      "POST /2/tweets HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\nabc\r\n0\r\n\r\n",
      "POST /2/tweets HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\nabc\r\n",
      "POST /2/tweets HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n",
      "GET /2/users/me HTTP/1.1\r\n:\r\n: :\r\nAuthorization\r\nAuthorization:\r\n\r\n",
      "GET /2/users/me HTTP/1.1\r\nAuthorization: OAuth \u{FFFD}=\"\u{FFFD}\", realm=\"\r\n\r\n",
    ])
  func requestLines(text: String) async throws {
    try await withSandbox { (sandbox) async throws in
      let response = try await RawConnection.exchange(text, with: sandbox)
      #expect(response.isEmpty || response.hasPrefix("HTTP/1.1 4") || response.hasPrefix("HTTP/1.1 5"), "\(response)")
      try await expectAlive(sandbox)
    }
  }

  @Test("A body that ends before its announced length gets no response")
  func cutOffBody() async throws {
    try await withSandbox { (sandbox) async throws in
      let body = #"{"text":"whole"}"#
      func response(announcing length: Int) async throws -> String {
        try await RawConnection.exchange(
          "POST /2/tweets HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n"
            + "Authorization: Bearer \(sandbox.users.alice.oauth2AccessToken)\r\nContent-Length: \(length)\r\n\r\n\(body)",
          with: sandbox)
      }
      #expect(try await response(announcing: body.utf8.count + 1) == "")
      #expect(try await response(announcing: body.utf8.count).hasPrefix("HTTP/1.1 201 "))
    }
  }

  @Test("Bytes that are not UTF-8 are survived in the request line, a header and a body")
  func invalidUTF8() async throws {
    try await withSandbox { (sandbox) async throws in
      let token = sandbox.users.alice.oauth2AccessToken
      _ = try await RawConnection.exchange(
        Array("GET /2/\u{0}".utf8) + [0xFF, 0xFE] + Array(" HTTP/1.1\r\n\r\n".utf8), with: sandbox)
      _ = try await RawConnection.exchange(
        Array("GET /2/users/me HTTP/1.1\r\nAuthorization: ".utf8) + [0xC3, 0x28] + Array("\r\n\r\n".utf8), with: sandbox
      )
      let head =
        "POST /2/tweets HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n"
        + "Authorization: Bearer \(token)\r\nContent-Length: 13\r\n\r\n"
      let response = try await RawConnection.exchange(
        Array(head.utf8) + Array(#"{"text":"ab"#.utf8) + [0xFF, 0x22], with: sandbox)
      #expect(String(decoding: response, as: UTF8.self).contains("not valid UTF-8"))
      try await expectAlive(sandbox)
    }
  }

  @Test("Headers over 16 KiB get 431, and bodies over the limit 413")
  func sizes() async throws {
    var configuration = Sandbox.Configuration()
    configuration.maximumBodySize = 10_000
    try await withSandbox(configuration) { (sandbox) async throws in
      let long = (0..<40).map { "X-Long-\($0): \(String(repeating: "x", count: 500))\r\n" }.joined()
      let response = try await RawConnection.exchange(
        "GET /2/users/me HTTP/1.1\r\nHost: x\r\n\(long)\r\n", with: sandbox)
      #expect(response.hasPrefix("HTTP/1.1 431 "))
      #expect(response.contains("application/problem+json"))
      let line = String(repeating: "x", count: 100_000)
      for (request, status) in [
        ("GET /\(line) HTTP/1.1\r\nHost: x\r\n\r\n", 414), ("GET / HTTP/1.1\r\nHost: x\r\nX: \(line)\r\n\r\n", 431),
      ] {
        #expect(try await RawConnection.exchange(request, with: sandbox).hasPrefix("HTTP/1.1 \(status) "))
      }
      for size in [9_000, 10_001, 3_000_000] {
        let body = "{\"text\":\"" + String(repeating: "x", count: size) + "\"}"
        let response = try await TestClient.alice(sandbox).post("/2/tweets", body)
        #expect(response.status == (size < 10_000 ? 400 : 413))
      }
      try await expectAlive(sandbox)
    }
  }

  @Test("JSON that is nested 100,000 deep or has 10,000 members is refused")
  func deepJSON() async throws {
    try await withSandbox { (sandbox) async throws in
      let client = TestClient.alice(sandbox)
      for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let deep = String(repeating: open, count: 100_000) + "1" + String(repeating: close, count: 100_000)
        #expect(try await client.post("/2/tweets", deep).status == 400)
        #expect(try await client.post("/2/tweets", String(repeating: open, count: 100_000)).status == 400)
      }
      let wide = "{" + (0..<10_000).map { "\"n\($0)\":1" }.joined(separator: ",") + "}"
      #expect(try await client.post("/2/tweets", wide).messages.count == 10_000)
      try await expectAlive(sandbox)
    }
  }

  /// Seeded, so that a failure can be repeated.
  @Test("Requests changed at random leave the server alive", arguments: [1, 2, 3, 4] as [UInt64])
  func mutations(seed: UInt64) async throws {
    try await withSandbox(generousConfiguration()) { (sandbox) async throws in
      var generator = SeededGenerator(seed: seed)
      let url = sandbox.url.absoluteString + "/2/tweets?a=b"
      let header = TestSigner(sandbox, sandbox.users.alice).header(method: "POST", url: url)
      let template = Array(
        ("POST /2/tweets?a=b HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Type: application/json\r\n"
          + "Authorization: \(header)\r\nContent-Length: 15\r\n\r\n{\"text\":\"hello\"}").utf8)
      for _ in 0..<100 {
        var bytes = template
        for _ in 0..<Int.random(in: 1...8, using: &generator) {
          let index = Int.random(in: 0..<bytes.count, using: &generator)
          switch Int.random(in: 0..<3, using: &generator) {
          case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
          case 1: bytes.remove(at: index)
          default: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: index)
          }
        }
        _ = try await RawConnection.exchange(bytes, with: sandbox)
      }
      try await expectAlive(sandbox)
    }
  }
}
