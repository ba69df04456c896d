import Callsign
import CallsignHTTP
import CallsignSupport
import Foundation
import Logging
import TestSupport
import Testing

/// The constants of every call of an API, credentials that are sent together, and failures in any form.
@Suite struct EveryCallTests {
  /// Signs as OAuth 1 would, without doing so.
  private struct Signature: Authenticator {
    var hosts: AllowedHosts { .catalogue }
    var identity: CredentialIdentity { CredentialIdentity("oauth1", account: "test") }

    func satisfies(_ requirement: AuthRequirement) -> Bool { requirement.scheme == "oauth1" }

    func authenticate(_ request: inout TransportRequest, context: AuthenticationContext) async throws(CallError) {
      let keys = request.headerFields.contains { $0.name.canonicalName == "x-partner-key" } ? "with key" : "without key"
      request.headerFields[.authorization] = "signed \(keys) for \(context.requirement?.scheme ?? "")"
    }
  }

  @Test("The API's header fields go along, and a client's or call's own are in their place") func headers() async throws
  {
    let server = try ShopServer("[]")
    defer { server.stop() }
    _ = try await server.petstore().listToys()
    _ = try await server.petstore { $0.headers["petstore-version"] = "2027" }.listToys()
    var options = CallOptions()
    options.headers["Petstore-Version"] = "2028"
    _ = try await server.petstore().listToys(options: options)
    #expect(server.requests.map { $0["Petstore-Version"] } == ["2026-11-01", "2027", "2028"])
  }

