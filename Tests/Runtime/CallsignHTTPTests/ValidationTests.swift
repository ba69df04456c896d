import Callsign
import CallsignAuth
import CallsignHTTP
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Every transport refuses requests that must not be sent, before it makes a connection.
@Suite struct ValidationTests {
  static let transports: [any Transport] =
    TransportKind.allCases.map { $0.make() } + [InMemoryTransport { _ in TransportResponse() }]

  static func refusal(_ request: TransportRequest) async throws -> String {
    var reasons: Set<String> = []
    for transport in transports {
      let error = try await transportError { try await transport.send(request) }
      #expect(error.delivery == .notSent)
      guard case .invalidRequest(let reason) = error.kind else {
        Issue.record("\(error)")
        continue
      }
      reasons.insert(reason)
    }
    #expect(reasons.count == 1)
    return reasons.first ?? ""
  }

  @Test(
    "Paths are checked",
    arguments: [
      "/a\r\nX: y", "/a\nb", "/a\u{0}b", "/a\tb", "/a b", "/a\u{7f}b", "/gr\u{fc}n", "/a#b", "a", "", "/a\u{1b}b",
    ])
  func paths(path: String) async throws {
    let head = HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1", path: path)
    #expect(try await Self.refusal(TransportRequest(head: head)).contains("URL"))
  }

  @Test(
    "Authorities are checked",
    arguments: [
      "", "a b", "a\r\nb", "user:secret@host", "a/b", "a?b", "a#b", "a\\b", "h\u{f6}st",
      "a:80:443", "a:b", "a:65536", "a:+80", "a]b", "[::1", "[::1]a",
    ])
  func authorities(authority: String) async throws {
    let head = HTTPRequest(method: .get, scheme: "https", authority: authority, path: "/")
    let reason = try await Self.refusal(TransportRequest(head: head))
    #expect(reason.contains("URL"))
    #expect(!reason.contains("secret"))
  }

  @Test("Schemes are checked", arguments: ["ftp", "file", "", "HTTP"]) func schemes(scheme: String) async throws {
    let head = HTTPRequest(method: .get, scheme: scheme, authority: "127.0.0.1", path: "/")
    #expect(try await Self.refusal(TransportRequest(head: head)).contains("scheme"))
  }

  @Test("Values of header fields are checked", arguments: [[0x61, 0x01], [0x1b], [0x7f], [0x08, 0x61]] as [[UInt8]])
  func fieldValues(bytes: [UInt8]) async throws {
    var head = HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1", path: "/")
    head.headerFields.append(HTTPField(name: .authorization, lenientValue: bytes))
    #expect(try await Self.refusal(TransportRequest(head: head)).contains("Authorization"))
  }

  @Test("Texts of fields before they are fields", arguments: ["a\r\nb", "a\nb", "\r", "a\u{0}", "\u{1}"])
  func textsOfFieldsBeforeTheyAreFields(value: String) {
    let error = #expect(throws: TransportError.self) { try TransportRequest.validate(fieldName: "X-Any", value: value) }
    #expect(error?.delivery == .notSent)
    if case .invalidRequest(let reason) = error?.kind {
      #expect(reason.contains("X-Any"))
    } else {
      Issue.record("\(error as Any)")
    }
  }

  @Test(
    "Texts of URLs before they are requests", arguments: ["/a\r\n", "/a\n", "/a\u{0}", "/a\u{7f}", "\r\n/a", "/a\t"])
  func textsOfURLsBeforeTheyAreRequests(
    text: String
  ) {
    #expect(throws: TransportError.self) { try TransportRequest.validate(path: text) }
    #expect(throws: TransportError.self) { try TransportRequest.validate(authority: text) }
  }

  @Test("Names of header fields are checked", arguments: ["", "a b", "a:", "a\r\n", "gr\u{fc}n"]) func namesOfFields(
    name: String
  ) {
    #expect(throws: TransportError.self) { try TransportRequest.validate(fieldName: name, value: "x") }
  }

  @Test("Good header fields are sent") func goodFields() throws {
    for (name, value) in [("X-Any_1", "a\tb; gr\u{fc}n \u{1f600}"), ("x", "")] {
      #expect(throws: Never.self) { try TransportRequest.validate(fieldName: name, value: value) }
    }
  }

  @Test("The transport's own framing fields are refused") func framing() async throws {
    let url = "http://127.0.0.1/"
    let body = RequestBody.data(Data("12345".utf8))
    #expect(
      try await Self.refusal(TransportRequest(.post, url, fields: ["Content-Length": "4"], body: body)).contains(
        "Content-Length"))
    #expect(
      try await Self.refusal(TransportRequest(.post, url, fields: ["Transfer-Encoding": "chunked"], body: body))
        .contains("Transfer"))
    #expect(try await Self.refusal(TransportRequest(.head, url, body: body)).contains("HEAD"))
    #expect(try await Self.refusal(TransportRequest(.connect, url)).contains("CONNECT"))
  }

  @Test("A length that is right is sent once", arguments: TransportKind.allCases) func aLengthThatIsRightIsSentOnce(
    kind: TransportKind
  ) async throws {
    let server = try ScriptedServer.responding { request, peer in
      let count = request.fields.count { $0.name.lowercased() == "content-length" }
      try peer.respond("200 OK", [], Array("\(count) ".utf8) + request.body)
    }
    let body = RequestBody.data(Data("12345".utf8))
    let response = try await kind.make().send(
      TransportRequest(.post, server.url(), fields: ["Content-Length": "5"], body: body))
    #expect(try await response.body.collect() == Data("1 12345".utf8))
  }
}
