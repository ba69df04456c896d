import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing
import XCore

@Suite("Where parameters travel, and hashes of bodies") struct PlacementTests {
  @Test("An independent verifier accepts every placement", .needs(.python(with: "oauthlib.oauth1")))
  func placements() async throws {
    try await Provider.with { provider in
      var credentials = provider.credentials(try await provider.token())
      for placement in [OAuth1Placement.header, .query, .body] {
        credentials.placement = placement
        let client = provider.client(credentials)
        let text = "ü é+%&= 漢"
        let form = try await client.call(
          .post, "https://api.x.com/2/things?q=a%20b", body: .form(["f": text, "empty": ""]))
        #expect(form.value["form"]?["f"] == .string(text))
        #expect(form.value["form"]?["empty"] == "")
        _ = try await client.call(.post, "https://api.x.com/2/things")
        _ = try await client.call(.delete, "https://api.x.com/2/things?")
        if placement != .body {
          _ = try await client.call(.get, "https://api.x.com/2/things", query: ["q": text])
          let json = try await client.call(.post, "https://api.x.com/2/things", body: .json(["t": .string(text)]))
          #expect(json.value["body"]?.string?.contains("漢") == true)
        }
      }
      let places = try await provider.log().filter { $0["path"] == "/2/things" }.compactMap { $0["place"]?.string }
      #expect(
        places == Array(repeating: "header", count: 5) + Array(repeating: "query", count: 5) + ["body", "body", "body"])
    }
  }

  @Test("In the query: a redirect that repeats it is signed again, with each parameter once")
  func repeatedQuery() async throws {
    let transport = InMemoryTransport { request in
      guard let path = request.head.path, path.hasPrefix("/old") else { return .json("{}") }
      return TransportResponse(status: .found, headerFields: [.location: "https://api.example/new\(path.dropFirst(4))"])
    }
    let credentials = OAuth1(
      consumerKey: "k", consumerSecret: "s", token: "t", tokenSecret: "ts", placement: .query, hosts: ["api.example"])
    let client = Client(auth: credentials, configuration: ClientConfiguration(transport: transport))
    _ = try await client.call(.get, "https://api.example/old", query: ["q": "a b&oauth_nonce=c", "oauth_x": "kept"])
    let sent = transport.requests.map { URLComponents(string: "https://api.example\($0.head.path ?? "")") }
    #expect(sent.map { $0?.path } == ["/old", "/new"])
    for components in sent {
      let items = try #require(components?.queryItems)
      #expect(Set(items.map(\.name)).count == items.count, "\(items.map(\.name))")
      func value(_ name: String) -> String { items.first { $0.name == name }?.value ?? "" }
      #expect(value("q") == "a b&oauth_nonce=c" && value("oauth_x") == "kept")
      // The request is sent as it was signed.
      let signer = OAuth1Signer(consumerKey: "k", consumerSecret: "s", token: "t", tokenSecret: "ts")
      let query = [("oauth_x", "kept"), ("q", "a%20b%26oauth_nonce%3Dc")].map { "\($0)=\($1)" }.joined(separator: "&")
      let signature = try signer.sign(
        method: "GET", url: "https://api.example\(components?.path ?? "")?\(query)", nonce: value("oauth_nonce"),
        timestamp: value("oauth_timestamp"))
      #expect(signature.signature == value("oauth_signature"))
    }
  }

  @Test("In the body: only if it is a form, or could be one")
  func bodies() async {
    let transport = InMemoryTransport { _ in .json("{}") }
    let credentials = OAuth1(consumerKey: "k", consumerSecret: "s", placement: .body, hosts: ["api.example"])
    let client = Client(auth: credentials, configuration: ClientConfiguration(transport: transport))
    let calls: [(HTTPRequest.Method, CallBody?)] = [
      (.get, nil), (.head, nil), (.post, .json([])), (.put, .data(Data([1]), contentType: "text/plain")),
      (.post, .multipart(MultipartBody(parts: [.text(name: "a", value: "b")]))),
    ]
    for (method, body) in calls {
      let error = await callFailure { () throws(CallError) in
        try await client.call(method, "https://api.example/", body: body)
      }
      guard case .authorization(let problem) = error else {
        Issue.record("\(method)")
        continue
      }
      #expect(problem.advice.contains("place them in the header"))
    }
    #expect(transport.requests.isEmpty)
  }

  @Test("Hashes agree with those that Python computes", .needs(.python(with: "oauthlib.oauth1")))
  func bodyHash() async throws {
    try await Provider.with { provider in
      let token = try await provider.token()
      for method in [OAuth1SignatureMethod.hmacSHA1, .hmacSHA256, .plaintext] {
        let credentials = OAuth1(
          consumerKey: "app", consumerSecret: Provider.appSecret, token: token, signatureMethod: method,
          includesBodyHash: true, hosts: ["api.x.com"])
        let client = provider.client(credentials)
        let url = "https://api.x.com/2/things"
        let text = String(repeating: "漢 ", count: 100_000)
        let bodies: [CallBody?] = [
          nil, .json(["text": "a"]), .data(Data(text.utf8), contentType: "text/plain"),
          .stream(.stream(length: nil) { Pieces(["one", "two", "three"]) }, contentType: "text/plain"),
        ]
        for body in bodies {
          let response = try await client.call(.post, url, body: body)
          #expect(response.value["body_hash"] == true)
        }
        // A form is signed itself, and must not be hashed.
        #expect(try await client.call(.post, url, body: .form(["a": "b"])).value["body_hash"] == .null)
      }
    }
  }

  @Test("A body that cannot be read for its hash is not sent")
  func unreadable() async {
    struct Unreadable: Error {}
    let transport = InMemoryTransport { _ in .json("{}") }
    let credentials = OAuth1(consumerKey: "k", consumerSecret: "s", includesBodyHash: true, hosts: ["api.example"])
    let client = Client(auth: credentials, configuration: ClientConfiguration(transport: transport))
    let error = await callFailure { () throws(CallError) in
      try await client.call(
        .post, "https://api.example/",
        body: .stream(.stream(length: 3) { throw Unreadable() }, contentType: "text/plain"))
    }
    guard case .transport(let problem) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(problem.kind == .bodySource)
    #expect(transport.requests.isEmpty)
  }
}

/// A body in pieces. Only one is requested at a time, so it needs no lock.
private final class Pieces: BodySource, @unchecked Sendable {
  private var rest: [String]

  init(_ pieces: [String]) { rest = pieces }

  func next(limit: Int) async throws -> Data? { rest.isEmpty ? nil : Data(rest.removeFirst().utf8) }
}