  @Test("A call carries further parameters and members that the catalogue does not know") func additions() async throws
  {
    let server = try ShopServer(#"{"data":[]}"#, petJSON, #"{"id":"1"}"#)
    defer { server.stop() }
    var options = CallOptions()
    options.query = ["new": "a b", "limit": 7]
    _ = try await server.petstore { $0.query = ["tenant": "x", "new": "no"] }.listBoxes(limit: 5, options: options)
    #expect(server.requests.last?.query.sorted() == ["limit=7", "new=a b", "tenant=x"])

    options = CallOptions()
    options.body = ["name": "Max", "flags": [1, true]]
    _ = try await server.petstore().updatePet(id: "7", name: "Rex", weight: 3, options: options)
    let sent = try JSONValue(jsonData: Data(try #require(server.requests.last).body))
    #expect(sent == ["name": "Max", "weight": 3, "flags": [1, true]])

    options.body = ["customer": "you", "flags": [1]]
    _ = try await server.petstore().orderToys(customer: "me", items: [], options: options)
    #expect(server.requests.last?.form == ["customer=you", "flags=[1]"])
  }

  @Test("Members for a call without a body, or for one that takes none, are a mistake and not left out")
  func additionsWithoutBody() async throws {
    let server = try ShopServer("[]")
    defer { server.stop() }
    var options = CallOptions()
    options.body = ["flags": [1]]
    func expect(_ error: CallError?, _ words: String) {
      guard case .invalidCall(let problem)? = error, case .body = problem.reason else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect("\(problem)".contains(words), "\(problem)")
    }
    expect(
      await #expect(throws: CallError.self) { _ = try await server.petstore().listBoxes(options: options) },
      "the call has none; remove the members of CallOptions.body")
    let client = Client(auth: [])
    let url = server.base + "/things"
    expect(
      await #expect(throws: CallError.self) { _ = try await client.call(.post, url, options: options) },
      "the call has none")
    let stream = CallBody.stream(.stream(length: 1) { throw CancellationError() }, contentType: "text/plain")
    expect(
      await #expect(throws: CallError.self) { _ = try await client.call(.post, url, body: stream, options: options) },
      "a file or stream")
    #expect(server.requests.isEmpty)
  }

  @Test("Schemes that must come together do, the key before the signature") func together() async throws {
    let server = try ShopServer("[]")
    defer { server.stop() }
    _ = try await server.petstore(auth: [Signature(), Petstore.partnerKey("s3cret")]).listToys()
    let request = try #require(server.requests.first)
    #expect(request["X-Partner-Key"] == "Key s3cret")
    #expect(request["Authorization"] == "signed with key for oauth1")

    await #expect(throws: CallError.self) { _ = try await server.petstore(auth: [Signature()]).listToys() }
    await #expect(throws: CallError.self) {
      _ = try await server.petstore(auth: [Petstore.partnerKey("s3cret")]).listToys()
    }
    #expect(server.requests.count == 1)
  }

  @Test("An API key goes into the query or a cookie, and is nowhere to be seen") func keys() async throws {
    let server = try ShopServer(#"{"ok":true}"#)
    defer { server.stop() }
    let lines = Locked<[String]>([])
    let configuration = ClientConfiguration(logger: .recording(to: lines))
    let url = server.base + "/things?appid=old&a=1"
    let query = APIKey(
      "s3cret/1", in: .query("appid"), hosts: ["127.0.0.1:\(try #require(AbsoluteURL(server.base)?.port))"])
    let client = Client(auth: query, configuration: configuration)
    _ = try await client.call(.get, url)
    #expect(server.targets.last == "/things?a=1&appid=s3cret%2F1")

    let cookie = APIKey("s3cret", in: .cookie("till"), hosts: query.hosts)
    var options = CallOptions()
    options.headers["Cookie"] = "till=old;a=b; tiller=c"
    _ = try await Client(auth: cookie, configuration: configuration).call(.get, url, options: options)
    #expect(server.requests.last?["Cookie"] == "a=b; tiller=c; till=s3cret")

    #expect(try !client.curlCommand(.get, url).contains("s3cret"))
    #expect(!lines.withLock { $0 }.joined().contains("s3cret"))
    #expect(!lines.withLock { $0 }.isEmpty)
    for text in ["\(query)", String(reflecting: query), query.identity.description] {
      #expect(!text.contains("s3cret"))
    }
    let broken = APIKey("a;b", in: .cookie("till"), hosts: query.hosts)
    await #expect(throws: CallError.self) { _ = try await Client(auth: broken).call(.get, url) }
  }

  @Test("A key in the query replaces the one that a server wrote into its link, and is not stored") func keyInLink()
    async throws
  {
    let server = try ShopServer { request, peer, number in
      let link = number == 1 ? ["Link: </v1/toys?page=2&k=leaked>; rel=\"next\""] : []
      try peer.respond("200 OK", link, Array("[]".utf8))
    }
    defer { server.stop() }
    let pages = server.petstore(auth: [Signature(), APIKey("s3cret", in: .query("k"), scheme: "partner_key")])
      .listToysPages()
    var tokens: [String?] = []
    for try await page in pages { tokens.append(pages.token(after: page)) }
    #expect(server.targets == ["/v1/toys?k=s3cret", "/v1/toys?page=2&k=s3cret"])
  }

  @Test("A response with status 200 that reports a failed call is an error") func failures() async throws {
    let server = try ShopServer(
      #"{"ok":false,"error":"no_such_toy","data":[]}"#, #"{"data":[],"result":{"status":"broken"}}"#,
      #"{"ok":true,"data":[],"result":{"status":"fine"}}"#)
    defer { server.stop() }
    let petstore = server.petstore()
    // The second body has no text for the error.
    for details in [["no_such_toy"], []] as [[String?]] {
      let error = await #expect(throws: CallError.self) { try await petstore.listBoxes() }
      guard case .api(let refusal) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(refusal.status == .ok)
      #expect(refusal.problems.map(\.detail) == details)
    }
    #expect(try await petstore.listBoxes().data.isEmpty)
  }

  @Test("The body of an error is read as the type that the catalogue has for it") func errorBodies() async throws {
    let server = try ShopServer { _, peer, number in
      try peer.respond(number == 1 ? "404 Not Found" : "403 Forbidden", [], Array(#"{"message":"gone"}"#.utf8))
    }
    defer { server.stop() }
    let first = await #expect(throws: CallError.self) { try await server.petstore().listToys() }
    guard case .api(let refusal) = first else {
      Issue.record("\(String(describing: first))")
      return
    }
    #expect(try refusal.body(as: Petstore.Lost.self).message == "gone")
    #expect(throws: JSONError.self) { try refusal.body(as: Petstore.Toy.self) }
    let second = await #expect(throws: CallError.self) { try await server.petstore().listToys() }
    #expect(try second?.body(as: Petstore.Problem.self)?.message == "gone")
    #expect(server.requests.count == 2)
  }

  @Test("The bodies of an operation's errors are the cases of an enum, by status") func errorCases() async throws {
    let responses = [
      ("404 Not Found", #"{"message":"gone"}"#), ("409 Conflict", #"{"message":"taken","code":"c1"}"#),
      ("503 Service Unavailable", #"{"message":"later"}"#), ("404 Not Found", "<html>"),
    ]
    let server = try ShopServer { _, peer, number in
      let (status, body) = responses[(number - 1) % responses.count]
      try peer.respond(status, [], Array(body.utf8))
    }
    defer { server.stop() }
    // A response that could not be read is not a refusal, whatever it contains.
    let unreadable = CallError.unexpectedContent(
      UnexpectedContent(kind: .other, rawResponse: RawResponse(status: .notFound, body: Data(#"{"message":"m"}"#.utf8)))
    )
    #expect(unreadable.body(as: Petstore.ListToysError.self) == nil)
    var found: [Petstore.ListToysError] = []
    for number in responses.indices {
      do throws(CallError) {
        _ = try await server.petstore().listToys()
      } catch {
        if case .api(let refusal) = error, number == 0 {
          found.append(refusal.body(as: Petstore.ListToysError.self))
        } else {
          found.append(try #require(error.body(as: Petstore.ListToysError.self)))
        }
      }
    }
    guard found.count == 4, case .notFound(let lost) = found[0], case .clientError(let problem) = found[1],
      case .unknown = found[2], case .unknown = found[3]
    else {
      Issue.record("\(found)")
      return
    }
    #expect(lost.message == "gone")
    #expect(problem.code == "c1")
    #expect(Petstore.FindToysError.self == Petstore.ListToysError.self)
  }

  @Test("Header fields of a response are its members") func responseHeaders() async throws {
    let server = try ShopServer { _, peer, _ in
      try peer.respond(
        "200 OK",
        ["X-Total-Count: 42", "X-Request-Id: r1", "Last-Sold: Sun, 06 Nov 1994 08:49:37 GMT", "ETag: \"v1\""],
        Array("[]".utf8))
    }
    defer { server.stop() }
    let toys = try await server.petstore().listToys()
    #expect(toys.totalCount == 42)
    #expect(toys.requestID == "r1")
    #expect(toys.lastSold == Date(timeIntervalSince1970: 784_111_777))
    #expect(toys.entityTag == "\"v1\"")
    #expect(toys.isEmpty)
  }

  @Test("Conditions go along, and their failure has a name") func conditions() async throws {
    let server = try ShopServer { request, peer, _ in
      let status = request["If-None-Match"] != nil ? "304 Not Modified" : "412 Precondition Failed"
      try peer.send("HTTP/1.1 \(status)\r\nContent-Length: 0\r\n\r\n")
    }
    defer { server.stop() }
    var options = CallOptions()
    options.condition = .ifNoneMatch("\"v1\"")
    await #expect { try await server.petstore().listToys(options: options) } throws: { error in
      (error as? CallError)?.isNotModified == true
    }
    options.condition = .ifMatch("\"v1\"")
    await #expect { try await server.petstore().patchToy(id: "1", name: "a", options: options) } throws: { error in
      (error as? CallError)?.isPreconditionFailure == true
    }
    // A field that the catalogue has as an argument is replaced by it.
    await #expect { try await server.petstore().replaceToy(id: "1", name: "a", ifMatch: "\"v2\"") } throws: { error in
      (error as? CallError)?.isPreconditionFailure == true
    }
    await #expect {
      try await server.petstore().replaceToy(id: "1", name: "a", ifMatch: "\"v2\"", options: options)
    } throws: { error in
      (error as? CallError)?.isPreconditionFailure == true
    }
    let sent = server.requests.map { $0["If-None-Match"] ?? $0["If-Match"] }
    #expect(sent == ["\"v1\"", "\"v1\"", "\"v2\"", "\"v1\""])
  }

  @Test("A key for a write is made once and kept over its attempts") func idempotency() async throws {
    let server = try ShopServer { _, peer, number in
      try peer.respond(number % 2 == 1 ? "503 Service Unavailable" : "200 OK", [], Array(#"{"id":"1"}"#.utf8))
    }
    defer { server.stop() }
    let petstore = server.petstore { configuration in
      configuration.retry = RetryPolicy(attempts: 2, baseDelay: .milliseconds(1), maximumDelay: .milliseconds(2))
    }
    _ = try await petstore.orderToys(customer: "me", items: [])
    var options = CallOptions()
    options.idempotencyKey = "mine"
    _ = try await petstore.orderToys(customer: "me", items: [], options: options)
    let keys = server.requests.map { $0["Idempotency-Key"] ?? "" }
    #expect(keys.count == 4)
    #expect(keys[0] == keys[1] && keys[0].count == 36)
    #expect(Array(keys[2...]) == ["mine", "mine"])
  }

  @Test("A write whose response was lost may have been done if nobody knows its key")
  func lostResponsesOfKeyedWrites() async throws {
    let server = try ShopServer { _, _, _ in throw CancellationError() }
    defer { server.stop() }
    let petstore = server.petstore { configuration in
      configuration.retry = RetryPolicy(attempts: 2, baseDelay: .milliseconds(1), maximumDelay: .milliseconds(2))
    }
    var options = CallOptions()
    for key in [nil, "mine"] {
      options.idempotencyKey = key
      do throws(CallError) {
        _ = try await petstore.orderToys(customer: "me", items: [], options: options)
        Issue.record("it succeeded")
      } catch {
        #expect(error.mayHaveBeenCarriedOut)
        // With its own key the caller can make the call again.
        if case .mayHaveSucceeded = error { #expect(key == nil) } else { #expect(key != nil) }
      }
    }
    #expect(server.requests.count == 4)
  }
}

extension Logger {
  /// Writes every message, with its metadata, to a list.
  fileprivate static func recording(to lines: Locked<[String]>) -> Logger {
    struct Handler: LogHandler {
      let lines: Locked<[String]>
      var metadata: Logger.Metadata = [:]
      var logLevel = Logger.Level.trace

      subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
      }

      func log(event: LogEvent) { lines.withLock { $0.append("\(event.message) \(event.metadata ?? [:])") } }
    }
    return Logger(label: "test") { _ in Handler(lines: lines) }
  }
}
