import Callsign
import CallsignTesting
import CallsignX
import Foundation
import TestSupport
import Testing

/// Requests of our client, over a socket, checked by other people's code.
@Suite(
  "Signatures that oauthlib verifies", .needs(.python(with: "oauthlib.oauth1")))
struct IndependentVerificationTests {
  private func api(
    _ server: OAuthlibServer, consumerSecret: Secret = "c&nsumer s%cret +", tokenSecret: Secret = "t=ken/secret ü"
  ) -> XAPI {
    XAPI(
      auth: .oauth1(
        OAuth1(
          consumerKey: "consumer-key", consumerSecret: consumerSecret, token: "token-1", tokenSecret: tokenSecret)),
      configuration: ClientConfiguration(hosts: .all(to: server.url)))
  }

  private static func endpoint(
    _ method: String, _ path: String, _ body: Endpoint.Body = .none
  ) -> Endpoint {
    Endpoint("verified", method, "https://api.x.com", path, auth: "oauth1", body: body)
  }

  private static let oddTexts = [
    "plain", "two words", "a+b", "a&b=c", "100 %", "%41%zz", "~-._", "!*'();:@/?#[],$", "ü é 漢 😀 👩‍👩‍👧", "e\u{301}",
    "\"quoted\" \\ {json} <tag> |^`", "line\r\nbreak\ttab", "\u{0}", "a=b&oauth_nonce=stolen", "  ",
  ]

  private func pairs(_ value: JSONValue?) -> [[String]]? {
    value?.array?.map { $0.array?.compactMap(\.string) ?? [] }
  }

  @Test("Odd characters in the path, the query and a form, together")
  func characters() async throws {
    try await OAuthlibServer.with { (server) async throws in
      for text in Self.oddTexts {
        var call = Call(Self.endpoint("POST", "/things/{id}/parts", .form))
        call.path("id", text)
        call.add("q", text, in: .query)
        call.add("q", "second", in: .query)
        call.add(text == "plain" ? "b" : "a", text, in: .query)
        call.add("status", text, in: .form)
        call.add("empty", "", in: .form)
        let response: Response<JSONValue> = try await api(server).client.send(call)
        #expect(response.value["valid"] == true, "\(response.value)")
        #expect(response.value["path"]?.string == "/things/\(text)/parts")
        #expect(pairs(response.value["form"]) == [["status", text], ["empty", ""]])
        #expect(pairs(response.value["query"])?.first == ["q", text])
        #expect(response.value["has_token"] == true)
      }
    }
  }

  @Test("Names are signed as values are")
  func names() async throws {
    try await OAuthlibServer.with { (server) async throws in
      for text in Self.oddTexts {
        let query: [String: (any ParameterValue & Sendable)?] = [
          text: text, "z": "1", "oauth": "no protocol parameter",
        ]
        let read = try await api(server).call(.get, "2/things", query: query)
        #expect(read.value["valid"] == true, "\(read.value)")
        let write = try await api(server).call(
          .post, "2/things?first=1", query: query, body: .form([text: text, "a": "2"]))
        #expect(write.value["valid"] == true, "\(write.value)")
      }
    }
  }

  @Test("A JSON body is not part of the signature")
  func json() async throws {
    try await OAuthlibServer.with { (server) async throws in
      for text in Self.oddTexts {
        for method in ["POST", "PUT", "PATCH"] as [String] {
          var call = Call(Self.endpoint(method, "/2/tweets", .json))
          call.add("q", text, in: .query)
          call.json("text", text)
          let response: Response<JSONValue> = try await api(server).client.send(call)
          #expect(response.value["valid"] == true, "\(response.value)")
          #expect(response.value["method"]?.string == method.description)
          let body = try JSONValue(jsonData: Data((response.value["body"]?.string ?? "").utf8))
          #expect(body["text"]?.string == text)
        }
      }
    }
  }

  @Test("Random texts everywhere")
  func random() async throws {
    try await OAuthlibServer.with { (server) async throws in
      var generator = SeededGenerator(seed: 20)
      let alphabet = Array("aZ09%+& =/?#;:@!$'()*,[]{}<>\"\\^`|~-._é漢😀")
      func text() -> String {
        String(
          (0..<Int.random(in: 1...12, using: &generator)).map { _ in
            alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
          })
      }
      for _ in 0..<60 {
        var call = Call(Self.endpoint("POST", "/a/{one}/{two}", .form))
        call.path("one", "x" + text())
        call.path("two", "y" + text())
        for _ in 0..<3 { call.add("q", text(), in: .query) }
        call.add("list", [text(), text()], in: .query)
        for _ in 0..<3 { call.add("f", text(), in: .form) }
        let response: Response<JSONValue> = try await api(server).client.send(call)
        #expect(response.value["valid"] == true, "\(response.value)")
      }
    }
  }

  @Test("Generated methods, each kind once")
  func generated() async throws {
    try await OAuthlibServer.with { (server) async throws in
      let x = api(server)
      // The server knows nothing of X: only a method whose response has no required member succeeds; for the others, the error
      // keeps the response.
      let search = try await x.searchPostsRecent(
        query: "(a OR \"b c\") -is:reply", startTime: Date(timeIntervalSince1970: 1.5), postFields: [.createdAt, .geo])
      let errors = [
        await failure { () throws(CallError) in try await x.createPosts(text: "ü & ~", replySettings: .following) },
        await failure { () throws(CallError) in try await x.updateLists(id: "1", private: false) },
        await failure { () throws(CallError) in try await x.unlikePost(id: "1", tweetID: "2") },
      ]
      let bodies = try [search.body] + errors.map { try #require($0?.rawResponse?.body) }
      for body in bodies {
        let response = try JSONValue(jsonData: body)
        #expect(response["valid"] == true, "\(response)")
      }
    }
  }

  @Test("The verifier does refuse: another secret, and a changed request")
  func refused() async throws {
    try await OAuthlibServer.with { (server) async throws in
      let wrong = try await api(server, consumerSecret: "other").call(.get, "2/users/me")
      #expect(wrong.value["valid"] == false)
      let half = try await api(server, tokenSecret: "other").call(.get, "2/users/me")
      #expect(half.value["valid"] == false)
    }
  }
}
