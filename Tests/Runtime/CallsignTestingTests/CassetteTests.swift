import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignJSON
import CallsignTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing
import XCore

@Suite("Cassettes")
struct CassetteTests {
  private let file = FileManager.default.temporaryDirectory.appendingPathComponent("cassette-\(UUID().uuidString).json")

  private func client(_ middleware: any Middleware, _ respond: @escaping InMemoryTransport.Responder) -> Client {
    Client(
      auth: OAuth1(
        consumerKey: "ck-8431", consumerSecret: "cs-8431", token: "t-8431", tokenSecret: "ts-8431",
        hosts: ["api.example"]),
      configuration: ClientConfiguration(
        transport: InMemoryTransport(respond: respond), retry: .never, middleware: [middleware]))
  }

  private func player() throws -> Client {
    client(try CassettePlayer(contentsOf: file)) { _ in
      Issue.record("a request left the cassette")
      return .json("{}")
    }
  }

  @Test("Recorded responses are played in order, and nothing else")
  func roundTrip() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let counter = Counter()
    let recorder = CassetteRecorder()
    let live = client(recorder) { request in
      if request.head.method == .post { return .json("{}", status: .badRequest) }
      if request.head.path == "/bytes" { return TransportResponse(body: Data([0, 0xFF])) }
      return .json("{\"n\":\(counter.next())}", headerFields: [.eTag: "\"e\"", .setCookie: "session=8431"])
    }
    let url = "https://api.example/things?b=2&a=1"
    for expected in 0..<2 { #expect(try await live.call(.get, url).value["n"]?.int == expected) }
    await #expect(throws: CallError.self) {
      try await live.call(.post, "https://api.example/things", body: .json(["text": "hi"]))
    }
    let bytes = try await live.open(.get, "https://api.example/bytes").value.collect()
    #expect(bytes == Data([0, 0xFF]))
    try recorder.save(to: file)

    let replay = try player()
    for expected in 0..<2 {
      let response = try await replay.call(.get, url)
      #expect(response.value["n"]?.int == expected)
      #expect(response.headers[.eTag] == "\"e\"")
    }
    await #expect(throws: CallError.self) {
      try await replay.call(.post, "https://api.example/things", body: .json(["text": "hi"]))
    }
    #expect(try await replay.open(.get, "https://api.example/bytes").value.collect() == bytes)
  }

  @Test("Requests that were recorded with encoded commas get responses")
  func commas() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let things = "https://api.example/things"
    func form(_ text: String) -> CallBody {
      .data(Data(text.utf8), contentType: "application/x-www-form-urlencoded")
    }
    let recorder = CassetteRecorder()
    let live = client(recorder) { _ in .json("{}") }
    _ = try await live.call(.get, "\(things)?ids=1%2C2&a=1")
    _ = try await live.call(.post, things, body: form("ids=1%2C2"))
    try recorder.save(to: file)

    let replay = try player()
    await #expect(throws: CallError.self) { try await replay.call(.get, "\(things)?ids=1,3&a=1") }
    _ = try await replay.call(.get, "\(things)?ids=1,2&a=1")
    await #expect(throws: CallError.self) { try await replay.call(.post, things, body: form("ids=12")) }
    _ = try await replay.call(.post, things, body: form("ids=1,2"))
  }

  @Test("No secret is kept, in any position")
  func secrets() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let recorder = CassetteRecorder(redaction: Redaction(hiddenParameters: Redaction.secretParameters.union(["mine"])))
    let live = client(recorder) { request in
      request.head.path == "/oauth/access_token"
        ? TransportResponse(
          headerFields: [.contentType: "text/html"],
          body: Data("oauth_token=8431&oauth_token_secret=8431&screen_name=a".utf8))
        : .json(
          #"{"access_token":"8431","list":[{"refresh_token":"8431"}],"scope":"x"}"#,
          headerFields: [.setCookie: "s=8431", .wwwAuthenticate: "Bearer 8431"])
    }
    _ = try await live.call(
      .post, "https://api.example/token?access_token=8431&mine=8431&shown=1",
      body: .form(["refresh_token": "8431", "client_secret": "8431", "grant_type": "refresh_token"]))
    _ = try await live.call(.post, "https://api.example/json", body: .json(["password": "8431", "name": "n"]))
    _ = try await live.open(.post, "https://api.example/oauth/access_token").value.collect()
    try recorder.save(to: file)
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(!text.contains("8431"))
    for shown in ["grant_type=refresh_token", "shown=1", "screen_name=a", "scope"] { #expect(text.contains(shown)) }
  }

  @Test("No credential is kept that a response repeats by another name, and the cleaned recording plays")
  func echoedSecrets() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let key = #"S3CRET/"KEY"#
    func client(_ middleware: any Middleware, _ respond: @escaping InMemoryTransport.Responder) -> Client {
      Client(
        auth: APIKey(Secret(key), in: .query("k"), hosts: ["api.example"]),
        configuration: ClientConfiguration(
          transport: InMemoryTransport(respond: respond), retry: .never, middleware: [middleware]))
    }
    var redaction = Redaction()
    redaction.shownHeaders.insert("location")
    let recorder = CassetteRecorder(redaction: redaction)
    let live = client(recorder) { request in
      if request.head.path?.hasPrefix("/old") == true {
        return TransportResponse(
          status: .found, headerFields: [.location: "/new?echo=S3CRET%2F%22KEY&n=1"], body: Data())
      }
      return .json(#"{"you":"S3CRET\/\"KEY","list":["with S3CRET/\"KEY"],"n":1}"#, headerFields: [.eTag: key])
    }
    #expect(try await live.call(.get, "https://api.example/old").value["n"]?.int == 1)
    try recorder.save(to: file)
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(!text.contains("S3CRET") && text.contains("REDACTED"), "\(text)")
    let replay = client(try CassettePlayer(contentsOf: file, redaction: redaction)) { _ in
      Issue.record("a request left the cassette")
      return .json("{}")
    }
    #expect(try await replay.call(.get, "https://api.example/old").value["n"]?.int == 1)
  }

  @Test("No secret of the path is kept") func secretsOfPaths() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let recorder = CassetteRecorder()
    var call = Call(Endpoint("getPet", "GET", "https://api.example", "/bot{token}/pets/{id}"))
    call.path("token", "8431")
    call.path("id", "7")
    let _: Response<JSONValue> = try await client(recorder) { _ in .json("{}") }.send(call)
    try recorder.save(to: file)
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(text.contains("bot") && !text.contains("8431"), "\(text)")
  }

  @Test("A part with a login part's name that is not one is kept, and distinguishes requests")
  func ordinaryNames() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let recorder = CassetteRecorder()
    let live = client(recorder) { request in
      .json(#"{"state":"\#(request.head.path?.suffix(1) ?? "")","error":{"code":"E1"}}"#)
    }
    let things = "https://api.example/things"
    for state in ["a", "b"] { _ = try await live.call(.get, "\(things)?state=\(state)") }
    for code in ["1", "2"] { _ = try await live.call(.post, things, body: .form(["code": code])) }
    try recorder.save(to: file)

    let replay = try player()
    for state in ["b", "a"] {
      let value = try await replay.call(.get, "\(things)?state=\(state)").value
      #expect(value["state"]?.string == state && value["error"]?["code"] == "E1")
    }
    for code in ["2", "1"] { _ = try await replay.call(.post, things, body: .form(["code": code])) }
  }

  @Test(
    "A login's code and state are hidden in its URLs and forms",
    arguments: [
      "grant_type=authorization_code&code=8431&redirect_uri=https%3A%2F%2Fa.example", "client_id=ci&state=8431",
      "response_type=code&state=8431", "code=8431&redirect_uri=x", "code=8431&state=8431", "State=8431&Code=8431",
      "c%6Fde=8431&client%5Fid=ci", "code=8431&code_verifier=8431", "code=8431&client_secret=8431",
    ])
  func logins(text: String) async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let recorder = CassetteRecorder()
    let live = client(recorder) { _ in
      .json(#"{"redirect":"https://app.example/callback?\#(text)","list":["/callback?\#(text)"]}"#)
    }
    _ = try await live.call(.get, "https://api.example/authorize?\(text)")
    let form = CallBody.data(Data(text.utf8), contentType: "application/x-www-form-urlencoded")
    _ = try await live.call(.post, "https://api.example/token", body: form)
    try recorder.save(to: file)
    let kept = try String(contentsOf: file, encoding: .utf8)
    #expect(!kept.contains("8431") && kept.contains("REDACTED"), "\(kept)")
    let command = try live.curlCommand(.post, "https://api.example/token?\(text)", body: form)
    #expect(!command.contains("8431"))
    #expect(try live.curlCommand(.get, "https://api.example/things?state=open").contains("state=open"))
  }

  @Test("Secrets that are not text, are spelled differently, or are in a stream's lines are hidden, too")
  func shapesOfSecrets() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let recorder = CassetteRecorder()
    let live = client(recorder) { request in
      let isEvents = request.head.path == "/events"
      let line = #"{"n":1,"Access-Token":"8431"}"#
      return TransportResponse(
        headerFields: [.contentType: isEvents ? "text/event-stream" : "application/x-ndjson"],
        body: Data((isEvents ? "id: 1\ndata: \(line)\n\n" : "\(line)\n\n{\"n\":2}\n").utf8))
    }
    let body = CallBody.json([
      "password": 8431, "secret": ["8431", ["8431"]], "token": ["id": 7, "apiKey": "8431", "on": true],
      "clientSecret": "8431", "oauthTokenSecret": "8431", "API_KEY": nil, "n": 7,
    ])
    for path in ["events", "lines"] {
      let response = try await live.open(.post, "https://api.example/\(path)", body: body).value.collect()
      #expect(String(decoding: response, as: UTF8.self).contains("8431"), "whoever calls gets it")
    }
    let command = try live.curlCommand(.post, "https://api.example/lines", body: body)
    #expect(!command.contains("8431") && command.contains(#""n":7"#) && command.contains(#""on":true"#), "\(command)")
    try recorder.save(to: file)
    let kept = try String(contentsOf: file, encoding: .utf8)
    #expect(!kept.contains("8431"), "\(kept)")
    let events = try await player().open(.post, "https://api.example/events", body: body).value.collect()
    let lines = String(decoding: events, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 4 && lines[0] == "id: 1" && lines[1].hasPrefix("data:") && lines[1].contains("REDACTED"))
  }

  @Test(
    "A record without its secret still fits its stream",
    arguments: [
      ("{\"token\":\"8431\"}\r\n{}\r\n", "{\"token\":\"REDACTED\"}\r\n{}\r\n"),
      ("18\r\n{\"token\":\"8431\"}\r\n", "22\r\n{\"token\":\"REDACTED\"}\r\n"),
      ("16\n{\"token\":\"8431\"}\n", "20\n{\"token\":\"REDACTED\"}\n"),
      ("[\n{\"token\":\"8431\"},\n{\"token\":1}\n", "[\n{\"token\":\"REDACTED\"},\n{\"token\":\"REDACTED\"}\n"),
    ])
  func records(text: String, clean: String) async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let recorder = CassetteRecorder()
    let live = client(recorder) { _ in
      TransportResponse(headerFields: [.contentType: "application/json"], body: Data(text.utf8))
    }
    _ = try await live.open(.get, "https://api.example/records").value.collect()
    try recorder.save(to: file)
    let replay = try await player().open(.get, "https://api.example/records").value.collect()
    #expect(String(decoding: replay, as: UTF8.self) == clean)
  }

  @Test("A link to the next page keeps no secret, and is still followed from the cassette")
  func links() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let recorder = CassetteRecorder()
    let live = client(recorder) { request in
      guard request.head.path == "/me" else { return .json("{}") }
      return .json(#"{"next":"https://api.example/me?access_token=8431&after=Q","text":"/b?"}"#)
    }
    let page = try await live.call(.get, "https://api.example/me").value
    let next = try #require(page["next"]?.string)
    #expect(next.contains("8431"), "whoever calls gets it")
    _ = try await live.call(.get, next)
    try recorder.save(to: file)
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(!text.contains("8431"))

    let replay = try player()
    let first = try await replay.call(.get, "https://api.example/me").value
    #expect(first["next"]?.string == "https://api.example/me?access_token=REDACTED&after=Q")
    #expect(first["text"]?.string == "/b?")
    _ = try await replay.call(.get, first["next"]?.string ?? "")
  }

  @Test("A request that was not recorded is refused, with the differences")
  func mismatch() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let recorder = CassetteRecorder()
    let live = client(recorder) { _ in .json("{}") }
    _ = try await live.call(.put, "https://api.example/things?id=1", body: .json(["a": 1]))
    try recorder.save(to: file)
    func refusal(_ method: HTTPRequest.Method, _ url: String, _ body: CallBody? = nil) async throws -> String {
      let replay = try player()
      do throws(CallError) { _ = try await replay.call(method, url, body: body) } catch {
        guard case .invalidCall = error else { return "\(error)" }
        return error.description
      }
      return "no error"
    }
    #expect(try await refusal(.put, "https://api.example/things?id=1", .json(["a": 2])).contains("body differs"))
    #expect(try await refusal(.put, "https://api.example/things?id=2", .json(["a": 1])).contains("query differs in id"))
    #expect(try await refusal(.get, "https://api.example/things").contains("recorded with PUT"))
    #expect(try await refusal(.get, "https://api.example/other").contains("/things"))
    let replay = try player()
    _ = try await replay.call(.put, "https://api.example/things?id=1", body: .json(["a": 1]))
    let error = await #expect(throws: CallError.self) {
      try await replay.call(.put, "https://api.example/things?id=1", body: .json(["a": 1]))
    }
    #expect(error?.description.contains("used up") == true)
  }

  @Test(
    "Files that are not cassettes",
    arguments: [
      "", "{", "[]", "{}", #"{"exchanges":[{}]}"#,
      #"{"exchanges":[{"request":{"method":"GET","url":"u"},"response":{"status":7}}]}"#,
    ])
  func malformed(text: String) throws {
    defer { try? FileManager.default.removeItem(at: file) }
    #expect(throws: CassetteError.unreadable(file: file.path)) { _ = try CassettePlayer(contentsOf: file) }
    try Data(text.utf8).write(to: file)
    #expect(throws: CassetteError.malformed(file: file.path)) { _ = try CassettePlayer(contentsOf: file) }
  }

  @Test("After a redirect the response is filed under the URL that gave it", arguments: [false, true])
  func redirect(hasPrefix: Bool) async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let recorder = CassetteRecorder()
    let transport = InMemoryTransport { request in
      let isFirst = request.head.path?.hasSuffix("/first") == true
      return .json("{}", status: isFirst ? .found : .ok, headerFields: isFirst ? [.location: "second?a=1"] : [:])
    }
    let hosts: BaseURLOverrides = hasPrefix ? .all(to: "http://127.0.0.1:1/below") : .identity
    let client = Client(
      auth: [], configuration: ClientConfiguration(transport: transport, hosts: hosts, middleware: [recorder]))
    _ = try await client.call(.get, "https://api.example/first")
    try recorder.save(to: file)
    let exchanges = try JSONValue(jsonData: Data(contentsOf: file))["exchanges"]?.array ?? []
    let urls = exchanges.map { $0["request"]?["url"]?.string }
    #expect(urls == ["https://api.example/first", "https://api.example/second?a=1"])
    #expect(exchanges.map { $0["response"]?["status"]?.int } == [302, 200])
  }
}
